"""What the viewport is told once, before any frame: skins and how they are bound, actors, colliders, bars.

    setup   u32 SETUP, u32 length of the JSON, JSON padded with spaces, then the arrays that the JSON points to

Little-endian; every part begins at a multiple of four bytes.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body, Skin
from pliant.geometry.distance_grid import DistanceGrid
from pliant.session.player.bars import Bar
from pliant.session.player.paint import images_of, paint_of
from pliant.session.render.camera import Camera
from pliant.session.render.palette import colour_of, linear
from pliant.world import Collider, Mesh, Plane

SETUP = 1


class Drawn(Protocol):
    """An actor, or what was recorded of one. `rotations` is None where particles do not turn."""

    @property
    def name(self) -> str: ...
    @property
    def body(self) -> Body: ...
    @property
    def rotations(self) -> NDArray[Any] | None: ...


class DrawnSide(Protocol):
    """What is drawn in one place: one alone, or two beside each other that are compared. `shift` in metres."""

    @property
    def actors(self) -> Sequence[Drawn]: ...
    @property
    def colliders(self) -> Sequence[Collider]: ...
    @property
    def bars(self) -> Sequence[Bar]: ...
    @property
    def shift(self) -> tuple[float, float, float]: ...
    @property
    def name(self) -> str: ...


class Blobs:
    """Arrays laid end to end; `put` says where each is found."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def put(self, kind: str, data: bytes) -> dict[str, Any]:
        place = {"type": kind, "start": self.size, "count": len(data) // 4}
        self.parts.append(data)
        self.size += len(data)
        return place


def pack_setup(sides: Sequence[DrawnSide], camera: Camera, pictures: bool = False) -> bytes:
    """Everything that does not change while the world plays. `pictures`: those of the skins, too, where there is no
    server to ask for them."""
    blobs = Blobs()
    skins: dict[int, int] = {}  # actors of one body share what is drawn
    drawn: list[dict[str, Any]] = []
    listed, first = [], 0
    numbered = [(s, n, actor) for s, side in enumerate(sides) for n, actor in enumerate(side.actors)]
    for side, number, actor in numbered:
        skin = actor.body.skin
        if id(skin) not in skins:
            skins[id(skin)] = len(drawn)
            told, arrays = _skin(skin)
            places = {name: blobs.put(kind, data) for name, (kind, data) in arrays.items()}
            drawn.append({**told, "arrays": places})
        count = len(actor.body.rest)
        listed.append(
            {
                "name": actor.name,
                "skin": skins[id(skin)],
                "first": first,
                "count": count,
                "colour": colour_of(number),
                "side": side,
            }
        )
        first += count
    turning = first
    for told, (_, _, actor) in zip(listed, numbered, strict=True):
        told["rotations"] = turning  # where the rotations of its particles begin, if they turn
        turning += len(actor.body.rest) if actor.rotations is not None else 0
    said: dict[str, Any] = {
        "skins": drawn,
        "actors": listed,
        "particles": first,
        "rows": turning,
        "sides": [{"name": side.name, "shift": side.shift} for side in sides],
        "colliders": [
            _collider(each, side.shift, s, number, blobs)
            for s, side in enumerate(sides)
            for number, each in enumerate(side.colliders)
        ],
        "bars": [asdict(bar) for side in sides for bar in side.bars],
        "camera": {"eye": camera.eye, "target": camera.target, "fov": camera.fov},
    }
    if pictures:
        shown = images_of(actor.body.skin for _, _, actor in numbered)
        said["pictures"] = [
            {"digest": name, "mime": image.mime, "bytes": len(image.data), **blobs.put("u8", _padded(image.data))}
            for name, image in shown.items()
        ]
    text = json.dumps(said, separators=(",", ":")).encode()
    text = _padded(text)
    return b"".join([struct.pack("<II", SETUP, len(text)), text, *blobs.parts])


def _padded(data: bytes) -> bytes:
    return data + b" " * (-len(data) % 4)


def places_of(sides: Sequence[DrawnSide], time: float) -> NDArray[np.float64]:
    """Where the colliders that move are (M, 12): rotation by rows, then the centre."""
    moving = [(*each.placed(time), side.shift) for side in sides for each in side.colliders if moves(each)]
    return np.array([[*turn.ravel(), *(centre + shift)] for turn, centre, shift in moving]).reshape(-1, 12)


_packed: WeakKeyDictionary[Skin, tuple[dict[str, Any], dict[str, tuple[str, bytes]]]] = WeakKeyDictionary()


def _skin(skin: Skin) -> tuple[dict[str, Any], dict[str, tuple[str, bytes]]]:
    """What is said of a skin, and its arrays; kept, since a setup is packed whenever something is tuned."""
    if skin not in _packed:
        said: dict[str, Any] = {"kind": skin.kind, "slots": skin.indices.shape[1]}
        paint = paint_of(skin)
        if paint is not None:
            said["paint"] = paint
        _packed[skin] = said, _arrays(skin)
    return _packed[skin]


def _arrays(skin: Skin) -> dict[str, tuple[str, bytes]]:
    """A skin as the shaders want it: rows of four; a shell's height is beside the offset. Where particles turn,
    `offsets` is the skin at rest and `axes` the particles there."""
    arrays = {
        "faces": _numbers(skin.faces),
        "vertices": _floats(skin.vertices),
        "indices": _numbers(skin.indices),
        "weights": _floats(skin.weights),
        "normals": _floats(skin.normals(skin.vertices)),
    }
    if skin.pivots is not None:  # the skin at rest, and the particles there
        arrays["offsets"] = _floats(np.column_stack([skin.vertices, np.zeros(len(skin.vertices))]))
        arrays["axes"] = _floats(np.column_stack([skin.pivots, np.zeros(len(skin.pivots))]))
    elif skin.kind != "solid":
        height = np.einsum("nj,nj->n", skin.offsets, skin.axes)
        arrays["offsets"] = _floats(np.column_stack([skin.offsets, height]))
        arrays["axes"] = _floats(np.column_stack([skin.axes, np.zeros(len(height))]))
    if skin.colours is not None:
        arrays["colours"] = _floats(linear(skin.colours))
    if skin.uv is not None and skin.look is not None:
        arrays["uv"] = _floats(skin.uv)
    if skin.twins is not None:
        arrays["twins"] = _numbers(skin.twins)
    return arrays


def _floats(array: NDArray[Any]) -> tuple[str, bytes]:
    return "f32", np.ascontiguousarray(array, dtype="<f4").tobytes()


def _numbers(array: NDArray[Any]) -> tuple[str, bytes]:
    return "u32", np.ascontiguousarray(array, dtype="<u4").tobytes()


def _collider(
    each: Collider, shift: tuple[float, float, float], side: int, number: int, blobs: Blobs
) -> dict[str, Any]:
    """`moves`: its place is told with each frame. All that can be dragged may begin to, and the setup is not to change
    then."""
    _, sizes, _, _ = each.shape()
    turn, centre = each.placed(0.0)
    told = {
        "shape": type(each).__name__,
        "sizes": np.asarray(sizes).tolist(),
        "place": [*turn.ravel().tolist(), *(centre + shift).tolist()],
        "moves": moves(each),
        "side": side,
        "number": number,
    }
    if isinstance(each, Mesh):
        told["arrays"] = {name: blobs.put(kind, data) for name, (kind, data) in _mesh(each).items()}
    return told


def moves(each: Collider) -> bool:
    """Whether its place is told with each frame: it may be dragged, or has a path."""
    return each.path is not None or draggable(each)


_meshes: WeakKeyDictionary[DistanceGrid, dict[float, dict[str, tuple[str, bytes]]]] = WeakKeyDictionary()


def draggable(collider: Collider) -> bool:
    """Whether a page may take hold of it: all but planes, which have no place to be taken from."""
    return not isinstance(collider, Plane)


def _mesh(each: Mesh) -> dict[str, tuple[str, bytes]]:
    """The surface of a mesh as it is drawn; kept as skins are."""
    from pliant.session.render.stage import local_mesh

    kept = _meshes.setdefault(each.grid, {})
    if each.scale not in kept:
        vertices, normals, faces = local_mesh(each)
        kept[each.scale] = {"vertices": _floats(vertices), "normals": _floats(normals), "faces": _numbers(faces)}
    return kept[each.scale]
