// The region of a particle: itself, its ring, and the links between them. It is that of the particle under the pointer;
// a click holds on to it until the next one.

import { THREE } from "nicegui-scene";
import { balls, spokes } from "/viewport/dots.js";
import { ring } from "/viewport/elements.js";

const CENTRE = new THREE.Color(0xd6293e), RING = new THREE.Color(0xf6b73c);
const NEAR = 12; // pixels from a particle that count as on it
const STILL = 4; // pixels that a click may move

export class Region {
  constructor(canvas, view) {
    Object.assign(this, { canvas, view, on: false, pointer: undefined, chosen: null, shown: null });
    this.group = new THREE.Group();
    view.stage.scene.add(this.group);
    this.ink = { value: new THREE.Color(0x22262e) };
    this.away = new AbortController();
    const options = { capture: true, signal: this.away.signal };
    // On the window: who pulls a body keeps the events of the canvas to himself.
    const mine = (event) => this.on && event.target === canvas;
    const listen = (kind, act) => addEventListener(kind, (event) => mine(event) && act(event), options);
    listen("pointermove", (event) => event.buttons || (this.pointer = event));
    listen("pointerleave", () => (this.pointer = null));
    listen("pointerdown", (event) => (this.pressed = [event.clientX, event.clientY]));
    listen("pointerup", (event) => {
      const [x, y] = this.pressed ?? [NaN, NaN];
      if (event.button === 0 && Math.hypot(event.clientX - x, event.clientY - y) < STILL) this.choose(event);
    });
  }

  turn(on) {
    this.on = on;
    if (!on) this.forget();
  }

  forget() {
    this.chosen = null;
    this.pointer = undefined;
    this.clear();
  }

  choose(event) {
    const found = this.under(event);
    this.chosen = found && found.which !== this.chosen?.which ? found : null;
    this.pointer = event;
  }

  // Once a picture. True if something else is shown than before.
  update(inside) {
    if (!this.on || !inside.bodies) return false;
    const found = this.chosen ?? (this.pointer === undefined ? this.shown : this.pointer && this.under(this.pointer));
    this.pointer = undefined; // nothing new until it moves
    if (found?.which === this.shown?.which) return false;
    this.clear();
    this.shown = found && { ...found };
    if (found) this.draw(found, inside);
    return true;
  }

  draw({ actor, which }, { bodies, shared, pixels }) {
    const body = bodies.of(actor);
    const others = ring(body, which - actor.first).map((each) => each + actor.first);
    const size = 0.13 * body.spacing;
    this.shown.ring = others.length;
    const ringed = others.map((each) => ({ which: each, size, tint: RING.toArray() }));
    this.group.add(
      spokes(which, others, shared, pixels, this.ink, 3.5),
      balls([{ which, size: 1.5 * size, tint: CENTRE.toArray() }, ...ringed], shared, pixels));
  }

  // The particle that is meant: one that is seen near the pointer, else that which moves the skin there the most.
  under(event) {
    const { insight, grab } = this.view;
    return (insight.transparent && this.nearest(event)) || onSkin(grab.under(event));
  }

  nearest(event) {
    const { particles, setup } = this.view.skins;
    const { camera } = this.view.rig;
    const area = this.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - area.left)) / area.width - 1;
    const y = 1 - (2 * (event.clientY - area.top)) / area.height;
    const point = new THREE.Vector3();
    let best = null;
    for (let i = 0; i < setup.particles; i++) {
      if (!this.view.insight.clip.keeps(point.fromArray(particles, 4 * i))) continue;
      point.project(camera);
      const away = Math.hypot(((point.x - x) * area.width) / 2, ((point.y - y) * area.height) / 2);
      const score = away / NEAR + 40 * point.z; // near the pointer, and rather in front than behind
      if (away < NEAR && (!best || score < best.score)) best = { which: i, score };
    }
    const actor = best && setup.actors.find((each) => best.which < each.first + each.count);
    return actor ? { actor, which: best.which } : null;
  }

  clear() {
    for (const each of this.group.children) each.geometry.dispose(), each.material.dispose();
    this.group.clear();
    this.shown = null;
  }

  dispose() {
    this.away.abort();
    this.clear();
  }
}

function onSkin(found) {
  if (!found || found.obstacle) return null;
  const { actor, skin, vertex } = found;
  const at = skin.slots * vertex, weights = skin.weights.subarray(at, at + skin.slots);
  return { actor, which: actor.first + skin.indices[at + weights.indexOf(Math.max(...weights))] };
}
