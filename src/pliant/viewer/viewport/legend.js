// What the colours mean, in a corner of the picture; and below it, what is under the pointer.

import { gradient, GROUPS } from "/viewport/colours.js";

const MOST = 8; // groups that are named

export class Legend {
  constructor(place) {
    this.box = element("div", "legend");
    this.title = element("div", "legend-title");
    this.bar = element("div", "legend-bar");
    this.ticks = element("div", "legend-ticks");
    this.classes = element("div", "legend-classes");
    this.note = element("div", "legend-note");
    this.bar.style.background = gradient();
    this.box.append(this.title, this.bar, this.ticks, this.classes, this.note);
    this.box.hidden = true;
    place.append(this.box);
  }

  // `heat` is { title, unit } with a scale, { title, names } with classes, or null.
  set(heat) {
    this.heat = heat;
    this.said = null;
    this.title.textContent = heat?.title ?? "";
    for (const part of [this.bar, this.ticks]) part.hidden = !heat?.unit;
    this.title.hidden = !heat;
    this.classes.replaceChildren(...(heat?.names ? classes(heat.names) : []));
    this.show();
  }

  // The end of the scale; `beyond` if some numbers are larger.
  scale(top, beyond) {
    const said = `${top} ${beyond}`;
    if (!this.heat?.unit || said === this.said) return;
    this.said = said;
    const ends = [0, top / 2, top].map((value) => written(value, this.heat.unit, top));
    if (beyond) ends[2] = `≥ ${ends[2]}`;
    this.ticks.replaceChildren(...ends.map((text) => element("span", "", text)));
  }

  tell(text) {
    if (this.note.textContent !== text) this.note.textContent = text;
    this.show();
  }

  show() {
    this.note.hidden = !this.note.textContent;
    this.box.hidden = !this.heat && this.note.hidden;
  }

  dispose() {
    this.box.remove();
  }
}

function classes(names) {
  const shown = names.length > MOST ? ["each region by itself"] : names;
  return shown.map((name, i) => {
    const row = element("div", "legend-class");
    const swatch = element("span", "legend-swatch");
    const many = `linear-gradient(135deg, ${GROUPS.slice(0, 4).join(", ")})`;
    swatch.style.background = names.length > MOST ? many : GROUPS[i % GROUPS.length];
    row.append(swatch, element("span", "", name));
    return row;
  });
}

// A number with its unit, as one reads it beside others up to `top`: "part" is a plain number, "%" a part of a hundred,
// "m" metres in what is handy.
export function written(value, unit, top = value) {
  if (unit === "%") return `${brief(100 * value)} %`;
  if (unit !== "m") return brief(value);
  const [factor, name] = top >= 1 ? [1, "m"] : top >= 0.01 ? [100, "cm"] : [1000, "mm"];
  return `${brief(factor * value)} ${name}`;
}

const brief = (value) => String(Number(value.toPrecision(value >= 100 ? 3 : 2)));

function element(tag, kind, text = "") {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = text;
  return made;
}
