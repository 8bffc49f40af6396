// Taking hold of the skin: the vertex under the pointer is pulled in the plane of the picture, until it is let go.

import { THREE } from "nicegui-scene";
import { meet, surface, vertexAt } from "/viewport/deform.js";

const COLOUR = 0x22262e; // dark, with a white rim: seen on any body

export class Grab {
  // `tell(command)` sends to the server. Listens before the camera does, so a body under the pointer has precedence.
  constructor(canvas, camera, skins, scene, tell) {
    Object.assign(this, { canvas, camera, skins, scene, tell });
    this.pulls = new Map(); // by pointer
    this.numbers = 0;
    canvas.addEventListener("pointerdown", (event) => this.begin(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      canvas.addEventListener(end, (event) => this.end(event), { capture: true });
  }

  begin(event) {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || event.metaKey) return;
    const found = this.under(event);
    if (!found) return;
    event.stopImmediatePropagation();
    this.canvas.setPointerCapture(event.pointerId);
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(
      this.camera.getWorldDirection(new THREE.Vector3()), found.point);
    const held = this.where(found);
    const pull = { ...found, plane, lead: held.clone().sub(found.point), target: held, handle: this.numbers++,
      mark: mark(this.scene) };
    this.pulls.set(event.pointerId, pull);
    this.canvas.style.cursor = "grabbing";
    this.tell({ do: "grab", handle: pull.handle, actor: found.actor.name, vertex: found.vertex, target: held.toArray() });
    this.update();
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
    this.tell({ do: "release", handle: pull.handle });
  }

  cancel() {
    for (const pull of this.pulls.values()) this.scene.remove(pull.mark);
    this.pulls.clear();
    this.tell({ do: "release" });
  }

  // Once a picture: marks follow what they hold, and the pointer shows what can be held.
  update() {
    for (const pull of this.pulls.values()) {
      const size = 0.011 * this.camera.position.distanceTo(pull.target) * Math.tan((this.camera.fov * Math.PI) / 360);
      stretch(pull.mark, this.where(pull), pull.target, size);
    }
    if (this.hovering && !this.pulls.size && !this.hovering.buttons) {
      this.canvas.style.cursor = this.under(this.hovering) ? "grab" : "";
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
function mark(scene) {
  const colours = [0xffffff, COLOUR].map(
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
