// A view of its own, without the page: stage, timeline and weights in one element. What it plays is a Reel (reel.js);
// whatever makes moments tells it so.

import { Stage } from "/viewport/scene.js";
import { Skins } from "/viewport/skin.js";
import { Rig } from "/viewport/camera.js";
import { Timeline } from "/viewport/timeline.js";
import { Weights } from "/viewport/weights.js";
import { listen } from "/viewport/keys.js";
import { photograph } from "/viewport/photograph.js";
import { watchTheme } from "/viewport/theme.js";

const SPEEDS = { 1: "1×", 0.5: "½×", 0.25: "¼×", 0.125: "⅛×" }; // as the page has them

export class Player {
  // `place` is an empty element. `title` may be empty. `tell(command)` is told what people do before the reel obeys.
  constructor(place, title, tell = () => {}) {
    this.tell = (command) => (tell(command), this.reel?.obey(command), this.say());
    this.root = element("div", "pliant-player");
    this.root.tabIndex = 0;
    this.root.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab keeps its keys to itself
    this.root.view = this; // for what looks in from outside, such as a test
    const stage = element("div", "pliant-stage"), bars = element("div"), weights = element("div", "section pliant-weights");
    this.area = element("div", "viewport");
    this.canvas = element("canvas");
    this.note = element("div", "pliant-note");
    const timeline = element("div");
    this.area.append(this.canvas);
    stage.append(this.area, element("div", "pliant-title", title), this.note, timeline);
    weights.append(element("div", "pliant-heading", "Weights"), bars);
    this.root.append(stage, weights);
    place.replaceChildren(this.root);
    this.stage = new Stage(this.canvas); // throws where there is no WebGL
    this.skins = new Skins(this.stage);
    this.skins.onChange = () => (this.dirty = true);
    this.rig = new Rig(this.canvas);
    this.weights = new Weights(bars);
    this.timeline = new Timeline(timeline, this.tell);
    timeline.append(this.speeds());
    this.before = performance.now();
    this.hooks = []; // called before each picture with the seconds since the last; true: something has changed
    this.seen = true; // whether any of it is on the screen
    this.ends = [listen(this.keys(), this.root), this.watchSize(), watchTheme((dark) => this.setTheme(dark))];
    this.root.addEventListener("click", () => this.root.contains(document.activeElement) || this.root.focus({ preventScroll: true }));
    this.tick = requestAnimationFrame((now) => this.paint(now));
  }

  keys() {
    return {
      " ": () => this.tell({ do: "play" }),
      f: () => (this.rig.frame(this.skins.bounds()), (this.dirty = true)),
      p: () => this.picture(),
      ...this.timeline.keys(),
    };
  }

  speeds() {
    const made = element("select", "pliant-speed");
    made.title = made.ariaLabel = "Speed";
    for (const [speed, text] of Object.entries(SPEEDS).sort(([a], [b]) => b - a)) {
      const option = element("option", "", text);
      option.value = speed;
      made.append(option);
    }
    made.addEventListener("change", () => (this.reel.speed = +made.value));
    return made;
  }

  // A button beside those of the timeline.
  addButton(icon, title, act) {
    const made = element("button", "timeline-button"), symbol = element("i", "material-icons");
    symbol.dataset.icon = icon;
    made.append(symbol);
    made.title = made.ariaLabel = title;
    made.addEventListener("click", () => act());
    this.timeline.play.after(made);
  }

  // What is drawn from now on, and the moments of it. `history`: weights over time, if they are known beforehand.
  use(setup, reel, history = null) {
    Object.assign(this, { setup, reel, shown: null, fresh: true });
    this.skins.useSetup(setup);
    this.weights.useSetup(setup);
    if (history) this.weights.setRecording(history);
    else this.weights.setHistory(null);
    this.rig.place(setup.camera);
    this.rig.compare(setup.sides);
    this.root.classList.toggle("growing", reel.growing);
    this.say();
    this.dirty = true;
  }

  // Tell the timeline what the reel is doing.
  say() {
    if (!this.reel) return;
    this.timeline.setReel(this.reel.told);
    this.stale = this.dirty = true; // another moment may be shown
  }

  paint(now) {
    this.tick = requestAnimationFrame((next) => this.paint(next));
    const seconds = Math.min((now - this.before) / 1000, 0.25); // a page that was hidden does not leap
    this.before = now;
    if (!this.reel?.moments.length) return;
    const { playing } = this.reel;
    if (this.reel.advance(seconds)) this.stale = true;
    if (playing && !this.reel.playing) this.say(); // it has come to its end
    const stale = this.stale;
    if (stale) this.show(this.reel.moment(this.setup.particles));
    this.stale = false;
    const moved = [this.rig.update(), ...this.hooks.map((hook) => hook(seconds))].some(Boolean);
    if ((!stale && !moved && !this.dirty) || !this.seen) return;
    this.dirty = false;
    this.stage.draw(this.rig.camera);
  }

  show(moment) {
    this.shown = moment;
    this.skins.setParticles(moment.particles);
    const box = this.skins.bounds();
    if (this.fresh) this.stage.useSetup(this.setup, box);
    this.fresh = false;
    this.stage.moveColliders(moment.places);
    this.stage.follow(box);
    this.weights.show(moment.weights, moment.time);
    this.timeline.show(moment.time);
  }

  // A line over the view; empty takes it away.
  tellPeople(text) {
    if (this.note.textContent !== text) this.note.textContent = text;
  }

  picture() {
    this.stage.draw(this.rig.camera);
    photograph(this.canvas, this.root, "pliant.png");
  }

  setTheme(dark) {
    this.root.classList.toggle("dark", dark);
    this.stage.setTheme(dark);
    this.weights.setTheme();
    this.timeline.draw(true);
    this.dirty = true;
  }

  watchSize() {
    const fit = () => {
      const { clientWidth: width, clientHeight: height } = this.area;
      if (!width || !height) return;
      this.stage.resize(width, height);
      this.rig.resize(width, height);
      this.dirty = true;
    };
    const sizes = new ResizeObserver(fit);
    sizes.observe(this.area);
    const sight = new IntersectionObserver(([entry]) => ((this.seen = entry.isIntersecting), (this.dirty = true)));
    sight.observe(this.area);
    fit();
    return () => (sizes.disconnect(), sight.disconnect());
  }

  dispose() {
    cancelAnimationFrame(this.tick);
    for (const end of this.ends) end();
    this.skins.dispose();
    this.stage.dispose();
    this.stage.renderer.forceContextLoss(); // a browser has sixteen at most
  }
}

// What to show where there is no WebGL.
export const NO_WEBGL = "This browser cannot draw in three dimensions (WebGL 2 is missing or switched off).";

function element(tag, kind = "", text = "") {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = text;
  return made;
}
