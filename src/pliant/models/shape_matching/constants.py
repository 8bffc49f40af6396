"""What shape matching has to know of one body: rings, moments, and the shapes that rings have in the example poses.

Everything here is done once per body, in double precision and plain NumPy, and shared by all actors of that body.
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.regions import regions

Array = NDArray[np.float64]
FROBENIUS = np.array([1, 1, 1, 2, 2, 2.0])
SYMMETRIC = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
_kept: "WeakKeyDictionary[Body, BodyConstants]" = WeakKeyDictionary()
_poses: "WeakKeyDictionary[Body, dict[str, PoseConstants]]" = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class BodyConstants:
    """V regions, M ring members, K examples."""

    starts: NDArray[np.int64]  # (V + 1,)
    members: NDArray[np.int64]  # (M,)
    regions: Array  # (V, 16): c0, A_qq^-1 s, P, 1 / (mass of the region), with s = tr(A_qq) / 3
    aside: Array  # (V, 3) c0 - r, r the region's own particle
    scale: float  # the mean of all s
    scales: Array  # (V,) s
    effective: Array  # (V,) m~
    reach: int  # the largest distance between the numbers of two particles of a ring
    rest: Array  # (V, 3), about its own centre
    shares: Array  # (V,) 1 / |N_i|
    stretches: Array  # (V, K, 6): S^k - I


@dataclass(frozen=True, eq=False)
class PoseConstants:
    """How the rings of a body differ in its K poses from rest, each in its region's frame:  u^k = F^k (q + d^k) - q,
    with the displacements d^k of the members as seen from their mean over the ring.

    goals="held": F^k = R^k^T, so that u^k leads to where the members are. goals="paper": F^k = S^k and d^k = 0, so that
    it leads to where the region's stretch takes them; then the mean of the goals misses a pose that is not affine (a
    twist, a bend) by some per cent of a cell, and since nothing else resists along the examples, a body leaves such a
    pose at once."""

    displacements: Array  # (V, K, 3) m
    turns: Array  # (V, K, 3, 3): F - 1
    centres: Array  # (V, K, 3) m: the mean displacement of each ring, by m~
    along: Array  # (V, K): sum m~ q . u^k
    grams: Array  # (V, K, K): sum m~ u^k . u^l


def body_constants(body: Body) -> BodyConstants:
    """The constants of a body, made at its first use."""
    if body not in _kept:
        _kept[body] = _make(body)
    return _kept[body]


def _make(body: Body) -> BodyConstants:
    r = regions(body.rest, body.masses, body.elements, body.kind)
    sizes = np.diff(r.starts)
    own = np.repeat(np.arange(len(sizes)), sizes)
    scale = np.trace(r.moments, axis1=1, axis2=2) / 3
    origin = body.rest.mean(axis=0)
    constants = np.concatenate(
        [r.centres - origin, _six(r.inverses * scale[:, None, None]), _six(r.missing), 1 / r.masses[:, None]], axis=1
    )
    stretches = np.empty((len(sizes), len(body.poses), 6))
    for k, pose in enumerate(body.poses.values()):
        stretches[:, k] = _six(r.stretches(pose) - np.eye(3))
    return BodyConstants(
        r.starts.astype(np.int64),
        r.members.astype(np.int64),
        constants,
        r.centres - body.rest,
        float(scale.mean()),
        scale,
        r.effective,
        int(np.abs(r.members - own).max(initial=0)),
        body.rest - origin,
        1.0 / sizes,
        stretches,
    )


def pose_constants(body: Body, goals: str) -> PoseConstants:
    """The constants of the poses of a body, made at their first use."""
    kept = _poses.setdefault(body, {})
    if goals not in kept:
        kept[goals] = _make_poses(body, goals)
    return kept[goals]


def _make_poses(body: Body, goals: str) -> PoseConstants:
    r = regions(body.rest, body.masses, body.elements, body.kind)
    own = np.repeat(np.arange(len(r.starts) - 1), np.diff(r.starts))
    share = r.effective[r.members]
    count = len(body.poses)
    displacements, centres = np.zeros((2, len(body.rest), count, 3))
    turns = np.zeros((len(body.rest), count, 3, 3))
    shapes = np.zeros((count, len(r.members), 3))
    for k, pose in enumerate(body.poses.values()):
        rotations, stretches = r.polar(pose)
        turns[:, k] = (np.swapaxes(rotations, 1, 2) if goals == "held" else stretches) - np.eye(3)
        if goals == "held":
            # A rigid motion of the whole pose does not matter; without it displacements keep their digits.
            displacements[:, k] = pose - body.rest - (pose - body.rest).mean(axis=0)
        ring = displacements[r.members, k] - displacements[own, k]
        aside = np.add.reduceat(share[:, None] * ring, r.starts[:-1], axis=0) / r.masses[:, None]
        centres[:, k] = displacements[:, k] + aside
        ring -= aside[own]
        shapes[k] = np.einsum("mij,mj->mi", turns[own, k], r.offsets + ring) + ring

    def over_ring(rows: Array) -> Array:
        return np.add.reduceat(rows, r.starts[:-1], axis=0)

    along = np.zeros((len(body.rest), count))
    grams = np.zeros((len(body.rest), count, count))
    for k in range(count):
        along[:, k] = over_ring(share * (r.offsets * shapes[k]).sum(axis=1))
        for j in range(k + 1):
            grams[:, k, j] = grams[:, j, k] = over_ring(share * (shapes[k] * shapes[j]).sum(axis=1))
    return PoseConstants(displacements, turns, centres, along, grams)


def _six(matrices: Array) -> Array:
    """(N, 3, 3) symmetric -> (N, 6) in the order 00 11 22 01 02 12."""
    return np.stack([matrices[:, i, j] for i, j in SYMMETRIC], axis=1)


def gram_by_region(stretches: Array) -> Array:
    """L^T L of each region by itself, (V, K, 6) -> (V, K, K); off-diagonal entries of S count twice (Frobenius)."""
    return (stretches * FROBENIUS) @ np.swapaxes(stretches, 1, 2)
