// Colours for numbers and for groups. The colour map gets steadily lighter, from indigo over rose and orange to straw,
// in equal steps to the eye: it is a curve in OKLCH (lightness, chroma, hue), so it also reads in grey.

import { THREE } from "nicegui-scene";

export const STEPS = 256;
// As session/render/palette.py has them, but led by two that are told apart at once.
export const GROUPS = ["#3f8fd2", "#e8833a", "#3fae8c", "#d7536b", "#f0c548", "#8a76cf", "#7cc4dd", "#a8663f"];

const mix = (a, b, t) => a + (b - a) * t;

// A colour of the map, 0 to 1, as three sRGB parts.
export function shade(t) {
  const hue = ((mix(278, 450, t) % 360) * Math.PI) / 180;
  const chroma = mix(0.13, 0.11, t) + 0.07 * Math.sin(Math.PI * t);
  return okToRgb(mix(0.38, 0.94, t), chroma * Math.cos(hue), chroma * Math.sin(hue)).map(encode);
}

// The same as a background of CSS, from left to right.
export function gradient() {
  const css = (parts) => `rgb(${parts.map((part) => Math.round(255 * part)).join(" ")})`;
  const stops = Array.from({ length: 17 }, (_, i) => css(shade(i / 16)));
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

// A row of texels: the map, or the groups.
export function mapTexture() {
  return strip(Array.from({ length: STEPS }, (_, i) => shade(i / (STEPS - 1))), THREE.LinearFilter);
}

export function groupTexture() {
  return strip(GROUPS.map((each) => new THREE.Color(each).convertLinearToSRGB().toArray()), THREE.NearestFilter);
}

function strip(colours, filter) {
  const data = Uint8Array.from(colours.flatMap((parts) => [...parts.map((part) => Math.round(255 * part)), 255]));
  const texture = new THREE.DataTexture(data, colours.length, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = filter;
  texture.needsUpdate = true;
  return texture;
}

const encode = (light) => {
  const part = Math.min(Math.max(light, 0), 1);
  return part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
};

// Oklab to linear sRGB, with the matrices of Ottosson's definition.
function okToRgb(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
