// The timeline under the view: the recorded span, a playhead to drag through it, and marks on what is to be saved.

import { Ruler } from "/viewport/ruler.js";

const SHORTEST = 5; // seconds that the whole width stands for at least, while they may become more
const FAR = 30; // moments that an arrow goes with shift: half a second
const NEAR = { mouse: 7, pen: 9, touch: 18 }; // pixels from a mark that count as on it
const CALM = 120; // milliseconds between pictures of a scale that moves

export class Timeline {
  // `place` is an empty element, `tell(command)` sends to the server.
  constructor(place, tell) {
    this.tell = (command) => {
      if (command.do === "seek" || command.do === "nudge") this.mine = true; // it is this page that goes back
      tell(command);
    };
    this.mine = false;
    this.now = 0; // the time that is shown
    this.drawn = 0;
    this.build(place ?? document.createElement("div"));
    new ResizeObserver(() => this.draw(true)).observe(this.track);
  }

  build(place) {
    place.classList.add("timeline");
    this.play = button("history", "Watch the recording", () => this.watch());
    this.clock = element("div", "timeline-clock", "–");
    this.track = element("div", "timeline-track");
    Object.assign(this.track, { tabIndex: 0, role: "slider", ariaLabel: "Recording" });
    const canvas = element("canvas", "timeline-ruler");
    this.ruler = new Ruler(canvas);
    this.line = element("div", "timeline-line");
    this.kept = element("div", "timeline-kept");
    this.marked = element("div", "timeline-marked");
    this.ends = ["start", "end"].map((which) => element("div", `timeline-mark ${which}`));
    this.head = element("div", "timeline-head");
    this.track.append(canvas, this.line, this.kept, this.marked, ...this.ends, this.head);
    this.tools = [
      button("[", "Mark the beginning here (I)", () => this.mark(0)),
      button("]", "Mark the end here (O)", () => this.mark(1)),
      button("close", "Take the marks away", () => this.send([null, null])),
      button("repeat", "Play again and again", () => this.tell({ do: "loop", on: !this.reel?.loop })),
    ];
    this.live = element("button", "timeline-live");
    this.live.append(element("span", "dot"), element("span", "", "Live"));
    this.live.title = "Back to the present (L)";
    this.live.addEventListener("click", () => this.goLive());
    const tools = element("div", "timeline-tools");
    tools.append(...this.tools);
    this.other = element("div", "timeline-other gone", "The recording is being watched in another window. ");
    this.other.setAttribute("role", "status");
    const back = element("button", "timeline-back", "Go on (L)");
    back.addEventListener("click", () => this.goLive());
    this.other.append(back);
    this.onward = element("button", "timeline-onward", "Continue from here");
    this.onward.title = "Go on from this moment; what came after it is forgotten, until you undo";
    this.onward.addEventListener("click", () => this.tell({ do: "continue" }));
    place.replaceChildren(this.play, this.clock, this.track, tools, this.onward, this.live, this.other);
    this.place = place;
    this.track.addEventListener("pointerdown", (event) => this.begin(event));
    this.track.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      this.track.addEventListener(end, (event) => this.end(event));
    this.track.addEventListener("dblclick", () => this.marks.some((mark) => mark !== null) && this.send([null, null]));
  }

  keys() {
    return {
      ArrowLeft: (event) => this.tell({ do: "nudge", moments: event.shiftKey ? -FAR : -1 }),
      ArrowRight: (event) => !this.reel?.live && this.tell({ do: "nudge", moments: event.shiftKey ? FAR : 1 }),
      Home: () => this.reel && this.tell({ do: "seek", time: this.span[0] }),
      End: () => this.goLive(),
      l: () => this.goLive(),
      i: () => this.mark(0),
      o: () => this.mark(1),
    };
  }

  // ---- what the server says ------------------------------------------------------------------------------

  // `alone`: nothing else on the page plays and pauses. `whole`: nothing will be added.
  setReel(reel) {
    this.reel = reel;
    const marked = reel.marks.some((mark) => mark !== null);
    this.place.classList.toggle("replaying", !reel.live);
    this.place.classList.toggle("has-marks", marked);
    const watch = reel.live && !reel.alone;
    setIcon(this.play.firstChild, watch ? "history" : reel.playing ? "pause" : "play_arrow");
    this.play.title = this.play.ariaLabel = watch ? "Watch the recording" : reel.playing ? "Pause (space)" : "Play (space)";
    this.tools[3].classList.toggle("on", reel.loop);
    this.tools[3].ariaPressed = `${reel.loop}`;
    this.live.disabled = reel.live;
    this.onward.hidden = reel.live || !!reel.alone; // a player has nothing to go on with
    if (reel.live) this.mine = false;
    this.other.classList.toggle("gone", reel.live || this.mine || !!reel.alone);
    this.draw(true);
  }

  show(time) {
    this.now = time;
    this.draw(false);
  }

  // ---- where things are ----------------------------------------------------------------------------------

  get marks() {
    return this.drag?.marks ?? this.reel?.marks ?? [null, null];
  }

  // From when to when there is a recording.
  get span() {
    const { live, first, last, most } = this.reel;
    const end = live ? Math.max(this.now, first) : last;
    return [live ? Math.max(first, end - most) : first, end];
  }

