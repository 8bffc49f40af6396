"""What shape matching has to know of one body: rings, moments, and the shapes that rings have in the example poses.

Everything here is done once per body, in double precision and plain NumPy, and shared by all actors of that body.
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.regions import Regions, regions

Array = NDArray[np.float64]
FROBENIUS = np.array([1, 1, 1, 2, 2, 2.0])
SYMMETRIC = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
_kept: "WeakKeyDictionary[Body, BodyConstants]" = WeakKeyDictionary()
_shapes: "WeakKeyDictionary[Body, dict[str, Array]]" = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class BodyConstants:
    """V regions, M ring members, K examples."""

    starts: NDArray[np.int64]  # (V + 1,)
    members: NDArray[np.int64]  # (M,)
    owners: NDArray[np.int64]  # (M,) the region of each member
    back: NDArray[np.int64]  # (M,) where the ring of the member has this region's particle
    rows: Array  # (M, 4): m~ q / s and m~ / (mass of the region); s = tr(A_qq) / 3
    offsets: Array  # (M, 3) q
    share: Array  # (M,) m~ of each member
    regions: Array  # (V, 16): c0, A_qq^-1 s, P, 1 / (mass of the region)
    scale: float  # the mean of all s
    effective: Array  # (V,) m~
    scales: Array  # (V,) s
    reach: int  # the largest distance between the numbers of two particles of a ring
    rest: Array  # (V, 3), about its own centre
    shares: Array  # (V,) 1 / |N_i|
    stretches: Array  # (V, K, 6): S^k - I

    def sums(self, rows: Array) -> Array:
        """Over the members (M, ...) of each region."""
        return np.add.reduceat(rows, self.starts[:-1], axis=0)


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
    share = r.effective[r.members]
    rows = np.empty((len(r.members), 4))
    rows[:, :3] = r.offsets * (share / scale[own])[:, None]
    rows[:, 3] = share / r.masses[own]
    origin = body.rest.mean(axis=0)
    constants = np.concatenate(
        [r.centres - origin, _six(r.inverses * scale[:, None, None]), _six(r.missing), 1 / r.masses[:, None]], axis=1
    )
    stretches = np.empty((len(sizes), len(body.poses), 6))
    for k, pose in enumerate(body.poses.values()):
        stretches[:, k] = _six(r.stretches(pose) - np.eye(3))
    members = r.members.astype(np.int64)
    return BodyConstants(
        r.starts.astype(np.int64),
        members,
        own,
        _back(own, members),
        rows,
        r.offsets,
        share,
        constants,
        float(scale.mean()),
        r.effective,
        scale,
        int(np.abs(r.members - own).max(initial=0)),
        body.rest - origin,
        1.0 / sizes,
        stretches,
    )


def _back(own: NDArray[np.int64], members: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rings are mutual: if i is in the ring of r, r is in that of i."""
    count = len(own)
    keys = own * count + members
    order = np.argsort(keys)
    return order[np.searchsorted(keys[order], members * count + own)]


def ring_shapes(body: Body, goals: str) -> Array:
    """(M, K, 3) m: u^k = q^k - q, how the rings of a body differ in its poses from rest, each in its region's frame.

    goals="held": q^k is where the members are, R^k^T (x^k_i - c^k). goals="paper": where the region's stretch takes
    them, S^k q_i; then the mean of the goals misses a pose that is not affine (a twist, a bend) by some per cent of a
    cell, and since nothing else resists along the examples, a body leaves such a pose at once."""
    kept = _shapes.setdefault(body, {})
    if goals not in kept:
        r = regions(body.rest, body.masses, body.elements, body.kind)
        shapes = [r.shapes(pose) if goals == "held" else _stretched(r, pose) for pose in body.poses.values()]
        kept[goals] = np.stack(shapes, axis=1) if shapes else np.zeros((len(r.members), 0, 3))
    return kept[goals]


def _stretched(r: Regions, pose: Array) -> Array:
    sizes = np.diff(r.starts)
    return np.einsum("mij,mj->mi", np.repeat(r.stretches(pose) - np.eye(3), sizes, axis=0), r.offsets)


def _six(matrices: Array) -> Array:
    """(N, 3, 3) symmetric -> (N, 6) in the order 00 11 22 01 02 12."""
    return np.stack([matrices[:, i, j] for i, j in SYMMETRIC], axis=1)


def gram_by_region(stretches: Array) -> Array:
    """L^T L of each region by itself, (V, K, 6) -> (V, K, K); off-diagonal entries of S count twice (Frobenius)."""
    return (stretches * FROBENIUS) @ np.swapaxes(stretches, 1, 2)
