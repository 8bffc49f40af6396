// Heat maps: a number for each particle, carried to what is drawn in the vertex shader and coloured in the fragment
// shader. Nothing of it is compiled into a shader until a map is asked for (HEAT is not defined before).

import { THREE } from "nicegui-scene";
import { groupTexture, mapTexture, STEPS } from "/viewport/colours.js";

const WIDTH = 1024; // texels in a row, as in bending.js
export const NUMBERS = 1, CLASSES = 2; // what HEAT is defined as
const SETTLE = 2500; // milliseconds that a map has been too wide for, before its end comes down
const NOTHING = -1;
const GREY = "#define NO_HEAT vec3(0.36)";

// For a vertex shader that has `first`: what the particles of an actor are coloured by.
export const HEATING = /* glsl */ `
  #ifdef HEAT
    ${GREY}
    uniform highp sampler2D heat, shades;
    varying vec4 vHeat;
    float hot(float slot) {
      int i = int(first + slot + 0.5);
      return texelFetch(heat, ivec2(i % ${WIDTH}, i / ${WIDTH}), 0).x;
    }
    vec4 heatOf(float number) { // a number is coloured later, where it is exact; a class at once: classes do not mix
      #if HEAT == ${CLASSES}
        if (number < -0.5) return vec4(NO_HEAT, 1.0);
        return vec4(texelFetch(shades, ivec2(int(number + 0.5) % textureSize(shades, 0).x, 0), 0).rgb, 1.0);
      #else
        return number < -0.5 ? vec4(0.0, 0.0, 0.0, -1.0) : vec4(number, 0.0, 0.0, 1.0);
      #endif
    }
    vec4 blendedHeat(vec4 s, vec4 w) {
      return w.x * heatOf(hot(s.x)) + w.y * heatOf(hot(s.y)) + w.z * heatOf(hot(s.z)) + w.w * heatOf(hot(s.w));
    }
  #endif
`;

export const HEATED = /* glsl */ `
  #ifdef HEAT
    ${GREY}
    uniform sampler2D shades;
    uniform float top;
    varying vec4 vHeat;
    vec3 heated() {
      #if HEAT == ${CLASSES}
        return vHeat.rgb;
      #else
        if (vHeat.w < 0.0) return NO_HEAT;
        float t = clamp(vHeat.x / top, 0.0, 1.0);
        return texture(shades, vec2((t * ${(STEPS - 1).toFixed(1)} + 0.5) / ${STEPS.toFixed(1)}, 0.5)).rgb;
      #endif
    }
  #endif
`;

export class Heat {
  constructor() {
    this.maps = { [NUMBERS]: mapTexture(), [CLASSES]: groupTexture() };
    this.uniforms = { heat: { value: null }, shades: { value: this.maps[NUMBERS] }, top: { value: 1 } };
    this.kind = 0; // off
    this.values = null;
  }

  // Which kind of map, or 0; `least` is the smallest end that its scale may have, `fixed` one that never changes.
  choose(kind, { least = 1e-9, fixed = 0 } = {}) {
    Object.assign(this, { kind, least, fixed, values: null, calm: 0 });
    this.uniforms.shades.value = this.maps[kind || NUMBERS];
    this.uniforms.top.value = fixed || nice(least);
    this.uniforms.heat.value?.image.data.fill(NOTHING);
    if (this.uniforms.heat.value) this.uniforms.heat.value.needsUpdate = true;
  }

  setCount(particles) {
    this.uniforms.heat.value?.dispose();
    const height = Math.max(1, Math.ceil(particles / WIDTH));
    const data = new Float32Array(WIDTH * height).fill(NOTHING);
    this.uniforms.heat.value = new THREE.DataTexture(data, WIDTH, height, THREE.RedFormat, THREE.FloatType);
    this.uniforms.heat.value.needsUpdate = true;
    this.values = null;
  }

  // New numbers. The scale reaches as far as all but the highest fiftieth: one torn corner must not darken the rest.
  take(values, now = performance.now()) {
    const texture = this.uniforms.heat.value;
    if (!texture || values.length > texture.image.data.length) return;
    const first = !this.values;
    this.values = values;
    texture.image.data.set(values);
    texture.needsUpdate = true;
    if (this.kind !== NUMBERS || this.fixed || (!first && now < this.next)) return;
    this.next = now + 200;
    const sorted = Float32Array.from(values).sort();
    this.most = sorted.at(-1);
    const wanted = nice(Math.max(sorted[Math.floor(0.98 * (sorted.length - 1))], this.least));
    const { top } = this.uniforms;
    if (wanted >= 0.4 * top.value) this.calm = now;
    if (first || wanted > top.value || now - this.calm > SETTLE) top.value = wanted;
  }

  get top() {
    return this.uniforms.top.value;
  }

  dispose() {
    this.uniforms.heat.value?.dispose();
    for (const each of Object.values(this.maps)) each.dispose();
  }
}

// The next of 1, 2, 5, 10, 20, ...
export function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-6)) * power;
}
