"""A packed recording read back (recorded.py says how it is laid out): its numbers, and a moment of it as a picture.

What the viewport is told is enough to draw, and no more: there are skins, but no tets, masses or poses.
"""

import json
import struct
import zlib
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body.look import Image, Look, Material, Part
from pliant.body.skin import Skin
from pliant.runtime.errors import FileError
from pliant.session.render import meshes
from pliant.session.render.camera import Camera
from pliant.session.render.painting import PaintedPart, pieces_of
from pliant.session.render.palette import encoded
from pliant.session.render.view import Drawable, Ground, View, collider

LEVEL_NORMAL = 0.9999  # of a normal's height, from which on a plane at rest is a floor (scene.js)


class Unpacked:
    """name, title, fps, frames; numbers (T, B) of the bars; places (T, M, 12) of the colliders that move; setup, the
    JSON of setup.py with arrays in place of what points to them."""

    def __init__(self, packed: bytes, who: str = "the recording") -> None:
        try:
            self._read(zlib.decompress(packed))
        except (zlib.error, struct.error, ValueError, KeyError, TypeError) as error:
            raise FileError(f"{who}: the recording in it is damaged; bake it again") from error

    def _read(self, data: bytes) -> None:
        (length,) = struct.unpack_from("<I", data)
        said = json.loads(data[4 : 4 + length])
        self.name, self.title = str(said["name"]), str(said["title"])
        self.fps, self.frames = float(said["fps"]), int(said["frames"])
        (size,) = struct.unpack_from("<I", data, 4 + length)
        start = 8 + length
        self.setup = unpacked_setup(data[start : start + size])
        tables = np.frombuffer(data, "<f4", self.frames * (said["numbers"] + 12 * said["moving"]), start + size)
        self.numbers = tables[: self.frames * said["numbers"]].reshape(self.frames, -1)
        self.places = tables[self.numbers.size :].reshape(self.frames, said["moving"], 12)
        self._spans = said["spans"]
        count = sum(span["rows"] * span["columns"] for span in self._spans)
        ways = np.frombuffer(data, np.uint8, 4 * count * self.frames, start + size + tables.nbytes)
        steps = np.ascontiguousarray(ways.reshape(self.frames, 4, count).swapaxes(1, 2)).view("<i4")[..., 0]
        self._steps = np.cumsum(steps, axis=0, dtype=np.int32)

    @property
    def actors(self) -> list[str]:
        return [actor["name"] for actor in self.setup["actors"]]

    def moment(self, frame: int) -> list[tuple[NDArray[np.float64], NDArray[np.float64] | None]]:
        """The particles (V, 3) of each actor, and their rotations (V, 4) where they turn."""
        parts, first = [], 0
        for span in self._spans:
            last = first + span["rows"] * span["columns"]
            parts.append(span["step"] * self._steps[frame, first:last].reshape(-1, span["columns"]))
            first = last
        turns = iter(parts[len(self.actors) :])
        turning = [skin.kind == "oriented" for skin in self.skins]
        return [
            (positions, next(turns) if turning[actor["skin"]] else None)
            for positions, actor in zip(parts, self.setup["actors"], strict=False)
        ]

    @cached_property
    def skins(self) -> list[Skin]:
        return [_skin(told, self.setup) for told in self.setup["skins"]]

    @property
    def camera(self) -> Camera:
        told = self.setup["camera"]
        return Camera(tuple(told["eye"]), tuple(told["target"]), told["fov"])

    def view(self, frame: int) -> View:
        """A moment as it is drawn."""
        drawn: list[Drawable] = []
        painted: dict[tuple[int, str], list[PaintedPart]] = {}
        for actor, (positions, turns) in zip(self.setup["actors"], self.moment(frame), strict=True):
            skin = self.skins[actor["skin"]]
            look = painted.setdefault((actor["skin"], actor["colour"]), pieces_of(skin, actor["colour"])[0])
            vertices = skin.deform(positions, turns)
            normals = skin.normals(vertices)
            drawn += [piece.moved(vertices, normals) for piece in look]
        moving = iter(self.places[frame].astype(np.float64))
        floors = [-np.inf]
        for each in self.setup["colliders"]:
            place = next(moving) if each["moves"] else np.array(each["place"])
            turn, centre = place[:9].reshape(3, 3), place[9:]
            if each["shape"] == "Plane" and not each["moves"] and turn[1, 1] > LEVEL_NORMAL:
                floors.append(float(centre[1]))
                continue
            mesh = _collider_mesh(each)
            drawn.append(collider(meshes.Triangles(mesh.vertices @ turn.T + centre, mesh.normals @ turn.T, mesh.faces)))
        return View(drawn, self.camera, Ground(max(floors)) if len(floors) > 1 else None)


