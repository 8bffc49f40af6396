"""Binary messages for the viewport. Little-endian; every part begins at a multiple of four bytes.

    setup   u32 SETUP, u32 length of the JSON, JSON padded with spaces, then the arrays that the JSON points to
    frame   u32 FRAME, u32 epoch, u32 number, u32 weights, f64 time (s), u32 moving colliders, u32 particles,
            f32 weights, 12 f32 a moving collider (rotation by rows, centre), 4 f32 a particle (x, y, z, 0), then
            4 f32 a particle that turns (its rotation since rest, x, y, z, w); these count as particles, too

A setup is what stays: skins and how they are bound, actors, colliders, bars. It is sent once for each epoch;
after that only particles travel. Rows of four floats go into the particle texture as they come.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Skin
from pliant.geometry.distance_grid import DistanceGrid
from pliant.session.render.camera import Camera
from pliant.session.render.palette import colour_of, linear
from pliant.viewer.protocol.bars import Bar, weights_of
from pliant.viewer.protocol.paint import paint_of
from pliant.world import Actor, Collider, Frame, Mesh, Plane, World

SETUP, FRAME = 1, 2
_HEAD = struct.Struct("<IIIIdII")


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


@dataclass(frozen=True, eq=False)
class Side:
    """A world and where it is drawn: one alone, or two beside each other that are compared. `shift` in metres."""

    world: World
    actors: Sequence[Actor]
    bars: Sequence[Bar]
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = ""


def pack_setup(sides: Sequence[Side], camera: Camera) -> bytes:
    """Everything that does not change while the world plays."""
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
    said = {
        "skins": drawn,
        "actors": listed,
        "particles": first,
        "rows": turning,
        "sides": [{"name": side.name, "shift": side.shift} for side in sides],
        "colliders": [
            _collider(each, side.shift, s, number, blobs)
            for s, side in enumerate(sides)
            for number, each in enumerate(side.world.colliders)
        ],
        "bars": [asdict(bar) for side in sides for bar in side.bars],
        "camera": {"eye": camera.eye, "target": camera.target, "fov": camera.fov},
    }
    text = json.dumps(said, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([struct.pack("<II", SETUP, len(text)), text, *blobs.parts])


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


_F4 = np.dtype("<f4")


def particle_rows(actors: Sequence[Actor]) -> NDArray[np.float32]:
    """All particles (P, 4): x, y, z and a zero."""
    return actors[0].world.rows(actors) if actors else np.zeros((0, 4), np.float32)


def pack_frame(
    sides: Sequence[Side],
    rows: NDArray[np.float32],
    epoch: int,
    number: int,
    time: float,
    weights: NDArray[np.float32] | None = None,
    rotations: NDArray[np.float32] | None = None,
) -> bytes:
    """A moment: `rows` are the particles of all sides as they are to be shown, `weights` the numbers of all bars, if
    they are not those of now, `rotations` the rotations of the particles that turn."""
    if weights is None:
        weights = np.concatenate([weights_of(side.world, side.bars) for side in sides])
    moving = [
        (turn, centre + side.shift)
        for side in sides
        for turn, centre in (each.placed(time) for each in side.world.colliders if moves(each))
    ]
    places = [np.concatenate([turn.ravel(), centre]) for turn, centre in moving]
    turning = () if rotations is None or not len(rotations) else (rotations,)
    count = len(rows) + sum(map(len, turning))
    head = _HEAD.pack(FRAME, epoch, number, len(weights), time, len(moving), count)
    return b"".join([head, *map(_raw, (weights, *places, rows, *turning))])


def _raw(array: NDArray[Any]) -> memoryview:
    """The numbers as they are sent; no copy where they are so already."""
    return (array if array.dtype == _F4 and array.flags.c_contiguous else np.ascontiguousarray(array, _F4)).data


def camera_for(world: World, wish: Any, aspect: float = 1.6) -> Camera:
    """The exhibit's own camera, or one that sees the first moment whole from the direction it asks for."""
    from pliant.session.render.stage import Stage

    return Stage.of(world).camera([_with_landing(world)], wish, aspect)


def _with_landing(world: World) -> Frame:
    """The first moment, and where bodies will land if the ground is not far: a camera should see both."""
    frame = world.frame()
    floors = [float(each.placed(0.0)[1][1]) for each in world.colliders if isinstance(each, Plane)]
    if not floors or not frame.positions:
        return frame
    cloud = np.concatenate(list(frame.positions.values()))
    size = float(np.ptp(cloud, axis=0).max())
    floor = max(min(floors), float(cloud[:, 1].min()) - 1.5 * size)
    landed = np.column_stack([cloud[:, 0], np.full(len(cloud), floor), cloud[:, 2]])
    return Frame(frame.time, {**frame.positions, "landed": landed}, {}, {}, frame.rotations)
