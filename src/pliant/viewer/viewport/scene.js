// The stage: renderer, light, ground and colliders.

import { THREE } from "nicegui-scene";
import { Ground } from "/viewport/ground.js";

const SUN = new THREE.Vector3(-0.45, 1.0, 0.55).normalize(); // from over the viewer's left shoulder

export class Stage {
  constructor(canvas) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    this.scene = new THREE.Scene();
    // A sun with a shadow, a sky that also lights from below, and a cool lamp from behind that draws the outline.
    this.sun = new THREE.DirectionalLight(0xfff3e2, 2.0);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(512, 512);
    this.sun.shadow.bias = -0.0006;
    this.sky = new THREE.HemisphereLight(0xffffff, 0xd6cabb, 2.1);
    this.rim = new THREE.DirectionalLight(0xdbe8ff, 0.55);
    this.rim.position.set(0.6, 0.35, -1);
    this.scene.add(this.sun, this.sun.target, this.sky, this.rim);
    this.ground = new Ground(this.scene);
    this.colliders = new THREE.Group();
    this.scene.add(this.colliders);
    this.moving = [];
  }

  resize(width, height) {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
  }

  setTheme(dark) {
    this.sky.intensity = dark ? 1.5 : 2.1;
    this.ground.setTheme(dark);
  }

  // Colliders, and a ground and a shadow that reach as far as the things of this box may go.
  useSetup(setup, box) {
    for (const each of this.colliders.children) each.geometry.dispose();
    this.colliders.clear();
    this.ground.hide();
    const size = Math.max(...box.getSize(new THREE.Vector3()).toArray(), 1e-3);
    const middle = box.getCenter(new THREE.Vector3());
    const floors = setup.colliders.filter(isFloor).map((each) => each.place[10]);
    if (floors.length) this.ground.place(Math.max(...floors), size, middle);
    this.size = size;
    this.moving = [];
    for (const each of setup.colliders.filter((one) => !isFloor(one))) {
      const mesh = collider(each, size);
      setPlace(mesh, each.place, 0);
      mesh.userData = each; // which one it is: towing.js asks
      if (each.moves) this.moving.push(mesh);
      this.colliders.add(mesh);
    }
  }

  moveColliders(places) {
    this.moving.forEach((mesh, i) => setPlace(mesh, places, 12 * i));
  }

  // The shadow follows the action, in leaps, so that its edge does not swim.
  follow(box) {
    const reach = 1.1 * box.getBoundingSphere(new THREE.Sphere()).radius + 0.6 * this.size;
    const middle = box.getCenter(new THREE.Vector3());
    const camera = this.sun.shadow.camera;
    if (camera.right > 0.9 * reach && camera.right < 2 * reach && middle.distanceTo(this.sun.target.position) < 0.2 * reach) return;
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: reach, far: 9 * reach });
    camera.updateProjectionMatrix();
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).addScaledVector(SUN, 5 * reach);
    this.sun.shadow.normalBias = 0.005 * reach;
    this.ground.shade(middle, reach);
  }

  draw(camera) {
    this.renderer.render(this.scene, camera);
  }

  dispose() {
    this.renderer.dispose();
  }
}

// A level plane at rest is the floor. Places are rotations by rows, then the centre; a plane's normal is its second axis.
const isFloor = (each) => each.shape === "Plane" && !each.moves && each.place[4] > 0.9999;

function collider(each, size) {
  const { shape, sizes } = each;
  const material = new THREE.MeshStandardMaterial({ color: 0xc9cdd3, roughness: 0.75 });
  const mesh = new THREE.Mesh(shape === "Mesh" ? surface(each) : form(shape, sizes, size), material);
  if (shape === "Mesh") material.side = THREE.DoubleSide; // it may be open
  mesh.castShadow = shape !== "Plane";
  mesh.receiveShadow = true;
  if (shape === "Plane") Object.assign(material, { transparent: true, opacity: 0.5, side: THREE.DoubleSide });
  mesh.matrixAutoUpdate = false;
  return mesh;
}

function surface({ vertices, normals, faces }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(vertices, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  geometry.setIndex(new THREE.BufferAttribute(faces, 1));
  return geometry;
}

function form(shape, [a, b, c], size) {
  if (shape === "Sphere") return new THREE.SphereGeometry(a, 64, 32);
  if (shape === "Box") return new THREE.BoxGeometry(2 * a, 2 * b, 2 * c);
  if (shape === "Capsule") return new THREE.CapsuleGeometry(a, 2 * b, 16, 48);
  return new THREE.PlaneGeometry(6 * size, 6 * size).rotateX(-Math.PI / 2);
}

function setPlace(mesh, p, at) {
  mesh.matrix.set(
    p[at], p[at + 1], p[at + 2], p[at + 9],
    p[at + 3], p[at + 4], p[at + 5], p[at + 10],
    p[at + 6], p[at + 7], p[at + 8], p[at + 11],
    0, 0, 0, 1);
}
