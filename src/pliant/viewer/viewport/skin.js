// Skins, bound once and bent on the graphics card: all particles are one texture, and a frame only replaces it.
// Actors that share a skin are instances of one mesh; each knows where its particles begin.

import { THREE } from "nicegui-scene";
import { BENDING, KINDS, Places, table } from "/viewport/bending.js";
import { dress, WEARING } from "/viewport/dress.js";
import { HEATING } from "/viewport/heat.js";
import { divide, materials } from "/viewport/paint.js";
import { rings } from "/viewport/ring.js";

const FACING = /* glsl */ `
  attribute vec3 tint, ring, frame;

  vec3 bentNormal() { // see ring.js
    vec3 a = bent(int(ring.x + 0.5));
    vec3 e1 = unit(bent(int(ring.y + 0.5)) - a), e2 = unit(bent(int(ring.z + 0.5)) - a);
    return unit(frame.x * e1 + frame.y * e2 + frame.z * unit(cross(e1, e2)));
  }
`;

// The colour of the actor, where its file has none.
const TINTING = /* glsl */ `
  #if defined(USE_COLOR) && !defined(PAINTED)
    vColor.xyz *= tint;
  #endif
`;

export class Skins {
  constructor(stage) {
    this.stage = stage;
    this.group = new THREE.Group();
    stage.scene.add(this.group);
    this.setup = null;
    this.particles = null;
    this.onChange = null; // called when something looks different though no frame has come
    this.shared = {}; // uniforms of what a skin may wear (dress.js)
  }

  useSetup(setup) {
    this.dispose();
    this.setup = setup;
    this.texture = table(new Float32Array(4), setup.rows);
    setup.skins.forEach((skin, number) => {
      const actors = setup.actors.filter((actor) => actor.skin === number);
      const shared = { particles: { value: this.texture }, ...this.shared };
      const looks = materials(skin, () => this.onChange?.(), setup.pictures);
      this.group.add(mesh(skin, actors, shared, this.stage.renderer, looks));
    });
  }

  setParticles(particles) {
    this.particles = particles;
    this.texture.image.data.set(particles);
    this.texture.needsUpdate = true;
    for (const each of this.group.children) each.userData.places?.draw(this.stage.renderer);
  }

  // The materials of all skins.
  get materials() {
    return this.group.children.flatMap((each) => each.material);
  }

  // The smallest box around all particles.
  bounds() {
    const box = new THREE.Box3();
    const p = this.particles;
    const point = new THREE.Vector3();
    for (let i = 0; p && i < 4 * this.setup.particles; i += 4) box.expandByPoint(point.set(p[i], p[i + 1], p[i + 2]));
    return box;
  }

  dispose() {
    for (const each of this.group.children) {
      each.geometry.dispose();
      for (const texture of each.userData.tables) texture.dispose();
      each.userData.places?.dispose();
      for (const material of each.material) material.map?.dispose(), material.dispose();
      each.customDepthMaterial.dispose();
    }
    this.group.clear();
    this.texture?.dispose();
  }
}

function mesh(skin, actors, shared, renderer, materials) {
  const count = skin.vertices.length / 3;
  const none = new Float32Array(4);
  const parts = skin.slots / 4;
  const uniforms = {
    slots: { value: table(Float32Array.from(skin.indices), count * parts) },
    shares: { value: table(skin.weights, count * parts) },
    offsets: { value: table(skin.offsets ?? none, skin.offsets ? count : 1) },
    axes: { value: table(skin.axes ?? none, skin.axes ? skin.axes.length / 4 : 1) },
  };
  const side = ["solid", "oriented"].includes(skin.kind) ? THREE.FrontSide : THREE.DoubleSide;
  const tables = Object.values(uniforms).map((each) => each.value);
  const possible = Places.possible(renderer, count * actors.length);
  const places = possible ? new Places(skin.kind, parts, count, actors, { ...shared, ...uniforms }) : null;
  if (places) uniforms.places = { value: places.texture };
  const defines = { KIND: KINDS[skin.kind], PARTS: parts, ...(places ? { PLACES: 1 } : {}) };
  const bent = (material) => bend(material, { ...shared, ...uniforms }, defines);
  const made = new THREE.Mesh(geometry(skin, actors), materials.map(bent));
  made.customDepthMaterial = bent(new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking, side }));
  made.frustumCulled = false; // the geometry at rest says nothing about where it is drawn
  made.castShadow = made.receiveShadow = true;
  made.userData = { tables, places, bent };
  return made;
}

function geometry(skin, actors) {
  const made = new THREE.InstancedBufferGeometry();
  const { ring, frame } = seamless(skin);
  const count = skin.vertices.length / 3;
  made.setAttribute("position", new THREE.BufferAttribute(skin.vertices, 3));
  made.setAttribute("normal", new THREE.BufferAttribute(skin.normals, 3));
  made.setAttribute("ring", new THREE.BufferAttribute(ring, 3));
  made.setAttribute("frame", new THREE.BufferAttribute(frame, 3));
  made.setAttribute("color", new THREE.BufferAttribute(skin.colours ?? new Float32Array(3 * count).fill(1), 3));
  if (skin.uv) made.setAttribute("uv", new THREE.BufferAttribute(skin.uv, 2));
  divide(made, skin);
  made.setIndex(new THREE.BufferAttribute(skin.faces, 1));
  const tints = actors.flatMap((actor) => (skin.colours ? [1, 1, 1] : new THREE.Color(actor.colour).toArray()));
  const firsts = actors.map((actor) => actor.first);
  made.setAttribute("tint", new THREE.InstancedBufferAttribute(Float32Array.from(tints), 3));
  made.setAttribute("first", new THREE.InstancedBufferAttribute(Float32Array.from(firsts), 1));
  const rotations = actors.map((actor) => actor.rotations);
  made.setAttribute("rotations", new THREE.InstancedBufferAttribute(Float32Array.from(rotations), 1));
  const bases = actors.map((_, number) => number * count);
  made.setAttribute("base", new THREE.InstancedBufferAttribute(Float32Array.from(bases), 1));
  made.instanceCount = actors.length;
  return made;
}

// Vertices that are one and the same but for their uv have one ring, all round them: no seam shows in the shading.
function seamless(skin) {
  if (!skin.twins) return rings(skin.vertices, skin.faces, skin.normals);
  const { ring, frame } = rings(skin.vertices, skin.faces.map((v) => skin.twins[v]), skin.normals);
  skin.twins.forEach((first, v) => {
    if (first === v) return;
    ring.copyWithin(3 * v, 3 * first, 3 * first + 3);
    frame.copyWithin(3 * v, 3 * first, 3 * first + 3);
  });
  return { ring, frame };
}

function bend(material, uniforms, defines) {
  material.defines = { ...material.defines, ...defines };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${BENDING}\n${FACING}\n${HEATING}`)
      .replace("#include <beginnormal_vertex>", "vec3 objectNormal = bentNormal();")
      .replace("#include <begin_vertex>", `vec3 transformed = bent(gl_VertexID);\n${WEARING}`)
      .replace("#include <color_vertex>", `#include <color_vertex>\n${TINTING}`);
    dress(shader);
  };
  return material;
}
