// Taking hold of the skin: the vertex under the pointer is pulled in the plane of the picture, until it is let go.
// With shift, the second button or a second tap it stays pinned where it is let go; the same on a pin takes it away.

import { THREE } from "nicegui-scene";
import { meet, surface, vertexAt } from "/viewport/deform.js";

const COLOUR = 0x22262e; // dark, with a white rim: seen on any body
const PINNED = 0xd9480f;
const NEAR = 14; // pixels from a pin that count as on it
const TAP = 350; // milliseconds between the taps of a double tap

export class Grab {
  // `tell(command)` sends to the server. Listens before the camera does, so a body under the pointer has precedence.
  constructor(canvas, camera, skins, scene, tell) {
    Object.assign(this, { canvas, camera, skins, scene, tell });
    this.pulls = new Map(); // by pointer
    this.pins = []; // as the server tells them, each with its mark
    this.tapped = { time: -TAP, x: 0, y: 0 };
    this.numbers = 0;
    canvas.addEventListener("pointerdown", (event) => this.begin(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      canvas.addEventListener(end, (event) => this.end(event), { capture: true });
  }

  begin(event) {
    if ((event.button !== 0 && event.button !== 2) || event.ctrlKey || event.metaKey) return;
    const keep = event.button === 2 || event.shiftKey || this.again(event);
    const pin = this.pinUnder(event);
    const found = pin ?? this.under(event);
    if (!found) return;
    event.stopImmediatePropagation();
    if (pin) this.tell({ do: "unpin", pin: pin.number });
    if (pin && keep) return;
    this.canvas.setPointerCapture(event.pointerId);
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(
      this.camera.getWorldDirection(new THREE.Vector3()), found.point);
    const held = pin ? found.point.clone() : this.where(found);
    const pull = { ...found, plane, lead: held.clone().sub(found.point), target: held, handle: this.numbers++,
      keep: keep || !!pin, mark: mark(this.scene, keep || pin ? PINNED : COLOUR) };
    this.pulls.set(event.pointerId, pull);
    this.canvas.style.cursor = "grabbing";
    this.tell({ do: "grab", handle: pull.handle, actor: found.actor.name, vertex: found.vertex, target: held.toArray() });
    this.update();
  }

  // Whether a finger comes down for the second time in the same place.
  again(event) {
    const { time, x, y } = this.tapped;
    return event.pointerType === "touch" && event.timeStamp - time < TAP
      && Math.hypot(event.clientX - x, event.clientY - y) < 2 * NEAR;
  }

  move(event) {
    const pull = this.pulls.get(event.pointerId);
    if (!pull) {
      this.hovering = event; // looked at when there is time: see `update`
      return;
    }
    event.stopImmediatePropagation();
    const point = this.ray(event).intersectPlane(pull.plane, new THREE.Vector3());
    if (!point) return;
    pull.target = point.add(pull.lead);
    this.tell({ do: "move", handle: pull.handle, target: pull.target.toArray() });
    this.update();
  }

  end(event) {
    const pull = this.pulls.get(event.pointerId);
    if (!pull) return;
    event.stopImmediatePropagation();
    this.pulls.delete(event.pointerId);
    this.scene.remove(pull.mark);
    this.canvas.style.cursor = "";
    this.tapped = { time: event.timeStamp, x: event.clientX, y: event.clientY };
    this.tell({ do: pull.keep || event.shiftKey ? "keep" : "release", handle: pull.handle });
  }

  cancel() {
    for (const pull of this.pulls.values()) this.scene.remove(pull.mark);
    this.pulls.clear();
    this.tell({ do: "release" });
  }

  setPins(pins) {
    for (const pin of this.pins) this.scene.remove(pin.mark);
    this.pins = pins.map((pin) => (
      { ...pin, point: new THREE.Vector3(...pin.target), mark: mark(this.scene, PINNED) }));
  }

  // The pin under the pointer, as `under` gives a point of the skin; or null.
  pinUnder(event) {
    const area = this.canvas.getBoundingClientRect();
    for (const pin of this.pins) {
      const seen = pin.point.clone().project(this.camera);
      const x = area.left + (0.5 + seen.x / 2) * area.width, y = area.top + (0.5 - seen.y / 2) * area.height;
      const held = this.holder(pin);
      if (held && Math.hypot(event.clientX - x, event.clientY - y) < NEAR) return held;
    }
    return null;
  }

  // A pin with the actor and skin that it holds; null if they have gone.
  holder(pin) {
    const { cast, particles } = this.skins;
    const actor = particles && cast?.actors.find((each) => each.name === pin.actor);
    const skin = actor && cast.skins[actor.skin];
    return skin && 3 * pin.vertex < skin.vertices.length ? { ...pin, actor, skin } : null;
  }

  // Once a picture: marks follow what they hold, and the pointer shows what can be held.
  update() {
    const size = (at) => 0.011 * this.camera.position.distanceTo(at) * Math.tan((this.camera.fov * Math.PI) / 360);
    for (const pull of this.pulls.values()) stretch(pull.mark, this.where(pull), pull.target, size(pull.target));
    for (const pin of this.pins) {
      const held = this.holder(pin);
      pin.mark.visible = !!held;
      if (held) stretch(pin.mark, this.where(held), pin.point, size(pin.point));
    }
    if (this.hovering && !this.pulls.size && !this.hovering.buttons) {
      const pin = this.pinUnder(this.hovering);
      this.canvas.style.cursor = pin ? "move" : this.under(this.hovering) ? "grab" : "";
    }
    this.hovering = null;
  }

  where({ skin, actor, vertex }) {
    return new THREE.Vector3(...vertexAt(skin, actor.first, this.skins.particles, vertex));
  }

  // The nearest point of any skin under the pointer: { actor, skin, vertex, point }, or null.
  under(event) {
    const { cast, particles } = this.skins;
    if (!cast || !particles) return null;
    const { origin, direction } = this.ray(event);
    let nearest = null;
    for (const actor of cast.actors) {
      const skin = cast.skins[actor.skin];
      if (!this.near(actor, origin, direction)) continue;
      const hit = meet(origin, direction, surface(skin, actor.first, particles), skin.faces);
      if (hit && (!nearest || hit.distance < nearest.distance)) nearest = { ...hit, actor, skin };
    }
    if (nearest) nearest.point = origin.clone().addScaledVector(direction, nearest.distance);
    return nearest;
  }

  // Whether the ray comes near an actor at all; most of a crowd is out of its way.
  near(actor, origin, direction) {
    const p = this.skins.particles;
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (let i = 4 * actor.first; i < 4 * (actor.first + actor.count); i += 4)
      box.expandByPoint(point.set(p[i], p[i + 1], p[i + 2]));
    box.expandByScalar(0.2 * box.getSize(point).length());
    return new THREE.Ray(origin, direction).intersectsBox(box);
  }

  ray(event) {
    const area = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(
      (2 * (event.clientX - area.left)) / area.width - 1, 1 - (2 * (event.clientY - area.top)) / area.height);
    const caster = new THREE.Raycaster();
    caster.setFromCamera(at, this.camera);
    return caster.ray;
  }
}

// A dot on the skin, a larger one at the target and a line between them; each white, then dark, over everything.
function mark(scene, colour) {
  const colours = [0xffffff, colour].map(
    (color) => new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, toneMapped: false }));
  const ball = new THREE.SphereGeometry(1, 24, 16);
  const rod = new THREE.CylinderGeometry(1, 1, 1, 12);
  const group = new THREE.Group();
  for (const colour of colours) for (const form of [rod, ball, ball]) group.add(new THREE.Mesh(form, colour));
  group.children.forEach((each, i) => (each.renderOrder = 10 + i));
  scene.add(group);
  return group;
}

function stretch(group, from, to, size) {
  const along = to.clone().sub(from);
  const length = Math.max(along.length(), 1e-9);
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length));
  group.children.forEach((each, i) => {
    const part = i % 3, rim = i < 3 ? 0.28 * size : 0; // line, dot, target; the white ones are wider
    each.position.copy(part === 0 ? from.clone().add(to).divideScalar(2) : part === 1 ? from : to);
    const radius = [0.22, 0.5, 0.95][part] * size + rim;
    each.scale.set(radius, part === 0 ? length : radius, radius);
    if (part === 0) each.quaternion.copy(turn);
  });
}
