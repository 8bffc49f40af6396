"""What checks of crowds measure: how deep bodies are inside one another, and who is lost."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from pliant.body import Body
from pliant.gallery.exhibit import Array
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.embedding import locate
from pliant.geometry.turning import rotation_matrices
from pliant.graph import Graph
from pliant.world import Frame

NORMAL_ROUNDS = 12  # of the search for the normal between two ellipsoids


def overlap(bodies: Mapping[str, Body], frame: Frame) -> float:
    """How deep any two of these bodies are inside one another, in radii: all of them solids made of tets, or all
    of them graphs of ellipsoids."""
    if all(isinstance(body, Graph) for body in bodies.values()):
        return float(overlaps({k: b for k, b in bodies.items() if isinstance(b, Graph)}, frame).max(initial=0.0))
    return max((_inside(bodies, frame, a, b) for a, b in combinations(bodies, 2)), default=0.0)


def overlaps(bodies: Mapping[str, Graph], frame: Frame) -> Array:
    """Of every two ellipsoids of different bodies that touch: how deep they are in one another, in their radii."""
    deep, radii = between_ellipsoids(*ellipsoids(bodies, frame))
    return (deep / radii)[deep > 0]


def ellipsoids(bodies: Mapping[str, Graph], frame: Frame) -> tuple[Array, Array, NDArray[np.int64]]:
    """All ellipsoids of a frame: centres (N, 3), H = E diag(a^2, b^2, c^2) E^T (N, 3, 3), and whose they are (N,)."""
    hulls = []
    for name, graph in bodies.items():
        axes = rotation_matrices(frame.rotations[name]) @ graph.ellipsoids.axes
        hulls.append((axes * graph.ellipsoids.radii[:, None, :] ** 2) @ np.swapaxes(axes, 1, 2))
    owners = np.repeat(np.arange(len(bodies)), [len(graph.rest) for graph in bodies.values()])
    return np.concatenate([frame.positions[name] for name in bodies]), np.concatenate(hulls), owners


def lowest(bodies: Mapping[str, Body], frame: Frame) -> float:
    """Height of the lowest point of all bodies (m)."""
    graphs = {name: body for name, body in bodies.items() if isinstance(body, Graph)}
    heights = [float(frame.positions[name][:, 1].min()) for name in bodies if name not in graphs]
    if graphs:
        centres, hulls, _ = ellipsoids(graphs, frame)
        heights.append(float((centres[:, 1] - np.sqrt(hulls[:, 1, 1])).min()))
    return min(heights)


def centres_of(bodies: Mapping[str, Body], frame: Frame) -> Array:
    """(B, 3) centres of mass (m)."""
    return np.array([body.masses @ frame.positions[name] / body.mass for name, body in bodies.items()])


def between_ellipsoids(centres: Array, hulls: Array, owners: NDArray[np.int64]) -> tuple[Array, Array]:
    """Of every two of different owners that are close: how deep they are in one another (m, below 0 if they do not
    touch), and the smaller radius there. The distance of two ellipsoids d apart is the largest, over unit vectors n, of
    d . n - r_1(n) - r_2(n)."""
    widest = np.sqrt(np.linalg.eigvalsh(hulls)[:, 2])
    a, b = cKDTree(centres).query_pairs(2 * widest.max(), output_type="ndarray").T
    d = centres[a] - centres[b]
    away = np.linalg.norm(d, axis=1)
    near = (owners[a] != owners[b]) & (away < widest[a] + widest[b]) & (away > 0)
    a, b, d, away = a[near], b[near], d[near], away[near]
    if len(a) == 0:
        return np.zeros(0), np.ones(0)

    def reach(hull: Array, n: Array) -> Array:
        return np.sqrt(np.einsum("ni,nij,nj->n", n, hull, n))

    n, best, radii = d / away[:, None], np.full(len(a), -np.inf), np.ones(len(a))
    for _ in range(NORMAL_ROUNDS):
        one, two = reach(hulls[a], n), reach(hulls[b], n)
        gap = np.sum(d * n, axis=1) - one - two
        radii = np.where(gap > best, np.minimum(one, two), radii)
        best = np.maximum(gap, best)
        system = hulls[a] / one[:, None, None] + hulls[b] / two[:, None, None]
        system += (np.maximum(gap, 0) + 1e-9 * away)[:, None, None] * np.eye(3)
        n = np.linalg.solve(system, d[:, :, None])[:, :, 0]
        n /= np.linalg.norm(n, axis=1, keepdims=True)
    return -best, radii


def _inside(bodies: Mapping[str, Body], frame: Frame, a: str, b: str) -> float:
    """How deep the skin of either body is inside the other one, in radii of the one that is entered."""
    deepest = 0.0
    for one, other in ((a, b), (b, a)):
        x, y = frame.positions[one], frame.positions[other]
        points = x[np.unique(boundary_triangles(bodies[one].elements))]
        depth = depth_in(points, bodies[other], y)
        deepest = max(deepest, depth / radius_of(bodies[other]))
    return deepest


def radius_of(solid: Body) -> float:
    """The radius of balls round its particles that leave no hole in its skin (m): half of an edge, as long as they
    are."""
    triangles = boundary_triangles(solid.elements)
    corners = solid.rest[triangles]
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return 0.5 * float(np.median(edges.max(axis=1)))


def depth_in(points: Array, solid: Body, positions: Array) -> float:
    """How far (m) the deepest of these points is inside a solid made of tets whose particles are at `positions`."""
    points = points[((points > positions.min(axis=0)) & (points < positions.max(axis=0))).all(axis=1)]
    tets = np.asarray(solid.elements)
    if len(points):
        points = points[locate(points, positions, tets).distances == 0.0]
    return float(locate(points, positions, boundary_triangles(tets)).distances.max()) if len(points) else 0.0
