"""Which particles form a cluster: cells around seeds, well spread along the mesh, and some way into the next cell."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from pliant.body import Body
from pliant.geometry.rings import rings

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

# Dimensionless: a particle also belongs to clusters whose seed is farther than its own by up to this part. Half of it:
# joints between clusters are hinges one ring wide. Twice: neighbours hold nearly the same particles and resist bends.
OVERLAP = 0.5
ROUNDS = 4  # of moving seeds to the middle of their cells; more hardly change them


@dataclass(frozen=True, eq=False)
class Partition:
    """C clusters. members: particles of each, in rising order; sets (C,): the set of particles each was made for."""

    members: list[Ints]
    sets: Ints


def partition(body: Body, wanted: int, sets: Ints) -> Partition:
    """At least so many clusters, and one for each set of particles at least; sets (V,): the number of each particle's.

    >>> from pliant.shapes import cuboid
    >>> [len(m) for m in partition(cuboid(cells=(2, 2, 2)), 1, np.zeros(27, int)).members]
    [27]
    """
    count, kinds = len(body.rest), np.unique(sets)
    if wanted == 1 and len(kinds) == 1:
        return Partition([np.arange(count)], kinds.astype(np.int64))
    graph = _edges(body)
    seeds: list[int] = []
    owners: list[int] = []
    for kind in kinds:
        inside = np.flatnonzero(sets == kind)
        number = min(len(inside), max(1, round(wanted * len(inside) / count)))
        seeds += _spread(body.rest, graph, inside, number)
        owners += [int(kind)] * number
    far = _distances(body.rest, graph, seeds)
    near = np.where(np.asarray(owners)[:, None] == sets, far, np.inf)  # cells do not cross the border of a set
    cells = near.argmin(axis=0)
    own = far[cells, np.arange(count)]
    starts, ring = rings(body.elements, count)
    members = []
    for number in range(len(seeds)):
        held = far[number] <= (1.0 + OVERLAP) * own
        for particle in np.flatnonzero(cells == number):
            held[ring[starts[particle] : starts[particle + 1]]] = True
        members.append(np.flatnonzero(held))
    return Partition(members, np.asarray(owners, np.int64))


def nearest_sets(body: Body, sets: Ints, told: NDArray[np.bool_]) -> Ints:
    """The same sets, with the particles that are not told (no pose deforms them) in that of the nearest one that is."""
    if told.all() or not told.any() or (sets == sets[0]).all():
        return sets
    _, _, sources = dijkstra(
        _edges(body).tocsr(), indices=np.flatnonzero(told), min_only=True, return_predecessors=True
    )
    found = np.where(sources >= 0, sets[np.maximum(sources, 0)], sets)
    return np.asarray(np.where(told, sets, found), np.int64)


def _edges(body: Body) -> coo_array:
    """The mesh as a graph, with the lengths of its edges."""
    starts, members = rings(body.elements, len(body.rest))
    own = np.repeat(np.arange(len(body.rest)), np.diff(starts))
    lengths = np.linalg.norm(body.rest[members] - body.rest[own], axis=1)
    return coo_array((lengths, (own, members)), shape=(len(body.rest),) * 2)


def _distances(rest: Array, graph: coo_array, seeds: list[int]) -> Array:
    """(seeds, V) m along the mesh; beyond all of that, and through the air, where the mesh is in pieces."""
    far: Array = dijkstra(graph.tocsr(), indices=seeds)
    apart = ~np.isfinite(far)
    if apart.any():
        through = np.linalg.norm(rest - rest[seeds][:, None], axis=2)
        far = np.where(apart, far[~apart].max(initial=0.0) + through, far)
    return far


def _spread(rest: Array, graph: coo_array, inside: Ints, number: int) -> list[int]:
    """Seeds among the particles `inside`: each the farthest from those before it, then moved to the middle."""
    middle = rest[inside].mean(axis=0)
    if number == 1:
        return [int(inside[np.square(rest[inside] - middle).sum(axis=1).argmin()])]
    seeds = [int(inside[np.square(rest[inside] - middle).sum(axis=1).argmax()])]
    while len(seeds) < number:
        nearest = _distances(rest, graph, seeds).min(axis=0)[inside]
        seeds.append(int(inside[nearest.argmax()]))
    for _ in range(ROUNDS):
        cells = _distances(rest, graph, seeds)[:, inside].argmin(axis=0)
        for k in range(number):
            cell = inside[cells == k]
            if len(cell):
                seeds[k] = int(cell[np.square(rest[cell] - rest[cell].mean(axis=0)).sum(axis=1).argmin()])
    return seeds
