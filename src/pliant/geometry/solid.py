"""A surface taken as a solid: linked sample points that know which parts of it hang together.

Samples are the points of a fine grid that lie inside, and the vertices of the surface itself, cut finer. A
link joins two samples between which the solid does not end, so that two prongs a hair apart stay two things
however coarse the grid is. The surface may be open, overlap itself or have stray faces: inside is what most
rays say.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pliant.geometry.gluing import glue
from pliant.geometry.normals import vertex_normals
from pliant.geometry.surfaces import enclosed_volume

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MAJORITY = 4  # of six rays: a hole misleads one or two of them
NEAREST_SAMPLES = 8  # inside samples a surface vertex looks at
SHELL_GAP = 4  # spacings between two shells that are still taken to belong together


@dataclass(frozen=True, eq=False)
class Solid:
    """points (N, 3) m, the first `inside` of them inside and the others on the surface; links (L, 2) between
    them (some twice); normals of the surface points, outward; `spacing` m between the inside ones. `origin`: for
    each vertex that was given, its number among the surface points, -1 if no face uses it."""

    points: Array
    inside: int
    normals: Array
    links: Indices
    spacing: float
    origin: Indices

    @property
    def volume(self) -> float:
        return self.inside * self.spacing**3


def solid_volume(vertices: Array, faces: NDArray[np.int32], spacing: float) -> float:
    """The volume (m^3) of the solid within a surface that need not be closed, by counting points of a
    grid."""
    return len(_inside(*_welded(vertices, faces)[:2], spacing)[0]) * spacing**3


def sample_solid(vertices: Array, faces: NDArray[np.int32], spacing: float) -> Solid:
    """The solid within a surface, sampled every `spacing` metres.

    >>> from pliant.geometry.surfaces import ball
    >>> round(sample_solid(*ball(1.0, 0.2), spacing=0.1).volume, 1)
    4.2
    """
    vertices, welded, origin = _welded(vertices, faces)
    if enclosed_volume(vertices - vertices.mean(axis=0), welded) < 0:
        welded = welded[:, ::-1]
    grid, links, overlaps = _inside(vertices, welded, spacing)
    surface, fine = refined(vertices, welded, spacing)
    normals = vertex_normals(surface, fine.astype(np.int32))
    edges = np.concatenate([fine[:, [0, 1]], fine[:, [1, 2]], fine[:, [2, 0]]])
    bridges = _bridges(grid, surface, normals, spacing)
    points = np.concatenate([grid, surface])
    links = np.concatenate([links, edges + len(grid), bridges + np.array([0, len(grid)])])
    glued = glue(points, len(grid), links, overlaps, SHELL_GAP * spacing, spacing)
    return Solid(
        points,
        len(grid),
        normals,
        np.concatenate([links, glued]),
        spacing,
        origin,
    )


def unique_pairs(pairs: Indices, count: int) -> Indices:
    """Each pair of numbers below `count` once, whichever way round it was given."""
    ordered = np.sort(pairs, axis=1).astype(np.int64)
    return np.stack(np.divmod(np.unique(ordered[:, 0] * count + ordered[:, 1]), count), axis=1)


def _welded(vertices: Array, faces: NDArray[np.int32]) -> tuple[Array, Indices, Indices]:
    """One vertex per place (the seams of a texture split them), without faces that have become a line or a
    point; and which of these each of the given vertices is (-1: none)."""
    grain = max(float(np.ptp(vertices, axis=0).max()), 1e-300) * 1e-7
    _, first, merged = np.unique(np.round(vertices / grain), axis=0, return_index=True, return_inverse=True)
    joined = merged.reshape(-1)[faces].astype(np.int64)
    real = (joined[:, 0] != joined[:, 1]) & (joined[:, 1] != joined[:, 2]) & (joined[:, 2] != joined[:, 0])
    used, compact = np.unique(joined[real], return_inverse=True)
    number = np.full(len(first), -1)
    number[used] = np.arange(len(used))
    return vertices[first[used]], compact.reshape(-1, 3), number[merged.reshape(-1)]


def refined(vertices: Array, faces: Indices, longest: float) -> tuple[Array, Indices]:
    """The same surface with edges of at most `longest` metres: long edges are halved until there are none."""
    while True:
        edges = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1), axis=-1).reshape(-1, 2)
        keys, which = np.unique(edges[:, 0] * len(vertices) + edges[:, 1], return_inverse=True)
        a, b = np.divmod(keys, len(vertices))
        long = np.linalg.norm(vertices[a] - vertices[b], axis=1) > longest
        if not long.any():
            return vertices, faces
        middle = np.full(len(keys), -1)
        middle[long] = len(vertices) + np.arange(long.sum())
        vertices = np.concatenate([vertices, (vertices[a[long]] + vertices[b[long]]) / 2])
        faces = split_faces(faces, middle[which].reshape(-1, 3))


def refined_count(vertices: Array, faces: NDArray[np.integer], longest: float) -> float:
    """About how many points the surface has with edges of at most `longest` metres. Faces are cut into ones of the
    same shape, so flat ones make many, however little area they have."""
    corners = vertices[faces]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    along, across = sides.max(axis=1, initial=0.0) / longest, sides.min(axis=1, initial=np.inf) / longest
    return float(len(vertices) + (along * np.maximum(across, 1.0))[along > 1].sum())


def split_faces(faces: Indices, middles: Indices) -> Indices:
    """Each face cut at the middles of its edges (corner k to k + 1; -1: not cut) into two, three or four."""
    cut = (middles >= 0).sum(axis=1)
    # Turn each face so that its pattern starts at edge 0: the cut one of one, the uncut one of two comes
    # last.
    turn = np.where(cut == 1, np.argmax(middles >= 0, axis=1), 0)
    turn = np.where(cut == 2, (np.argmin(middles >= 0, axis=1) + 1) % 3, turn)
    order = (turn[:, None] + np.arange(3)) % 3
    a, b, c = np.take_along_axis(faces, order, axis=1).T
    ab, bc, ca = np.take_along_axis(middles, order, axis=1).T
    pieces = [faces[cut == 0]]
    for count, parts in (
        (1, [(a, ab, c), (ab, b, c)]),
        (2, [(ab, b, bc), (a, ab, bc), (a, bc, c)]),
        (3, [(a, ab, ca), (ab, b, bc), (bc, c, ca), (ab, bc, ca)]),
    ):
        pieces += [np.stack(part, axis=1)[cut == count] for part in parts]
    return np.concatenate(pieces)


def _inside(vertices: Array, faces: Indices, spacing: float) -> tuple[Array, Indices, Indices]:
    """Grid points inside, links between neighbours with no surface between them, and links through the surface of
    a shell that overlaps another: on the whole way one is inside either."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    counts = np.ceil((high - low) / spacing).astype(int) + 2
    origin = (low + high) / 2 - (counts - 1) / 2 * spacing  # centred: a symmetric surface gives symmetric samples
    votes = np.zeros(counts, dtype=np.int8)
    open_way, overlapping = [], []
    for axis in range(3):
        signed, crossed = _crossings((vertices - origin) / spacing, faces, axis, counts)
        # signed[..., k]: crossings just before sample k; what a ray has crossed on the way from either end.
        from_low = np.cumsum(signed[..., :-1], axis=-1)
        from_high = signed.sum(axis=-1, keepdims=True) - from_low
        votes += np.moveaxis((from_low != 0).astype(np.int8) + (from_high != 0), -1, axis)
        open_way.append(np.moveaxis(crossed[..., 1:-1] == 0, -1, axis))
        # Between two samples a ray leaves (crossed - signed) / 2 shells at most before it enters others.
        before, step = from_low[..., :-1], signed[..., 1:-1] * np.sign(from_low[..., :-1])
        within = np.abs(before) - (crossed[..., 1:-1] - step) // 2 >= 1
        overlapping.append(np.moveaxis(within & (crossed[..., 1:-1] > 0), -1, axis))
    solid = votes >= MAJORITY
    number = np.full(counts, -1)
    number[solid] = np.arange(solid.sum())
    links: list[Indices] = []
    overlaps: list[Indices] = []
    for axis in range(3):
        first, second = (np.take(number, np.arange(counts[axis] - 1) + k, axis=axis) for k in (0, 1))
        for found, way in ((links, open_way[axis]), (overlaps, overlapping[axis])):
            joined = (first >= 0) & (second >= 0) & way
            found.append(np.stack([first[joined], second[joined]], axis=1))
    return origin + spacing * np.argwhere(solid), np.concatenate(links), np.concatenate(overlaps)


