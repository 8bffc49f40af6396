"""Closed triangle surfaces with a formula: rounded boxes, balls, and anything made of a row of rings.

All are watertight, share their vertices and turn outwards.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

MOST_FACETS = 2000  # along an edge of a box: those of one that is ten thousand times as long as wide are long too


def enclosed_volume(vertices: Array, faces: NDArray[np.integer]) -> float:
    """Volume inside a closed surface (m^3); negative when it is inside out."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", np.cross(a, b), c) / 6.0)


def outward(vertices: Array, faces: Indices) -> Indices:
    """The faces of a closed surface, turned so that it encloses a positive volume."""
    return faces if enclosed_volume(vertices, faces) >= 0 else faces[:, ::-1].copy()


def quads_to_triangles(vertices: Array, quads: NDArray[np.int64]) -> Indices:
    """Each quad cut along its shorter diagonal, which avoids slivers."""
    a, b, c, d = quads.T
    short = np.linalg.norm(vertices[a] - vertices[c], axis=1) <= np.linalg.norm(
        vertices[b] - vertices[d], axis=1
    )
    first = np.where(short[:, None], np.stack([a, b, c], axis=1), np.stack([a, b, d], axis=1))
    second = np.where(short[:, None], np.stack([a, c, d], axis=1), np.stack([b, c, d], axis=1))
    return np.stack([first, second], axis=1).reshape(-1, 3).astype(np.int32)


def rounded_box(size: ArrayLike, radius: float, step: float, turns: int = 4) -> tuple[Array, Indices]:
    """A box about the origin with round edges: facets of about `step` metres, `turns` of them round each
    edge.

    >>> vertices, faces = rounded_box((1, 1, 2), radius=0.05, step=0.1)
    >>> round(enclosed_volume(vertices, faces), 2)
    1.99
    """
    half = np.asarray(size, dtype=np.float64) / 2
    # Grid lines along an axis: even over the flat part, then at even angles over the two rounded bands. A
    # band is half an edge's quarter circle: the neighbouring face has the other half.
    band = radius * np.tan(np.linspace(0, np.pi / 4, max(turns // 2, 1) + 1)[1:])
    lines = []
    for extent in half:
        facets = min(max(round(2 * (extent - radius) / step), 1), MOST_FACETS)
        flat = np.linspace(-1, 1, facets + 1) * (extent - radius)
        lines.append(np.concatenate([-(extent - radius) - band[::-1], flat, extent - radius + band]))
    vertices, quads = _box_surface(lines)
    core = np.clip(vertices, radius - half, half - radius)
    away = vertices - core
    vertices = core + radius * away / np.linalg.norm(away, axis=1, keepdims=True)
    return vertices, outward(vertices, quads_to_triangles(vertices, quads))


def _box_surface(lines: list[Array]) -> tuple[Array, NDArray[np.int64]]:
    """The outer quads of the grid spanned by the lines of the three axes, vertices shared between the six
    sides."""
    counts = [len(line) for line in lines]
    numbers = np.arange(np.prod(counts)).reshape(counts)
    quads = []
    for axis in range(3):
        for side, flip in ((0, True), (-1, False)):
            sheet = np.take(numbers, side, axis=axis)
            quad = np.stack(
                [sheet[:-1, :-1], sheet[1:, :-1], sheet[1:, 1:], sheet[:-1, 1:]], axis=-1
            ).reshape(-1, 4)
            # (y, z), (x, z) and (x, y) turn right, left and right handed about x, y and z.
            quads.append(quad[:, ::-1] if flip != (axis == 1) else quad)
    used, quads_used = np.unique(np.concatenate(quads), return_inverse=True)
    points = np.stack(np.unravel_index(used, counts), axis=1)
    vertices = np.stack([lines[axis][points[:, axis]] for axis in range(3)], axis=1)
    return vertices, quads_used.reshape(-1, 4)


def ball(radius: float, step: float) -> tuple[Array, Indices]:
    """A sphere about the origin: an icosahedron with every face cut into n x n triangles of about `step`
    metres."""
    n = max(round(1.11 * radius / step), 1)
    corners, faces = _icosahedron()
    i, j = (grid.ravel() for grid in np.mgrid[0 : n + 1, 0 : n + 1])
    i, j = i[i + j <= n], j[i + j <= n]
    number = {place: at for at, place in enumerate(zip(i.tolist(), j.tolist(), strict=True))}
    up = [(number[a, b], number[a + 1, b], number[a, b + 1]) for a, b in number if a + b < n]
    down = [(number[a, b], number[a - 1, b], number[a, b - 1]) for a, b in number if a > 0 and b > 0]
    share = np.stack([n - i - j, i, j], axis=1) / n
    points = np.einsum("pk,fkx->fpx", share, corners[faces]).reshape(-1, 3)
    pieces = np.array(up + down)[None] + (np.arange(len(faces)) * len(share))[:, None, None]
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    _, first, merged = np.unique(np.round(points, 9) + 0.0, axis=0, return_index=True, return_inverse=True)
    vertices, triangles = radius * points[first], merged.reshape(-1)[pieces.reshape(-1, 3)].astype(np.int32)
    return vertices, outward(vertices, triangles)


def _icosahedron() -> tuple[Array, Indices]:
    g = (1 + 5**0.5) / 2
    corners = np.array([[0, s, t * g] for s in (-1, 1) for t in (-1, 1)], dtype=np.float64)
    corners = np.concatenate([corners, np.roll(corners, 1, axis=1), np.roll(corners, 2, axis=1)])
    near = np.isclose(np.linalg.norm(corners[:, None] - corners[None], axis=2), 2.0)
    faces = np.array(
        [
            (a, b, c)
            for a in range(12)
            for b in range(a)
            for c in range(b)
            if near[a, b] and near[b, c] and near[a, c]
        ]
    )
    a, b, c = (corners[faces[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(a, b), c) < 0
    return corners, np.where(inward[:, None], faces[:, ::-1], faces).astype(np.int32)


def ringed(rings: Array, closed: bool) -> tuple[Array, Indices]:
    """The surface through a row of rings (R, C, 3): closed to a loop, or with the middle of both end rings as
    poles.

    >>> angle = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    >>> ring = np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)
    >>> vertices, faces = ringed(np.stack([ring, ring + (0, 2, 0)]), closed=False)
    >>> round(enclosed_volume(vertices, faces) / (2 * np.pi), 2)
    1.0
    """
    count, around = rings.shape[:2]
    numbers = np.arange(count * around).reshape(count, around)
    next_ring = np.roll(numbers, -1, axis=0) if closed else numbers[1:]
    here = numbers if closed else numbers[:-1]
    quads = np.stack([here, np.roll(here, -1, axis=1), np.roll(next_ring, -1, axis=1), next_ring], axis=-1)
    vertices = rings.reshape(-1, 3)
    faces = [quads_to_triangles(vertices, quads.reshape(-1, 4))]
    if not closed:
        vertices = np.concatenate([vertices, [rings[0].mean(axis=0), rings[-1].mean(axis=0)]])
        for pole, ring in ((len(vertices) - 2, numbers[0][::-1]), (len(vertices) - 1, numbers[-1])):
            faces.append(np.stack([ring, np.roll(ring, -1), np.full(around, pole)], axis=1).astype(np.int32))
    merged = np.concatenate(faces)
    return vertices, outward(vertices, merged)
