// Live weights of the examples: a row for each pose, a block for each actor or group, and under it their curves.

import { GROUPS } from "/viewport/colours.js";
import { Curve, SPAN } from "/viewport/curve.js";

const COLOURS = 6; // --pose-1 to --pose-6 of colours.css; the rest shape has --pose-0

export class Weights {
  constructor(place) {
    this.place = place;
    this.fills = [];
    this.curves = [];
  }

  useSetup(setup) {
    if (!this.place) return;
    const said = JSON.stringify(setup.bars);
    if (said === this.said) return; // curves go on
    this.said = said;
    this.fills = [];
    this.curves = [];
    this.place.replaceChildren(...setup.bars.map((bar) => this.block(bar, setup.bars.length > 1)));
    this.place.closest(".section")?.classList.toggle("gone", setup.bars.length === 0);
    this.setTheme();
  }

  block(bar, named) {
    const block = element("div", "bars");
    if (named) block.append(title(bar));
    const first = this.fills.length;
    bar.names.forEach((name, i) => {
      const row = element("div", i === 0 ? "bar rest" : "bar");
      row.style.setProperty("--colour", `var(--pose-${i === 0 ? 0 : 1 + ((i - 1) % COLOURS)})`);
      const fill = element("div", "fill");
      const track = element("div", "track");
      const number = element("span", "number", "–");
      track.append(fill);
      const off = element("span", "off");
      off.title = "How far the skin is from this pose, in diagonals of the body, turned and moved onto it";
      row.append(element("span", "pose", name), track, number, off);
      block.append(row);
      this.fills.push({ fill, number, off, row });
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
    if (this.history) this.recall(weights, time);
    else for (const { curve, first, count } of this.curves) curve.add(time, weights.subarray(first, first + count));
  }

  // As parts of the diagonal; those of a group are not known.
  showDistances(distances) {
    if (distances.length !== this.fills.length) return;
    distances.forEach((distance, i) => {
      const { off, row } = this.fills[i];
      const text = Number.isNaN(distance) ? "" : `${(100 * distance).toFixed(1)} % off`;
      if (off.textContent !== text) off.textContent = text;
      row.dataset.distance = Number.isNaN(distance) ? "" : distance.toFixed(4);
    });
  }

  // While the recording is watched: [time, weight, weight, ...] for each of its moments. `null`: the present.
  setHistory(history) {
    this.history = history;
    if (!history) for (const { curve } of this.curves) curve.recall(null);
  }

  // The same where nothing is added any more: curves show all of it.
  setRecording(history) {
    this.setHistory(history);
    for (const { curve, first, count } of this.curves) curve.setAll(columns(history, first, count));
  }

  recall(weights, time) {
    const after = this.history.findIndex(([then]) => then >= time);
    const before = this.history.slice(0, after < 0 ? undefined : after);
    for (const { curve, first, count } of this.curves) {
      const from = curve.all ? 0 : Math.max(before.findLastIndex(([then]) => then < time - SPAN), 0);
      curve.recall(columns([...before.slice(from), [time, ...weights]], first, count));
    }
  }

  setTheme() {
    for (const { curve, first, count } of this.curves)
      curve.setColours(this.fills.slice(first, first + count).map(({ fill }) => getComputedStyle(fill).backgroundColor));
  }
}

// Of moments [time, weight, weight, ...] the time and some of the weights.
const columns = (moments, first, count) => moments.map((moment) => [moment[0], ...moment.slice(1 + first, 1 + first + count)]);

// What the block is about; a group has the colour that it is painted with.
function title(bar) {
  const made = element("div", "bars-title", bar.label);
  if (!bar.grouped) return made;
  const chip = element("span", "bars-chip");
  chip.style.background = GROUPS[bar.group % GROUPS.length];
  made.prepend(chip);
  return made;
}

function element(tag, kind, text = "") {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = text;
  return made;
}
