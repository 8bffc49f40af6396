// What a body is made of, each piece a little smaller than it is so that one sees between them: tets, the triangles of
// a shell, the segments of a rod. The corners are looked up in the particle texture; nothing is sent for it but once.

import { THREE } from "nicegui-scene";
import { dress } from "/viewport/dress.js";
import { HEATING } from "/viewport/heat.js";
import { table, WIDTH } from "/viewport/bending.js";

const SHRINK = 0.82;
const CORNERS = { solid: 4, shell: 3, rod: 2 };
const SHARES = { solid: "vec4(0.25)", shell: "vec4(1.0, 1.0, 1.0, 0.0)", rod: "vec4(1.0, 1.0, 0.0, 0.0)" };
const POINTS = { solid: 12, shell: 3, rod: 24 }; // vertices that are drawn for each piece

const PIECES = /* glsl */ `
  uniform highp sampler2D particles, corners;
  uniform vec4 cut;
  attribute float first;
  attribute vec3 tint;
  vec4 row(highp sampler2D rows, int i) { return texelFetch(rows, ivec2(i % ${WIDTH}, i / ${WIDTH}), 0); }
  vec3 particle(float slot) { return row(particles, int(first + slot + 0.5)).xyz; }
  vec3 unit(vec3 v) { return v / max(length(v), 1e-20); }
  float chance(int i) { return fract(sin(float(i) * 12.9898) * 43758.5453); }

  #if KIND == 0
    const int FACES[12] = int[12](0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
  #elif KIND == 2 // two pyramids, base to base, of the points: begin, end and four about the first third
    const int FACES[24] = int[24](0, 3, 2, 0, 4, 3, 0, 5, 4, 0, 2, 5, 1, 2, 3, 1, 3, 4, 1, 4, 5, 1, 5, 2);
  #endif

  void piece(int vertex, out vec3 place, out vec3 facing, out vec4 slots) {
    int each = vertex / POINTS, point = vertex % POINTS;
    slots = row(corners, each);
    vec3 middle, p[3];
    #if KIND == 0
      vec3 c[4] = vec3[4](particle(slots.x), particle(slots.y), particle(slots.z), particle(slots.w));
      middle = 0.25 * (c[0] + c[1] + c[2] + c[3]);
      for (int k = 0; k < 3; k++) p[k] = c[FACES[point - point % 3 + k]];
    #elif KIND == 1
      for (int k = 0; k < 3; k++) p[k] = particle(slots[k]);
      middle = (p[0] + p[1] + p[2]) / 3.0;
    #else
      vec3 a = particle(slots.x), b = particle(slots.y), along = b - a;
      vec3 side = unit(cross(along, abs(along.y) < 0.9 * length(along) ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
      vec3 other = unit(cross(along, side));
      float wide = 0.16 * length(along);
      vec3 c[6] = vec3[6](a, b, a + 0.3 * along + wide * side, a + 0.3 * along + wide * other,
        a + 0.3 * along - wide * side, a + 0.3 * along - wide * other);
      middle = 0.5 * (a + b);
      for (int k = 0; k < 3; k++) p[k] = c[FACES[point - point % 3 + k]];
    #endif
    facing = unit(cross(p[1] - p[0], p[2] - p[0]));
    place = middle + ${SHRINK} * (p[point % 3] - middle);
    if (dot(cut.xyz, middle) + cut.w < 0.0) place = middle; // beyond the clipping plane: not cut, but gone as a whole
  }
`;

// The pieces of one body, drawn once for each of its actors.
export function elements(body, actors, shared) {
  const corners = CORNERS[body.kind], count = body.elements.length / corners;
  const rows = new Float32Array(4 * count);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 4; k++) rows[4 * i + k] = body.elements[corners * i + (k < corners ? k : 0)];
  const uniforms = { corners: { value: table(rows, count) } };
  const material = new THREE.MeshStandardMaterial({ roughness: 0.6, vertexColors: true, side: THREE.DoubleSide });
  material.defines = { ...material.defines, KIND: Object.keys(CORNERS).indexOf(body.kind), POINTS: POINTS[body.kind] };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, shared, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${PIECES}\n${HEATING}`)
      .replace("#include <beginnormal_vertex>", `vec3 place, objectNormal;
        vec4 four;
        piece(gl_VertexID, place, objectNormal, four);`)
      .replace("#include <begin_vertex>", `vec3 transformed = place;
        #ifdef HEAT
          vHeat = blendedHeat(four, ${SHARES[body.kind]});
        #endif`)
      .replace("#include <color_vertex>", "vColor = tint * (0.86 + 0.28 * chance(gl_VertexID / POINTS));");
    dress(shader);
  };
  const made = new THREE.Mesh(crowd(actors), material);
  made.geometry.setDrawRange(0, POINTS[body.kind] * count);
  made.frustumCulled = false;
  made.userData.tables = [uniforms.corners.value];
  return made;
}

// A geometry without vertices of its own, once for each actor.
export function crowd(actors) {
  const made = new THREE.InstancedBufferGeometry();
  const tints = actors.flatMap((actor) => new THREE.Color(actor.colour).toArray());
  made.setAttribute("tint", new THREE.InstancedBufferAttribute(Float32Array.from(tints), 3));
  made.setAttribute("first", new THREE.InstancedBufferAttribute(Float32Array.from(actors, (actor) => actor.first), 1));
  made.instanceCount = actors.length;
  return made;
}

// Each pair of neighbours once, as a flat list.
export function pairs({ kind, elements: list }) {
  const corners = CORNERS[kind], found = new Map();
  for (let i = 0; i < list.length; i += corners)
    for (let a = 0; a < corners; a++)
      for (let b = a + 1; b < corners; b++) {
        const [low, high] = [Math.min(list[i + a], list[i + b]), Math.max(list[i + a], list[i + b])];
        found.set(low * 2 ** 24 + high, [low, high]);
      }
  return [...found.values()].flat();
}

// The particles that share an element with one.
export function ring({ kind, elements: list }, particle) {
  const corners = CORNERS[kind], found = new Set();
  for (let i = 0; i < list.length; i += corners) {
    const piece = list.subarray(i, i + corners);
    if (piece.includes(particle)) for (const each of piece) found.add(each);
  }
  found.delete(particle);
  return [...found];
}