def inside_votes(vertices: Array, faces: Indices, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each point (X, Y, Z) of a grid is inside: what most of six rays say. Vertices are in grid units from the
    first point; the surface has to lie within the grid."""
    votes = np.zeros(counts, dtype=np.int8)
    for axis in range(3):
        signed, _ = _crossings(vertices, faces, axis, counts)
        from_low = np.cumsum(signed[..., :-1], axis=-1)
        from_high = signed.sum(axis=-1, keepdims=True) - from_low
        votes += np.moveaxis((from_low != 0).astype(np.int8) + (from_high != 0), -1, axis)
    return votes >= MAJORITY


def _crossings(
    vertices: Array, faces: Indices, axis: int, counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each grid line along `axis` crosses the surface before each sample (and after the last):
    signed, and in all. Vertices are in grid units; lines run through whole numbers in the other two axes."""
    b, c = (axis + 1) % 3, (axis + 2) % 3
    if b > c:
        b, c = c, b
    # A nudge, different in both directions, keeps lines off vertices and edges of surfaces drawn on round
    # numbers.
    flat = vertices[:, [b, c]] + np.array([1.234e-6, 2.718e-6])
    tri = flat[faces]
    low = np.ceil(tri.min(axis=1)).astype(int)
    size = np.maximum(np.floor(tri.max(axis=1)).astype(int) - low + 1, 0)
    amount = size[:, 0] * size[:, 1]
    who = np.repeat(np.arange(len(faces)), amount)
    within = np.arange(amount.sum()) - np.repeat(np.cumsum(amount) - amount, amount)
    column = low[who] + np.stack(np.divmod(within, np.maximum(size[who, 1], 1)), axis=1)

    areas = []
    for k in (0, 1, 2):
        # The same edge gives the same number in both of its triangles: its ends are always taken in one
        # order.
        i, j = faces[who, (k + 1) % 3], faces[who, (k + 2) % 3]
        p, q = flat[np.minimum(i, j)], flat[np.maximum(i, j)]
        area = (q[:, 0] - p[:, 0]) * (column[:, 1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (column[:, 0] - p[:, 0])
        areas.append(np.where(i < j, area, -area))
    area = np.stack(areas, axis=1)
    hit = (area > 0).all(axis=1) | (area < 0).all(axis=1)
    area, who, column = area[hit], who[hit], column[hit]
    height = np.einsum("nk,nk->n", area, vertices[faces[who], axis]) / area.sum(axis=1)
    before = np.clip(np.ceil(height).astype(int), 0, counts[axis])
    shape = (counts[b], counts[c], counts[axis] + 1)
    at = np.ravel_multi_index((column[:, 0], column[:, 1], before), shape)
    total = int(np.prod(shape))
    sign = np.where(area[:, 0] > 0, 1.0, -1.0)
    signed = np.bincount(at, sign, minlength=total).astype(np.int64)
    return signed.reshape(shape), np.bincount(at, minlength=total).reshape(shape)


def _bridges(grid: Array, surface: Array, normals: Array, spacing: float) -> Indices:
    """Links (inside, surface) from each surface point to the samples right behind it."""
    if len(grid) == 0:
        return np.empty((0, 2), dtype=np.int64)
    distance, near = cKDTree(grid).query(surface, k=np.arange(1, min(NEAREST_SAMPLES, len(grid)) + 1))
    away = grid[near] - surface[:, None]
    behind = np.einsum("nkx,nx->nk", away, normals) < -0.5 * distance
    # Beyond the nearest one behind, a sample may already lie in another part.
    first = np.where(behind, distance, np.inf).min(axis=1)
    good = behind & (distance <= np.minimum(first + 0.3 * spacing, 1.8 * spacing)[:, None])
    rows, columns = np.nonzero(good)
    return np.stack([near[rows, columns], rows], axis=1)
