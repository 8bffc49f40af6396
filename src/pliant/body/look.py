"""How a skin is painted: parts, materials and pictures, as a file gave them and as an export gives them back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class Image:
    """A picture as it stood in the file: undecoded bytes of a PNG, JPEG or WebP."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, eq=False)
class Material:
    """colour: linear red, green, blue, alpha, times the picture's. image: its place in `Look.images`, or None.

    `gltf` is the material as a glTF file describes it, with texture numbers that count in `Look.textures`; None where
    the file was of another kind. It lets an export keep what the simulation has no use for, such as normal maps.
    """

    name: str
    colour: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    metallic: float = 0.0
    roughness: float = 0.6
    image: int | None = None
    double_sided: bool = False
    gltf: Mapping[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """Faces first to last (rows of `Skin.faces`, last excluded) that share a material (its place, or None)."""

    name: str
    first: int
    last: int
    material: int | None = None


@dataclass(frozen=True, eq=False)
class Look:
    """Parts cover all faces, in order. `textures` and `samplers` are glTF's, where the file was one."""

    parts: tuple[Part, ...]
    materials: tuple[Material, ...] = ()
    images: tuple[Image, ...] = ()
    textures: tuple[Mapping[str, Any], ...] = field(default=())
    samplers: tuple[Mapping[str, Any], ...] = field(default=())
