"""What clusters have to know of one body: their particles, their functions, and their descriptors in the poses.

Everything here is done once per body and kind of settings, in double precision and plain NumPy, and shared by all
actors of that body."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples import Groups, groups_of, named_groups, visible
from pliant.geometry.regions import TOLERANCE, proper_rotations, regions
from pliant.models.clusters.material import Share, share_of
from pliant.models.clusters.partition import nearest_sets, partition
from pliant.models.clusters.polynomials import LINEAR, QUADRATIC, Basis, basis
from pliant.models.clusters.settings import Clusters

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cluster:
    """n particles, B functions, P poses. members (n,); shares (n,) 1 / (how many clusters hold a particle); masses
    (n,) that add up to 1, and their sum `mass` kg before; rest (B, 3) m: D^0; poses (P, B, 3) m: D^k - D^0."""

    members: NDArray[np.int64]
    shares: Array
    masses: Array
    mass: float
    basis: Basis
    share: Share
    rest: Array
    poses: Array


@dataclass(frozen=True, eq=False)
class Whole:
    """All clusters of a body; groups.of is about clusters."""

    clusters: list[Cluster]
    groups: Groups


_kept: "WeakKeyDictionary[Body, dict[Hashable, Whole]]" = WeakKeyDictionary()


def constants_of(body: Body, settings: Clusters, who: str = "") -> Whole:
    """The constants of a body, made at their first use."""
    key = constants_key(body, settings)
    kept = _kept.setdefault(body, {})
    if key not in kept:
        kept[key] = _make(body, settings, who)
    return kept[key]


def constants_key(body: Body, settings: Clusters) -> Hashable:
    """What the constants of a body depend on."""
    groups: Hashable = settings.examples
    if not isinstance(settings.examples, str):
        chosen = named_groups(body, settings.examples, "")
        groups = tuple((name, particles.tobytes()) for name, particles in chosen.items())
    modes = settings.clusters, settings.modes, settings.poisson, settings.young is None
    return *modes, groups, settings.example_strength > 0


def _make(body: Body, settings: Clusters, who: str) -> Whole:
    sets = _sets(body, settings, who)
    parts = partition(body, settings.clusters, sets.of)
    held = np.zeros(len(body.rest))
    for members in parts.members:
        held[members] += 1.0
    functions = QUADRATIC if settings.modes == "quadratic" else LINEAR
    clusters = [_cluster(body, members, 1.0 / held[members], functions, settings) for members in parts.members]
    groups = Groups(sets.names, parts.sets, sets.seen)
    if settings.examples == "regions":
        count = len(clusters)
        seen = np.ones((count, len(body.poses)), bool)
        groups = Groups(tuple(f"region {i}" for i in range(count)), np.arange(count), seen)
    return Whole(clusters, groups)


def _sets(body: Body, settings: Clusters, who: str) -> Groups:
    """Which particles may share a cluster: those of a group. Poses of different parts of the body are told apart by
    the stretch of each particle's ring."""
    if settings.examples == "regions" or (isinstance(settings.examples, str) and len(body.poses) < 2):
        of = np.zeros(len(body.rest), np.int64)
        return Groups(("all",), of, np.ones((1, len(body.poses)), bool))
    sizes = np.zeros((len(body.poses), len(body.rest)))
    if isinstance(settings.examples, str) and settings.example_strength > 0:
        around = regions(body.rest, body.masses, body.elements, body.kind)
        for k, pose in enumerate(body.poses.values()):
            stretch = around.stretches(pose) - np.eye(3)
            sizes[k] = around.masses * np.square(stretch).sum(axis=(1, 2))
        groups = groups_of(body, settings.examples, sizes, who)
        return replace(groups, of=nearest_sets(body, groups.of, visible(sizes.sum(axis=0), 3.0 * around.masses)))
    return groups_of(body, settings.examples, sizes, who)


def _cluster(body: Body, members: NDArray[np.int64], shares: Array, functions: int, settings: Clusters) -> Cluster:
    masses = body.masses[members] * shares
    mass = float(masses.sum())
    masses = masses / mass
    offsets = body.rest[members] - masses @ body.rest[members]
    made = basis(offsets, masses, functions, TOLERANCE[body.kind])
    share = share_of(made, body.density, settings)
    weighed = masses[:, None] * made.phi
    rest = weighed.T @ offsets
    poses = np.zeros((len(body.poses), functions, 3))
    for k, pose in enumerate(body.poses.values()):
        fit = weighed.T @ (pose[members] - masses @ pose[members])
        # The descriptor D = R^T A~ in the cluster's own frame, the one that is nearest to rest.
        turn = proper_rotations(np.einsum("b,bi,bj->ij", share.kept, fit, rest)[None])[0]
        poses[k] = fit @ turn - rest
    return Cluster(members, shares, masses, mass, made, share, rest, poses)
