// Live weights of the examples: a row for each pose, a block for each actor or group, and under it their curves.

import { Curve } from "/viewport/curve.js";

const COLOURS = 6; // --pose-1 to --pose-6 of style.css; the rest shape has --pose-0

export class Weights {
  constructor(place) {
    this.place = place;
    this.fills = [];
    this.curves = [];
  }

  setCast(cast) {
    if (!this.place) return;
    const said = JSON.stringify(cast.bars);
    if (said === this.said) return; // curves go on
    this.said = said;
    this.fills = [];
    this.curves = [];
    this.place.replaceChildren(...cast.bars.map((bar) => this.block(bar, cast.bars.length > 1)));
    this.place.closest(".section")?.classList.toggle("gone", cast.bars.length === 0);
    this.setTheme();
  }

  block(bar, named) {
    const block = element("div", "bars");
    if (named) block.append(element("div", "bars-title", bar.label));
    const first = this.fills.length;
    bar.names.forEach((name, i) => {
      const row = element("div", i === 0 ? "bar rest" : "bar");
      row.style.setProperty("--colour", `var(--pose-${i === 0 ? 0 : 1 + ((i - 1) % COLOURS)})`);
      const fill = element("div", "fill");
      const track = element("div", "track");
      const number = element("span", "number", "–");
      track.append(fill);
      row.append(element("span", "pose", name), track, number);
      block.append(row);
      this.fills.push({ fill, number, row });
    });
    const canvas = element("canvas", "curve");
    canvas.setAttribute("aria-label", `Weights of ${bar.label} over the last seconds`);
    block.append(canvas);
    this.curves.push({ curve: new Curve(canvas, bar.names.length), first, count: bar.names.length });
    return block;
  }

  show(weights, time) {
    if (weights.length !== this.fills.length) return;
    weights.forEach((weight, i) => {
      const { fill, number, row } = this.fills[i];
      fill.style.transform = `scaleX(${Math.min(Math.max(weight, 0), 1)})`;
      const text = weight.toFixed(2);
      if (number.textContent !== text) number.textContent = text;
      row.dataset.weight = text;
    });
    for (const { curve, first, count } of this.curves) curve.add(time, weights.subarray(first, first + count));
  }

  setTheme() {
    for (const { curve, first, count } of this.curves)
      curve.setColours(this.fills.slice(first, first + count).map(({ fill }) => getComputedStyle(fill).backgroundColor));
  }
}

function element(tag, kind, text = "") {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = text;
  return made;
}
