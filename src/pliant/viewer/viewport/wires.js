// The edges of the skins, bent like them: the same geometry once more, drawn as lines.

import { THREE } from "nicegui-scene";

export function wires(skins, ink) {
  return skins.group.children.map((skin) => {
    const look = new THREE.MeshBasicMaterial(
      { wireframe: true, transparent: true, opacity: 0.45, depthWrite: false, toneMapped: false });
    look.color = ink.value; // follows the theme
    look.polygonOffset = true;
    look.polygonOffsetFactor = look.polygonOffsetUnits = -1;
    const bent = skin.userData.bent(look);
    const made = new THREE.Mesh(skin.geometry, skin.material.map(() => bent));
    made.frustumCulled = false;
    made.renderOrder = 2;
    made.userData.borrowed = true; // the geometry is the skin's
    return made;
  });
}
