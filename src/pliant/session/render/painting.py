"""From a skin and its look to surfaces that can be drawn: one for each part, with its material."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body.look import Look, Material, Part
from pliant.body.skin import Skin
from pliant.files.colour import to_linear
from pliant.runtime.errors import PliantError
from pliant.session.render.palette import Colour, encoded
from pliant.session.render.simplify import is_closed
from pliant.session.render.textures import Texture, decode
from pliant.session.render.view import Drawable

Array = NDArray[np.float64]

SHEEN = 0.06  # of painted surfaces: their file says what they look like, so only a hint of softness is added
WRAPS = {33071: "clamp", 33648: "mirror"}  # glTF's numbers; 10497 and everything else repeats
CUTOUT = 0.5  # alpha below which a cut-out shows nothing, where the file does not say


@dataclass(frozen=True, eq=False)
class PaintedPart:
    """A part of a skin, painted: the vertices that it uses (None: all), and how it looks at rest."""

    used: NDArray[np.integer] | None
    drawable: Drawable

    def moved(self, vertices: Array, normals: Array) -> Drawable:
        """The piece where the skin's vertices are now."""
        if self.used is None:
            return self.drawable.moved(vertices, normals)
        return self.drawable.moved(vertices[self.used], normals[self.used])


def pieces_of(skin: Skin, plain: Colour, own_look: bool = True) -> tuple[list[PaintedPart], list[str]]:
    """The pieces of a skin, and a note for each picture that could not be shown.

    `plain` is the colour where the file gives none; without `own_look` it is the colour of everything.
    """
    rest = np.asarray(skin.vertices)
    normals, closed = skin.normals(rest), is_closed(rest, skin.faces)
    look = skin.look if own_look else None
    if look is None or not look.parts:
        colour = plain if not own_look or skin.colours is None else skin.colours
        return [PaintedPart(None, Drawable(rest, skin.faces, normals, colour, closed=closed))], []
    notes: list[str] = []
    pictures = _Pictures(look, notes)
    made = []
    for part in look.parts:
        faces = skin.faces[part.first : part.last]
        if not len(faces):
            continue
        used, local = np.unique(faces, return_inverse=True)
        fields = _fields(skin, look, part, used, plain, pictures)
        corners = local.reshape(-1, 3).astype(np.int32)
        drawable = Drawable(rest[used], corners, normals[used], closed=closed, **fields)
        made.append(PaintedPart(used, drawable))
    return made, list(dict.fromkeys(notes))


def _fields(
    skin: Skin, look: Look, part: Part, used: NDArray[np.integer], plain: Colour, pictures: _Pictures
) -> dict[str, Any]:
    """What a Drawable is told of a part's material."""
    tints = None if skin.colours is None else to_linear(np.asarray(skin.colours)[used])
    if part.material is None or not 0 <= part.material < len(look.materials):
        return {"colour": plain if tints is None else encoded(tints)}
    material = look.materials[part.material]
    light = np.clip(np.asarray(material.colour[:3], dtype=np.float64), 0.0, 1.0)
    fields: dict[str, Any] = {
        "colour": encoded(light if tints is None else light * tints),
        "roughness": float(np.clip(material.roughness, 0.0, 1.0)),
        "metallic": float(np.clip(material.metallic, 0.0, 1.0)),
        "opacity": float(np.clip(material.colour[3], 0.0, 1.0)),
        "sheen": SHEEN,
    }
    texture = pictures.of(material) if skin.uv is not None else None
    if texture is not None:
        fields["texture"] = texture
        fields["uv"] = _placed(np.asarray(skin.uv)[used], material)
    fields["alpha"], fields["cutoff"] = _alpha(material, texture)
    return fields


def _alpha(material: Material, texture: Texture | None) -> tuple[str, float]:
    """"opaque", "mask" or "blend", and the mask's cut-off."""
    if material.gltf is not None:
        mode = str(material.gltf.get("alphaMode", "OPAQUE")).lower()
        cutoff = material.gltf.get("alphaCutoff", CUTOUT)
        cutoff = float(cutoff) if isinstance(cutoff, int | float) else CUTOUT
        return (mode if mode in ("mask", "blend") else "opaque"), float(np.clip(cutoff, 0.0, 1.0))
    if material.colour[3] < 0.999:
        return "blend", CUTOUT
    holes = texture is not None and bool((texture.pixels[..., 3] < 128).any())
    return ("mask" if holes else "opaque"), CUTOUT


class _Pictures:
    """The decoded pictures of a look: each is decoded once, however many materials show it."""

    def __init__(self, look: Look, notes: list[str]) -> None:
        self.look, self.notes = look, notes
        self.decoded: dict[int, NDArray[np.uint8] | None] = {}
        self.textures: dict[tuple[int, tuple[str, str]], Texture] = {}

    def of(self, material: Material) -> Texture | None:
        if material.image is None or not 0 <= material.image < len(self.look.images):
            return None
        if material.image not in self.decoded:
            try:
                self.decoded[material.image] = decode(self.look.images[material.image])
            except PliantError as error:
                self.notes.append(f"{error}; the material's colour is shown instead")
                self.decoded[material.image] = None
        pixels = self.decoded[material.image]
        if pixels is None:
            return None
        key = material.image, self._wrap(material)
        if key not in self.textures:
            self.textures[key] = Texture(pixels, key[1])
        return self.textures[key]

    def _wrap(self, material: Material) -> tuple[str, str]:
        number = _base_texture(material).get("index")
        if not isinstance(number, int) or not 0 <= number < len(self.look.textures):
            return "repeat", "repeat"
        sampler = self.look.textures[number].get("sampler")
        if not isinstance(sampler, int) or not 0 <= sampler < len(self.look.samplers):
            return "repeat", "repeat"
        chosen = self.look.samplers[sampler]
        sides = [WRAPS.get(chosen.get(name, 0), "repeat") for name in ("wrapS", "wrapT")]
        return sides[0], sides[1]


def _base_texture(material: Material) -> Mapping[str, Any]:
    """glTF's description of the picture of the base colour; empty if there is none."""
    found: Any = material.gltf or {}
    for name in ("pbrMetallicRoughness", "baseColorTexture"):
        found = found.get(name, {})
        if not isinstance(found, Mapping):
            return {}
    return found


def _placed(uv: Array, material: Material) -> Array:
    """The uv after the shift, turn and scale that glTF's KHR_texture_transform asks for."""
    extensions = _base_texture(material).get("extensions", {})
    asked = extensions.get("KHR_texture_transform", {}) if isinstance(extensions, Mapping) else {}
    try:
        scale = np.asarray(asked.get("scale", (1.0, 1.0)), dtype=np.float64).reshape(2)
        offset = np.asarray(asked.get("offset", (0.0, 0.0)), dtype=np.float64).reshape(2)
        turn = float(asked.get("rotation", 0.0))
    except (AttributeError, TypeError, ValueError):
        return uv
    cos, sin = np.cos(turn), np.sin(turn)
    # The extension's matrix for (u, v) with v down: translation * rotation * scale.
    return (uv * scale) @ np.array([[cos, -sin], [sin, cos]]) + offset
