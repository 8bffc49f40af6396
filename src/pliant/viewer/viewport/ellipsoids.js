// Oriented particles as the ellipsoids that they are: axes at rest from the body, rotations since then from the frame.

import { THREE } from "nicegui-scene";
import { dress } from "/viewport/dress.js";
import { HEATING } from "/viewport/heat.js";
import { WIDTH } from "/viewport/bending.js";

const TURNING = /* glsl */ `
  uniform highp sampler2D particles, rotations;
  uniform vec4 cut;
  attribute float which;
  attribute vec4 axes;
  attribute vec3 radii, tint;
  const float first = 0.0;
  vec4 row(highp sampler2D rows, int i) { return texelFetch(rows, ivec2(i % ${WIDTH}, i / ${WIDTH}), 0); }
  vec3 rotated(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

// `list` has { which, axes, radii, tint } of each; null where there is none.
export function ellipsoids(list, shared) {
  if (!list.length) return null;
  const geometry = new THREE.InstancedBufferGeometry().copy(new THREE.SphereGeometry(1, 20, 12));
  const attribute = (name, size) => geometry.setAttribute(
    name, new THREE.InstancedBufferAttribute(Float32Array.from(list.flatMap((each) => each[name])), size));
  attribute("which", 1), attribute("axes", 4), attribute("radii", 3), attribute("tint", 3);
  geometry.instanceCount = list.length;
  const material = new THREE.MeshStandardMaterial({ roughness: 0.5, vertexColors: true });
  material.defines = { ...material.defines, KIND: 0 };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, shared);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\n${TURNING}\n${HEATING}`)
      .replace("#include <beginnormal_vertex>", `
        int number = int(which + 0.5);
        vec4 turn = row(rotations, number);
        vec3 objectNormal = normalize(rotated(turn, rotated(axes, normal / radii)));`)
      .replace("#include <begin_vertex>", `
        vec3 centre = row(particles, number).xyz;
        bool gone = dot(cut.xyz, centre) + cut.w < 0.0;
        vec3 transformed = gone ? centre : centre + rotated(turn, rotated(axes, radii * position));
        #ifdef HEAT
          vHeat = heatOf(hot(which));
        #endif`)
      .replace("#include <color_vertex>", "vColor = tint;");
    dress(shader);
  };
  const made = new THREE.Mesh(geometry, material);
  made.frustumCulled = false;
  return made;
}
