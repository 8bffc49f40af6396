"""Green's functions of a surface: how all of it gives way when one place is pushed. Made once, and kept on disk.

    H u = G t        u (3 N) at particles, linear on triangles; t (3 T) on triangles      [Nealen+06, 3.4]
    K = sym(M^T A G^-1 H),  f = K u        A areas, M takes a third of each corner
    C = K^-1 on what is not a rigid motion                                               for a shear modulus of 1

The constant displacements of the textbook do not know a turn from a strain: a bar four times as long as wide, with four
triangles across, bends 36 % too little. Linear ones know, and cost no more: 1 to 5 %. Tractions are constant."""

import numpy as np
from numpy.typing import NDArray

from pliant.models.boundary.kernels import integrate
from pliant.models.boundary.surface import Surface
from pliant.volume.store import key_of, remembered

Array = NDArray[np.float64]
VERSION = 1  # of what is kept on disk
ANGLES = 8  # points of the integral over the angle, for each edge of a triangle: exact to 1e-8 but for slivers
# How hard what no triangle's middle sees is, in shear moduli times the size of a particle's share: without it patterns
# of two or three colours cost nothing. Twice: bars bend 2 % less; half: tips of pulled corners stand out.
UNSEEN_STIFFNESS = 0.1
FLAT = 0.05  # singular values below this part of the largest: a ring of triangles is flat there
SOFTEST = 1e-5  # of the largest eigenvalue: what is softer on a mesh of slivers is made as hard as that


def compliance(surface: Surface, poisson: float) -> Array:
    """C (3 N, 3 N), symmetric, nothing for rigid motions; m / N for a shear modulus of 1 Pa."""
    key = key_of("boundary", VERSION, surface.rest, surface.triangles, poisson)
    found, _ = remembered(key, ["compliance"], lambda: {"compliance": _make(surface, poisson)})
    kept = found["compliance"]
    size = 3 * len(surface.rest)
    return kept if kept.shape == (size, size) and np.isfinite(kept).all() else _make(surface, poisson)


def _make(surface: Surface, poisson: float) -> Array:
    stiff = stiffness(surface, poisson)
    rigid = rigid_motions(surface.rest)
    scale = float(np.trace(stiff)) / len(stiff)
    whole = stiff + scale * rigid @ rigid.T
    try:
        np.linalg.cholesky(whole)
        soft: Array = np.linalg.inv(whole) - rigid @ rigid.T / scale
    except np.linalg.LinAlgError:  # slivers: some pattern pushes back the wrong way
        values, axes = np.linalg.eigh(whole)
        soft = (axes / np.maximum(values, SOFTEST * values[-1])) @ axes.T
        soft -= rigid @ (rigid.T @ soft @ rigid) @ rigid.T
    return 0.5 * (soft + soft.T)


def stiffness(surface: Surface, poisson: float) -> Array:
    """K (3 N, 3 N), N / m for a shear modulus of 1 Pa."""
    h, g, areas = matrices(surface, poisson)
    triangles, count = surface.triangles, len(surface.rest)
    middle = np.zeros((len(triangles), count))
    for corner in range(3):
        middle[np.arange(len(triangles)), triangles[:, corner]] += 1.0 / 3.0
    tractions = np.linalg.solve(g, h)
    half = np.einsum("tn,tam->nam", middle * areas[:, None], tractions.reshape(len(triangles), 3, -1))
    full = half.reshape(3 * count, 3 * count)
    unseen = np.eye(count) - _from_middles(surface) @ middle
    sizes = np.sqrt((middle * areas[:, None]).sum(axis=0))
    full = 0.5 * (full + full.T) + np.kron(UNSEEN_STIFFNESS * unseen.T @ (sizes[:, None] * unseen), np.eye(3))
    rigid = rigid_motions(surface.rest)
    full -= rigid @ (rigid.T @ full)
    full -= (full @ rigid) @ rigid.T
    return full


def matrices(surface: Surface, poisson: float) -> tuple[Array, Array, Array]:
    """H (3 T, 3 N), G (3 T, 3 T) and the areas (T,)."""
    corners = surface.rest[surface.triangles]
    crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = 0.5 * np.linalg.norm(crossed, axis=1)
    sizes = np.square(corners - np.roll(corners, 1, axis=1)).sum(axis=2).max(axis=1)
    count, vertices = len(areas), len(surface.rest)
    h, g = np.zeros((3 * count, 3 * vertices)), np.zeros((3 * count, 3 * count))
    nodes, weights = np.polynomial.legendre.leggauss(ANGLES)
    integrate(
        np.ascontiguousarray(corners.mean(axis=1)).reshape(-1), np.ascontiguousarray(corners).reshape(-1),
        surface.triangles.reshape(-1), (crossed / (2.0 * areas[:, None])).reshape(-1), areas, sizes, poisson,
        nodes, weights, vertices, 0, count, h.reshape(-1), g.reshape(-1),
    )  # fmt: skip
    return h, g, areas


def rigid_motions(rest: Array) -> Array:
    """(3 N, 6) orthonormal."""
    rows = np.zeros((len(rest), 3, 6))
    rows[:, :, :3] = np.eye(3)
    for axis in range(3):
        rows[:, :, 3 + axis] = np.cross(np.eye(3)[axis], rest - rest.mean(axis=0))
    return np.linalg.qr(rows.reshape(-1, 6))[0]


def _from_middles(surface: Surface) -> Array:
    """(N, T) what the middles of the triangles around each particle, and around its neighbours, say about it: exact for
    displacements that are linear."""
    found = np.zeros((len(surface.rest), len(surface.triangles)))
    middles = surface.rest[surface.triangles].mean(axis=1)
    for vertex in range(len(surface.rest)):
        near = np.unique(surface.triangles[(surface.triangles == vertex).any(axis=1)])
        ring = np.flatnonzero(np.isin(surface.triangles, near).any(axis=1))
        away = middles[ring] - surface.rest[vertex]
        rows = np.column_stack([np.ones(len(ring)), away / np.sqrt(np.square(away).sum(axis=1).mean())])
        found[vertex, ring] = np.linalg.pinv(rows, rcond=FLAT)[0]
    return found
