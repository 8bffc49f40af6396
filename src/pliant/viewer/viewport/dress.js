// What a skin wears while one sees inside: a heat map (HEAT), glass (GLASS) or the look of something cut open (CUT).
// Each is compiled in only while it is worn.

import { HEATED } from "/viewport/heat.js";

const LIGHTING = /* glsl */ `
  #ifdef HEAT
    outgoingLight = mix(outgoingLight, heated(), 0.5); // half of it unlit: colours must be read, not guessed
  #endif
  #ifdef GLASS
    float facing = abs(dot(normal, normalize(vViewPosition)));
    diffuseColor.a *= mix(0.6, 0.1, sqrt(facing));
  #endif
  #if defined(CUT) && KIND != 1
    // The inside of the far wall stands for the cut: nearly flat, and paler than the skin.
    if (!gl_FrontFacing) {
      vec3 wall = mix(diffuseColor.rgb, vec3(0.9), 0.22);
      outgoingLight = wall * (0.62 + 0.2 * abs(dot(normal, normalize(vViewPosition))));
    }
  #endif
`;

// For the vertex shader of a skin (skin.js).
export const WEARING = /* glsl */ `
  #ifdef HEAT
    vHeat = vec4(0.0);
    float whole = 0.0;
    for (int part = 0; part < PARTS; part++) { // the weights of a skin may be below zero
      vec4 w = max(row(shares, gl_VertexID * PARTS + part), 0.0);
      vHeat += blendedHeat(row(slots, gl_VertexID * PARTS + part), w);
      whole += w.x + w.y + w.z + w.w;
    }
    vHeat /= max(whole, 1e-6);
  #endif
`;

// For the fragment shader of anything that may wear a heat map.
export function dress(shader) {
  shader.fragmentShader = shader.fragmentShader
    .replace("void main() {", `${HEATED}\nvoid main() {`)
    .replace("#include <color_fragment>", `#include <color_fragment>
      #ifdef HEAT
        diffuseColor.rgb = heated();
      #endif`)
    .replace("#include <opaque_fragment>", `${LIGHTING}\n#include <opaque_fragment>`);
}

// Define or forget a word in the shaders of materials.
export function wear(materials, word, value) {
  for (const each of materials) {
    if ((each.defines?.[word] ?? null) === value) continue;
    each.defines = { ...each.defines };
    if (value === null) delete each.defines[word];
    else each.defines[word] = value;
    each.needsUpdate = true;
  }
}
