// Where the vertices of a skin are: Skin.deform of body/skin.py, on the graphics card.
//
// A vertex of a solid is a sum over up to 24 particles, one on particles that turn over up to 8. It is needed by its own picture and its shadow, and as a corner
// of its neighbours' normals (ring.js), so it is worked out once a frame, by drawing into a texture of places, from which
// the others fetch. A card that cannot draw into such a texture works it out each time, with the same words.

import { THREE } from "nicegui-scene";

export const WIDTH = 1024; // texels in a row of every table
export const KINDS = { solid: 0, shell: 1, rod: 2, oriented: 3 };

const FORMULA = /* glsl */ `
  uniform highp sampler2D particles, slots, shares, offsets, axes;

  vec4 row(highp sampler2D rows, int i) { return texelFetch(rows, ivec2(i % ${WIDTH}, i / ${WIDTH}), 0); }
  vec3 unit(vec3 v) { return v / max(length(v), 1e-20); }
  vec3 particle(float slot, float first) { return row(particles, int(first + slot + 0.5)).xyz; }
  vec3 carried(float slot, float rotations, vec3 rest) { // by a particle that turns
    vec4 q = row(particles, int(rotations + slot + 0.5));
    vec3 v = rest - row(axes, int(slot + 0.5)).xyz;
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
  }

  // A vertex of the actor whose particles begin at the row \`first\`, and their rotations at \`rotations\`.
  vec3 bentOf(int vertex, float first, float rotations) {
    #if KIND == 0 || KIND == 3
      vec3 p = vec3(0.0);
      #if KIND == 3
        vec3 rest = row(offsets, vertex).xyz;
      #endif
      for (int part = 0; part < PARTS; part++) {
        vec4 w = row(shares, vertex * PARTS + part);
        if (w == vec4(0.0)) break; // rows that are not used come last
        vec4 s = row(slots, vertex * PARTS + part);
        p += w.x * particle(s.x, first) + w.y * particle(s.y, first)
          + w.z * particle(s.z, first) + w.w * particle(s.w, first);
        #if KIND == 3
          p += w.x * carried(s.x, rotations, rest) + w.y * carried(s.y, rotations, rest)
            + w.z * carried(s.z, rotations, rest) + w.w * carried(s.w, rotations, rest);
        #endif
      }
    #else
      vec4 s = row(slots, vertex), w = row(shares, vertex);
      vec3 a = particle(s.x, first), b = particle(s.y, first), c = particle(s.z, first);
      vec3 p = w.x * a + w.y * b + w.z * c + w.w * particle(s.w, first);
    #endif
    #if KIND == 1
      p += row(offsets, vertex).w * unit(cross(b - a, c - a));
    #elif KIND == 2
      vec3 u = row(offsets, vertex).xyz, axis = row(axes, vertex).xyz, chord = unit(b - a);
      float cosine = dot(axis, chord);
      vec3 k = cross(axis, chord), once = cross(k, u);
      p += cosine < -0.9999 ? u - 2.0 * dot(u, axis) * axis : u + once + cross(k, once) / (1.0 + cosine);
    #endif
    return p;
  }
`;

// For the vertex shader of a skin.
export const BENDING = /* glsl */ `
  ${FORMULA}
  attribute float first, rotations, base; // of the actor: its particles, their rotations, its vertices among the places
  #ifdef PLACES
    uniform highp sampler2D places;
    vec3 bent(int vertex) { return row(places, int(base + 0.5) + vertex).xyz; }
  #else
    vec3 bent(int vertex) { return bentOf(vertex, first, rotations); }
  #endif
`;

const DRAWING = /* glsl */ `
  precision highp float;
  precision highp int;
  ${FORMULA}
  uniform highp sampler2D starts; // a row an actor: first, rotations
  uniform int count, all; // vertices of the skin, and of all its actors
  layout(location = 0) out highp vec4 place;
  void main() {
    int i = int(gl_FragCoord.y) * ${WIDTH} + int(gl_FragCoord.x);
    vec4 start = row(starts, min(i, all - 1) / count);
    place = vec4(bentOf(min(i, all - 1) % count, start.x, start.y), 1.0);
  }
`;

// The places of all vertices of a skin, actor by actor.
export class Places {
  static possible(renderer, count) {
    return count > 0 && renderer.extensions.has("EXT_color_buffer_float") && Math.ceil(count / WIDTH) <= renderer.capabilities.maxTextureSize;
  }

  constructor(kind, parts, count, actors, uniforms) {
    const all = count * actors.length;
    this.target = new THREE.WebGLRenderTarget(WIDTH, Math.ceil(all / WIDTH), {
      type: THREE.FloatType, format: THREE.RGBAFormat, depthBuffer: false,
      minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter,
    });
    const starts = Float32Array.from(actors.flatMap((actor) => [actor.first, actor.rotations, 0, 0]));
    this.starts = table(starts, actors.length);
    this.material = new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3, defines: { KIND: KINDS[kind], PARTS: parts }, depthTest: false, depthWrite: false,
      uniforms: { ...uniforms, starts: { value: this.starts }, count: { value: count }, all: { value: all } },
      vertexShader: "in vec3 position; void main() { gl_Position = vec4(position, 1.0); }", fragmentShader: DRAWING,
    });
    const triangle = new THREE.BufferGeometry(); // one that covers the whole texture
    triangle.setAttribute("position", new THREE.BufferAttribute(Float32Array.from([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.mesh = new THREE.Mesh(triangle, this.material);
    this.mesh.frustumCulled = false;
    this.scene = new THREE.Scene().add(this.mesh);
    this.camera = new THREE.Camera();
  }

  get texture() {
    return this.target.texture;
  }

  // Work them out anew: the particles have moved.
  draw(renderer) {
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(this.target);
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(before);
  }

  dispose() {
    this.target.dispose();
    this.starts.dispose();
    this.material.dispose();
    this.mesh.geometry.dispose();
  }
}

export function table(rows, count) {
  const height = Math.max(1, Math.ceil(count / WIDTH));
  const data = new Float32Array(4 * WIDTH * height);
  data.set(rows.subarray(0, data.length));
  const texture = new THREE.DataTexture(data, WIDTH, height, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}
