// The studio on the stage: the body at rest as a ghost, the axis that is meant, marks on places, and the brushes.

import { THREE } from "nicegui-scene";
import { Sculpt } from "/viewport/sculpt.js";

const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
const INK = { x: 0xd0453a, y: 0x4b9e3f, z: 0x3b74c9 };
const OVER = { depthTest: false, transparent: true, toneMapped: false };
const WARNING = 0xd0312d;

export class Studio {
  // Has to be made before Grab: who listens first has precedence.
  constructor(view, canvas, tell) {
    this.view = view;
    this.wish = null;
    this.spots = null;
    this.group = new THREE.Group();
    this.marks = new THREE.Group();
    view.stage.scene.add(this.group, this.marks);
    const { skins, rig, stage } = view;
    this.sculpt = new Sculpt(canvas, rig.camera, skins, stage.scene, tell, (vertex) => view.$emit("place", vertex));
  }

  get on() {
    return !!this.wish;
  }

  // `wish` is { actor, offset, tool, axis, radius, strength }, or null while time goes on.
  set(wish) {
    const before = this.wish, { grab, rig } = this.view;
    this.wish = wish;
    const tool = wish && wish.tool !== "pull" ? wish.tool : null;
    this.sculpt.set(tool && { ...wish, tool });
    if (wish || before) {
      grab.off = !!tool;
      rig.controls.mouseButtons.RIGHT = tool ? THREE.MOUSE.ROTATE : THREE.MOUSE.PAN;
    }
    const same = wish?.actor === before?.actor && `${wish?.offset}` === `${before?.offset}`;
    if (!same || wish?.axis !== before?.axis) this.build();
    if (!same) this.look(wish);
    this.view.dirty = true;
  }

  // There are other skins now.
  useSetup() {
    this.build();
  }

  // { actor, particles }: places where something is wrong; or null.
  setSpots(spots) {
    this.spots = spots;
    clear(this.marks);
    for (const each of spots?.particles ?? []) {
      const dot = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: WARNING, opacity: 0.85, ...OVER }));
      dot.renderOrder = 40;
      dot.userData.particle = each;
      this.marks.add(dot);
    }
    this.view.dirty = true;
  }

  // Once a picture. Whether something has changed.
  update() {
    this.follow();
    return this.sculpt.update();
  }

  // ---- parts -----------------------------------------------------------------------------------------------

  // See the body that is in the hand, and afterwards what was seen before.
  look(wish) {
    const { rig } = this.view;
    if (!wish) {
      if (this.before) rig.camera.position.copy(this.before.eye), rig.controls.target.copy(this.before.target);
      if (this.before) rig.reach(rig.camera.position.distanceTo(rig.controls.target));
      this.before = null;
      return;
    }
    this.before ??= { eye: rig.camera.position.clone(), target: rig.controls.target.clone() };
    const box = this.box();
    if (box) rig.frame(box.expandByScalar(0.22 * box.getSize(new THREE.Vector3()).length()));
  }

  actorOf(name) {
    return this.view.skins.setup?.actors.find((each) => each.name === name);
  }

  // Of the body at rest, where it is drawn.
  box() {
    const { setup } = this.view.skins, actor = this.actorOf(this.wish?.actor);
    if (!actor) return null;
    const box = new THREE.Box3().setFromArray(setup.skins[actor.skin].vertices);
    return box.translate(new THREE.Vector3(...this.wish.offset));
  }

  build() {
    clear(this.group);
    const { setup } = this.view.skins, actor = this.actorOf(this.wish?.actor);
    if (!actor) return;
    const skin = setup.skins[actor.skin], offset = new THREE.Vector3(...this.wish.offset);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(skin.vertices, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(skin.normals, 3));
    geometry.setIndex(new THREE.BufferAttribute(skin.faces, 1));
    const ghost = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({
      color: 0x8fa3bd, transparent: true, opacity: 0.2, depthWrite: false, roughness: 1,
      polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 4 })); // behind what lies in the same place
    ghost.position.copy(offset);
    ghost.renderOrder = 5;
    this.group.add(ghost);
    if (this.wish.axis) this.group.add(...this.arrow(this.wish.axis));
  }

  // Along the axis, through the middle of the body.
  arrow(axis) {
    const box = this.box(), middle = box.getCenter(new THREE.Vector3()), size = box.getSize(new THREE.Vector3());
    const way = new THREE.Vector3(...AXES[axis]), length = 1.25 * Math.abs(size.dot(way)) + 0.15 * size.length();
    const thin = 0.006 * size.length(), ink = new THREE.MeshBasicMaterial({ color: INK[axis], opacity: 0.9, ...OVER });
    const rod = new THREE.Mesh(new THREE.CylinderGeometry(thin, thin, length, 12), ink);
    const head = new THREE.Mesh(new THREE.ConeGeometry(4 * thin, 10 * thin, 20), ink);
    head.position.copy(way).multiplyScalar(length / 2);
    for (const each of [rod, head]) {
      each.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way);
      each.position.add(middle);
      each.renderOrder = 20;
    }
    return [rod, head];
  }

  // Marks are on the particles, wherever these are.
  follow() {
    const { particles } = this.view.skins, actor = this.actorOf(this.spots?.actor);
    for (const dot of this.marks.children) {
      dot.visible = !!actor && !!particles;
      if (!dot.visible) continue;
      const at = 4 * (actor.first + dot.userData.particle);
      dot.position.set(particles[at], particles[at + 1], particles[at + 2]);
      dot.scale.setScalar(0.8 * this.view.grab.size(dot.position));
    }
  }

  dispose() {
    clear(this.group);
    clear(this.marks);
  }
}

function clear(group) {
  for (const each of group.children) each.geometry.dispose(), each.material.dispose();
  group.clear();
}
