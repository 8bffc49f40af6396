"""The constants of one graph: particles, directed edges, and how each pose changes what a particle sees."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.turning import rotation_matrices
from pliant.graph import Graph
from pliant.models.oriented_particles import layout as at

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Network:
    """Directed edges sorted by owner i; rows (N + 1,) point to the first of each. See layout.py for the numbers."""

    rows: NDArray[np.int64]
    owners: NDArray[np.int64]
    neighbours: NDArray[np.int64]
    reverse: NDArray[np.int64]  # the number of the edge j -> i
    particles: Array  # (N, PARTICLE)
    edges: Array  # (E, EDGE)
    bends: Array  # (E, K, BEND): what the weights of the poses are found with
    goals: Array  # (E, K, BEND): how a pose changes the edge; the same here, another one in beams.py
    shares: Array  # (E, K, K): what each edge adds to the Gram matrix of its owner's group
    whole: float  # the squared length of rest itself, in the same measure
    turn_sets: NDArray[np.int64]  # (B, 1 + LANES): particles that are no neighbours and turn together; first how many
    length: float  # mean length of the edges
    moments: Array  # Abar (N, 3, 3)


_known: WeakKeyDictionary[Graph, Network] = WeakKeyDictionary()


def network_of(graph: Graph) -> Network:
    """Made once for each graph."""
    if graph not in _known:
        _known[graph] = _network(graph)
    return _known[graph]


def _network(graph: Graph) -> Network:
    n = len(graph.rest)
    axes, radii, volumes = graph.ellipsoids.axes, graph.ellipsoids.radii, graph.ellipsoids.volumes
    # A = v/5 diag(a^2, b^2, c^2), Abar = E A E^T
    moments = np.einsum("nij,nj,nkj->nik", axes, volumes[:, None] / 5 * radii**2, axes)
    i, j = graph.elements.T.astype(np.int64)
    count = len(i)
    owners, neighbours = np.concatenate([i, j]), np.concatenate([j, i])
    order = np.lexsort([neighbours, owners])
    place = np.empty(2 * count, np.int64)
    place[order] = np.arange(2 * count)
    reverse = place[np.concatenate([np.arange(count, 2 * count), np.arange(count)])][order]
    owners, neighbours = owners[order], neighbours[order]
    rows = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=n))])

    offsets = graph.rest[neighbours] - graph.rest[owners]  # D_ij = X_j - X_i
    edges = np.zeros((2 * count, at.EDGE))
    edges[:, at.TURN : at.TURN + 9] = (moments[neighbours] + moments[owners]).reshape(-1, 9)
    edges[:, at.OFFSET : at.OFFSET + 3] = volumes[neighbours, None] * offsets
    edges[:, at.BACK : at.BACK + 3] = -volumes[owners, None] * offsets
    edges[:, at.BOTH] = volumes[owners] + volumes[neighbours]

    particles = np.zeros((n, at.PARTICLE))
    particles[:, at.MOMENT : at.MOMENT + 6] = moments[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    particles[:, at.VOLUME], particles[:, at.MASS] = volumes, graph.masses
    np.add.at(particles[:, at.ARM : at.ARM + 3], owners, edges[:, at.OFFSET : at.OFFSET + 3])

    bends = np.zeros((2 * count, len(graph.poses), at.BEND))
    steps = np.zeros((2 * count, len(graph.poses), 12))  # the same in a basis where lengths are energies
    roots = np.einsum("nij,nj->nij", axes, np.sqrt(volumes[:, None] / 5) * radii)  # E A^1/2
    for k, (name, pose) in enumerate(graph.poses.items()):
        turns = rotation_matrices(graph.turns[name])
        seen = np.einsum("eji,ej->ei", turns[owners], pose[neighbours] - pose[owners]) - offsets  # D^k - D^0
        bent = np.einsum("eji,ejk->eik", turns[owners], turns[neighbours]) - np.eye(3)  # Q^k - 1
        bends[:, k, :9] = (bent @ moments[neighbours]).reshape(-1, 9)
        bends[:, k, 9:12] = volumes[neighbours, None] * seen
        bends[:, k, 12] = np.trace(bends[:, k, :9].reshape(-1, 3, 3), axis1=1, axis2=2) + np.einsum(
            "ei,ei->e", bends[:, k, 9:12], offsets
        )
        steps[:, k, :9] = (bent @ roots[neighbours]).reshape(-1, 9)
        steps[:, k, 9:] = np.sqrt(volumes[neighbours, None]) * seen
    shares = np.einsum("eka,ela->ekl", steps, steps)
    length = float(np.linalg.norm(offsets, axis=1).mean()) if count else float(radii.mean())
    turn_sets = _turn_sets(rows, neighbours)
    whole = float((volumes[neighbours] * np.square(offsets).sum(axis=1)).sum() + np.square(roots[neighbours]).sum())
    return Network(
        rows, owners, neighbours, reverse, particles, edges, bends, bends, shares, whole, turn_sets, length, moments
    )


def _turn_sets(rows: NDArray[np.int64], neighbours: NDArray[np.int64]) -> NDArray[np.int64]:
    """Colours, so that no two neighbours have the same, each taking the first that is left; then cut to lanes."""
    colours: list[int] = []
    for i in range(len(rows) - 1):
        taken = {colours[j] for j in neighbours[rows[i] : rows[i + 1]] if j < i}
        colours.append(next(c for c in range(len(taken) + 1) if c not in taken))
    found = []
    for colour in range(max(colours, default=-1) + 1):
        members = [i for i, c in enumerate(colours) if c == colour]
        for cut in range(0, len(members), at.LANES):
            lane = members[cut : cut + at.LANES]
            found.append([len(lane), *lane, *[lane[0]] * (at.LANES - len(lane))])
    return np.array(found, np.int64)
