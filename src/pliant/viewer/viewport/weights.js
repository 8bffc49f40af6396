// Live bars of the example weights: a row for each pose, a block for each actor or group.

export class Weights {
  constructor(place) {
    this.place = place;
    this.fills = [];
  }

  setCast(cast) {
    if (!this.place) return;
    this.fills = [];
    this.place.replaceChildren(...cast.bars.map((bar) => this.block(bar, cast.bars.length > 1)));
    this.place.closest(".section")?.classList.toggle("gone", cast.bars.length === 0);
  }

  block(bar, named) {
    const block = element("div", "bars");
    if (named) block.append(element("div", "bars-title", bar.label));
    for (const name of bar.names) {
      const row = element("div", name === "rest" ? "bar rest" : "bar");
      const fill = element("div", "fill");
      const track = element("div", "track");
      const number = element("span", "number", "–");
      track.append(fill);
      row.append(element("span", "pose", name), track, number);
      block.append(row);
      this.fills.push({ fill, number, row });
    }
    return block;
  }

  show(weights) {
    if (weights.length !== this.fills.length) return;
    weights.forEach((weight, i) => {
      const { fill, number, row } = this.fills[i];
      fill.style.transform = `scaleX(${Math.min(Math.max(weight, 0), 1)})`;
      const text = weight.toFixed(2);
      if (number.textContent !== text) number.textContent = text;
      row.dataset.weight = text;
    });
  }
}

function element(tag, kind, text = "") {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = text;
  return made;
}