def unpacked_setup(data: bytes) -> dict[str, Any]:
    """The JSON of a setup, with arrays."""
    (length,) = struct.unpack_from("<I", data, 4)
    setup: dict[str, Any] = json.loads(data[8 : 8 + length])
    for each in [*setup["skins"], *setup["colliders"]]:
        for name, place in each.pop("arrays", {}).items():
            kind = "<u4" if place["type"] == "u32" else "<f4"
            each[name] = np.frombuffer(data, kind, place["count"], 8 + length + place["start"])
    for each in setup.get("pictures", []):
        start = 8 + length + each["start"]
        each["data"] = data[start : start + each["bytes"]]
    return setup


def _skin(told: dict[str, Any], setup: dict[str, Any]) -> Skin:
    def rows(name: str, columns: int, kept: int | None = None) -> Any:
        return told[name].reshape(-1, columns)[:, :kept].copy() if name in told else None

    oriented = told["kind"] == "oriented"
    colours, axes = rows("colours", 3), rows("axes", 4, 3)
    standing = {"pivots": axes} if oriented else {"offsets": rows("offsets", 4, 3), "axes": axes}
    return Skin(
        vertices=rows("vertices", 3),
        faces=rows("faces", 3).astype(np.int32),
        indices=rows("indices", told["slots"]).astype(np.int32),
        weights=rows("weights", told["slots"]),
        kind=told["kind"],
        uv=rows("uv", 2),
        colours=None if colours is None else np.clip(encoded(colours), 0.0, 1.0),
        look=_look(told["paint"], setup) if "paint" in told else None,
        twins=told["twins"].astype(np.int32) if "twins" in told else None,
        **standing,
    )


def _look(paint: dict[str, Any], setup: dict[str, Any]) -> Look:
    images = [(each["digest"], Image(each["digest"], each["mime"], each["data"])) for each in setup.get("pictures", [])]
    places = {digest: number for number, (digest, _) in enumerate(images)}
    materials = [
        Material("", (*each["colour"], each["opacity"]), each["metallic"], each["roughness"], places.get(each["image"]))
        for each in paint["materials"]
    ]
    parts = [
        Part("", first // 3, (first + count) // 3, None if number < 0 else number)
        for first, count, number in paint["parts"]
    ]
    return Look(tuple(parts), tuple(materials), tuple(image for _, image in images))


def _collider_mesh(told: dict[str, Any]) -> meshes.Triangles:
    """A collider at the origin, as stage.local_mesh has it."""
    a, b, c = (*told["sizes"], 0.0, 0.0, 0.0)[:3]
    match told["shape"]:
        case "Sphere":
            return meshes.sphere(radius=a, detail=48)
        case "Box":
            return meshes.box(half_size=(a, b, c))
        case "Capsule":
            return meshes.capsule((0, -b, 0), (0, b, 0), a, 48)
        case "Mesh":
            vertices, normals, faces = (told[name].reshape(-1, 3) for name in ("vertices", "normals", "faces"))
            return meshes.Triangles(vertices.astype(np.float64), normals.astype(np.float64), faces.astype(np.int32))
        case _:
            return meshes.plane()
