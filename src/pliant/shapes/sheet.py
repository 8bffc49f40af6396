"""A thin sheet of triangles, drawn as a plate with a rounded rim."""

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pliant.body.body import Body
from pliant.body.skin import Skin
from pliant.geometry.normals import face_normals
from pliant.runtime.errors import BodyError
from pliant.shapes.lengths import check_lengths

Array = NDArray[np.float64]


def sheet(
    size: tuple[float, float] = (1.0, 1.0),
    cells: tuple[int, int] = (24, 24),
    *,
    thickness: float = 0.02,
    density: float = 1000.0,
    name: str = "sheet",
) -> Body:
    """A flat sheet in the plane y = 0, `size` metres along x and z, of squares cut in two along alternating
    diagonals.

    Particles are numbered z fastest. The skin has both sides and a rim, `thickness` metres apart.

    >>> cloth = sheet(cells=(10, 10))
    >>> cloth.kind, len(cloth.rest), len(cloth.triangles)
    ('shell', 121, 200)
    """
    if min(size) <= 0 or min(cells) < 2 or thickness <= 0:
        raise BodyError(
            f"a sheet of size {size} in {cells} cells, {thickness} thick: "
            "sizes must be positive, cells 2 or more"
        )
    check_lengths("sheet", length=size[0], width=size[1], thickness=thickness)
    return _build(
        (float(size[0]), float(size[1])),
        (int(cells[0]), int(cells[1])),
        float(thickness),
        float(density),
        name,
    )


@lru_cache(maxsize=32)
def _build(
    size: tuple[float, float], cells: tuple[int, int], thickness: float, density: float, name: str
) -> Body:
    x, z = (np.linspace(-0.5, 0.5, n + 1) * s for n, s in zip(cells, size, strict=True))
    rest = np.stack([np.repeat(x, len(z)), np.zeros(len(x) * len(z)), np.tile(z, len(x))], axis=1)
    numbers = np.arange(len(rest)).reshape(len(x), len(z))
    a, b, c, d = numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, 1:], numbers[1:, :-1]
    odd = (np.indices(a.shape).sum(axis=0) % 2 == 1)[..., None]
    first = np.where(odd, np.stack([a, b, d], axis=-1), np.stack([a, b, c], axis=-1))
    second = np.where(odd, np.stack([b, c, d], axis=-1), np.stack([a, c, d], axis=-1))
    triangles = np.stack([first, second], axis=2).reshape(-1, 3).astype(np.int32)
    return Body(
        rest,
        triangles=triangles,
        density=density,
        thickness=thickness,
        name=name,
        skin=_plate(rest, numbers, triangles, thickness),
    )


def _plate(rest: Array, numbers: NDArray[np.int64], triangles: NDArray[np.int32], thickness: float) -> Skin:
    """Both sides and a half-round rim. Every vertex rides on one particle and stands off along a normal that
    spans three of the particle's neighbours, so that the plate bends without creases."""
    slots, inward = _frames(numbers)
    slots = slots.reshape(-1, 4)
    border = _border(numbers)
    count, rim_count = len(rest), len(border)
    # Rows of vertices: the top, the bottom, then rings round the rim at heights of a half circle. The circle becomes an
    # ellipse where the sheet is stretched: in steps of 45 degrees, three rings, its tip would soon be sharp.
    angles = np.pi / 6 * np.array([2, 1, 0, -1, -2])
    who = np.concatenate([np.arange(count), np.arange(count), np.tile(border, len(angles))])
    height = (
        thickness
        / 2
        * np.concatenate([np.ones(count), -np.ones(count), np.repeat(np.sin(angles), rim_count)])
    )
    reach = thickness / 2 * np.concatenate([np.zeros(2 * count), np.repeat(np.cos(angles), rim_count)])
    # Outwards is away from the inner neighbours, by weights alone: p + a (p - q).
    weights = np.zeros((len(who), 4))
    weights[:, 3] = 1.0
    for k in range(2):
        step = inward[who, k]
        has = step >= 0
        neighbour = slots[who[has], step[has]]
        share = reach[has] / np.linalg.norm(rest[who[has]] - rest[neighbour], axis=1)
        weights[np.flatnonzero(has), step[has]] -= share
        weights[has, 3] += share
    rows = slots[who].astype(np.int32)
    normal = face_normals(rest, rows[:, :3])
    offsets = height[:, None] * np.array([0.0, 1.0, 0.0])
    vertices = np.einsum("nk,nkj->nj", weights, rest[rows]) + offsets
    faces = [triangles, triangles[:, ::-1] + count]
    rim = [2 * count + k * rim_count + np.arange(rim_count) for k in range(len(angles))]
    loops = [border, *rim, border + count]
    for upper, lower in pairwise(loops):
        next_upper, next_lower = np.roll(upper, -1), np.roll(lower, -1)
        faces += [
            np.stack([upper, lower, next_lower], axis=1),
            np.stack([upper, next_lower, next_upper], axis=1),
        ]
    return Skin(vertices, np.concatenate(faces).astype(np.int32), rows, weights, offsets, normal, "shell")


def _frames(numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each particle the slots of its skin vertices: three neighbours that span its normal, and itself.

    Also which slots (up to two, -1 for none) lie inwards of a particle on the border.
    """
    rows, columns = numbers.shape
    slots = np.empty((rows, columns, 4), dtype=np.int64)
    inward = np.full((rows * columns, 2), -1)
    for i in range(rows):
        for j in range(columns):
            at_x, at_z = i in (0, rows - 1), j in (0, columns - 1)
            di, dj = (-1 if i == rows - 1 else 1), (-1 if j == columns - 1 else 1)
            here = numbers[i, j]
            if at_x and at_z:
                spanning = [(di, 0), (0, dj), (di, dj)]
                inward[here] = (0, 1)
            elif at_x:
                spanning = [(di, 0), (0, -1), (0, 1)]
                inward[here, 0] = 0
            else:
                spanning = [(0, dj), (-1, 0), (1, 0)]
                inward[here, 0] = 0 if at_z else -1
            around = [numbers[i + u, j + v] for u, v in spanning]
            slots[i, j] = [*around, here]
    return slots, inward


def _border(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The particles on the border in order, anticlockwise seen from above."""
    return np.concatenate([numbers[0, :-1], numbers[:-1, -1], numbers[-1, :0:-1], numbers[:0:-1, 0]])
