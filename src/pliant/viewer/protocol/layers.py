"""What a page may ask for on top of particles, to see inside: bodies, once; and layers, behind the particles of each
frame. Little-endian, like packing.py.

    bodies  u32 BODIES, u32 length of the JSON, JSON padded with spaces, then the arrays that the JSON points to
    layer   u32 kind, u32 how many numbers, f32 numbers: one a particle (heat maps), 4 a particle (ROTATIONS,
            quaternions x, y, z, w), or 6 a contact (point, normal)
"""

import json
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.body.spacing import spacing
from pliant.session.player.setup import Blobs
from pliant.viewer.protocol import heat
from pliant.viewer.protocol.commands import ShowLayers
from pliant.viewer.protocol.distances import pack_distances
from pliant.viewer.protocol.packing import Side
from pliant.viewer.protocol.touching import MOST_CONTACTS, contacts
from pliant.world import Actor

Array = NDArray[np.float64]
# The weights (groups, 1 + poses) of an actor at the moment that is shown.
WeightsOf = Callable[[Actor], Array]

BODIES = 3  # after SETUP and FRAME
HEATS = {"stretch": 1, "weights": 2, "groups": 3, "distance": 4}
CONTACTS, ROTATIONS = 8, 9
PRESENT = 0.02  # s: what is shown is the last step, or on the way to it


def no_weights(actor: Actor) -> Array:
    """Before a moment is noted."""
    return np.eye(1, 1 + len(actor.body.poses))


class Insight:
    """The moment that is shown, kept for pages that see inside. Nothing is computed until they do."""

    def __init__(self) -> None:
        self._sides: Sequence[Side] = ()
        self._rows: NDArray[np.float32] = np.empty((0, 4), np.float32)
        self._time = 0.0
        self._rotations: NDArray[np.float32] = np.empty((0, 4), np.float32)
        self._weights_of: WeightsOf = no_weights
        self._packed: tuple[list[Body], bytes] = [], b""

    def note(
        self,
        sides: Sequence[Side],
        rows: NDArray[np.float32],
        rotations: NDArray[np.float32],
        time: float,
        weights_of: WeightsOf,
    ) -> None:
        """What is in the frame; `weights_of` tells the weights of an actor then."""
        self._sides, self._rows, self._rotations = sides, rows, rotations
        self._time, self._weights_of = time, weights_of

    def distances(self) -> bytes:
        """See `pack_distances`."""
        return pack_distances(self._sides, self._rows, self._rotations)

    def bodies(self) -> bytes:
        """See `pack_bodies`; the same object as long as nothing changes."""
        bodies = [actor.body for side in self._sides for actor in side.actors]
        if self._packed[0] != bodies:
            self._packed = bodies, pack_bodies(self._sides)
        return self._packed[1]

    def layers(self, wanted: ShowLayers) -> bytes:
        """See `pack_layers`."""
        return pack_layers(wanted, self._sides, self._rows, self._rotations, self._time, self._weights_of)


def pack_bodies(sides: Sequence[Side]) -> bytes:
    """The elements of all bodies, and their ellipsoids if they have such. Actors come in the order of the setup."""
    blobs = Blobs()
    known: dict[Body, int] = {}
    told: list[dict[str, Any]] = []
    actors = [actor for side in sides for actor in side.actors]
    for actor in actors:
        body = actor.body
        if body in known:
            continue
        known[body] = len(told)
        arrays = {"elements": blobs.put("u32", body.elements.astype("<u4").tobytes())}
        shapes = ellipsoids_of(body)
        if shapes is not None:
            arrays["rotations"] = blobs.put("f32", shapes[0].astype("<f4").tobytes())
            arrays["radii"] = blobs.put("f32", shapes[1].astype("<f4").tobytes())
        told.append({"kind": body.kind, "spacing": spacing(body), "arrays": arrays})
    text = json.dumps({"bodies": told, "actors": [known[actor.body] for actor in actors]}).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([struct.pack("<II", BODIES, len(text)), text, *blobs.parts])


