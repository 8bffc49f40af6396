"""What shape matching has to know of one body: rings, moments, the examples' descriptors and their Gram matrices.

Everything here is done once per body, in double precision and plain NumPy, and shared by all actors of that body.
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.errors import SettingsError
from pliant.geometry.regions import regions
from pliant.geometry.selection import select
from pliant.models import Role
from pliant.models.shape_matching.holding import holding_stretches
from pliant.models.shape_matching.settings import ShapeMatching

Array = NDArray[np.float64]
# Examples that are equal, dependent or like the rest shape make L^T L singular. Its small eigenvalues are lifted to
# this part of the largest, which gives the smallest of all equally good sets of weights.
SINGULAR = 1e-6
# Where a pose leaves a region as it is, rounding remains of S^k - I. That is no example: the region would give it any
# weight.
UNSTRETCHED = 1e-6
FROBENIUS = np.array([1, 1, 1, 2, 2, 2.0])
SYMMETRIC = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
_kept: "WeakKeyDictionary[Body, BodyConstants]" = WeakKeyDictionary()
_aims: "WeakKeyDictionary[Body, Array]" = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class BodyConstants:
    """V regions, M ring members, K examples."""

    starts: NDArray[np.int64]  # (V + 1,)
    members: NDArray[np.int64]  # (M,)
    rows: Array  # (M, 4): m~ q / s and m~ / (mass of the region); s = tr(A_qq) / 3
    regions: Array  # (V, 16): c0, A_qq^-1 s, P, 1 / (mass of the region)
    scale: float  # the mean of all s
    effective: Array  # (V,) m~
    scales: Array  # (V,) s
    reach: int  # the largest distance between the numbers of two particles of a ring
    rest: Array  # (V, 3), about its own centre
    shares: Array  # (V,) 1 / |N_i|
    stretches: Array  # (V, K, 6): S^k - I


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
        stretches[np.abs(stretches[:, k]).max(axis=1) < UNSTRETCHED, k] = 0.0
    return BodyConstants(
        r.starts.astype(np.int64),
        r.members.astype(np.int64),
        rows,
        constants,
        float(scale.mean()),
        r.effective,
        scale,
        int(np.abs(r.members - own).max(initial=0)),
        body.rest - origin,
        1.0 / sizes,
        stretches,
    )


def body_aims(body: Body) -> Array:
    """(V, K, 6): T^k - I, under which the poses of a solid hold themselves. Sheets and ropes are bent without
    stretch, so there is no weight that could hold a bend: S^k - I."""
    if body.kind != "solid":
        return body_constants(body).stretches
    if body not in _aims:
        r = regions(body.rest, body.masses, body.elements, body.kind)
        held = [_six(holding_stretches(r, pose) - np.eye(3)) for pose in body.poses.values()]
        _aims[body] = np.stack(held, axis=1) if held else body_constants(body).stretches
    return _aims[body]


def _six(matrices: Array) -> Array:
    """(N, 3, 3) symmetric -> (N, 6) in the order 00 11 22 01 02 12."""
    return np.stack([matrices[:, i, j] for i, j in SYMMETRIC], axis=1)


def example_groups(body: Body, settings: ShapeMatching, who: str) -> tuple[tuple[str, ...], list[NDArray[np.int64]]]:
    """Names of the groups and the regions of each. "regions" has no list: each region is its own group."""
    count = len(body.rest)
    if settings.examples == "global":
        return ("all",), [np.arange(count)]
    if settings.examples == "regions":
        return tuple(f"region {i}" for i in range(count)), []
    names: list[str] = []
    lists: list[NDArray[np.int64]] = []
    taken = np.full(count, -1)
    assert not isinstance(settings.examples, str)
    for number, (name, selection) in enumerate(settings.examples.items()):
        if isinstance(selection, str):
            if selection not in body.groups:
                have = ", ".join(body.groups) or "none"
                raise SettingsError(
                    f'actor "{who}": examples: group "{name}" names the body\'s group "{selection}", '
                    f"which it has not (it has {have})"
                )
            selection = body.groups[selection]
        chosen = select(selection, body.rest, f'actor "{who}": examples: group "{name}"').astype(np.int64)
        twice = chosen[taken[chosen] >= 0]
        if len(twice):
            other = names[taken[twice[0]]]
            raise SettingsError(
                f'actor "{who}": examples: particle {twice[0]} is in group "{other}" and in "{name}"; '
                "a region has one set of weights"
            )
        taken[chosen] = number
        names.append(str(name))
        lists.append(chosen)
    return tuple(names), lists


def free_poses(body: Body, settings: ShapeMatching) -> list[int]:
    """The numbers of the poses whose weights are to be found."""
    return [number for number, name in enumerate(body.poses) if name not in settings.forced]


def given_shares(role: Role) -> Array:
    """(1 + K, V, 13): what `given_rows` is of no weights, and what a whole weight of each pose adds to it. A region
    that is in no group has no examples."""
    body, settings = role.body, role.settings
    aims = body_aims(body) if settings.goals == "held" else body_constants(body).stretches
    taken = np.zeros(len(body.rest), dtype=bool)
    _, lists = example_groups(body, settings, role.name)
    for chosen in lists if settings.examples != "regions" else [np.arange(len(taken))]:
        taken[chosen] = True
    shares = np.zeros((1 + len(body.poses), len(body.rest), 13))
    shares[0, :, 0] = 1.0
    shares[1:, taken, 0] = -1.0
    shares[1:, taken, 1:7] = body_constants(body).stretches[taken].swapaxes(0, 1)
    shares[1:, taken, 7:] = aims[taken].swapaxes(0, 1)
    return shares


def given_rows(role: Role, shares: Array) -> Array:
    """(V, 13): 1 - F, the sum of the given weights times S^k - I, and of T^k - I; for regions that have examples."""
    weights = [role.settings.forced.get(name, 0.0) for name in role.body.poses]
    rows = shares[0].copy()
    for weight, share in zip(weights, shares[1:], strict=True):
        if weight:
            rows += weight * share
    np.maximum(rows[:, 0], 0.0, out=rows[:, 0])
    return rows


def gram(stretches: Array) -> Array:
    """L^T L of a group (R, K, 6) -> (K, K); off-diagonal entries of S count twice (Frobenius)."""
    weighted = stretches * FROBENIUS
    return np.einsum("rki,rli->kl", weighted, stretches, optimize=True)


def gram_by_region(stretches: Array) -> Array:
    """The same for each region by itself: (V, K, 6) -> (V, K, K)."""
    return (stretches * FROBENIUS) @ np.swapaxes(stretches, 1, 2)


def factors(grams: Array) -> tuple[Array, Array]:
    """(G, K, K) Gram matrices L^T L = V s^2 V^T -> U = s V^T and its inverse, with small s lifted. Then L = Q U with
    Q = L U^-1, whose columns are orthonormal (shorter where s was lifted)."""
    values, axes = np.linalg.eigh(grams)
    largest = np.maximum(values[:, -1:], 1e-12)
    s = np.sqrt(np.maximum(values, SINGULAR * largest))
    return s[:, :, None] * np.swapaxes(axes, 1, 2), axes / s[:, None, :]