  // What the whole width stands for; it stays while something is dragged.
  get window() {
    if (this.drag) return this.drag.window;
    const [start, end] = this.span;
    return [start, this.reel.whole ? end : Math.max(end, start + SHORTEST)];
  }

  at(time) {
    const [from, to] = this.window;
    return Math.min(Math.max((time - from) / (to - from), 0), 1);
  }

  timeAt(event) {
    const area = this.track.getBoundingClientRect(), [from, to] = this.window;
    const time = from + ((event.clientX - area.left) / area.width) * (to - from);
    return Math.min(Math.max(time, this.span[0]), this.span[1]);
  }

  // The scale is drawn anew at once if `whole`, else when some time has passed.
  draw(whole) {
    if (!this.reel) return;
    const percent = (time) => `${100 * this.at(time)}%`;
    const [start, end] = this.span, shown = this.drag?.time ?? this.now;
    this.head.style.left = percent(shown);
    this.kept.style.width = percent(end);
    const text = `${shown.toFixed(2)} s`;
    if (this.clock.textContent !== text) this.clock.textContent = text;
    const time = performance.now();
    if (!whole && (!this.reel.live || time - this.drawn < CALM)) return;
    this.drawn = time;
    const [one, other] = this.marks;
    this.marked.style.left = percent(one ?? start);
    this.marked.style.width = `${100 * Math.max(this.at(other ?? end) - this.at(one ?? start), 0)}%`;
    this.ends.forEach((mark, i) => {
      mark.style.left = percent(this.marks[i] ?? (i ? end : start));
      mark.hidden = this.marks[i] === null;
    });
    Object.assign(this.track, { ariaValueMin: start.toFixed(2), ariaValueMax: end.toFixed(2),
      ariaValueNow: shown.toFixed(2), ariaValueText: text });
    this.ruler.draw(...this.window, (moment) => this.at(moment));
  }

  // ---- what people do ------------------------------------------------------------------------------------

  begin(event) {
    if (!this.reel || event.button !== 0) return;
    event.preventDefault();
    this.track.focus({ preventScroll: true });
    this.track.setPointerCapture(event.pointerId);
    const window = this.window, mark = this.markUnder(event), time = this.timeAt(event);
    this.drag = { window, pointer: event.pointerId, mark, from: event.shiftKey && mark === null ? time : null };
    this.move(event);
  }

  move(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    const time = this.timeAt(event);
    if (drag.mark !== null) drag.marks = this.marks.map((each, i) => (i === drag.mark ? time : each));
    else if (drag.from !== null) drag.marks = [Math.min(drag.from, time), Math.max(drag.from, time)];
    else drag.time = time;
    this.draw(true);
    this.pending ??= requestAnimationFrame(() => this.flush());
  }

  end(event) {
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    this.flush();
    if (this.drag.time !== undefined) this.now = this.drag.time;
    this.drag = null;
    this.draw(true);
  }

  // Send where the pointer is by now: once a picture is enough.
  flush() {
    cancelAnimationFrame(this.pending);
    this.pending = null;
    if (!this.drag) return;
    if (this.drag.marks) this.send(this.drag.marks);
    else this.tell({ do: "seek", time: this.drag.time });
  }

  markUnder(event) {
    const area = this.track.getBoundingClientRect(), near = NEAR[event.pointerType] ?? NEAR.mouse;
    const away = this.marks.map((mark) =>
      mark === null ? Infinity : Math.abs(event.clientX - area.left - this.at(mark) * area.width));
    const nearest = away[1] < away[0] ? 1 : 0;
    return away[nearest] <= near ? nearest : null;
  }

  // Mark what is shown as the beginning (0) or the end (1).
  mark(which) {
    if (!this.reel) return;
    const marks = [...this.marks];
    marks[which] = this.now;
    if (marks[0] !== null && marks[1] !== null && marks[0] >= marks[1]) marks[1 - which] = null;
    this.send(marks);
  }

  send(marks) {
    if (!this.reel) return;
    const [start, end] = (this.reel.marks = ordered(marks)); // until the server says the same
    this.tell({ do: "mark", start, end });
    this.draw(true);
  }

  watch() {
    if (this.reel?.live && !this.reel.alone) this.tell({ do: "seek", time: this.reel.marks[0] ?? this.span[0] });
    this.tell({ do: "play" });
  }

  goLive() {
    this.tell({ do: "live" });
  }

  // A visitor tried to pull what is past: show the way back.
  refuse() {
    this.live.classList.remove("look-here");
    void this.live.offsetWidth; // so that it begins anew
    this.live.classList.add("look-here");
  }
}

function ordered([start, end]) {
  return start !== null && end !== null && start > end ? [end, start] : [start, end];
}

function element(tag, kind, text = "") {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = text;
  return made;
}

function button(icon, title, act) {
  const made = element("button", "timeline-button");
  made.append(setIcon(element("i", icon.length > 1 ? "material-icons" : "bracket"), icon));
  made.title = made.ariaLabel = title;
  made.addEventListener("click", () => (made.blur(), act()));
  return made;
}

// The name is a letter of the icons' font; where that is missing, a style sheet goes by the attribute (player.css).
function setIcon(made, icon) {
  made.textContent = made.dataset.icon = icon;
  return made;
}
