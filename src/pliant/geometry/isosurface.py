"""The surface where a function is zero, as an even, watertight triangle mesh.

Dual marching cubes (Nielson 2004): a vertex for each piece of surface in a cell, a quad for each grid edge
the surface crosses. Then the vertices slide along the surface until they are evenly spread, and Newton's
method puts them on it.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from pliant.geometry.grid import CORNERS
from pliant.geometry.surfaces import quads_to_triangles
from pliant.runtime.errors import BodyError

Array = NDArray[np.float64]
Indices = NDArray[np.int32]
Field = Callable[[Array], Array]

NODE_BLOCK = 4  # nodes evaluated or passed over together
SHRINK = (
    1.0,
    0.96,
    0.91,
    0.87,
    0.83,
    0.77,
    0.71,
)  # cell sizes tried when a grid makes the surface touch itself
SMOOTHING = 8  # passes; more do not make the triangles more even

# The twelve edges of a cell by axis: the corner each starts from and the corner it runs to.
_EDGES = np.array([[c, c | (4 >> axis)] for axis in range(3) for c in range(8) if not c & (4 >> axis)])
# The four corners of each of the six faces, in order round it.
_RING = ((0, 0), (1, 0), (1, 1), (0, 1))


def isosurface(function: Field, low: ArrayLike, high: ArrayLike, cell: float) -> tuple[Array, Indices]:
    """Vertices and outward triangles of about `cell` metres where `function` (points (N, 3) -> (N,)) changes
    sign.

    It is negative inside and should grow about as the distance does. The box from `low` to `high` must hold
    the whole surface; parts thinner than a cell may be lost.

    >>> vertices, faces = isosurface(lambda p: np.linalg.norm(p, axis=1) - 1, (-1.2,) * 3, (1.2,) * 3, 0.2)
    >>> bool(np.abs(np.linalg.norm(vertices, axis=1) - 1).max() < 1e-6)
    True
    """
    low, high = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    for finer in SHRINK:
        grid = _quad_mesh(function, low, high, cell * finer)
        if grid is not None:
            points, quads = grid
            vertices = _settle(function, points, quads, cell * finer)
            return vertices, quads_to_triangles(vertices, quads)
    raise BodyError(f"parts of the solid are closer than cells of {cell} can tell apart; use smaller cells")


def _quad_mesh(
    function: Field, low: Array, high: Array, cell: float
) -> tuple[Array, NDArray[np.int64]] | None:
    """The rough surface, or nothing where it touches itself along an edge: two saddles face to face, four
    quads in one edge. It takes two gaps within two cells, and a slightly different grid mostly misses one of
    them."""
    # The grid is centred in the box, so that a symmetric solid gets a symmetric surface.
    counts = np.ceil((high - low) / cell).astype(int) + 1
    origin = (low + high) / 2 - (counts - 1) / 2 * cell
    values = _sample(function, origin, counts, cell)
    inside = values < 0
    if not inside.any():
        raise BodyError(
            f"the function is nowhere negative between {low} and {high} at cells of {cell}; use smaller cells"
        )
    if any(np.take(inside, side, axis=axis).any() for axis in range(3) for side in (0, -1)):
        raise BodyError(f"the solid reaches the border of the box from {low} to {high}; widen the box")
    points, quads = _dual(values, inside)
    edges = quads.ravel() * len(points) + np.roll(quads, -1, axis=1).ravel()
    return None if len(np.unique(edges)) < len(edges) else (origin + cell * points, quads)


def _sample(function: Field, origin: Array, counts: NDArray[np.int64], cell: float) -> Array:
    """Values (nx, ny, nz) on the grid; blocks far outside take the value at their middle."""
    blocks = -(-counts // NODE_BLOCK)
    place = np.stack(np.meshgrid(*(np.arange(n) for n in blocks), indexing="ij"), axis=-1).reshape(-1, 3)
    middle = function(origin + cell * (place * NODE_BLOCK + (NODE_BLOCK - 1) / 2))
    # Half a block's diagonal, with room for functions that grow faster than the distance. Inside nothing is
    # passed over: there the formulas for ellipsoids overrate the distance.
    near = middle < 1.5 * cell * np.sqrt(3) * NODE_BLOCK / 2
    values = np.repeat(middle[:, None], NODE_BLOCK**3, axis=1)
    node = np.stack(np.meshgrid(*[np.arange(NODE_BLOCK)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    at = place[near, None] * NODE_BLOCK + node
    values[near] = function(origin + cell * at.reshape(-1, 3)).reshape(-1, NODE_BLOCK**3)
    cubes = values.reshape(*blocks, NODE_BLOCK, NODE_BLOCK, NODE_BLOCK)
    values = cubes.transpose(0, 3, 1, 4, 2, 5).reshape(blocks * NODE_BLOCK)
    return values[: counts[0], : counts[1], : counts[2]]


@lru_cache(maxsize=1)
def _pieces() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each of the 256 patterns of inside corners: the piece of surface each edge belongs to (-1: not
    crossed), and how many pieces there are. On a face with four crossings the inside corners stay apart, in
    both cells."""
    edge_of = {frozenset(pair): e for e, pair in enumerate(_EDGES.tolist())}
    faces = []
    for axis in range(3):
        b, c = 4 >> (axis + 1) % 3, 4 >> (axis + 2) % 3
        faces += [[side * (4 >> axis) + u * b + v * c for u, v in _RING] for side in (0, 1)]
    piece = np.full((256, 12), -1)
    for pattern in range(256):
        joined = list(range(12))
        for face in faces:
            solid = [pattern >> corner & 1 for corner in face]
            edges = [edge_of[frozenset((face[k], face[(k + 1) % 4]))] for k in range(4)]
            crossed = [e for k, e in enumerate(edges) if solid[k] != solid[(k + 1) % 4]]
            pairs = (
                [(edges[k - 1], edges[k]) for k in range(4) if solid[k]] if len(crossed) == 4 else [crossed]
            )
            for first, second in (pair for pair in pairs if pair):
                old, new = joined[first], joined[second]
                joined = [new if j == old else j for j in joined]
        used = [e for e, (a, b) in enumerate(_EDGES) if (pattern >> a & 1) != (pattern >> b & 1)]
        names = {name: n for n, name in enumerate(dict.fromkeys(joined[e] for e in used))}
        for e in used:
            piece[pattern, e] = names[joined[e]]
    return piece, piece.max(axis=1) + 1


