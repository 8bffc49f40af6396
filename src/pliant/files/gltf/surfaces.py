"""Skins as meshes of a .glb: a primitive for each part, with morph targets or bound to joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pliant.body import Skin
from pliant.body.look import Part
from pliant.files.colour import to_linear
from pliant.files.gltf.builder import TRIANGLES, VERTICES, Builder
from pliant.files.gltf.painting import Painter
from pliant.files.gltf.skeletons import influences

Array = NDArray[np.float64]

LEVEL = 1e-4  # normals that change by less than this are not written


class Drawn(Protocol):
    """What is written: a body, or a surface alone."""

    @property
    def name(self) -> str: ...

    @property
    def skin(self) -> Skin: ...


@dataclass(frozen=True, eq=False)
class WrittenPart:
    """A part of a skin: the vertices that it uses, and what of its primitive is the same in all frames."""

    used: NDArray[np.int32]
    attributes: dict[str, int]
    indices: int
    material: int


class Targets:
    """A mesh that grows: the shape that it has without morph targets, and the targets one by one."""

    def __init__(self, builder: Builder, pieces: list[WrittenPart], points: Array, normals: Array) -> None:
        self._builder, self._pieces = builder, pieces
        self._points, self._normals = points, normals
        self.primitives: list[dict[str, Any]] = []
        for piece in pieces:
            shape = {
                "POSITION": builder.accessor(points[piece.used].astype(np.float32), VERTICES, bounds=True),
                "NORMAL": builder.accessor(_unit(normals[piece.used]), VERTICES),
            }
            self.primitives.append(
                {"attributes": shape | piece.attributes, "indices": piece.indices, "material": piece.material}
            )

    def add(self, points: Array, normals: Array, still: float) -> None:
        """One more target; displacements up to `still` are taken for none."""
        moved, turned = points - self._points, normals - self._normals
        moved[np.linalg.norm(moved, axis=1) <= still] = 0.0
        turned[np.abs(turned).max(axis=1) <= LEVEL] = 0.0
        for piece, primitive in zip(self._pieces, self.primitives, strict=True):
            target = {
                "POSITION": self._builder.displacements(moved[piece.used].astype(np.float32), bounds=True),
                "NORMAL": self._builder.displacements(turned[piece.used].astype(np.float32), bounds=False),
            }
            primitive.setdefault("targets", []).append(target)


class SurfaceWriter:
    """Writes meshes. What several actors of the same body have in common is written once."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._painter = Painter(builder)
        self._pieces: dict[int, list[tuple[NDArray[np.int32], dict[str, int], int]]] = {}
        self._bound: dict[int, list[dict[str, Any]]] = {}
        self._bound_meshes: dict[tuple[int, ...], int] = {}

    def begin(self, body: Drawn, actor: int, points: Array, normals: Array) -> Targets:
        """A mesh of a body's skin with the vertices at `points` (N, 3)."""
        return Targets(self._builder, self._pieces_of(body, actor), points, normals)

    def bound(self, body: Drawn, actor: int, name: str) -> int:
        """The number of a mesh of a body's skin at rest that hangs on its particles as joints. Actors of one body share
        its numbers, and the mesh too where they are painted alike."""
        skin, pieces = body.skin, self._pieces_of(body, actor)
        if id(body) not in self._bound:
            primitives = Targets(self._builder, pieces, skin.vertices, skin.normals(skin.vertices)).primitives
            joints, weights = influences(skin)
            for piece, primitive in zip(pieces, primitives, strict=True):
                for number, first in enumerate(range(0, joints.shape[1], 4)):
                    which, share = (each[piece.used, first : first + 4] for each in (joints, weights))
                    primitive["attributes"] |= {
                        f"JOINTS_{number}": self._builder.accessor(which, VERTICES),
                        f"WEIGHTS_{number}": self._builder.accessor(share, VERTICES, normalised=True),
                    }
            self._bound[id(body)] = primitives
        key = id(body), *(piece.material for piece in pieces)
        if key not in self._bound_meshes:
            painted = [
                {**primitive, "material": piece.material}
                for primitive, piece in zip(self._bound[id(body)], pieces, strict=True)
            ]
            self._bound_meshes[key] = self._builder.add("meshes", {"name": name, "primitives": painted})
        return self._bound_meshes[key]

    def _pieces_of(self, body: Drawn, actor: int) -> list[WrittenPart]:
        parts = _parts(body)
        if id(body) not in self._pieces:
            self._pieces[id(body)] = [self._piece(body, part) for part in parts]
        return [
            WrittenPart(used, attributes, indices, self._painter.material(body.skin, part.material, actor))
            for part, (used, attributes, indices) in zip(parts, self._pieces[id(body)], strict=True)
        ]

    def finish(self, targets: Targets, name: str, names: list[str]) -> int:
        """The number of the finished mesh; `names` are those of its targets."""
        entry: dict[str, Any] = {"name": name, "primitives": targets.primitives}
        if names:
            entry["extras"] = {"targetNames": names}
        return self._builder.add("meshes", entry)

    def _piece(self, body: Drawn, part: Part) -> tuple[NDArray[np.int32], dict[str, int], int]:
        skin = body.skin
        used, corners = np.unique(skin.faces[part.first : part.last], return_inverse=True)
        dtype = np.uint16 if len(used) < 2**16 else np.uint32  # the largest number of a type is not allowed
        indices = self._builder.accessor(corners.reshape(-1).astype(dtype), TRIANGLES)
        attributes = {}
        if skin.uv is not None and skin.uv[used].any():
            attributes["TEXCOORD_0"] = self._builder.accessor(skin.uv[used].astype(np.float32), VERTICES)
        if skin.colours is not None:
            light = np.concatenate([to_linear(skin.colours[used]), np.ones((len(used), 1))], axis=1)
            sixteen_bits = np.round(light * 65535).astype(np.uint16)
            attributes["COLOR_0"] = self._builder.accessor(sixteen_bits, VERTICES, normalised=True)
        return used, attributes, indices


def _parts(body: Drawn) -> list[Part]:
    """The parts of a skin that have faces; the whole skin where nothing divides it."""
    if body.skin.look is None:
        return [Part(body.name, 0, len(body.skin.faces))]
    return [part for part in body.skin.look.parts if part.last > part.first]


def _unit(normals: Array) -> NDArray[np.float32]:
    """Of length one in single precision, too."""
    return (normals / np.linalg.norm(normals, axis=1, keepdims=True)).astype(np.float32)
