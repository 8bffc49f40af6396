"""How a skin is painted, for the viewport: parts and materials as JSON, pictures by their digest."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pliant.body import Skin
from pliant.body.look import Image, Look, Material

SHOWN = ("image/png", "image/jpeg", "image/webp")  # what browsers draw and nothing else: no scripts, no documents
CUTOUT = 0.5  # alpha below which a cut-out shows nothing, where the file does not say
REPEAT = 10497  # glTF's number
_digests: WeakKeyDictionary[Image, str] = WeakKeyDictionary()


def paint_of(skin: Skin) -> dict[str, Any] | None:
    """Rows (first index, indices, material or -1) that cover all faces, and the materials; None if it is plain."""
    look = skin.look
    if look is None or not look.parts:
        return None
    rows: list[list[int]] = []
    for part in look.parts:
        known = part.material is not None and 0 <= part.material < len(look.materials)
        material = part.material if known and part.material is not None else -1
        if part.last <= part.first:
            continue
        if rows and rows[-1][2] == material and sum(rows[-1][:2]) == 3 * part.first:
            rows[-1][1] += 3 * (part.last - part.first)
        else:
            rows.append([3 * part.first, 3 * (part.last - part.first), material])
    return {"parts": rows, "materials": [_material(each, look, skin) for each in look.materials]}


def images_of(skins: Iterable[Skin]) -> dict[str, Image]:
    """The pictures that some skins show, by their digest."""
    found: dict[str, Image] = {}
    for look in (skin.look for skin in skins if skin.look is not None and skin.uv is not None):
        for image in (_image(material, look) for material in look.materials):
            if image is not None:
                found[digest(image)] = image
    return found


def digest(image: Image) -> str:
    """What a picture is called in addresses: another picture has another name, so that browsers may keep it."""
    if image not in _digests:
        _digests[image] = sha256(image.data).hexdigest()[:32]
    return _digests[image]


def _material(material: Material, look: Look, skin: Skin) -> dict[str, Any]:
    red, green, blue, alpha = np.clip(np.asarray(material.colour, dtype=np.float64), 0.0, 1.0).tolist()
    image = _image(material, look) if skin.uv is not None else None
    base = _base_texture(material)
    mode, cutoff = _alpha(material, image)
    return {
        "colour": [red, green, blue],
        "opacity": alpha,
        "roughness": float(np.clip(material.roughness, 0.0, 1.0)),
        "metallic": float(np.clip(material.metallic, 0.0, 1.0)),
        "twoSided": material.double_sided,
        "alpha": mode,
        "cutoff": cutoff,
        "image": None if image is None else digest(image),
        "wrap": _wrap(base, look),
        "laid": _laid(base),
    }


def _image(material: Material, look: Look) -> Image | None:
    if material.image is None or not 0 <= material.image < len(look.images):
        return None
    image = look.images[material.image]
    return image if image.mime in SHOWN else None


def _alpha(material: Material, image: Image | None) -> tuple[str, float]:
    if material.gltf is not None:
        mode, cutoff = str(material.gltf.get("alphaMode", "OPAQUE")).lower(), material.gltf.get("alphaCutoff")
        cutoff = float(np.clip(cutoff, 0.0, 1.0)) if isinstance(cutoff, int | float) else CUTOUT
        return (mode if mode in ("mask", "blend") else "opaque"), cutoff
    if material.colour[3] < 0.999:
        return "blend", CUTOUT
    return ("mask" if image is not None else "opaque"), CUTOUT  # only a picture can have holes


def _base_texture(material: Material) -> Mapping[str, Any]:
    """glTF's description of the picture of the base colour; empty if there is none."""
    found: Any = material.gltf or {}
    for name in ("pbrMetallicRoughness", "baseColorTexture"):
        found = found.get(name, {})
        if not isinstance(found, Mapping):
            return {}
    return found


def _wrap(base: Mapping[str, Any], look: Look) -> list[int]:
    """What happens beyond the edges of the picture, in glTF's numbers."""
    number: Any = base.get("index")
    for rows, key in ((look.textures, "sampler"), (look.samplers, None)):
        if not isinstance(number, int) or not 0 <= number < len(rows):
            return [REPEAT, REPEAT]
        if key is None:
            sides = [rows[number].get(name, REPEAT) for name in ("wrapS", "wrapT")]
            return [side if isinstance(side, int) else REPEAT for side in sides]
        number = rows[number].get(key)
    return [REPEAT, REPEAT]


def _laid(base: Mapping[str, Any]) -> dict[str, Any] | None:
    """The shift, turn and scale that glTF's KHR_texture_transform asks for."""
    extensions = base.get("extensions", {})
    asked = extensions.get("KHR_texture_transform") if isinstance(extensions, Mapping) else None
    if not isinstance(asked, Mapping):
        return None
    try:
        return {
            "offset": np.asarray(asked.get("offset", (0, 0)), float).reshape(2).tolist(),
            "scale": np.asarray(asked.get("scale", (1, 1)), float).reshape(2).tolist(),
            "turn": float(asked.get("rotation", 0.0)),
        }
    except (TypeError, ValueError):
        return None
