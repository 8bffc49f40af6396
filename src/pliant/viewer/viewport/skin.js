// Skins, bound once and bent in the vertex shader: all particles are one texture, and a frame only replaces it.
// Actors that share a skin are instances of one mesh; each knows where its particles begin.

import { THREE } from "nicegui-scene";
import { dress, WEARING } from "/viewport/dress.js";
import { HEATING } from "/viewport/heat.js";
import { divide, materials } from "/viewport/paint.js";
import { rings } from "/viewport/ring.js";

export const WIDTH = 1024; // texels in a row of every table
const KINDS = { solid: 0, shell: 1, rod: 2, oriented: 3 };

const BENDING = /* glsl */ `
  uniform highp sampler2D particles, slots, shares, offsets, axes;
  attribute float first, turns; // the actor's first particle, and where the rotations of its particles begin
  attribute vec3 tint, ring, frame;

  vec4 row(highp sampler2D table, int i) { return texelFetch(table, ivec2(i % ${WIDTH}, i / ${WIDTH}), 0); }
  vec3 particle(float slot) { return row(particles, int(first + slot + 0.5)).xyz; }
  vec3 unit(vec3 v) { return v / max(length(v), 1e-20); }
  vec3 carried(float slot, vec3 rest) { // by a particle that turns
    vec4 q = row(particles, int(turns + slot + 0.5));
    vec3 v = rest - row(axes, int(slot + 0.5)).xyz;
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
  }

  // Skin.deform of body/skin.py, for one vertex.
  vec3 bent(int vertex) {
    vec4 s = row(slots, vertex), w = row(shares, vertex);
    vec3 a = particle(s.x), b = particle(s.y), c = particle(s.z);
    vec3 p = w.x * a + w.y * b + w.z * c + w.w * particle(s.w);
    #if KIND == 1
      p += row(offsets, vertex).w * unit(cross(b - a, c - a));
    #elif KIND == 2
      vec3 u = row(offsets, vertex).xyz, axis = row(axes, vertex).xyz, chord = unit(b - a);
      float cosine = dot(axis, chord);
      vec3 k = cross(axis, chord), once = cross(k, u);
      p += cosine < -0.9999 ? u - 2.0 * dot(u, axis) * axis : u + once + cross(k, once) / (1.0 + cosine);
    #elif KIND == 3
      vec3 rest = row(offsets, vertex).xyz;
      p += w.x * carried(s.x, rest) + w.y * carried(s.y, rest) + w.z * carried(s.z, rest) + w.w * carried(s.w, rest);
    #endif
    return p;
  }

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
    this.cast = null;
    this.particles = null;
    this.onChange = null; // called when something looks different though no frame has come
    this.shared = {}; // uniforms of what a skin may wear (dress.js)
  }

  setCast(cast) {
    this.dispose();
    this.cast = cast;
    this.texture = table(new Float32Array(4), cast.rows);
    cast.skins.forEach((skin, number) => {
      const actors = cast.actors.filter((actor) => actor.skin === number);
      this.group.add(mesh(skin, actors, { particles: { value: this.texture }, ...this.shared }, () => this.onChange?.()));
    });
  }

  setParticles(particles) {
    this.particles = particles;
    this.texture.image.data.set(particles);
    this.texture.needsUpdate = true;
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
    for (let i = 0; p && i < 4 * this.cast.particles; i += 4) box.expandByPoint(point.set(p[i], p[i + 1], p[i + 2]));
    return box;
  }

  dispose() {
    for (const each of this.group.children) {
      each.geometry.dispose();
      for (const texture of each.userData.tables) texture.dispose();
      for (const material of each.material) material.map?.dispose(), material.dispose();
      each.customDepthMaterial.dispose();
    }
    this.group.clear();
    this.texture?.dispose();
  }
}

function mesh(skin, actors, shared, shown) {
  const count = skin.vertices.length / 3;
  const none = new Float32Array(4);
  const uniforms = {
    slots: { value: table(Float32Array.from(skin.indices), count) },
    shares: { value: table(skin.weights, count) },
    offsets: { value: table(skin.offsets ?? none, skin.offsets ? count : 1) },
    axes: { value: table(skin.axes ?? none, skin.axes ? skin.axes.length / 4 : 1) },
  };
  const side = ["solid", "oriented"].includes(skin.kind) ? THREE.FrontSide : THREE.DoubleSide;
  const bent = (material) => bend(material, { ...shared, ...uniforms }, skin.kind);
  const looks = materials(skin, shown).map(bent);
  const made = new THREE.Mesh(geometry(skin, actors), looks);
  made.customDepthMaterial = bent(new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking, side }));
  made.frustumCulled = false; // the geometry at rest says nothing about where it is drawn
  made.castShadow = made.receiveShadow = true;
  made.userData = { tables: Object.values(uniforms).map((each) => each.value), bent };
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
  const turns = actors.map((actor) => actor.turns);
  made.setAttribute("turns", new THREE.InstancedBufferAttribute(Float32Array.from(turns), 1));
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

function bend(material, uniforms, kind) {
  material.defines = { ...material.defines, KIND: KINDS[kind] };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${BENDING}\n${HEATING}`)
      .replace("#include <beginnormal_vertex>", "vec3 objectNormal = bentNormal();")
      .replace("#include <begin_vertex>", `vec3 transformed = bent(gl_VertexID);\n${WEARING}`)
      .replace("#include <color_vertex>", `#include <color_vertex>\n${TINTING}`);
    dress(shader);
  };
  return material;
}

export function table(rows, count) {
  const height = Math.max(1, Math.ceil(count / WIDTH));
  const data = new Float32Array(4 * WIDTH * height);
  data.set(rows.subarray(0, data.length));
  const texture = new THREE.DataTexture(data, WIDTH, height, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}
