"""Materials of a stage that are UsdPreviewSurfaces, with the picture of their colour."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Ar, Sdf, UsdShade

from pliant.body.look import Image, Material
from pliant.files.fence import may_reach
from pliant.files.limits import MOST_PICTURE_BYTES
from pliant.files.pictures import mime_of, picture_beside
from pliant.files.usd.notes import Notes

Array = NDArray[np.float64]
Colour = tuple[float, float, float, float]

# Inputs that the simulation has no use for: said once, if a file paints them with pictures.
OTHER_MAPS = ("normal", "roughness", "metallic", "occlusion", "emissiveColor", "displacement", "specularColor")


@dataclass(frozen=True)
class Laying:
    """How a picture lies on its coordinates (a UsdTransform2d): scaled, then turned by degrees, then shifted."""

    scale: tuple[float, float] = (1.0, 1.0)
    rotation: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)

    def __call__(self, uv: Array) -> Array:
        """
        >>> Laying(scale=(2, 2), rotation=90)(np.array([[1.0, 0.0]])).round(9).tolist()
        [[0.0, 2.0]]
        """
        u, v = (uv * self.scale).T
        cosine, sine = np.cos(np.radians(self.rotation)), np.sin(np.radians(self.rotation))
        return np.stack([cosine * u - sine * v, sine * u + cosine * v], axis=1) + self.shift


@dataclass(frozen=True, eq=False)
class Paint:
    """A material, the primvar of its coordinates, how they are laid, and the primvar that is its colour ("" if the
    colour is no primvar)."""

    material: Material
    coordinates: str = ""
    laying: Laying = Laying()
    colours: str = ""


@dataclass(frozen=True)
class Source:
    """What an input of a shader gets: a value, or the output of another shader."""

    value: Any = None
    shader: Any = None

    @property
    def kind(self) -> str:
        return "" if self.shader is None else str(self.shader.GetIdAttr().Get() or "")


class Paints:
    """The materials that meshes use, each read when it is first asked for."""

    def __init__(self, path: Path, notes: Notes) -> None:
        self._path, self._notes = path, notes
        self._numbers: dict[tuple[str, bool], int] = {}
        self._pictures: dict[str, int | None] = {}
        self.paints: list[Paint] = []
        self.images: list[Image] = []

    def number(self, material: Any, double_sided: bool) -> int:
        """The place of a material."""
        key = str(material.GetPath()), double_sided
        if key not in self._numbers:
            self._numbers[key] = len(self.paints)
            self.paints.append(self._paint(material, double_sided))
        return self._numbers[key]

    def plain(self, name: str, colour: Array, double_sided: bool) -> int:
        """The place of a material of one colour, made for a mesh that has a displayColor and no material."""
        rgba = (float(colour[0]), float(colour[1]), float(colour[2]), 1.0)
        key = f"{rgba}", double_sided
        if key not in self._numbers:
            self._numbers[key] = len(self.paints)
            self.paints.append(Paint(Material(name, rgba, double_sided=double_sided)))
        return self._numbers[key]

    def _paint(self, material: Any, double_sided: bool) -> Paint:
        name = material.GetPrim().GetDisplayName() or material.GetPrim().GetName()
        shader = material.ComputeSurfaceSource()[0]
        if not shader or shader.GetIdAttr().Get() != "UsdPreviewSurface":
            self._notes.add("materials that are no UsdPreviewSurface, shown grey", name)
            return Paint(Material(name, double_sided=double_sided))
        left_out = [each for each in OTHER_MAPS if _source(shader, each).shader is not None]
        if left_out:
            self._notes.add(f"pictures of {', '.join(left_out)} are left out of materials", name)
        opacity = _source(shader, "opacity")
        alpha = _number(opacity.value, 1.0)
        metallic, roughness = (
            _number(_source(shader, each).value, default) for each, default in (("metallic", 0.0), ("roughness", 0.5))
        )
        colour = _source(shader, "diffuseColor")
        rgb = _triple(colour.value, (0.18, 0.18, 0.18))  # what a UsdPreviewSurface is when nothing is said
        image, coordinates, laying, colours = None, "", Laying(), ""
        if colour.kind == "UsdUVTexture":
            rgb = _triple(_source(colour.shader, "scale").value, (1.0, 1.0, 1.0))
            image = self._picture(_source(colour.shader, "file").value, name)
            if image is None:
                rgb = _triple(_source(colour.shader, "fallback").value, (0.8, 0.8, 0.8))
            coordinates, laying = _laid(colour.shader)
        elif colour.kind in ("UsdPrimvarReader_float3", "UsdPrimvarReader_vector"):
            rgb = (1.0, 1.0, 1.0)
            colours = str(_source(colour.shader, "varname").value or "")
        elif colour.shader is not None:
            rgb = (0.8, 0.8, 0.8)
            self._notes.add("materials whose colour is worked out by shaders, shown grey", name)
        paint = Material(name, (*rgb, alpha), metallic, roughness, image, double_sided)
        return Paint(paint, coordinates, laying, colours)

    def _picture(self, asset: Any, material: str) -> int | None:
        """The place of a picture; None, and a note, if it is not to be had."""
        if not isinstance(asset, Sdf.AssetPath) or not asset.path:
            return None
        place = asset.resolvedPath or asset.path
        if place not in self._pictures:
            found = self._image(asset)
            self._pictures[place] = None if isinstance(found, str) else len(self.images)
            if isinstance(found, str):
                self._notes.add(found)
            else:
                self.images.append(found)
        return self._pictures[place]

    def _image(self, asset: Any) -> Image | str:
        name = asset.path
        if "<UDIM>" in name:
            return f"picture {name} is in tiles (UDIM), which are left out"
        if not asset.resolvedPath:
            return picture_beside(self._path, name)
        if not Ar.IsPackageRelativePath(asset.resolvedPath) and not Path(asset.resolvedPath).is_file():
            return f"picture {name} is no file and was left out"
        if not may_reach(self._path, Path(asset.resolvedPath.partition("[")[0])):
            return f"picture {name} lies outside the folder and was left out"
        opened = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(asset.resolvedPath))
        if not opened:
            return f"picture {name} cannot be read and was left out"
        if opened.GetSize() > MOST_PICTURE_BYTES:
            return f"picture {name} is larger than {MOST_PICTURE_BYTES // 1_000_000} MB and was left out"
        with opened:
            data = bytes(opened.GetBuffer())
        mime = mime_of(data)
        if mime is None:
            return f"picture {name} is not a PNG, JPEG or WebP file and was left out"
        return Image(Path(name.replace("\\", "/")).stem, mime, data)


def _laid(texture: Any) -> tuple[str, Laying]:
    """The primvar that a texture takes its coordinates from, and how they are changed on the way."""
    laying = Laying()
    source = _source(texture, "st")
    if source.kind == "UsdTransform2d":
        scale, shift = (_source(source.shader, each).value for each in ("scale", "translation"))
        laying = Laying(
            tuple(map(float, scale or (1, 1))),  # type: ignore[arg-type]
            _number(_source(source.shader, "rotation").value, 0.0, below=None),
            tuple(map(float, shift or (0, 0))),  # type: ignore[arg-type]
        )
        source = _source(source.shader, "in")
    if source.kind == "UsdPrimvarReader_float2":
        return str(_source(source.shader, "varname").value or ""), laying
    return "", laying


def _source(shader: Any, name: str) -> Source:
    """What an input gets, followed through the interfaces of materials and node graphs."""
    given = shader.GetInput(name)
    if not given:
        return Source()
    for attribute in UsdShade.Utils.GetValueProducingAttributes(given):
        if UsdShade.Utils.GetType(attribute.GetName()) == UsdShade.AttributeType.Output:
            return Source(shader=UsdShade.Shader(attribute.GetPrim()))
        return Source(value=attribute.Get())
    return Source()


def _number(value: Any, default: float, below: float | None = 1.0) -> float:
    """A finite number, from 0 to 1 unless told otherwise."""
    if not isinstance(value, int | float) or not np.isfinite(value):
        return default
    return float(value) if below is None else min(max(float(value), 0.0), below)


def _triple(value: Any, default: tuple[float, float, float]) -> tuple[float, float, float]:
    numbers = np.array(default if value is None else value, dtype=np.float64).ravel()
    if len(numbers) < 3 or not np.isfinite(numbers).all():
        return default
    red, green, blue = np.clip(numbers[:3], 0.0, 1.0).tolist()
    return red, green, blue
