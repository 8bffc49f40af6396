"""Stretches for the goals under which an example pose, once reached, holds itself.

A region knows a pose by its stretch S^k, the affine part of it. Where the pose is not affine (a twist, a bend) the
mean of its regions' affine goals is not the pose but something smoother, g(x^k) != x^k, by some per cent of a cell.
Along the examples nothing else resists, so this little is enough to drive a body out of a pose at once: a bar let go in
its twist springs back at strength 1 as it does at 0.9.

The remedy costs nothing in a step: compare with S^k, but aim with other symmetric tensors T^k, S~ = S^0 + sum w_k
(T^k - S^0), chosen near S^k such that g(x^k) = x^k. These are 3 V equations for 6 V unknowns; Gauss and Newton take the
least change, damped where it would be large for little. Rotations stay matched to S~, so momentum is kept as before.

With A_pq T = R H, H symmetric, a change D of T turns R by w:  (tr(H) I - H) w = axial(R^T A_pq D), and the transform
R T changes by R ([w] T + D).
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, lsmr

from pliant.geometry.regions import Regions, proper_rotations

Array = NDArray[np.float64]
ROUNDS = 3
CLOSE = 1e-7  # of the rings' mean radius: goals that near to the pose will do
DAMP = 0.01  # of the rings' mean radius: a miss that is worth a change of one stretch by 1
LARGE = 30_000  # particles; above, it would take minutes
_UNITS = np.zeros((6, 3, 3))
for _k, (_i, _j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
    _UNITS[_k, _i, _j] = _UNITS[_k, _j, _i] = 1.0


def holding_stretches(regions: Regions, pose: Array) -> Array:
    """T^k (V, 3, 3) of a pose (V, 3) m."""
    held = regions.stretches(pose)
    sizes = np.diff(regions.starts)
    if len(sizes) > LARGE:
        return held
    own = np.repeat(np.arange(len(sizes)), sizes)
    share = regions.effective[regions.members]
    p = pose[regions.members] - pose[own]
    p -= (_sums(share[:, None] * p, regions.starts) / regions.masses[:, None])[own]
    moments = _sums(share[:, None, None] * p[:, :, None] * regions.offsets[:, None, :], regions.starts)
    ring = np.sqrt((regions.offsets**2).sum(axis=1).mean())

    def mean(rows: Array) -> Array:
        """Of each particle: the mean of its row (M, 3) in each of its regions."""
        columns = [np.bincount(regions.members, rows[:, c], len(sizes)) for c in range(3)]
        return np.stack(columns, axis=1) / sizes[:, None]

    for _ in range(ROUNDS):
        turn = proper_rotations(moments @ held)
        missed = mean(np.einsum("mij,mj->mi", (turn @ held)[own], regions.offsets) - p)  # g(x^k) - x^k
        if np.abs(missed).max() < CLOSE * ring:
            break
        change = _changes(turn, moments, held)

        def forward(v: Array, change: Array = change) -> Array:
            transforms = (change @ v.reshape(-1, 6, 1)).reshape(-1, 3, 3)
            return mean(np.einsum("mij,mj->mi", transforms[own], regions.offsets)).reshape(-1)

        def back(e: Array, change: Array = change) -> Array:
            shared = (e.reshape(-1, 3) / sizes[:, None])[regions.members]
            rows = _sums(shared[:, :, None] * regions.offsets[:, None, :], regions.starts)
            return (np.swapaxes(change, 1, 2) @ rows.reshape(-1, 9, 1)).reshape(-1)

        operator = LinearOperator((3 * len(sizes), 6 * len(sizes)), forward, back)
        step = lsmr(operator, -missed.reshape(-1), damp=DAMP * ring, atol=1e-3, btol=1e-3, maxiter=100)[0]
        held = held + np.einsum("rk,kij->rij", step.reshape(-1, 6), _UNITS)
    return held


def _changes(turn: Array, moments: Array, held: Array) -> Array:
    """(V, 9, 6): how R T changes with the six numbers of T."""
    back = np.swapaxes(turn, 1, 2) @ moments
    h = back @ held
    h = (h + np.swapaxes(h, 1, 2)) / 2
    stiff = np.trace(h, axis1=1, axis2=2)[:, None, None] * (1 + 1e-6) * np.eye(3) - h
    columns = []
    for unit in _UNITS:
        b = back @ unit
        axial = np.stack([b[:, 2, 1] - b[:, 1, 2], b[:, 0, 2] - b[:, 2, 0], b[:, 1, 0] - b[:, 0, 1]], axis=1)
        w = np.linalg.solve(stiff, axial[:, :, None])[:, :, 0]
        cross = np.zeros_like(h)
        cross[:, 0, 1], cross[:, 0, 2], cross[:, 1, 2] = -w[:, 2], w[:, 1], -w[:, 0]
        cross -= np.swapaxes(cross, 1, 2)
        columns.append((turn @ (cross @ held + unit)).reshape(-1, 9))
    return np.stack(columns, axis=2)


def _sums(rows: Array, starts: NDArray[np.int32]) -> Array:
    return np.add.reduceat(rows, starts[:-1], axis=0)
