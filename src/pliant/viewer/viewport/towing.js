// Obstacles in the hand: which one is under the pointer, and how it is taken.

import { THREE } from "nicegui-scene";

const caster = new THREE.Raycaster();

// The nearest obstacle on a ray that is nearer than `most`: { side, number, point }, or null. Planes stay where they are.
export function obstacleUnder(ray, stage, most) {
  caster.ray.copy(ray);
  caster.far = most;
  const meshes = stage.colliders.children.filter((each) => each.userData.shape !== "Plane");
  for (const each of meshes) each.updateWorldMatrix(true, false);
  const [hit] = caster.intersectObjects(meshes, false);
  if (!hit) return null;
  const { side, number } = hit.object.userData;
  return { side, number, point: hit.point };
}

// What is remembered of an obstacle while it is dragged; targets are told as they are in the first of two copies.
export function towFrom({ number, point, shift }) {
  return { obstacle: true, keep: false, again: false, shift, lead: shift.clone().negate(), target: point.clone().sub(shift),
    marks: [], taken: { do: "drag", collider: number } };
}
