// Materials of a skin: what its file says (paint.py), or the colour of its actor where it says nothing.

import { THREE } from "nicegui-scene";

const WRAPS = { 33071: THREE.ClampToEdgeWrapping, 33648: THREE.MirroredRepeatWrapping };

// One material for each that the paint has, and a last one for parts without. `shown` is called when a picture has come,
// `pictures` are those that came with the setup; the server has the others.
export function materials(skin, shown, pictures = []) {
  const side = skin.kind === "solid" ? THREE.FrontSide : THREE.DoubleSide;
  const plain = new THREE.MeshStandardMaterial({ roughness: 0.55, vertexColors: true, side, shadowSide: side });
  return [...(skin.paint?.materials ?? []).map((told) => painted(told, side, shown, pictures)), plain];
}

// The parts of a geometry, each with its material. A plain skin is one part.
export function divide(geometry, skin) {
  const last = skin.paint?.materials.length ?? 0;
  const parts = skin.paint?.parts ?? [[0, skin.faces.length, last]];
  for (const [first, count, material] of parts) geometry.addGroup(first, count, material < 0 ? last : material);
}

function painted(told, side, shown, pictures) {
  const made = new THREE.MeshStandardMaterial({
    color: new THREE.Color().setRGB(...told.colour), // linear, as three.js works
    roughness: told.roughness,
    metalness: 0.4 * told.metallic, // there are no surroundings to mirror: pure metal would be black
    vertexColors: true,
    side: told.twoSided ? THREE.DoubleSide : side,
    shadowSide: side,
    transparent: told.alpha === "blend",
    opacity: told.alpha === "blend" ? told.opacity : 1,
    alphaTest: told.alpha === "mask" ? told.cutoff : 0,
  });
  made.defines = { ...made.defines, PAINTED: 1 };
  const url = pictures.find((each) => each.digest === told.image)?.url ?? `/texture/${told.image}`;
  if (told.image) picture(told, url, (map) => ((made.map = map), (made.needsUpdate = true), shown()));
  return made;
}

function picture(told, url, done) {
  new THREE.TextureLoader().load(url, (map) => {
    map.colorSpace = THREE.SRGBColorSpace;
    map.flipY = false; // v goes down
    [map.wrapS, map.wrapT] = told.wrap.map((each) => WRAPS[each] ?? THREE.RepeatWrapping);
    map.anisotropy = 4;
    if (told.laid) {
      map.offset.fromArray(told.laid.offset);
      map.repeat.fromArray(told.laid.scale);
      map.rotation = told.laid.turn;
    }
    done(map);
  });
}