def pack_layers(
    wanted: ShowLayers,
    sides: Sequence[Side],
    rows: NDArray[np.float32],
    rotations: NDArray[np.float32],
    time: float,
    weights_of: WeightsOf,
) -> bytes:
    """All that a page sees inside. `rows` (P, 4) are the particles of all sides as they are shown, `rotations` (T, 4)
    those of the particles that turn, `time` when."""
    layers = []
    if wanted.heat is not None:
        layers.append((HEATS[wanted.heat], _heat(wanted.heat, wanted.pose, sides, rows, weights_of)))
    if wanted.contacts:
        layers.append((CONTACTS, _contacts(sides, rows, time)))
    if wanted.rotations:
        layers.append((ROTATIONS, _rotations(sides, rotations)))
    packed = [(kind, numbers.astype("<f4", copy=False).tobytes()) for kind, numbers in layers]
    return b"".join(struct.pack("<II", kind, len(data) // 4) + data for kind, data in packed)


def ellipsoids_of(body: Body) -> tuple[Array, Array] | None:
    """Quaternions (V, 4) of the axes at rest and radii (V, 3) in metres, of a body whose particles are ellipsoids."""
    from scipy.spatial.transform import Rotation

    shapes = getattr(body, "ellipsoids", None)
    if shapes is None:
        return None
    axes = np.array(shapes.axes, np.float64)
    axes[np.linalg.det(axes) < 0] *= -1.0  # an ellipsoid is its own mirror image
    return Rotation.from_matrix(axes).as_quat(), np.asarray(shapes.radii, np.float64)


def _heat(
    kind: str, pose: str | None, sides: Sequence[Side], rows: NDArray[np.float32], weights_of: WeightsOf
) -> NDArray[np.float32]:
    numbers = np.empty(len(rows), np.float32)
    listed = heat.group_list([actor.group_names for side in sides for actor in side.actors]) if kind == "groups" else []
    place = {name: number for number, name in enumerate(listed)}
    first = 0
    for actor in (actor for side in sides for actor in side.actors):
        body = actor.body
        part = slice(first, first + len(body.rest))
        first = part.stop
        if kind == "stretch":
            numbers[part] = heat.stretch(body, rows[part, :3].astype(np.float64))
        elif kind == "distance":
            numbers[part] = heat.distance(body, rows[part, :3].astype(np.float64), pose or heat.NEAREST)
        else:
            names = actor.group_names
            groups = heat.group_numbers(body, actor.settings, names)
            if kind == "weights":
                numbers[part] = heat.weight(body, groups, weights_of(actor), pose or heat.REST)
            else:
                inside = np.array([place[name] for name in names] or [0])
                numbers[part] = np.where(groups >= 0, inside[groups], heat.NOTHING)
    return numbers


def _contacts(sides: Sequence[Side], rows: NDArray[np.float32], time: float) -> NDArray[np.float32]:
    found, first = [], 0
    for side in sides:
        counts = [len(actor.body.rest) for actor in side.actors]
        points = rows[first : first + sum(counts), :3].astype(np.float64) - side.shift
        sizes = np.repeat([float(np.linalg.norm(actor.body.size)) for actor in side.actors], counts)
        first += sum(counts)
        each = contacts(side.world.colliders, points, sizes, time)
        if abs(time - side.world.time) < PRESENT:  # a world does not remember where bodies touched before
            met = side.world.contacts
            each = np.concatenate([each, np.column_stack([met.points, met.normals]).astype(np.float32)[:MOST_CONTACTS]])
        each[:, :3] += np.asarray(side.shift, np.float32)
        found.append(each)
    return np.concatenate(found) if found else np.empty((0, 6), np.float32)


def _rotations(sides: Sequence[Side], rotations: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rotations of all particles since rest, of those that do not turn none; nothing where no actor's do."""
    if not len(rotations):
        return np.empty(0, np.float32)
    turning = np.concatenate([np.full(len(actor.body.rest), actor.turns) for side in sides for actor in side.actors])
    every = np.tile(np.array([0.0, 0.0, 0.0, 1.0], np.float32), (len(turning), 1))
    every[turning] = rotations
    return every
