// Where particles touch obstacles: a small disc with a rim on the surface, and a stem along its normal. They are seen
// through the body, which would hide most of them.

import { THREE } from "nicegui-scene";

const COLOUR = 0xd6293e, RIM = 0xffffff;
const UP = new THREE.Vector3(0, 1, 0);

export class Contacts {
  constructor(scene) {
    const look = (color) => new THREE.MeshBasicMaterial({ color, side: THREE.DoubleSide, toneMapped: false,
      transparent: true, depthTest: false, depthWrite: false });
    const disc = (radius) => new THREE.CircleGeometry(radius, 20).rotateX(-Math.PI / 2);
    const stem = new THREE.CylinderGeometry(0.09, 0.09, 1.5, 6).translate(0, 0.75, 0);
    this.parts = [[disc(0.62), RIM], [disc(0.44), COLOUR], [stem, COLOUR]].map(
      ([form, colour]) => ({ form, look: look(colour), mesh: null }));
    this.scene = scene;
    this.count = 0;
  }

  // `rows` has six numbers a contact: point and normal.
  show(rows, size) {
    this.count = rows.length / 6;
    for (const [order, part] of this.parts.entries()) {
      if (!part.mesh || part.mesh.instanceMatrix.count < this.count) this.make(part, order);
      part.mesh.count = this.count;
      part.mesh.visible = this.count > 0;
    }
    const at = new THREE.Vector3(), normal = new THREE.Vector3();
    const turn = new THREE.Quaternion(), place = new THREE.Matrix4();
    const scale = new THREE.Vector3(size, size, size);
    for (let i = 0; i < this.count; i++) {
      turn.setFromUnitVectors(UP, normal.fromArray(rows, 6 * i + 3));
      place.compose(at.fromArray(rows, 6 * i), turn, scale);
      for (const { mesh } of this.parts) mesh.setMatrixAt(i, place);
    }
    for (const { mesh } of this.parts) mesh.instanceMatrix.needsUpdate = true;
  }

  make(part, order) {
    this.forget(part);
    part.mesh = new THREE.InstancedMesh(part.form, part.look, 2 ** Math.ceil(Math.log2(Math.max(this.count, 64))));
    part.mesh.frustumCulled = false;
    part.mesh.renderOrder = 5 + order;
    this.scene.add(part.mesh);
  }

  hide() {
    this.count = 0;
    for (const { mesh } of this.parts) if (mesh) mesh.visible = false;
  }

  forget(part) {
    if (!part.mesh) return;
    this.scene.remove(part.mesh);
    part.mesh.dispose();
    part.mesh = null;
  }

  dispose() {
    for (const part of this.parts) this.forget(part), part.form.dispose(), part.look.dispose();
  }
}
