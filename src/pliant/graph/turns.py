"""Rotations of oriented particles, when only their positions are known."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from pliant.geometry.regions import proper_rotations
from pliant.graph.cells import Indices, symmetric
from pliant.graph.ellipsoids import Ellipsoids

Array = NDArray[np.float64]

TURN_ROUNDS = 200
TURN_GAIN = 1e-10
LOST = 1e-8  # of the smallest radius squared: a moment below it is rounding


def fitted_rotations(rest: Array, posed: Array, edges: Indices, ellipsoids: Ellipsoids) -> Array:
    """(N, 3, 3) the rotations that deform the graph least when its particles are at `posed` (N, 3) [Choi+17] (5).

    They start from one particle and are carried along the edges, so that a coil of many turns winds up like it should.
    """
    count = len(rest)
    a, b = np.concatenate([edges, edges[:, ::-1]]).T
    outer = ellipsoids.volumes[b, None, None] * (posed[b] - posed[a])[:, :, None] * (rest[b] - rest[a])[:, None, :]
    rows = np.argsort(a, kind="stable")
    starts = np.searchsorted(a[rows], np.arange(count + 1))
    own = _sums(outer, a, count)
    held = ellipsoids.moments[a] + ellipsoids.moments[b]
    rotations = np.tile(np.eye(3), (count, 1, 1))
    for each, parent in _walk(edges, count):
        here = rows[starts[each] : starts[each + 1]]
        carried = rotations[parent] if parent >= 0 else np.zeros((3, 3))
        rotations[each] = proper_rotations((own[each] + carried @ held[here].sum(axis=0))[None])[0]
    for _ in range(TURN_ROUNDS if len(edges) else 0):
        pulled = own + _sums(rotations[b] @ held, a, count)
        # Half of the particle's own rotation keeps neighbours from changing places for ever.
        pulled += rotations @ _sums(held, a, count)
        new = proper_rotations(pulled)
        moved = np.abs(new - rotations).max()
        rotations = new
        if moved < TURN_GAIN:
            break
    return rotations


def _sums(rows: Array, owners: Indices, count: int) -> Array:
    table = csr_array((np.ones(len(owners)), (owners, np.arange(len(owners)))), shape=(count, len(owners)))
    return (table @ rows.reshape(len(rows), 9)).reshape(count, 3, 3)


def _walk(edges: Indices, count: int) -> list[tuple[int, int]]:
    """Particles and the one each is reached from (-1: none)."""
    links = symmetric(edges, np.ones(len(edges)), count)
    seen, walk = np.zeros(count, dtype=bool), []
    for start in range(count):
        if not seen[start]:
            reached, before = breadth_first_order(links, start, directed=False)
            seen[reached] = True
            walk += [(int(each), int(before[each]) if each != start else -1) for each in reached]
    return walk


def turned_shares(moments: Array, edges: Indices, ellipsoids: Ellipsoids) -> Array:
    """(N, 3, 3) the rotations of shares whose moments (N, 3, 3) m^2 a pose gives.

    A share that a pose squeezed to a line or a point does not tell how it is turned: its neighbours do.
    """
    sizes = np.linalg.svd(moments, compute_uv=False)
    lost = sizes[:, 1] < LOST * np.sort(ellipsoids.radii**2, axis=1)[:, 0]
    if lost.any() and len(edges):
        a, b = np.concatenate([edges, edges[:, ::-1]]).T
        moments = np.where(lost[:, None, None], moments + _sums(moments[b], a, len(moments)), moments)
    return proper_rotations(moments)
