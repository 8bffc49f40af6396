// The floor: nothing but shadow and a faint grid that fades away, so that any background shows through.

import { THREE } from "nicegui-scene";

const GRID = {
  transparent: true,
  depthWrite: false,
  vertexShader: /* glsl */ `
    varying vec3 place;
    void main() {
      vec4 world = modelMatrix * vec4(position, 1.0);
      place = world.xyz;
      gl_Position = projectionMatrix * viewMatrix * world;
    }`,
  fragmentShader: /* glsl */ `
    varying vec3 place;
    uniform float spacing, reach, strength;
    uniform vec3 ink, middle;
    void main() {
      vec2 at = place.xz / spacing;
      vec2 width = fwidth(at);
      vec2 line = 1.0 - smoothstep(vec2(0.0), 1.4 * width, abs(fract(at - 0.5) - 0.5));
      line *= 1.0 - smoothstep(0.15, 0.5, max(width.x, width.y)); // no moire far away
      float fade = 1.0 - smoothstep(0.15, 1.0, distance(place.xz, middle.xz) / reach);
      gl_FragColor = vec4(ink, strength * fade * max(line.x, line.y));
    }`,
};

export class Ground {
  constructor(scene) {
    const plane = new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2);
    this.shadow = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.3, depthWrite: false }));
    this.shadow.receiveShadow = true;
    const uniforms = { spacing: { value: 1 }, reach: { value: 1 }, strength: { value: 0.1 },
      ink: { value: new THREE.Color(0x000000) }, middle: { value: new THREE.Vector3() } };
    this.grid = new THREE.Mesh(plane, new THREE.ShaderMaterial({ ...GRID, uniforms }));
    this.group = new THREE.Group();
    this.group.add(this.shadow, this.grid);
    this.group.visible = false;
    this.lit = null; // the part that can be in shadow, as it was told last
    scene.add(this.group);
  }

  // At a height, under things of a size, about a point.
  place(height, size, middle) {
    this.group.visible = true;
    this.group.position.set(middle.x, height, middle.z);
    this.grid.scale.setScalar(12 * size);
    this.grid.position.y = 1e-4 * size;
    const { spacing, reach, middle: centre } = this.grid.material.uniforms;
    spacing.value = 10 ** Math.round(Math.log10(size / 3));
    reach.value = 6 * size;
    centre.value.copy(middle);
    if (this.lit) this.shade(...this.lit); // the sun may stay where it is, though the floor has moved
  }

  // The part of the floor that can be in shadow; more would only cost time.
  shade(middle, reach) {
    this.lit = [middle.clone(), reach];
    this.shadow.position.copy(middle).sub(this.group.position).setY(0);
    this.shadow.scale.setScalar(2 * reach);
  }

  hide() {
    this.group.visible = false;
  }

  setTheme(dark) {
    this.shadow.material.opacity = dark ? 0.5 : 0.26;
    this.grid.material.uniforms.ink.value.set(dark ? 0xffffff : 0x1b2230);
    this.grid.material.uniforms.strength.value = dark ? 0.07 : 0.09;
  }
}
