// Brushes of the studio: they move the skin of the body in the hand, or choose a place on it. Beside the body, with the
// second button or with two fingers the view is turned as ever.

import { THREE } from "nicegui-scene";
import { Brush } from "/viewport/brush.js";

const ACCENT = "#d96f22";

export class Sculpt extends Brush {
  // `place(vertex)` is told of a place that was chosen.
  constructor(canvas, camera, skins, scene, tell, place) {
    super(canvas, camera, skins, scene, tell);
    this.chosen = place;
  }

  get on() {
    return !!this.painting;
  }

  // `wish` is { tool, actor, radius, strength }, or null.
  set(wish) {
    super.set(wish && { ...wish, second: false, colour: ACCENT });
  }

  begin(event) {
    if (this.painting.tool !== "place") return super.begin(event);
    const [hit] = event.button === 0 ? this.hits([event]) : [];
    if (!hit) return;
    event.stopImmediatePropagation();
    this.chosen(hit.vertex);
  }

  move(event) {
    if (event.pointerId !== this.stroke?.pointer) return super.move(event);
    event.stopImmediatePropagation();
    this.stroke.last = this.last = event;
  }

  dab(hit) { // the first of a stroke
    this.stroke.vertex = hit.vertex;
    const along = this.camera.getWorldDirection(new THREE.Vector3());
    this.stroke.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(along, hit.point);
    this.stroke.at = hit.point;
  }

  // Once a picture: as long as the pointer is down, the brush works.
  update() {
    if (!this.on) return false;
    if (!this.stroke) return super.update();
    if (this.painting.tool === "move") this.drag();
    else {
      const [hit] = this.hits([this.stroke.last]);
      if (hit) (this.stroke.vertex = hit.vertex), this.place(hit.point), this.say();
    }
    return true;
  }

  drag(ends = false) {
    const { plane, at, last } = this.stroke;
    const point = this.ray(last).intersectPlane(plane, new THREE.Vector3()) ?? at;
    const drag = point.clone().sub(at);
    if (!ends && drag.length() < 1e-9) return;
    this.stroke.at = point;
    this.place(point);
    this.say({ drag: drag.toArray(), ends });
  }

  finish() {
    if (this.stroke && this.painting?.tool === "move") this.drag(true);
    else if (this.stroke && this.painting) this.say({ strength: 0, ends: true });
    this.stroke = null;
  }

  say(more) {
    const { actor, tool, radius, strength } = this.painting;
    this.tell({ do: "brush", actor, tool, radius, strength, vertex: this.stroke.vertex, ...more });
  }
}
