// The clipping plane: across an axis, or facing the camera. It follows the box around all bodies, so that what is cut
// stays cut while it moves.

import { THREE } from "nicegui-scene";

const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

export class Clip {
  constructor(scene) {
    this.plane = new THREE.Plane(); // what is on its positive side is kept
    this.uniform = { value: new THREE.Vector4(0, 0, 0, 1) }; // the same for shaders; this one keeps all
    this.wish = null;
    this.out = new THREE.Vector3(); // towards what is taken away
    const square = new THREE.BufferGeometry().setFromPoints(
      [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => new THREE.Vector3(x, y, 0)));
    const faint = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.4, depthWrite: false });
    this.frame = new THREE.LineLoop(square, faint);
    this.frame.visible = false;
    scene.add(this.frame);
  }

  get on() {
    return this.wish !== null;
  }

  // `wish` is { axis: "x", "y", "z" or "view", place: 0 (all is kept) to 1, flip } or null.
  set(wish, camera, box) {
    const anew = wish && wish.axis !== this.wish?.axis;
    this.wish = wish;
    this.frame.visible = !!wish && wish.axis !== "view";
    if (!wish) return void this.uniform.value.set(0, 0, 0, 1);
    if (anew && AXES[wish.axis]) { // open the side that one looks at
      const axis = new THREE.Vector3(...AXES[wish.axis]);
      const towards = camera.position.clone().sub(box.getCenter(new THREE.Vector3())).dot(axis);
      this.side = towards < 0 ? -1 : 1;
    }
    this.follow(camera, box);
  }

  follow(camera, box) {
    if (!this.wish || box.isEmpty()) return;
    const { axis, place, flip } = this.wish;
    if (axis === "view") camera.getWorldDirection(this.out).negate();
    else this.out.set(...AXES[axis]).multiplyScalar(this.side);
    if (flip) this.out.negate();
    const half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const middle = box.getCenter(new THREE.Vector3());
    const { x, y, z } = this.out;
    const reach = 1.02 * (Math.abs(x) * half.x + Math.abs(y) * half.y + Math.abs(z) * half.z);
    const at = this.out.dot(middle) + reach * (1 - 2 * place);
    this.plane.normal.copy(this.out).negate();
    this.plane.constant = at;
    this.uniform.value.set(this.plane.normal.x, this.plane.normal.y, this.plane.normal.z, at);
    this.lay(axis, middle, half, at);
  }

  // The outline of the plane, a little larger than the box.
  lay(axis, middle, half, at) {
    if (axis === "view") return;
    this.frame.position.copy(middle).addScaledVector(this.out, at - this.out.dot(middle));
    this.frame.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...AXES[axis]));
    const [width, height] = { x: [half.z, half.y], y: [half.x, half.z], z: [half.x, half.y] }[axis];
    this.frame.scale.set(1.12 * width + 0.02 * half.length(), 1.12 * height + 0.02 * half.length(), 1);
  }

  keeps(point) {
    return !this.wish || this.plane.distanceToPoint(point) >= 0;
  }

  // The part of a ray that is kept, as two distances.
  reach(ray) {
    if (!this.wish) return [0, Infinity];
    const start = this.plane.distanceToPoint(ray.origin);
    const along = this.plane.normal.dot(ray.direction);
    const meets = -start / along;
    if (start >= 0) return [0, along < 0 ? meets : Infinity];
    return along > 0 ? [meets, Infinity] : [0, -1];
  }

  // Let materials be cut, or not any more.
  apply(materials) {
    for (const each of materials) {
      each.clippingPlanes = this.wish ? [this.plane] : null;
      each.clipShadows = true;
    }
  }

  setTheme(dark) {
    this.frame.material.color.set(dark ? 0xffffff : 0x22262e);
  }
}
