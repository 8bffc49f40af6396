// The element that NiceGUI places on the page: puts the parts together and draws when there is something new.

import { Stage } from "/viewport/scene.js";
import { Skins } from "/viewport/skin.js";
import { Rig } from "/viewport/camera.js";
import { Grab } from "/viewport/grab.js";
import { Painting } from "/viewport/painting.js";
import { Inside } from "/viewport/inside.js";
import { Captions } from "/viewport/captions.js";
import { Stream } from "/viewport/stream.js";
import { Timeline } from "/viewport/timeline.js";
import { Weights } from "/viewport/weights.js";
import { listen, lookKeys } from "/viewport/keys.js";
import { photograph } from "/viewport/photograph.js";
import { Cards } from "/viewport/cards.js";
import { Studio } from "/viewport/studio.js";

export default {
  props: { name: String, bars: String, reel: String, pins: { type: Array, default: () => [] },
    captions: { type: Object, default: () => ({}) }, studio: { type: Object, default: null }, spots: { type: Object, default: null },
    painting: { type: Object, default: null }, inside: { type: Object, default: () => ({ skin: "solid" }) } },
  emits: ["help", "tool", "lost", "look", "place"],
  template: `<div class="viewport"><canvas></canvas></div>`,

  mounted() {
    const canvas = this.$el.querySelector("canvas");
    try {
      this.stage = new Stage(canvas);
    } catch {
      this.$el.textContent = "This browser cannot draw in three dimensions (WebGL 2 is missing or switched off).";
      return;
    }
    this.skins = new Skins(this.stage);
    this.skins.onChange = () => (this.dirty = true); // a picture has come
    this.cards = new Cards();
    this.weights = new Weights(document.getElementById(this.bars));
    const tell = (command) => this.stream.send(command);
    this.rig = new Rig(canvas);
    this.posing = new Studio(this, canvas, tell); // these two before the grab: they have precedence
    this.brushes = new Painting(this, canvas, tell);
    this.grab = new Grab(canvas, this.rig.camera, this.skins, this.stage, tell);
    this.timeline = new Timeline(document.getElementById(this.reel), tell);
    this.owed = 0; // credits for frames that came and were not drawn yet
    this.stream = new Stream(this.name, this);
    this.insight = new Inside(this, canvas);
    this.unlisten = listen({
      " ": () => tell({ do: "play" }),
      s: () => tell({ do: "step" }),
      r: () => (this.grab.cancel(), tell({ do: "reset" })),
      f: () => (this.rig.frame(this.skins.bounds()), (this.dirty = true)),
      p: () => this.picture(),
      u: () => tell({ do: "unpin" }),
      undo: () => tell({ do: "undo" }),
      redo: () => tell({ do: "redo" }),
      b: () => this.$emit("tool", "brush"),
      x: () => this.$emit("tool", "box"),
      z: () => this.$emit("tool", "undo"),
      "[": () => this.$emit("tool", "smaller"),
      "]": () => this.$emit("tool", "larger"),
      Escape: () => (this.studio ? tell({ do: "close studio" }) : this.painting?.tool && this.$emit("tool", null)),
      h: () => this.$emit("help"),
      "?": () => this.$emit("help"),
      ...this.timeline.keys(),
      ...lookKeys((what) => this.$emit("look", what)),
    });
    this.grab.setPins(this.pins);
    this.brushes.set(this.painting);
    this.posing.set(this.studio);
    this.insight.set(this.inside);
    this.labels = new Captions(this.$el);
    this.labels.setTexts(this.captions);
    this.watchSize();
    this.watchTheme();
    this.$el.view = this; // for what looks in from outside, such as a test
    this.tick = requestAnimationFrame(() => this.paint());
  },

  watch: {
    pins(pins) {
      this.grab?.setPins(this.grab.past ? [] : pins);
      this.dirty = true;
    },
    inside(wish) {
      this.insight?.set(wish);
      this.dirty = true;
    },
    painting(wish) {
      this.brushes?.set(wish);
    },
    studio(wish) {
      this.posing?.set(wish);
    },
    spots(places) {
      this.posing?.setSpots(places);
    },
    captions(texts) {
      this.labels?.setTexts(texts);
      this.dirty = true;
    },
  },

  unmounted() {
    cancelAnimationFrame(this.tick);
    this.unlisten?.();
    this.stream?.close();
    this.insight?.dispose();
    this.posing?.dispose();
    this.sizes?.disconnect();
    this.stage?.dispose();
  },

  methods: {
    onSetup(setup) {
      this.frame = null; // it is of the setup before: there may be more or fewer particles now
      this.repay();
      this.skins.useSetup(setup);
      this.insight.useSetup(setup);
      this.weights.useSetup(setup);
      this.cards.useSetup(setup);
      this.posing.useSetup();
      this.rig.place(setup.camera);
      this.rig.compare(setup.sides);
      this.fresh = setup; // the stage is set when the first particles say how large things are
    },

    onBodies(bodies) {
      this.insight.setBodies(bodies);
      this.dirty = true;
    },

    onReel(reel) {
      this.timeline.setReel(reel);
      this.grab.past = reel.live ? null : () => this.timeline.refuse();
      this.grab.setPins(reel.live ? this.pins : []); // pins are of the present
      if (reel.live) this.weights.setHistory(null);
    },

    onHistory(history) {
      this.weights.setHistory(history);
    },

    onFrame(frame) {
      this.frame = frame; // one that was not drawn in time is forgotten
      this.owed += 1;
    },

    onDistances(distances) {
      this.weights.showDistances(distances);
    },

    onLabels(labels) {
      this.brushes.setLabels(labels);
    },

    onLink(connected) {
      this.$emit("lost", !connected);
      if (!connected) (this.frame = null), (this.owed = 0);
      else {
        this.insight.linked();
        this.stream.send({ do: "follow" });
      }
    },

    paint() {
      this.tick = requestAnimationFrame(() => this.paint());
      const frame = this.frame;
      if (frame) this.take(frame);
      if (this.fresh) return; // the particles that are to come with the new setup may be on their way still
      const moved = [this.rig.update(), this.brushes.update(), this.posing.update()].some(Boolean);
      if (!frame && !moved && !this.dirty && !this.grab.pulls.size && !this.insight.stirring) {
        if (this.grab.hovering) this.grab.update();
        return;
      }
      this.dirty = false;
      this.grab.update();
      this.insight.update();
      this.labels.update(this.skins, this.rig.camera);
      this.stage.draw(this.rig.camera);
      this.repay();
    },

    // Credits for frames that have been seen to, by twos: half as many messages.
    repay() {
      for (; this.owed >= 2; this.owed -= 2) this.stream.send({ do: "credit", frames: 2 });
    },

    take(frame) {
      this.frame = null;
      this.shown = frame;
      this.skins.setParticles(frame.particles);
      this.insight.take(frame);
      const box = this.skins.bounds();
      if (this.fresh) this.stage.useSetup(this.fresh, box);
      this.fresh = null;
      this.stage.moveColliders(frame.places);
      this.stage.follow(box);
      this.weights.show(frame.weights, frame.time);
      this.cards.show(frame.weights);
      this.timeline.show(frame.time);
    },

    // Where the view is seen from, for films.
    lens() {
      const { camera, controls } = this.rig;
      return { eye: camera.position.toArray(), target: controls.target.toArray(), fov: camera.fov, aspect: camera.aspect };
    },

    // The view as a PNG file.
    picture() {
      this.stage.draw(this.rig.camera);
      photograph(this.stage.renderer.domElement, this.$el, `${this.name}.png`);
    },

    watchSize() {
      const fit = () => {
        const { clientWidth: width, clientHeight: height } = this.$el;
        if (!width || !height) return;
        this.stage.resize(width, height);
        this.rig.resize(width, height);
        this.dirty = true;
      };
      this.sizes = new ResizeObserver(fit);
      this.sizes.observe(this.$el);
      fit();
    },

    watchTheme() {
      const dark = matchMedia("(prefers-color-scheme: dark)");
      const apply = () => {
        this.stage.setTheme(dark.matches);
        this.weights.setTheme();
        this.insight.setTheme(dark.matches);
        this.dirty = true;
      };
      dark.addEventListener("change", apply);
      apply();
    },
  },
};