def _dual(values: Array, inside: NDArray[np.bool_]) -> tuple[Array, NDArray[np.int64]]:
    """Vertices in grid units, each the mean of the crossings around it, and the quads between them."""
    piece, pieces = _pieces()
    shape = np.array(values.shape)
    window = [tuple(slice(b, n - 1 + b) for b, n in zip(bits, shape, strict=True)) for bits in CORNERS]
    pattern = np.zeros(shape - 1, dtype=np.int64)
    for c, part in enumerate(window):
        pattern |= inside[part].astype(np.int64) << c
    cells = np.argwhere((pattern > 0) & (pattern < 255))
    number = np.full(shape - 1, -1)
    patterns = pattern[tuple(cells.T)]
    starts = np.concatenate([[0], np.cumsum(pieces[patterns])])
    number[tuple(cells.T)] = starts[:-1]

    total, weight = np.zeros((starts[-1], 3)), np.zeros(starts[-1])
    quads = []
    for e, (a, b) in enumerate(_EDGES):
        crossed = piece[patterns, e] >= 0
        at, vertex = cells[crossed], starts[:-1][crossed] + piece[patterns[crossed], e]
        va, vb = (values[tuple((at + CORNERS[c]).T)] for c in (a, b))
        point = at + CORNERS[a] + (va / (va - vb))[:, None] * (CORNERS[b] - CORNERS[a])
        np.add.at(total, vertex, point)
        np.add.at(weight, vertex, 1.0)
        if e % 4 == 0:  # the first edge of an axis starts at corner 0: every grid edge is it for one cell
            quads.append(_quads(at, e // 4, inside, number, pattern, piece))
    return total / weight[:, None], np.concatenate(quads)


def _quads(
    at: NDArray[np.int64],
    axis: int,
    inside: NDArray[np.bool_],
    number: NDArray[np.int64],
    pattern: NDArray[np.int64],
    piece: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The quad round each crossed grid edge that starts at `at` and runs along `axis`."""
    b, c = (axis + 1) % 3, (axis + 2) % 3
    corners = []
    for u, v in _RING:
        cell = at.copy()
        cell[:, b] -= u
        cell[:, c] -= v
        start = u * (4 >> b) + v * (4 >> c)
        edge = int(np.flatnonzero((_EDGES[:, 0] == start) & (_EDGES[:, 1] == start | (4 >> axis)))[0])
        place = tuple(cell.T)
        corners.append(number[place] + piece[pattern[place], edge])
    quad = np.stack(corners, axis=1)
    # Cells run clockwise about the axis seen from its tip, because they lie on the negative sides of the
    # edge.
    leaves = inside[tuple(at.T)]
    return np.where(leaves[:, None], quad, quad[:, ::-1])


def _settle(function: Field, vertices: Array, quads: NDArray[np.int64], cell: float) -> Array:
    """Vertices spread along the surface towards the middle of their neighbours, then put back on it."""
    count = len(vertices)
    first, second = quads.ravel(), np.roll(quads, -1, axis=1).ravel()
    links = csr_array((np.ones(len(first)), (first, second)), shape=(count, count))
    links = links + links.T
    mean = links.multiply(1 / np.asarray(links.sum(axis=1)).reshape(-1, 1)).tocsr()
    vertices, normals = _newton(function, vertices, cell)
    for step in range(SMOOTHING):
        pull = mean @ vertices - vertices
        vertices = vertices + 0.6 * (pull - np.einsum("ij,ij->i", pull, normals)[:, None] * normals)
        if step % 3 == 2:
            vertices, normals = _newton(function, vertices, cell)
        else:  # the gradient turns little from pass to pass; its length is near one
            vertices = vertices - np.clip(function(vertices), -cell / 2, cell / 2)[:, None] * normals
    for _ in range(2):
        vertices, normals = _newton(function, vertices, cell)
    return vertices


def _newton(function: Field, points: Array, cell: float) -> tuple[Array, Array]:
    """One Newton step along the gradient, at most half a cell, and the unit gradient.

    Four values at the corners of a small tetrahedron give both: their mean, and the sum of f e / 4 per unit.
    """
    small = 1e-4 * cell
    signs = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=np.float64)
    values = np.stack([function(points + small * sign) for sign in signs])
    gradient = np.einsum("kn,kx->nx", values, signs) / (4 * small)
    size = np.maximum(np.linalg.norm(gradient, axis=1, keepdims=True), 1e-12)
    step = np.clip(values.mean(axis=0)[:, None] / size, -cell / 2, cell / 2)
    return points - step * gradient / size, gradient / size
