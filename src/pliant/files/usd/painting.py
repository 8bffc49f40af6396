"""Materials out: every look as UsdPreviewSurfaces, with their pictures."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from pxr import Gf, Sdf, UsdShade

from pliant.body.look import Image, Look, Material
from pliant.files.pictures import PICTURE_ENDINGS, mime_of
from pliant.files.usd.names import identifier
from pliant.runtime.errors import FileError

Types = Sdf.ValueTypeNames

WRAPS = {33071: "clamp", 33648: "mirror"}  # glTF's numbers; anything else repeats
INPUTS = {
    "diffuseColor": Types.Color3f, "emissiveColor": Types.Color3f, "normal": Types.Normal3f, "opacity": Types.Float,
    "opacityThreshold": Types.Float, "metallic": Types.Float, "roughness": Types.Float, "occlusion": Types.Float,
}  # fmt: skip


class Painter:
    """Writes the materials of looks under `scope`, and keeps pictures in `folder` for which a stage says `called`."""

    def __init__(self, stage: Any, scope: str, folder: Path, called: str, wanted: Path) -> None:
        self.stage, self._scope, self._folder, self._called, self._wanted = stage, scope, folder, called, wanted
        self._names: set[str] = set()
        self._files: set[str] = set()
        self._pictures: dict[bytes, str | None] = {}
        self._looks: dict[tuple[int, bool], list[Any]] = {}

    @property
    def pictures(self) -> list[str]:
        """Names of the pictures in the folder."""
        return [name for name in self._pictures.values() if name is not None]

    def materials(self, look: Look, coloured: bool) -> list[Any]:
        """The materials of a look. Where vertices have colours, these are what a material without a picture shows."""
        key = id(look), coloured
        if key not in self._looks:
            if not self._looks:
                self.stage.DefinePrim(self._scope, "Scope")
            self._looks[key] = [self._material(look, material, coloured) for material in look.materials]
        return self._looks[key]

    def _material(self, look: Look, told: Material, coloured: bool) -> Any:
        path = f"{self._scope}/{identifier(told.name, self._names, 'material')}"
        material = UsdShade.Material.Define(self.stage, path)
        material.GetPrim().SetDisplayName(told.name)
        return _Surface(self, look, told, material).painted(coloured)

    def file(self, image: Image) -> str | None:
        """What the stage calls a picture, None if it is none that USD takes."""
        if image.data not in self._pictures:
            data = _as_taken(image, self._wanted)
            name = None
            if data is not None:
                ending = PICTURE_ENDINGS[mime_of(data) or "image/png"]
                name = identifier(image.name, self._files, "picture") + ending
                self._folder.mkdir(exist_ok=True)
                (self._folder / name).write_bytes(data)
            self._pictures[image.data] = name
        name = self._pictures[image.data]
        return None if name is None else f"{self._called}/{name}"


class _Surface:
    """One material on its way."""

    def __init__(self, painter: Painter, look: Look, told: Material, material: Any) -> None:
        self._painter, self._look, self._told, self._material = painter, look, told, material
        self._shader = self._node("surface", "UsdPreviewSurface")
        self._reader: Any = None

    def painted(self, coloured: bool) -> Any:
        """The material, with all that it is told to be."""
        red, green, blue, alpha = self._told.colour
        gltf: Mapping[str, Any] = self._told.gltf or {}
        mode = gltf.get("alphaMode", "OPAQUE" if self._told.gltf is not None else "BLEND")
        self._set("metallic", self._told.metallic)
        self._set("roughness", self._told.roughness)
        picture = None if self._told.image is None else self._painter.file(self._look.images[self._told.image])
        if picture is not None:
            sampler = self._sampler(_inner(gltf, "pbrMetallicRoughness", "baseColorTexture"))
            texture = self._texture("colour", picture, "sRGB", (red, green, blue, alpha), sampler)
            self._connect("diffuseColor", texture, "rgb")
            if mode != "OPAQUE" and self._told.gltf is not None:
                self._connect("opacity", texture, "a")
        elif coloured:
            node = self._node("colours", "UsdPrimvarReader_float3")
            node.CreateInput("varname", Types.String).Set("displayColor")
            self._connect("diffuseColor", node, "result")
        else:
            self._set("diffuseColor", Gf.Vec3f(red, green, blue))
        if mode != "OPAQUE" and alpha < 1 and picture is None:
            self._set("opacity", alpha)
        if mode == "MASK":
            self._set("opacityThreshold", float(gltf.get("alphaCutoff", 0.5)))
        self._further(gltf)
        self._material.CreateSurfaceOutput().ConnectToSource(self._shader.CreateOutput("surface", Types.Token))
        return self._material

    def _further(self, gltf: Mapping[str, Any]) -> None:
        """What else a glTF file says of the material."""
        glow = tuple(gltf.get("emissiveFactor", (0.0, 0.0, 0.0)))
        told = self._told
        plans = (
            # the glTF texture, its colours, what they are multiplied by and shifted by, and what takes which of them
            (("normalTexture",), "raw", (2, 2, 2, 1), (-1, -1, -1, 0), {"normal": "rgb"}),
            (("occlusionTexture",), "raw", (1, 1, 1, 1), None, {"occlusion": "r"}),
            (("emissiveTexture",), "sRGB", (*glow, 1), None, {"emissiveColor": "rgb"}),
            (("pbrMetallicRoughness", "metallicRoughnessTexture"), "raw", (1, told.roughness, told.metallic, 1), None,
             {"roughness": "g", "metallic": "b"}),
        )  # fmt: skip
        for keys, space, scale, bias, takers in plans:
            texture = _inner(gltf, *keys)
            picture = self._picture_of(texture)
            if picture is not None:
                node = self._texture(keys[-1], picture, space, scale, self._sampler(texture), bias)
                for taker, channel in takers.items():
                    self._connect(taker, node, channel)
            elif keys == ("emissiveTexture",) and any(glow):
                self._set("emissiveColor", Gf.Vec3f(*glow))

    def _picture_of(self, texture: Mapping[str, Any] | None) -> str | None:
        number = (texture or {}).get("index")
        if not isinstance(number, int) or not 0 <= number < len(self._look.textures):
            return None
        found = self._look.textures[number]
        webp = found.get("extensions", {}).get("EXT_texture_webp", {})
        source = found.get("source", webp.get("source"))
        known = isinstance(source, int) and 0 <= source < len(self._look.images)
        return self._painter.file(self._look.images[source]) if known else None

    def _sampler(self, texture: Mapping[str, Any] | None) -> Mapping[str, Any]:
        try:
            number = self._look.textures[texture["index"]]["sampler"]  # type: ignore[index]
            return self._look.samplers[number]
        except (TypeError, KeyError, IndexError):
            return {}

    def _texture(
        self, name: str, picture: str, space: str, scale: tuple[float, ...], sampler: Mapping[str, Any],
        bias: tuple[float, ...] | None = None,
    ) -> Any:  # fmt: skip
        if self._reader is None:
            self._reader = self._node("coordinates", "UsdPrimvarReader_float2")
            self._reader.CreateInput("varname", Types.String).Set("st")
        node = self._node(name, "UsdUVTexture")
        node.CreateInput("file", Types.Asset).Set(Sdf.AssetPath(picture))
        coordinates = self._reader.GetOutput("result") or self._reader.CreateOutput("result", Types.Float2)
        node.CreateInput("st", Types.Float2).ConnectToSource(coordinates)
        node.CreateInput("sourceColorSpace", Types.Token).Set(space)
        for side in ("wrapS", "wrapT"):
            node.CreateInput(side, Types.Token).Set(WRAPS.get(sampler.get(side, 0), "repeat"))
        if tuple(scale) != (1, 1, 1, 1):
            node.CreateInput("scale", Types.Float4).Set(Gf.Vec4f(*scale))
        if bias is not None:
            node.CreateInput("bias", Types.Float4).Set(Gf.Vec4f(*bias))
        return node

    def _node(self, name: str, kind: str) -> Any:
        node = UsdShade.Shader.Define(self._painter.stage, self._material.GetPath().AppendChild(name))
        node.CreateIdAttr(kind)
        return node

    def _set(self, name: str, value: Any) -> None:
        self._shader.CreateInput(name, INPUTS[name]).Set(value)

    def _connect(self, name: str, node: Any, channel: str) -> None:
        given = self._shader.GetInput(name) or self._shader.CreateInput(name, INPUTS[name])
        given.GetAttr().Clear()
        kind = Types.Float if len(channel) == 1 else Types.Float3
        given.ConnectToSource(node.GetOutput(channel) or node.CreateOutput(channel, kind))


def _inner(data: Mapping[str, Any], *keys: str) -> Mapping[str, Any] | None:
    found: Any = data
    for key in keys:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else None


def _as_taken(image: Image, wanted: Path) -> bytes | None:
    """The picture as PNG or JPEG, the only ones that every program takes from a USD file; None if it cannot be made."""
    if mime_of(image.data) in ("image/png", "image/jpeg"):
        return image.data
    try:
        from PIL import Image as Pillow
    except ImportError:
        if mime_of(image.data) != "image/webp":
            return None
        raise FileError(
            f'{wanted}: picture "{image.name}" is WebP, which USD files do not take; pip install "pliant[render]" to '
            f"have it converted"
        ) from None
    try:
        made = BytesIO()
        with Pillow.open(BytesIO(image.data)) as picture:
            picture.save(made, "PNG")
        return made.getvalue()
    except Exception:  # a kind that Pillow does not know, or a damaged file: the material keeps its plain colour
        return None
