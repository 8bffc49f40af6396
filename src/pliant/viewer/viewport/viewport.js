// The element that NiceGUI places on the page: puts the parts together and draws when there is something new.

import { Stage } from "/viewport/scene.js";
import { Skins } from "/viewport/skin.js";
import { Rig } from "/viewport/camera.js";
import { Grab } from "/viewport/grab.js";
import { Stream } from "/viewport/stream.js";
import { Weights } from "/viewport/weights.js";
import { listen } from "/viewport/keys.js";
import { photograph } from "/viewport/photograph.js";

export default {
  props: { name: String, bars: String, pins: { type: Array, default: () => [] } },
  emits: ["help", "lost"],
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
    this.weights = new Weights(document.getElementById(this.bars));
    const tell = (command) => this.stream.send(command);
    this.rig = new Rig(canvas);
    this.grab = new Grab(canvas, this.rig.camera, this.skins, this.stage.scene, tell);
    this.owed = 0; // credits for frames that came and were not drawn yet
    this.stream = new Stream(this.name, this);
    this.unlisten = listen({
      " ": () => tell({ do: "play" }),
      s: () => tell({ do: "step" }),
      r: () => (this.grab.cancel(), tell({ do: "reset" })),
      f: () => (this.rig.frame(this.skins.bounds()), (this.dirty = true)),
      p: () => this.picture(),
      u: () => tell({ do: "unpin" }),
      h: () => this.$emit("help"),
      "?": () => this.$emit("help"),
    });
    this.grab.setPins(this.pins);
    this.watchSize();
    this.watchTheme();
    this.$el.view = this; // for whoever looks in from outside, such as a test
    this.tick = requestAnimationFrame(() => this.paint());
  },

  watch: {
    pins(pins) {
      this.grab?.setPins(pins);
      this.dirty = true;
    },
  },

  unmounted() {
    cancelAnimationFrame(this.tick);
    this.unlisten?.();
    this.stream?.close();
    this.sizes?.disconnect();
    this.stage?.dispose();
  },

  methods: {
    onCast(cast) {
      this.skins.setCast(cast);
      this.weights.setCast(cast);
      this.rig.place(cast.camera);
      this.fresh = cast; // the stage is set when the first particles say how large things are
    },

    onFrame(frame) {
      this.frame = frame; // one that was not drawn in time is forgotten
      this.owed += 1;
    },

    onLink(connected) {
      this.$emit("lost", !connected);
      if (!connected) (this.frame = null), (this.owed = 0);
    },

    paint() {
      this.tick = requestAnimationFrame(() => this.paint());
      const frame = this.frame;
      if (frame) this.take(frame);
      const moved = this.rig.update();
      if (!frame && !moved && !this.dirty && !this.grab.pulls.size) {
        if (this.grab.hovering) this.grab.update();
        return;
      }
      this.dirty = false;
      this.grab.update();
      this.stage.draw(this.rig.camera);
      for (; this.owed > 0; this.owed--) this.stream.send({ do: "credit" });
    },

    take(frame) {
      this.frame = null;
      this.shown = frame;
      this.skins.setParticles(frame.particles);
      const box = this.skins.bounds();
      if (this.fresh) this.stage.setCast(this.fresh, box);
      this.fresh = null;
      this.stage.moveColliders(frame.places);
      this.stage.follow(box);
      this.weights.show(frame.weights, frame.time);
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
      const apply = () => (this.stage.setTheme(dark.matches), this.weights.setTheme(), (this.dirty = true));
      dark.addEventListener("change", apply);
      apply();
    },
  },
};
