// Taking hold of the skin: the vertex under the pointer is pulled in the plane of the picture, until it is let go.
// With shift, the second button or a finger that rests it stays pinned where it is let go; the same on a pin takes it
// away. Where two copies are compared both are pulled: targets are told as they are in the first, `shift` leads to the
// one that was taken. Obstacles are taken and dragged in the same way (towing.js).

import { THREE } from "nicegui-scene";
import { meet, surface, vertexAt } from "/viewport/deform.js";
import { Fingers } from "/viewport/fingers.js";
import { Mark, NEEDLE, lean } from "/viewport/marks.js";
import { obstacleUnder, towFrom } from "/viewport/towing.js";

const NEAR = { mouse: 14, pen: 16, touch: 26 }; // pixels from a pin that count as on it
const OFTEN = 4; // milliseconds: a fast mouse moves more often than the server needs to know

export class Grab {
  // `tell(command)` sends to the server. Listens before the camera does, so a body under the pointer has precedence.
  constructor(canvas, camera, skins, stage, tell) {
    Object.assign(this, { canvas, camera, skins, stage, scene: stage.scene, tell });
    this.pulls = new Map(); // by pointer
    this.pins = []; // as the server tells them, each with its marks
    this.fingers = new Fingers((pointer) => this.rested(pointer));
    this.numbers = 0;
    this.off = false;
    this.past = null; // while the recording is watched: called when a visitor tries to pull it
    canvas.addEventListener("pointerdown", (event) => this.begin(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    canvas.addEventListener("pointerrawupdate", (event) => this.rush(event), { capture: true });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      canvas.addEventListener(end, (event) => this.end(event), { capture: true });
  }

  begin(event) {
    if (this.off) return; // another tool is in hand
    if (this.past) return this.leave(event);
    if ((event.button !== 0 && event.button !== 2) || event.ctrlKey || event.metaKey) return;
    const touch = event.pointerType === "touch";
    if (touch && (this.handing || this.fingers.turning)) return this.fingers.view(event);
    const pin = this.pinUnder(event);
    const found = pin ?? this.under(event);
    if (touch && this.fingers.pinches(event)) return this.handOver(event);
    if (touch && !found && this.pulls.size) return this.pinAll(event);
    if (!found) return touch ? this.fingers.view(event) : undefined;
    event.stopImmediatePropagation();
    const keep = event.button === 2 || event.shiftKey || (touch && this.fingers.again(event));
    if (pin) this.tell({ do: "unpin", pin: pin.number });
    if (pin && keep) return;
    this.take(event, found, keep || !!pin, !!pin);
  }

  // What is past cannot be pulled: the view turns instead.
  leave(event) {
    if (event.button === 0 && this.under(event)) this.past();
    if (event.pointerType === "touch") this.fingers.view(event);
  }

  take(event, found, keep, again) {
    this.canvas.setPointerCapture(event.pointerId);
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(
      this.camera.getWorldDirection(new THREE.Vector3()), found.point);
    const pull = { ...(found.obstacle ? towFrom(found) : this.pullFrom(found, keep, again)), plane, handle: this.numbers++ };
    this.pulls.set(event.pointerId, pull);
    if (event.pointerType === "touch") this.fingers.pull(event);
    this.canvas.style.cursor = "grabbing";
    this.tell({ ...pull.taken, handle: pull.handle, target: pull.target.toArray() });
    this.update();
  }

  pullFrom({ actor, point, shift, vertex, ...rest }, keep, again) {
    const held = again ? point.clone() : this.where({ actor, vertex, ...rest });
    return { name: actor.name, vertex, shift, keep, again, lead: held.clone().sub(point).sub(shift),
      target: held.clone().sub(shift), marks: [], taken: { do: "grab", actor: actor.name, vertex } };
  }

  move(event) {
    this.fingers.move(event);
    const pull = this.pulls.get(event.pointerId);
    if (!pull) {
      if (event.pointerType !== "touch") this.hovering = event; // looked at when there is time: see `update`
      return;
    }
    event.stopImmediatePropagation();
    this.follow(pull, event);
    this.update();
  }

  // Browsers keep `pointermove` back until the next picture, half a picture's time on average. Where they tell of the
  // pointer at once, so do we.
  rush(event) {
    const pull = this.pulls.get(event.pointerId);
    if (pull && !(event.timeStamp - pull.told < OFTEN)) this.follow(pull, event);
  }

  follow(pull, event) {
    if (event.clientX === pull.x && event.clientY === pull.y) return;
    const point = this.ray(event).intersectPlane(pull.plane, new THREE.Vector3());
    if (!point) return;
    Object.assign(pull, { target: point.add(pull.lead), told: event.timeStamp, x: event.clientX, y: event.clientY });
    this.tell({ do: "move", handle: pull.handle, target: pull.target.toArray() });
  }

  end(event) {
    this.fingers.end(event);
    const pull = this.drop(event.pointerId);
    if (!pull) return;
    event.stopImmediatePropagation();
    this.canvas.style.cursor = "";
    const keep = !pull.obstacle && (pull.keep || event.shiftKey);
    this.tell({ do: keep ? "keep" : "release", handle: pull.handle });
  }

  // A finger has rested on a body: it will be pinned. One on a pin takes it away.
  rested(pointer) {
    const pull = this.pulls.get(pointer);
    if (!pull || pull.obstacle) return;
    if (pull.again) {
      this.drop(pointer);
      this.tell({ do: "release", handle: pull.handle });
    }
    pull.keep = !pull.again;
    navigator.vibrate?.(15);
    this.update();
  }

  // The tap of a second finger beside the body.
  pinAll(event) {
    event.stopImmediatePropagation();
    for (const pull of this.pulls.values()) pull.keep = !pull.obstacle;
    this.update();
  }

  // Two fingers come down together: what one of them has taken is let go, and the camera gets both.
  handOver(event) {
    this.fingers.view(event);
    for (const [pointer, { x, y }] of [...this.fingers.pulling]) {
      const pull = this.drop(pointer);
      if (pull) this.tell({ do: pull.again ? "keep" : "release", handle: pull.handle });
      this.fingers.end({ pointerId: pointer });
      this.handing = true;
      this.canvas.dispatchEvent(new PointerEvent("pointerdown", { pointerId: pointer, pointerType: "touch",
        clientX: x, clientY: y, button: 0, buttons: 1, isPrimary: true, bubbles: true, cancelable: true }));
      this.handing = false;
    }
  }

  drop(pointer) {
    const pull = this.pulls.get(pointer);
    this.pulls.delete(pointer);
    for (const mark of pull?.marks ?? []) mark.remove();
    return pull;
  }

  cancel() {
    for (const pointer of [...this.pulls.keys()]) this.drop(pointer);
    this.tell({ do: "release" });
  }

  setPins(pins) {
    for (const pin of this.pins) for (const mark of pin.marks) mark.remove();
    this.pins = pins.map((pin) => ({ ...pin, point: new THREE.Vector3(...pin.target), marks: [] }));
  }

  // The pin under the pointer, as `under` gives a point of the skin; or null. It can be taken at its head or its tip.
  pinUnder(event) {
    const area = this.canvas.getBoundingClientRect();
    const distance = (at) => {
      const seen = at.clone().project(this.camera);
      return Math.hypot(event.clientX - area.left - (0.5 + seen.x / 2) * area.width,
        event.clientY - area.top - (0.5 - seen.y / 2) * area.height);
    };
    for (const pin of this.pins) {
      for (const holder of this.holders(pin.actor, pin.vertex)) {
        const point = pin.point.clone().add(holder.shift);
        const head = point.clone().addScaledVector(lean(this.camera), NEEDLE * this.size(point));
        const near = NEAR[event.pointerType] ?? NEAR.mouse;
        if (Math.min(distance(point), distance(head)) < near) return { ...pin, ...holder, point };
      }
    }
    return null;
  }

  // A vertex of an actor, in each of the copies that are compared: { actor, skin, vertex, shift }.
  holders(name, vertex) {
    const { setup, particles } = this.skins;
    if (!setup || !particles) return [];
    return setup.actors
      .filter((actor) => actor.name === name && 3 * vertex < setup.skins[actor.skin].vertices.length)
      .map((actor) => ({ actor, skin: setup.skins[actor.skin], vertex, shift: this.shift(actor) }));
  }

  shift(actor) {
    return new THREE.Vector3(...this.skins.setup.sides[actor.side].shift);
  }

  // The radius of a dot, in metres, that looks the same from anywhere.
  size(at) {
    return 0.011 * this.camera.position.distanceTo(at) * Math.tan((this.camera.fov * Math.PI) / 360);
  }

  // Once a picture: marks follow what they hold, and the pointer shows what can be held.
  update() {
    for (const { name, vertex, target, keep, marks, obstacle } of this.pulls.values())
      if (!obstacle) this.mark(marks, name, vertex, target, keep);
    for (const { actor, vertex, point, marks } of this.pins) this.mark(marks, actor, vertex, point, true);
    if (this.hovering && !this.off && !this.past && !this.pulls.size && !this.hovering.buttons) {
      const pin = this.pinUnder(this.hovering);
      this.canvas.style.cursor = pin ? "move" : this.under(this.hovering) ? "grab" : "";
    }
    this.hovering = null;
  }

  mark(marks, name, vertex, target, pinned) {
    const holders = this.holders(name, vertex);
    while (marks.length < holders.length) marks.push(new Mark(this.scene));
    marks.forEach((mark, i) => {
      if (!holders[i]) return mark.hide();
      const to = target.clone().add(holders[i].shift);
      mark.show(this.where(holders[i]), to, this.size(to), pinned, this.camera);
    });
  }

  where({ skin, actor, vertex }) {
    return new THREE.Vector3(...vertexAt(skin, actor, this.skins.particles, vertex));
  }

  // The nearest point of any skin under the pointer: { actor, skin, vertex, shift, point }; of an obstacle, if that is
  // nearer: { obstacle, side, number, shift, point }; or null.
  under(event) {
    const { setup, particles } = this.skins;
    if (!setup || !particles) return null;
    const ray = this.ray(event), { origin, direction } = ray;
    const reach = this.reach?.(ray); // a clipping plane may have taken a part away
    let nearest = null;
    for (const actor of setup.actors) {
      const skin = setup.skins[actor.skin];
      if (!this.near(actor, origin, direction)) continue;
      const hit = meet(origin, direction, surface(skin, actor, particles), skin.faces, reach);
      if (hit && (!nearest || hit.distance < nearest.distance)) nearest = { ...hit, actor, skin };
    }
    const obstacle = obstacleUnder(ray, this.stage, nearest?.distance ?? Infinity);
    if (obstacle) return { obstacle: true, ...obstacle, shift: new THREE.Vector3(...setup.sides[obstacle.side].shift) };
    if (!nearest) return null;
    const point = origin.clone().addScaledVector(direction, nearest.distance);
    return { ...nearest, point, shift: this.shift(nearest.actor) };
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
