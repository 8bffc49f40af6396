// Choosing particles with a box in the picture: all that are seen in it, whatever is before them, go into the chosen
// group. With the second button or two fingers the view is turned as ever.

import { THREE } from "nicegui-scene";

const LEAST = 4; // pixels: less is a click

export class Box {
  // Has to be made before Grab: who listens first has precedence.
  constructor(canvas, camera, skins, tell) {
    Object.assign(this, { canvas, camera, skins, tell });
    this.painting = null; // as in brush.js
    this.drag = null;
    this.band = document.createElement("div");
    this.band.className = "rubber-band";
    const on = (kind, act) => canvas.addEventListener(kind, (event) => this.on && act(event), { capture: true });
    on("pointerdown", (event) => this.begin(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.end(event));
    for (const end of ["pointercancel", "lostpointercapture"]) on(end, (event) => this.drop(event));
  }

  get on() {
    return this.painting?.tool === "box";
  }

  set(painting) {
    this.painting = painting;
    if (!this.on) return this.cancel();
    this.canvas.style.cursor = "crosshair";
    this.band.style.setProperty("--colour", painting.colour);
  }

  begin(event) {
    if (this.handing || event.button !== 0 || event.ctrlKey || event.metaKey) return;
    if (this.drag) return event.pointerType === "touch" ? this.handOver() : undefined;
    event.stopImmediatePropagation();
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = { pointer: event.pointerId, from: [event.clientX, event.clientY], to: [event.clientX, event.clientY] };
    this.canvas.parentElement.append(this.band);
    this.lay();
  }

  move(event) {
    if (event.pointerId !== this.drag?.pointer) return;
    event.stopImmediatePropagation();
    this.drag.to = [event.clientX, event.clientY];
    this.lay();
  }

  end(event) {
    if (event.pointerId !== this.drag?.pointer) return;
    event.stopImmediatePropagation();
    const { from, to } = this.drag;
    this.cancel();
    if (Math.abs(to[0] - from[0]) < LEAST || Math.abs(to[1] - from[1]) < LEAST) return;
    const corners = [this.seen(from), this.seen(to)];
    const low = [0, 1].map((i) => Math.min(corners[0][i], corners[1][i]));
    const high = [0, 1].map((i) => Math.max(corners[0][i], corners[1][i]));
    const { actor, second, group } = this.painting;
    this.tell({ do: "enclose", actor, second, view: this.view(+second), low, high, group });
  }

  drop(event) {
    if (event.pointerId === this.drag?.pointer) this.cancel();
  }

  cancel() {
    this.drag = null;
    this.band.remove();
  }

  // A second finger comes down: the camera gets both.
  handOver() {
    const { pointer, to } = this.drag;
    this.cancel();
    this.handing = true;
    this.canvas.dispatchEvent(new PointerEvent("pointerdown", { pointerId: pointer, pointerType: "touch",
      clientX: to[0], clientY: to[1], button: 0, buttons: 1, isPrimary: true, bubbles: true }));
    this.handing = false;
  }

  lay() {
    const area = this.canvas.getBoundingClientRect();
    const { from, to } = this.drag;
    Object.assign(this.band.style, {
      left: `${Math.min(from[0], to[0]) - area.left}px`,
      top: `${Math.min(from[1], to[1]) - area.top}px`,
      width: `${Math.abs(to[0] - from[0])}px`,
      height: `${Math.abs(to[1] - from[1])}px`,
    });
  }

  // A place of the page in the picture of the camera, from -1 to 1.
  seen([x, y]) {
    const area = this.canvas.getBoundingClientRect();
    return [(2 * (x - area.left)) / area.width - 1, 1 - (2 * (y - area.top)) / area.height];
  }

  // From the world of a copy to clip space, column by column; a second copy is drawn beside its world.
  view(side) {
    const { camera, skins } = this;
    const shift = new THREE.Vector3(...(skins.setup?.sides?.[side]?.shift ?? [0, 0, 0]));
    return new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
      .multiply(new THREE.Matrix4().makeTranslation(shift)).elements.map((each) => +each.toPrecision(9));
  }
}
