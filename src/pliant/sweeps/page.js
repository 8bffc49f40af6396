"use strict";
// One row is shown: the one under the mouse, else the one that was clicked. Table, plot and film all follow `show`.
const id = (name) => document.getElementById(name);
const data = JSON.parse(id("data").textContent), films = JSON.parse(id("films").textContent);
const lines = data.lines, byRow = new Map(lines.map((line) => [line.row, line]));
const PALETTE = ["#d96f22", "#3f8fd2", "#2f9e6e", "#8f5bc4", "#c23b6b", "#a8871a", "#2b8f9e", "#7d8590"];
const PAD = { left: 62, right: 14, top: 14, bottom: 40 }, WIDTH = 640, HEIGHT = 320;
let kept = null, shown = null, order = { column: null, down: false }, playing = 0;

const number = (value) => typeof value === "number" && isFinite(value);
const said = (value) => {
  if (value === null || value === undefined) return "";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (number(value)) return value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6) ? value.toExponential(2) : String(+value.toPrecision(4));
  return Array.isArray(value) ? "[" + value.map(said).join(", ") + "]" : String(value);
};
const valueOf = (line, name) => (name === "row" ? line.row : line.values[name]);
const make = (tag, text, name) => { const made = document.createElement(tag); if (text !== undefined) made.textContent = text; if (name) made.className = name; return made; };
const drawn = (tag, attributes, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

// ---- the film, and what is known of its row ------------------------------------------------------------------

function play(line) {
  cancelAnimationFrame(playing);
  const place = id("film"), film = line && line.film;
  const source = film && (films[line.key] ? "data:image/jpeg;base64," + films[line.key] : data.beside[line.key]);
  place.style.backgroundImage = source ? `url("${source}")` : "none";
  if (!source) return;
  const { columns } = data.film, rows = Math.ceil(film.pictures / columns), wide = Math.min(columns, film.pictures);
  place.style.backgroundSize = `${100 * wide}% ${100 * rows}%`;
  const seconds = Math.max(film.seconds, 0.5), start = performance.now();
  const draw = (now) => {
    const part = (((now - start) / 1000) % (seconds + 0.7)) / seconds; // it rests at its end for a moment
    const at = Math.min(Math.floor(part * film.pictures), film.pictures - 1), column = at % columns, row = Math.floor(at / columns);
    place.style.backgroundPosition = `${wide > 1 ? (100 * column) / (wide - 1) : 0}% ${rows > 1 ? (100 * row) / (rows - 1) : 0}%`;
    place.dataset.at = at;
    playing = requestAnimationFrame(draw);
  };
  playing = requestAnimationFrame(draw);
}

function show(row) {
  const line = byRow.get(row ?? kept);
  for (const each of document.querySelectorAll(".here")) each.classList.remove("here");
  for (const each of document.querySelectorAll(`[data-row="${line ? line.row : ""}"]`)) each.classList.add("here");
  if (!line || shown === line) return;
  shown = line;
  play(line);
  id("caption").textContent = line.caption;
  id("caption").className = "row";
  const facts = id("facts");
  facts.replaceChildren();
  if (line.error) facts.append(make("dt", "failed"), make("dd", line.error));
  for (const [name, value] of Object.entries(line.values)) if (value !== null) facts.append(make("dt", name), make("dd", said(value)));
  id("command").hidden = !line.command;
  id("command").firstElementChild.textContent = line.command;
}

function keep(row) {
  kept = kept === row ? null : row;
  for (const each of document.querySelectorAll("tr.kept")) each.classList.remove("kept");
  if (kept !== null) document.querySelector(`tr[data-row="${kept}"]`)?.classList.add("kept");
  show(row);
}

id("command").lastElementChild.onclick = () => {
  const range = document.createRange();
  range.selectNodeContents(id("command").firstElementChild);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  document.execCommand("copy"); // also where the page is a file, which has no clipboard of its own
};

// ---- the table -----------------------------------------------------------------------------------------------

const failed = lines.some((line) => line.error);
const columns = ["row", ...data.settings, ...data.measures, "realtime", ...(failed ? ["error"] : [])];

function cell(line, name) {
  if (name === "error") return make("td", line.error, "error");
  const value = valueOf(line, name);
  return make("td", said(value), data.settings.includes(name) ? "setting" : value === false ? "bad" : "");
}

const bodyRows = lines.map((line) => {
  const row = make("tr", undefined, line.fits ? "" : "unfit");
  row.dataset.row = line.row;
  row.tabIndex = 0;
  row.append(...columns.map((name) => cell(line, name)));
  row.onmouseenter = row.onfocus = () => show(line.row);
  row.onclick = () => keep(line.row);
  row.onkeydown = (event) => { if (event.key === "Enter") keep(line.row); };
  return row;
});
const body = document.querySelector("tbody"), head = document.querySelector("thead tr");
body.append(...bodyRows);
body.onmouseleave = () => kept !== null && show(kept);

function compare(a, b) {
  const missing = (value) => value === null || value === undefined || value === "";
  if (missing(a) || missing(b)) return missing(a) - missing(b); // last, whichever way it is sorted
  const way = order.down ? -1 : 1;
  if (typeof a === "string" || typeof b === "string" || Array.isArray(a)) return way * String(a).localeCompare(String(b), undefined, { numeric: true });
  return way * (a - b);
}

function sort(name) {
  order = { column: name, down: order.column === name && !order.down };
  const value = (row) => { const line = byRow.get(+row.dataset.row); return name === "error" ? line.error : valueOf(line, name); };
  body.append(...[...bodyRows].sort((a, b) => compare(value(a), value(b))));
  for (const each of head.children) each.removeAttribute("aria-sort");
  head.children[columns.indexOf(name)].setAttribute("aria-sort", order.down ? "descending" : "ascending");
}

for (const name of columns) {
  const place = make("th", undefined, data.settings.includes(name) ? "setting" : ""), button = make("button", name);
  place.scope = "col";
  button.type = "button";
  button.onclick = () => sort(name);
  place.append(button);
  head.append(place);
}

id("filter").oninput = (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const row of bodyRows) {
    const line = byRow.get(+row.dataset.row), text = line.caption.toLowerCase() + " " + line.error.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
};

// ---- the plot ------------------------------------------------------------------------------------------------

const asNumber = (value) => (typeof value === "boolean" ? +value : value);
const plain = (name) => lines.some((line) => number(asNumber(valueOf(line, name)))) && lines.every((line) => { const v = asNumber(valueOf(line, name)); return v === null || v === undefined || number(v); });
const measures = [...data.measures, "realtime"].filter(plain);
const options = (select, names, chosen) => {
  select.replaceChildren(...names.map((name) => new Option(name || "none", name)));
  select.value = chosen ?? names[0] ?? "";
  select.onchange = plot;
};
const wanted = data.best.map((text) => text.split(/[<>]/)[0].trim()).find((name) => measures.includes(name));
options(id("up"), measures, wanted ?? measures.find((name) => name.startsWith("near(")) ?? measures[0]);
const first = data.settings.find(plain) ?? data.settings[0];
options(id("across"), [...data.settings, ...measures], first);
options(id("colour"), ["", ...data.settings], data.settings.find((name) => name !== first) ?? "");

function scale(values, low, high) {
  const kinds = [...new Set(values.map(said))].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  if (!values.every(number)) {
    const place = (value) => low + ((kinds.indexOf(said(value)) + 0.5) / kinds.length) * (high - low);
    return { place, ticks: kinds.map((text) => [low + ((kinds.indexOf(text) + 0.5) / kinds.length) * (high - low), text]) };
  }
  let least = Math.min(...values), most = Math.max(...values);
  if (least === most) { least -= Math.abs(least) / 2 || 1; most += Math.abs(most) / 2 || 1; }
  const room = 0.05 * (most - least), place = (value) => low + ((value - least + room) / (most - least + 2 * room)) * (high - low);
  const rough = (most - least) / 5, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const ticks = [];
  for (let tick = Math.ceil(least / step) * step; tick <= most + step * 1e-6; tick += step) ticks.push([place(tick), said(+tick.toPrecision(10))]);
  return { place, ticks };
}

function plot() {
  const svg = id("plot"), up = id("up").value, across = id("across").value, colour = id("colour").value;
  svg.replaceChildren();
  id("legend").replaceChildren();
  const points = lines.filter((line) => !line.error && number(asNumber(valueOf(line, up))) && valueOf(line, across) !== null);
  if (!points.length) { svg.append(drawn("text", { x: WIDTH / 2, y: HEIGHT / 2, "text-anchor": "middle" }, "nothing to plot")); return; }
  const x = scale(points.map((line) => asNumber(valueOf(line, across))), PAD.left, WIDTH - PAD.right);
  const y = scale(points.map((line) => asNumber(valueOf(line, up))), HEIGHT - PAD.bottom, PAD.top);
  for (const [place, text] of x.ticks) svg.append(drawn("text", { x: place, y: HEIGHT - PAD.bottom + 16, "text-anchor": "middle" }, text));
  for (const [place, text] of y.ticks) svg.append(drawn("line", { class: "grid", x1: PAD.left, x2: WIDTH - PAD.right, y1: place, y2: place }), drawn("text", { x: PAD.left - 8, y: place + 4, "text-anchor": "end" }, text));
  svg.append(drawn("text", { class: "name", x: (PAD.left + WIDTH - PAD.right) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, across));
  const kinds = colour ? [...new Set(points.map((line) => said(valueOf(line, colour))))].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })) : [""];
  const paint = (line) => PALETTE[(colour ? kinds.indexOf(said(valueOf(line, colour))) : 0) % PALETTE.length];
  if (data.settings.includes(across)) for (const kind of kinds) means(svg, points.filter((line) => !colour || said(valueOf(line, colour)) === kind), across, up, x, y, paint);
  for (const line of points) {
    const point = drawn("circle", { cx: x.place(asNumber(valueOf(line, across))), cy: y.place(asNumber(valueOf(line, up))), r: points.length > 400 ? 3 : 5, fill: paint(line), "data-row": line.row, class: line.fits ? "" : "dim" });
    point.append(drawn("title", {}, line.caption));
    point.onmouseenter = () => show(line.row);
    point.onclick = () => keep(line.row);
    svg.append(point);
  }
  if (colour) for (const kind of kinds.slice(0, 24)) { const entry = make("span"), dot = make("i"); dot.style.background = PALETTE[kinds.indexOf(kind) % PALETTE.length]; entry.append(dot, `${colour.split(".").pop()} ${kind}`); id("legend").append(entry); }
}

function means(svg, points, across, up, x, y, paint) {
  const groups = new Map();
  for (const line of points) { const at = asNumber(valueOf(line, across)), key = said(at); groups.set(key, [...(groups.get(key) ?? []), [at, asNumber(valueOf(line, up))]]); }
  if (groups.size < 2) return;
  const ways = [...groups.values()].map((each) => [x.place(each[0][0]), y.place(each.reduce((sum, [, value]) => sum + value, 0) / each.length)]).sort((a, b) => a[0] - b[0]);
  svg.append(drawn("polyline", { class: "mean", points: ways.map((way) => way.join(",")).join(" "), stroke: paint(points[0]) }));
}

const some = lines.length < data.rows ? `the first ${lines.length.toLocaleString("en")} of ` : "";
const open = data.planned > data.rows ? `; ${(data.planned - data.rows).toLocaleString("en")} more are not baked yet` : "";
id("count").textContent = `${some}${data.rows.toLocaleString("en")} rows${data.best.length ? `, sorted by ${data.best.join(", ")}` : ""}${open}`;
plot();
if (lines.length) show(lines[0].row);
