"""A rope of segments, drawn as a smooth round tube."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pliant.body.body import Body
from pliant.body.skin import Skin
from pliant.geometry.surfaces import ringed
from pliant.runtime.errors import BodyError
from pliant.shapes.lengths import check_lengths

Array = NDArray[np.float64]

AROUND = 20  # vertices round the tube
PER_SEGMENT = 3  # rings
CAP = np.array([80, 60, 40, 20])  # degrees from the wall of the rings that round the ends


def rope(
    length: float = 2.0,
    particles: int = 41,
    radius: float = 0.03,
    *,
    density: float = 1000.0,
    name: str = "rope",
) -> Body:
    """A straight rope along x, its middle at the origin.

    The skin is a tube with round ends along a smooth curve (Catmull and Rom's) through the particles.

    >>> line = rope(particles=21)
    >>> line.kind, len(line.rest), len(line.segments)
    ('rod', 21, 20)
    """
    if length <= 0 or radius <= 0 or particles < 3:
        raise BodyError(
            f"a rope of length {length} and radius {radius} with {particles} particles: "
            "sizes must be positive, particles 3 or more"
        )
    check_lengths("rope", length=length, radius=radius)
    return _build(float(length), int(particles), float(radius), float(density), name)


@lru_cache(maxsize=32)
def _build(length: float, particles: int, radius: float, density: float, name: str) -> Body:
    rest = np.zeros((particles, 3))
    rest[:, 0] = np.linspace(-length / 2, length / 2, particles)
    here = np.arange(particles - 1)
    segments = np.stack([here, here + 1], axis=1).astype(np.int32)
    return Body(
        rest, segments=segments, density=density, thickness=2 * radius, name=name, skin=_tube(rest, radius)
    )


def _tube(rest: Array, radius: float) -> Skin:
    slots, weights = _along(len(rest))
    # Rings along the wall, with the rings of both caps before and after: sideways and along the axis, in
    # radii.
    angle = np.radians(CAP)
    out = np.concatenate([np.cos(angle), np.ones(len(slots)), np.cos(angle[::-1])])
    along = np.concatenate([-np.sin(angle), np.zeros(len(slots)), np.sin(angle[::-1])])
    row = np.concatenate([np.zeros(len(CAP), int), np.arange(len(slots)), np.full(len(CAP), len(slots) - 1)])
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    offsets = radius * np.stack(
        [
            np.repeat(along[:, None], AROUND, axis=1),
            np.outer(out, np.cos(turn)),
            np.outer(out, np.sin(turn)),
        ],
        axis=-1,
    )
    centres = np.einsum("nk,nkj->nj", weights, rest[slots])[row]
    vertices, faces = ringed(centres[:, None] + offsets, closed=False)
    vertices[-2:] = rest[[0, -1]] + radius * np.array([[-1.0, 0, 0], [1.0, 0, 0]])
    rows = np.concatenate([np.repeat(row, AROUND), [0, len(slots) - 1]])
    offset = vertices - np.einsum("nk,nkj->nj", weights, rest[slots])[rows]
    axes = np.tile([1.0, 0.0, 0.0], (len(vertices), 1))
    return Skin(vertices, faces, slots[rows], weights[rows], offset, axes, "rod")


def _along(particles: int) -> tuple[NDArray[np.int32], Array]:
    """Slots and weights of each ring: slots 0 and 1 are its chord, the weights are those of the curve."""
    slots, weights = [], []
    last = particles - 1
    for at in range(last * PER_SEGMENT + 1):
        i, step = divmod(at, PER_SEGMENT)
        if step == 0:
            slots.append([max(i - 1, 0), min(i + 1, last), i, i])
            weights.append([0.0, 0.0, 1.0, 0.0])
            continue
        t = step / PER_SEGMENT
        before, first, second, after = (
            (-t + 2 * t**2 - t**3) / 2,
            (2 - 5 * t**2 + 3 * t**3) / 2,
            (t + 4 * t**2 - 3 * t**3) / 2,
            (t**3 - t**2) / 2,
        )
        # Beyond an end the curve goes straight on: p[-1] = 2 p[0] - p[1].
        if i == 0:
            first, second, before = first + 2 * before, second - before, 0.0
        if i == last - 1:
            second, first, after = second + 2 * after, first - after, 0.0
        slots.append([i, i + 1, max(i - 1, 0), min(i + 2, last)])
        weights.append([first, second, before, after])
    return np.array(slots, dtype=np.int32), np.array(weights)
