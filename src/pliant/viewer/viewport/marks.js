// What shows that a point is held: a dot on the skin, a larger one where it is pulled to and a line between them; or,
// where it is pinned, a pin that sticks in that place. Each is white, then dark on it, over everything.

import { THREE } from "nicegui-scene";

const HELD = 0x22262e; // dark, with a white rim: seen on any body
const PINNED = 0xd9480f;
const BALL = new THREE.SphereGeometry(1, 24, 16);
const ROD = new THREE.CylinderGeometry(1, 1, 1, 12);
const UP = new THREE.Vector3(0, 1, 0);
const LEAN = 0.35; // of a pin, to the right of upright
export const NEEDLE = 6.5; // the length of a pin, in sizes

const paint = (color) => new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, toneMapped: false });
const WHITE = paint(0xffffff);
const INKS = { held: paint(HELD), pinned: paint(PINNED), needle: paint(0x4a4f58) };

export class Mark {
  constructor(scene) {
    this.scene = scene;
    this.group = new THREE.Group();
    this.parts = ["line", "dot", "needle", "head", "shine"].map((name) => this.part(name));
    scene.add(this.group);
  }

  part(name) {
    const form = name === "line" || name === "needle" ? ROD : BALL;
    const rim = name === "shine" ? null : new THREE.Mesh(form, WHITE);
    const core = new THREE.Mesh(form, WHITE);
    if (rim) this.group.add(rim);
    this.group.add(core);
    return { name, rim, core };
  }

  // From the point of the skin to where it is held. `size` is that of the dot in metres, so that it looks the same from
  // anywhere.
  show(from, to, size, pinned, camera) {
    this.group.visible = true;
    const head = pinned ? to.clone().addScaledVector(lean(camera), NEEDLE * size) : to;
    const shine = head.clone().addScaledVector(new THREE.Vector3(-0.4, 0.5, 0).applyQuaternion(camera.quaternion), size);
    const ink = pinned ? INKS.pinned : INKS.held;
    const look = {
      line: [from, to, 0.22, ink],
      dot: [from, from, 0.5, ink],
      needle: [to, head, 0.3, INKS.needle],
      head: [head, head, pinned ? 1.9 : 0.95, ink],
      shine: [shine, shine, 0.5, WHITE],
    };
    this.parts.forEach(({ name, rim, core }, order) => {
      const [a, b, radius, material] = look[name];
      const there = pinned || (name !== "needle" && name !== "shine");
      core.material = material;
      for (const each of [rim, core]) {
        if (!each) continue;
        each.visible = there;
        each.renderOrder = 10 + order + (each === core && order < 2 ? 2 : 0); // the rims of line and dot are one outline
        if (there) lay(each, a, b, radius * size + (each === rim ? 0.28 * size : 0));
      }
    });
  }

  hide() {
    this.group.visible = false;
  }

  remove() {
    this.scene.remove(this.group);
  }
}

// Which way a pin stands as the camera sees it.
export function lean(camera) {
  return new THREE.Vector3(LEAN, 1, 0).normalize().applyQuaternion(camera.quaternion);
}

// A ball at a point, or a rod from one to another.
function lay(mesh, from, to, radius) {
  mesh.position.copy(from).add(to).divideScalar(2);
  if (mesh.geometry === BALL) return mesh.scale.setScalar(radius);
  const along = to.clone().sub(from);
  const length = Math.max(along.length(), 1e-9);
  mesh.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
  mesh.scale.set(radius, length, radius);
}
