// The camera: orbit, pan and zoom about a point, and a way back to seeing everything.

import { THREE, OrbitControls } from "nicegui-scene";

export class Rig {
  constructor(canvas) {
    this.camera = new THREE.PerspectiveCamera(28, 1, 0.01, 1000);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.52 * Math.PI; // hardly below the ground
    this.placed = false;
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

  // See the whole of a box from where we look now.
  frame(box) {
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const half = Math.tan(((this.camera.fov / 2) * Math.PI) / 180) * Math.min(1, this.camera.aspect);
    const distance = (1.35 * Math.max(sphere.radius, 1e-3)) / half;
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(direction, distance);
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
