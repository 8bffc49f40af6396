// Particles as small balls, and lines between them. A ball is a point that the fragment shader makes round.

import { THREE } from "nicegui-scene";
import { HEATED, HEATING } from "/viewport/heat.js";
import { crowd } from "/viewport/elements.js";
import { WIDTH } from "/viewport/bending.js";

const LOOKUP = /* glsl */ `
  uniform highp sampler2D particles;
  uniform vec4 cut;
  vec3 particle(float number) {
    int i = int(number + 0.5);
    return texelFetch(particles, ivec2(i % ${WIDTH}, i / ${WIDTH}), 0).xyz;
  }
  const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);
`;

const BALLS = {
  vertexShader: /* glsl */ `
    ${LOOKUP}
    attribute float which, size;
    attribute vec3 tint;
    uniform float pixels; // of the height of the picture
    const float first = 0.0;
    varying vec3 vTint;
    varying vec4 vBall; // centre as the camera sees it, radius
    ${HEATING}
    void main() {
      vec3 place = particle(which);
      vec4 seen = viewMatrix * vec4(place, 1.0);
      vTint = tint;
      vBall = vec4(seen.xyz, size);
      gl_Position = projectionMatrix * seen;
      gl_PointSize = max(size * projectionMatrix[1][1] * pixels / gl_Position.w, 3.0);
      if (dot(cut.xyz, place) + cut.w < 0.0) gl_Position = NOWHERE;
      #ifdef HEAT
        vHeat = heatOf(hot(which));
      #endif
    }`,
  fragmentShader: /* glsl */ `
    varying vec3 vTint;
    varying vec4 vBall;
    uniform mat4 projectionMatrix;
    ${HEATED}
    void main() {
      vec2 at = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
      float out2 = dot(at, at);
      if (out2 > 1.0) discard;
      vec3 normal = vec3(at, sqrt(1.0 - out2));
      #ifdef HEAT
        vec3 colour = heated();
      #else
        vec3 colour = vTint;
      #endif
      float light = 0.5 + 0.5 * dot(normal, normalize(vec3(-0.4, 0.7, 0.6)));
      gl_FragColor = vec4(colour * (0.42 + 0.7 * light) + 0.12 * pow(light, 24.0), 1.0);
      vec4 front = projectionMatrix * vec4(vBall.xyz + vBall.w * normal, 1.0);
      gl_FragDepth = 0.5 + 0.5 * front.z / front.w;
      #include <tonemapping_fragment>
      #include <colorspace_fragment>
    }`,
};

// Balls at particles: `list` has { which, size, tint } of each.
export function balls(list, shared, pixels) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("which", new THREE.BufferAttribute(Float32Array.from(list, (each) => each.which), 1));
  geometry.setAttribute("size", new THREE.BufferAttribute(Float32Array.from(list, (each) => each.size), 1));
  geometry.setAttribute("tint", new THREE.BufferAttribute(Float32Array.from(list.flatMap((each) => each.tint)), 3));
  geometry.setDrawRange(0, list.length);
  const made = new THREE.Points(geometry, new THREE.ShaderMaterial({ ...BALLS, uniforms: { ...shared, pixels } }));
  made.frustumCulled = false;
  return made;
}

const LINES = {
  transparent: true,
  depthWrite: false,
  vertexShader: /* glsl */ `
    ${LOOKUP}
    attribute float slot, first;
    attribute vec3 tint;
    varying vec3 vTint, vPlace;
    void main() {
      vPlace = particle(first + slot);
      vTint = tint;
      gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
    }`,
  fragmentShader: /* glsl */ `
    uniform vec4 cut;
    uniform vec3 ink;
    varying vec3 vTint, vPlace;
    void main() {
      if (dot(cut.xyz, vPlace) + cut.w < 0.0) discard;
      gl_FragColor = vec4(mix(vTint, ink, 0.6), 0.6);
      #include <colorspace_fragment>
    }`,
};

// All links of a body, thin, once for each of its actors.
export function links(slots, actors, shared, ink) {
  const geometry = crowd(actors);
  geometry.setAttribute("slot", new THREE.BufferAttribute(Float32Array.from(slots), 1));
  geometry.setDrawRange(0, slots.length);
  const made = new THREE.LineSegments(geometry, new THREE.ShaderMaterial({ ...LINES, uniforms: { ...shared, ink } }));
  made.frustumCulled = false;
  return made;
}

const SPOKES = {
  transparent: true,
  vertexShader: /* glsl */ `
    ${LOOKUP}
    attribute float begin, end, corner;
    uniform float pixels, width;
    void main() {
      vec4 a = projectionMatrix * viewMatrix * vec4(particle(begin), 1.0);
      vec4 b = projectionMatrix * viewMatrix * vec4(particle(end), 1.0);
      vec2 along = b.xy / b.w - a.xy / a.w;
      vec2 stretched = vec2(along.x * projectionMatrix[1][1] / projectionMatrix[0][0], along.y);
      vec2 across = normalize(vec2(-stretched.y, stretched.x) + 1e-9);
      across.x *= projectionMatrix[0][0] / projectionMatrix[1][1];
      gl_Position = corner < 1.5 ? a : b;
      gl_Position.xy += (mod(corner, 2.0) < 0.5 ? 1.0 : -1.0) * across * width / pixels * gl_Position.w;
    }`,
  fragmentShader: /* glsl */ `
    uniform vec3 ink;
    void main() {
      gl_FragColor = vec4(ink, 1.0);
      #include <colorspace_fragment>
    }`,
};

// Thick lines from one particle to others, `width` pixels wide.
export function spokes(centre, others, shared, pixels, ink, width) {
  const geometry = new THREE.BufferGeometry();
  const corners = others.flatMap((end) => [0, 1, 2, 3].map((corner) => ({ begin: centre, end, corner })));
  for (const name of ["begin", "end", "corner"])
    geometry.setAttribute(name, new THREE.BufferAttribute(Float32Array.from(corners, (each) => each[name]), 1));
  geometry.setIndex(others.flatMap((_, i) => [0, 1, 2, 2, 1, 3].map((corner) => 4 * i + corner)));
  const uniforms = { ...shared, pixels, ink, width: { value: width } };
  const made = new THREE.Mesh(geometry, new THREE.ShaderMaterial({ ...SPOKES, side: THREE.DoubleSide, uniforms }));
  made.frustumCulled = false;
  return made;
}
