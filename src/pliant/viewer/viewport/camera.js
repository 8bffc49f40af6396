// The camera: orbit, pan and zoom about a point, and a way back to seeing everything.

import { THREE, OrbitControls } from "nicegui-scene";

export class Rig {
  constructor(canvas) {
    this.camera = new THREE.PerspectiveCamera(28, 1, 0.01, 1000);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.52 * Math.PI; // hardly below the ground
    this.controls.screenSpacePanning = true;
    this.placed = false;
    this.alone = null; // the view before two copies were compared
  }

  resize(width, height) {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  // The exhibit's own view; only once, because after that the view is the person's.
  place({ eye, target, fov }) {
    if (this.placed) return;
    this.placed = true;
    this.camera.fov = fov;
    this.controls.target.set(...target);
    this.camera.position.set(...eye);
    // The view was chosen for a wide picture: in a narrow one step back, until the width fits.
    const back = Math.max(1, 1.5 / this.camera.aspect);
    this.camera.position.sub(this.controls.target).multiplyScalar(back).add(this.controls.target);
    this.reach(this.camera.position.distanceTo(this.controls.target));
  }

  // Two copies come to stand side by side, or one goes: step back to see both, and return to the view from before.
  compare(sides) {
    const { camera, controls } = this;
    if (sides.length > 1 === !!this.alone) return;
    if (this.alone) {
      camera.position.copy(this.alone.eye);
      controls.target.copy(this.alone.target);
      this.alone = null;
      return this.reach(camera.position.distanceTo(controls.target));
    }
    this.alone = { eye: camera.position.clone(), target: controls.target.clone() };
    const shift = new THREE.Vector3(...sides.at(-1).shift);
    const away = camera.position.clone().sub(controls.target);
    const height = 2 * away.length() * Math.tan((camera.fov * Math.PI) / 360); // of what is seen now
    const width = shift.length() + Math.max(height * Math.min(camera.aspect, 1.3), 0.8 * shift.length());
    controls.target.addScaledVector(shift, 0.5);
    camera.position.copy(controls.target).addScaledVector(away, Math.max(1, width / (height * camera.aspect)));
    this.reach(camera.position.distanceTo(controls.target));
  }

  // See the whole of a box from where we look now.
  frame(box) {
    if (box.isEmpty()) return;
    const back = this.camera.position.clone().sub(this.controls.target).normalize();
    const middle = box.getCenter(new THREE.Vector3());
    const high = Math.tan(((this.camera.fov / 2) * Math.PI) / 180), wide = high * this.camera.aspect;
    let distance = 1e-3;
    for (let corner = 0; corner < 8; corner++) {
      const at = new THREE.Vector3(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
        corner & 4 ? box.max.z : box.min.z).sub(middle);
      const nearer = at.dot(back);
      at.applyQuaternion(this.camera.quaternion.clone().invert());
      distance = Math.max(distance, 1.2 * Math.abs(at.x) / wide + nearer, 1.2 * Math.abs(at.y) / high + nearer);
    }
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(back, distance);
    this.reach(distance);
  }

  reach(distance) {
    this.camera.near = distance / 100;
    this.camera.far = distance * 100;
    this.controls.minDistance = distance / 20;
    this.controls.maxDistance = distance * 10;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  // Whether the view has changed since the last call.
  update() {
    return this.controls.update();
  }
}
