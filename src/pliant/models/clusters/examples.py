"""The examples of an actor: descriptors that its clusters are blended from, which clusters share weights, their metric.

The goals minimise  sum_c k_c M_c sum_b K_b |R D~_b - A~_b|^2  (material.py), D~ = D^0 + sum_k w_k (D^k - D^0). So the
descriptor of a cluster is D = R^T A~, its metric K, and the weights are those that make this very sum least."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples import factors, free_poses, given_weights, visible
from pliant.models.clusters.constants import Whole, constants_of
from pliant.models.clusters.settings import Clusters
from pliant.models.clusters.stiffness import stiffnesses

Array = NDArray[np.float64]
LEAST_REMAINDER = 1.0 / 1024.0  # of the weights that are left to be found: where all are given, any number will do


@dataclass(frozen=True, eq=False)
class Examples:
    """Of one actor with C clusters: K poses whose weights are found, and N that clusters are blended from: these, then
    the given ones. G groups."""

    free: list[int]
    columns: list[int]  # (N,) numbers of poses
    descriptors: list[Array]  # of each cluster (N, B, 3): D^k - D^0, zero where it is not seen
    energies: Array  # (C,) k_c M_c, as a part of the body's
    upper: Array  # (G, K, K): U, with U^T U the Gram matrix of the group
    inverse: Array
    given: Array  # (C, N): weights that are given
    remainder: Array  # (C,) 1 - the sum of the given weights of its group
    offsets: Array  # (C, K): <D^0 + given, D^k - D^0>


def describe(body: Body, settings: Clusters, who: str = "") -> Examples:
    """How the poses of an actor look to its clusters."""
    whole = constants_of(body, settings, who)
    groups, free, columns = whole.groups, found_poses(body, settings), blended_poses(body, settings)
    seen = _seen(whole, settings)
    one = {"stiffness": 1.0} if settings.young is None else {"young": 1.0}
    hard = stiffnesses(whole, Clusters(**one))
    energies = hard * np.array([cluster.mass for cluster in whole.clusters])
    energies /= energies.sum() or 1.0
    descriptors = []
    grams = np.zeros((len(groups.names) + 1, len(free), len(free)))
    for number, (cluster, group) in enumerate(zip(whole.clusters, groups.of, strict=True)):
        inside = group < len(groups.names)
        told = np.zeros(len(columns), bool)
        if inside:
            told[:] = True
            told[: len(free)] = (seen[:, number] & groups.seen[group])[free]
        shown = np.where(told[:, None, None], cluster.poses[columns], 0.0)
        descriptors.append(shown)
        among = shown[: len(free)]
        grams[group] += energies[number] * np.einsum("b,kbi,lbi->kl", cluster.share.kept, among, among)
    upper, inverse = factors(grams[:-1]) if free else (grams[:-1], grams[:-1])
    none = np.zeros((len(whole.clusters), 0))
    found = Examples(free, columns, descriptors, energies, upper, inverse, none, none, none)
    return give(body, settings, found)


def give(body: Body, settings: Clusters, found: Examples) -> Examples:
    """The same with the weights that are given now. What is given acts in all groups, what is found in its own."""
    whole = constants_of(body, settings)
    groups, count = whole.groups, len(found.free)
    weights = given_weights(body.poses, settings.forced)
    inside = groups.of < len(groups.names)
    given = np.where(inside[:, None], weights[found.columns], 0.0)
    taken = np.append(groups.seen @ weights, 0.0)[groups.of]
    offsets = np.zeros((len(inside), count))
    for number, (cluster, shown) in enumerate(zip(whole.clusters, found.descriptors, strict=True)):
        shape = cluster.rest + np.einsum("k,kbi->bi", given[number], shown)
        offsets[number] = np.einsum("b,bi,kbi->k", cluster.share.kept, shape, shown[:count])
    return replace(found, given=given, remainder=np.maximum(0.0, 1.0 - taken), offsets=offsets)


def sees(body: Body, settings: Clusters) -> NDArray[np.bool_]:
    """(K,) which poses it can tell from rest, in some cluster at least where each has weights of its own."""
    return np.asarray(_seen(constants_of(body, settings), settings).any(axis=1))


def _seen(whole: Whole, settings: Clusters) -> NDArray[np.bool_]:
    """(K, C): a pose is seen everywhere or nowhere, but where each cluster has weights of its own."""
    masses = np.array([cluster.mass for cluster in whole.clusters])
    sizes = np.stack([np.square(cluster.poses).sum(axis=(1, 2)) for cluster in whole.clusters], axis=1) * masses
    rest = np.array([np.square(cluster.rest).sum() for cluster in whole.clusters]) * masses
    if settings.examples == "regions":
        return visible(sizes, rest)
    return np.repeat(visible(sizes.sum(axis=1), rest.sum())[:, None], len(masses), axis=1)


def found_poses(body: Body, settings: Clusters) -> list[int]:
    """The numbers of the poses whose weights are to be found; at strength 0 none is."""
    return free_poses(body.poses, settings.forced) if settings.example_strength > 0 else []


def blended_poses(body: Body, settings: Clusters) -> list[int]:
    """The same, and then all others if some are given."""
    free = found_poses(body, settings)
    return free + [number for number in range(len(body.poses)) if number not in free] if settings.forced else free
