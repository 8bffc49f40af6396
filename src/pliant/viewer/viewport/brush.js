// Painting groups on the skin: whatever the brush touches goes into the chosen group (grouping.py says what that is).
// Beside the body, with the second button or with two fingers the view is turned as ever.

import { THREE } from "nicegui-scene";
import { meet, surface } from "/viewport/deform.js";

const APART = 8; // pixels between two dabs of one stroke
const MOST = 16; // dabs for one move of the pointer

export class Brush {
  // `tell(command)` sends to the server. Has to be made before Grab: who listens first has precedence.
  constructor(canvas, camera, skins, scene, tell) {
    Object.assign(this, { canvas, camera, skins, tell });
    this.painting = null; // { tool, actor, second, group, radius, colour } as the panel says, or null
    this.stroke = null;
    this.hovering = this.last = null; // where the pointer is: until its ray is cast, and always
    this.ring = ring();
    scene.add(this.ring);
    const on = (kind, act) => canvas.addEventListener(kind, (event) => this.on && act(event), { capture: true });
    on("pointerdown", (event) => this.begin(event));
    on("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) on(end, (event) => this.end(event));
    on("pointerleave", () => ((this.ring.visible = false), (this.last = this.hovering = null)));
  }

  get on() {
    return this.painting?.tool === "brush";
  }

  set(painting) {
    if (this.stroke && painting?.actor !== this.painting?.actor) this.finish();
    this.painting = painting;
    this.ring.visible = false;
    this.canvas.style.cursor = this.on ? "crosshair" : "";
    if (!this.on) return void (this.last = null);
    this.ring.children[1].material.color.set(painting.colour);
    this.hovering ??= this.last; // the pointer rests, but the ring may have another size now
  }

  begin(event) {
    if (this.handing || event.button !== 0 || event.ctrlKey || event.metaKey) return;
    if (this.stroke) return this.handOver();
    const [hit] = this.hits([event]);
    if (!hit) return;
    event.stopImmediatePropagation();
    this.canvas.setPointerCapture(event.pointerId);
    this.stroke = { pointer: event.pointerId, touch: event.pointerType === "touch", last: event, vertex: -1 };
    this.dab(hit);
  }

  move(event) {
    if (event.pointerId !== this.stroke?.pointer) {
      if (!event.buttons) this.hovering = this.last = event; // looked at when there is time: see `update`
      return;
    }
    event.stopImmediatePropagation();
    for (const hit of this.hits(between(this.stroke.last, event))) if (hit) this.dab(hit);
    this.stroke.last = this.last = event;
  }

  end(event) {
    if (event.pointerId !== this.stroke?.pointer) return;
    event.stopImmediatePropagation();
    this.finish();
  }

  finish() {
    const { actor, second } = this.painting;
    this.stroke = null;
    this.tell({ do: "painted", actor, second });
  }

  // A second finger comes down: the camera gets both.
  handOver() {
    const { pointer, touch, last } = this.stroke;
    if (!touch) return;
    this.finish();
    this.handing = true;
    this.canvas.dispatchEvent(new PointerEvent("pointerdown", { pointerId: pointer, pointerType: "touch",
      clientX: last.clientX, clientY: last.clientY, button: 0, buttons: 1, isPrimary: true, bubbles: true }));
    this.handing = false;
  }

  dab({ point, vertex }) {
    const { actor, second, group, radius } = this.painting;
    this.place(point);
    if (vertex === this.stroke.vertex) return;
    this.stroke.vertex = vertex;
    this.tell({ do: "paint", actor, second, vertex, radius, group });
  }

  // Once a picture: the ring follows the pointer.
  update() {
    if (!this.on || !this.hovering) return false;
    const [hit] = this.hits([this.hovering]);
    this.hovering = null;
    const before = this.ring.visible;
    this.ring.visible = !!hit;
    if (hit) this.place(hit.point);
    return before || !!hit;
  }

  place(point) {
    this.ring.visible = true;
    this.ring.position.copy(point);
    this.ring.quaternion.copy(this.camera.quaternion);
    const { position, fov } = this.camera;
    const pixel = (2 * position.distanceTo(point) * Math.tan((fov * Math.PI) / 360)) / this.canvas.clientHeight;
    draw(this.ring, this.painting.radius, pixel);
  }

  // Where the rays of some pointer events meet the actor that is painted.
  hits(events) {
    const { setup, particles } = this.skins;
    const { actor: name, second } = this.painting;
    const own = setup?.actors.find((each) => each.name === name && (each.side ?? 0) === +second);
    if (!own || !particles) return [];
    const skin = setup.skins[own.skin];
    const x = surface(skin, own, particles);
    return events.map((event) => {
      const { origin, direction } = this.ray(event);
      const hit = meet(origin, direction, x, skin.faces);
      return hit && { vertex: hit.vertex, point: origin.clone().addScaledVector(direction, hit.distance) };
    });
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

// The way from one place of the pointer to the next, without its beginning.
function between(from, to) {
  const [dx, dy] = [to.clientX - from.clientX, to.clientY - from.clientY];
  const count = Math.min(Math.max(Math.ceil(Math.hypot(dx, dy) / APART), 1), MOST);
  return Array.from({ length: count }, (_, i) => {
    const part = (i + 1) / count;
    return { clientX: from.clientX + part * dx, clientY: from.clientY + part * dy };
  });
}

// A circle, white round the colour of the group; over everything.
function ring() {
  const group = new THREE.Group();
  for (const [order, color] of [0xffffff, 0x888888].entries()) {
    const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, toneMapped: false });
    const mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    mesh.renderOrder = 30 + order;
    group.add(mesh);
  }
  group.visible = false;
  return group;
}

// Of a radius (m), and as wide on the screen whatever the distance.
function draw(group, radius, pixel) {
  const { drawn } = group.userData;
  if (drawn && drawn.radius === radius && Math.abs(drawn.pixel / pixel - 1) < 0.1) return;
  group.userData.drawn = { radius, pixel };
  group.children.forEach((mesh, i) => {
    const half = (i ? 1.4 : 2.6) * pixel;
    mesh.geometry.dispose();
    mesh.geometry = new THREE.RingGeometry(Math.max(radius - half, 0), radius + half, 72);
  });
}
