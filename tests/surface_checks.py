"""What makes a triangle surface a good one, asked the same way of every surface in the tests."""

from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

Array = NDArray[np.float64]


def is_closed_manifold(vertices: Array, faces: NDArray[np.int32]) -> bool:
    """Every edge has two triangles, which run along it in opposite directions, and every vertex one fan."""
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).astype(np.int64)
    there, back = edges @ [len(vertices), 1], edges[:, ::-1] @ [len(vertices), 1]
    if len(np.unique(there)) < len(there) or set(there) != set(back):
        return False
    return len(np.unique(faces)) == len(vertices) and all(_one_fan(vertices, faces))


def _one_fan(vertices: Array, faces: NDArray[np.int32]) -> list[bool]:
    after: list[dict[int, int]] = [{} for _ in vertices]
    for a, b, c in faces.tolist():
        after[a][b], after[b][c], after[c][a] = c, a, b
    good = []
    for ring in after:
        start = at = next(iter(ring))
        steps = 0
        while steps == 0 or (at != start and steps <= len(ring)):
            at, steps = ring[at], steps + 1
        good.append(steps == len(ring))
    return good


def triangle_quality(vertices: Array, faces: NDArray[np.int32]) -> Array:
    """1 for an equal-sided triangle, 0 for a flat one."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    return 4 * 3**0.5 * area / (((b - a) ** 2) + ((c - b) ** 2) + ((a - c) ** 2)).sum(axis=1)


def tet_quality(rest: Array, tets: NDArray[np.int32]) -> Array:
    """1 for a regular tet, 0 for a flat one (mean ratio)."""
    corner = rest[tets]
    volume = np.einsum(
        "ij,ij->i",
        np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]),
        corner[:, 3] - corner[:, 0],
    )
    squares = sum(((corner[:, a] - corner[:, b]) ** 2).sum(axis=1) for a in range(4) for b in range(a))
    return 12 * np.cbrt(np.maximum(volume, 0) / 2) ** 2 / squares


def is_mirror_image(points: Array, axis: int, tolerance: float) -> bool:
    """Whether the points are symmetric about the plane through the origin that is square to the axis."""
    image = points.copy()
    image[:, axis] *= -1
    return float(cKDTree(points).query(image)[0].max()) < tolerance


def pieces(elements: NDArray[np.int32], count: int) -> int:
    """How many parts the particles form that no element joins."""
    first = np.repeat(elements[:, 0], elements.shape[1])
    graph = coo_array((np.ones(elements.size), (first, elements.ravel())), shape=(count, count))
    return int(connected_components(graph, directed=False)[0])


def read_obj(path: Path) -> tuple[Array, NDArray[np.int32]]:
    """Vertices and triangles of a model; polygons become fans."""
    vertices, faces = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append([float(word) for word in words[1:4]])
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) for word in words[1:]]
            corners = [c - 1 if c > 0 else len(vertices) + c for c in corners]
            faces += [[corners[0], b, c] for b, c in pairwise(corners[1:])]
    return np.array(vertices), np.array(faces, dtype=np.int32)
