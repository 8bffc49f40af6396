"""A round tube along segments, its rings riding on the particles: what a rod looks like."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.normals import unit
from pliant.geometry.rings import rings
from pliant.geometry.turning import turned

Array = NDArray[np.float64]

TUBE_SIDES = 8


class Tube(NamedTuple):
    """Vertices (N, 3), faces (M, 3), slots and weights (N, 4), and the chord directions (N, 3) of their
    rings.
    """

    vertices: Array
    faces: NDArray[np.int32]
    slots: NDArray[np.int32]
    weights: Array
    axes: Array


def tube(rest: Array, segments: NDArray[np.int32], radius: float, sides: int = TUBE_SIDES) -> Tube:
    """A closed tube of `radius` metres round each chain of segments.

    A ring of vertices sits on each particle, square to the chord between its neighbours in the chain: slots
    0 and 1 are the ends of that chord and carry no weight, slot 2 is the particle. An open chain ends in
    flat caps.
    """
    found = chains(segments, len(rest))
    parts = [_chain_tube(rest, np.array(chain), closed, radius, sides) for chain, closed in found]
    shifts = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    faces = np.concatenate([part.faces + shift for part, shift in zip(parts, shifts, strict=True)])
    whole = Tube(*(np.concatenate([part[k] for part in parts]) for k in range(5)))
    return whole._replace(faces=faces.astype(np.int32))


def chains(segments: NDArray[np.int32], count: int) -> list[tuple[list[int], bool]]:
    """The segments as paths of particles between ends and forks; True marks a closed loop.

    >>> chains(np.array([[1, 0], [1, 2], [3, 4], [4, 5], [5, 3]]), 6)
    [([0, 1, 2], False), ([3, 4, 5], True)]
    """
    starts, members = rings(segments, count)
    around = [members[a + 1 : b].tolist() for a, b in pairwise(starts.tolist())]
    left = {(a, b) for a in range(count) for b in around[a]}

    def walk(first: int, second: int) -> list[int]:
        path = [first]
        here, there = first, second
        while (here, there) in left:
            left.difference_update([(here, there), (there, here)])
            path.append(there)
            if len(around[there]) != 2:
                break
            here, there = there, next(n for n in around[there] if n != here)
        return path

    ends = [a for a in range(count) if len(around[a]) != 2]
    found = [(walk(a, b), False) for a in ends for b in around[a] if (a, b) in left]
    while left:  # what no end or fork reaches are loops: the walk comes back to where it began
        found.append((walk(*min(left))[:-1], True))
    return found


def _chain_tube(rest: Array, chain: NDArray[np.int64], closed: bool, radius: float, sides: int) -> Tube:
    count = len(chain)
    around = chain[[-1, *range(count), 0]] if closed else chain[[0, *range(count), -1]]
    before, after = around[:-2], around[2:]
    axes = unit(rest[after] - rest[before])
    side, closing = _leads(axes, closed)
    angles = 2 * np.pi * np.arange(sides) / sides + closing[:, None]
    lift = np.cross(axes, side)
    circles = np.cos(angles)[:, :, None] * side[:, None] + np.sin(angles)[:, :, None] * lift[:, None]
    vertices = (rest[chain][:, None] + radius * circles).reshape(-1, 3)

    here = sides * np.arange(count if closed else count - 1)[:, None]
    there = (here + sides) % (count * sides)
    k, k1 = np.arange(sides)[None], (np.arange(sides)[None] + 1) % sides
    a, b, c, d = here + k, here + k1, there + k, there + k1
    faces = np.concatenate([np.stack(corners, axis=-1).reshape(-1, 3) for corners in ((a, b, d), (a, d, c))])
    rows = np.repeat(np.arange(count), sides)
    if not closed:
        tips = count * sides + np.arange(2)
        last = (count - 1) * sides
        first_cap = np.stack([np.full(sides, tips[0]), k1[0], k[0]], axis=1)
        last_cap = np.stack([np.full(sides, tips[1]), last + k[0], last + k1[0]], axis=1)
        faces = np.concatenate([faces, first_cap, last_cap])
        vertices = np.concatenate([vertices, rest[chain[[0, -1]]]])
        rows = np.concatenate([rows, [0, count - 1]])
    slots = np.stack([before, after, chain, chain], axis=1)[rows].astype(np.int32)
    return Tube(vertices, faces, slots, np.tile([0.0, 0.0, 1.0, 0.0], (len(rows), 1)), axes[rows])


def _leads(axes: Array, closed: bool) -> tuple[Array, Array]:
    """A direction across each axis, carried along without spinning, and angles (rad) that close a loop."""
    side = np.empty_like(axes)
    least = np.zeros(3)
    least[np.argmin(np.abs(axes[0]))] = 1.0
    side[0] = unit(np.cross(axes[0], least))
    for i in range(1, len(axes)):
        side[i] = turned(side[i - 1 : i], axes[i - 1 : i], axes[i : i + 1])[0]
    if not closed:
        return side, np.zeros(len(axes))
    home = turned(side[-1:], axes[-1:], axes[:1])[0]
    gap = np.arctan2(np.cross(home, side[0]) @ axes[0], home @ side[0])
    return side, gap * np.arange(len(axes)) / len(axes)
