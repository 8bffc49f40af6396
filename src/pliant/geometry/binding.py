"""How a skin rides on tets: smooth weights on the particles near each of its vertices.

A vertex v of the skin is a sum over the particles within its reach R, by moving least squares with a linear basis:

    v = sum_j a_j x_j,     a_j = w_j (1, q_j)^T M^-1 (1, 0),     q_j = x0_j - v0,     M = sum_j w_j (1, q_j) (1, q_j)^T
    w_j = (1 - (d_j / R)^2)^2,     d_j = |q_j| / sqrt(trust_j),     sum_j (1 - (d_j / R)^8)^2 = 10  gives R

The a_j sum to 1 and sum_j a_j x0_j = v0, so every affine motion is met exactly. A particle comes and goes with weight 0
and slope 0. So it does in the sum that gives R, a count of the particles that are well within reach: R is a C1 function
of the place, and so are the a_j. (The distance of the 17th particle in place of R would have a kink wherever another
one becomes the 17th.) One tet a vertex, extrapolated, tears: neighbours on different tets part.

Near means near within the body. trust_j falls from 1 to 0 where the walk along edges of tets, from the tet that carries
the vertex to particle j, is much longer than the way through the air: the left leg does not move the skin of the
right one. In a body that is whole it is 1. Elsewhere that walk jumps from one carrier to the next, and the skin would
crack there, so trust is averaged over neighbours on the skin, which are never across a gap.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, eye_array
from scipy.spatial import cKDTree

from pliant.geometry.nearest import barycentric_in_tet
from pliant.geometry.rings import rings

Array = NDArray[np.float64]
Indices = NDArray[np.int32]
Numbers = NDArray[np.int64]

CARRIERS = 10.0  # particles well within reach, of about 15: with 7 the creases of coarse bodies show, 12 look no better
FULL = 0.8  # part of the particles that are counted where a body or a piece of it has few
SLOTS = 24  # particles that carry a vertex, at most. Where more are within reach, it ends at the 25th
LOOKED_AT = 36  # nearest particles in space, from which those near within the body are taken
HOPS = 3  # edges of tets in a walk: as far as a reach, with one to spare
DETOUR = 1.5  # a walk along edges of tets is longer than the way through the air: on even ones 1.22 times, else 1.5,
FREE_STEP = 1.0  # and longer by an edge, since it begins with a step to a corner of the carrier
SLACK = 0.5  # edges by which a longer walk has lost all trust: at 1 legs two cells below the crotch feel each other
SPREAD = 0.3  # edges of tets along the skin over which trust is averaged
MOST_ROUNDS = 40  # of averaging: skins finer than a tenth of a cell are averaged over less
LEAST_TRUST = 0.05  # below it a particle is across a gap
REACH_ROUNDS = 40  # of Newton's method for R, more than it takes
NEVER_ZERO = 1e-12  # trust below it is none, but keeps its place in a sparse matrix
IN_A_PLANE = 1e-5  # least eigenvalue of M in units of the reach: below it the particles of a vertex lie in a plane
VERTICES_AT_ONCE = 16_384  # vertices, which bounds the memory


def bind(points: Array, faces: Indices, rest: Array, tets: Indices, carriers: Indices) -> tuple[Indices, Array]:
    """Slots and weights (N, K) of points on particles, K up to 24: point n is the sum of weights[n] * rest[slots[n]].

    points (N, 3) m, each place once; faces (M, 3) of them; carriers (N,): the tet that each belongs to, which holds it
    or is next to it. Unused slots have the weight 0.

    >>> from pliant.geometry.grid import five_tets, grid_cells
    >>> rest, corners, places = grid_cells((2, 2, 2))
    >>> slots, weights = bind(np.array([[1.2, 2.1, 0.7]]), np.empty((0, 3), int), rest, five_tets(corners, places), [0])
    >>> slots.shape, (weights[0] @ rest[slots[0]]).round(9).tolist()
    ((1, 16), [1.2, 2.1, 0.7])
    """
    middle = rest.mean(axis=0)  # far from the origin digits would be lost
    points, rest = points - middle, rest - middle
    corners = tets[np.asarray(carriers, dtype=np.intp)]
    count = len(rest)
    width = 4 * -(-min(SLOTS, count) // 4)
    if len(points) == 0:
        return np.zeros((0, width), np.int32), np.zeros((0, width))
    air, near = _candidates(points, rest, corners)
    trust = _trust(air, near, points, rest, tets, corners)
    trust = _averaged(trust, air, near, points, faces, mean_edge(rest, tets))
    slots, weights = np.zeros((len(points), width), np.int32), np.zeros((len(points), width))
    for first in range(0, len(points), VERTICES_AT_ONCE):
        some = slice(first, first + VERTICES_AT_ONCE)
        chosen, shares, reach = _nearest(air[some], near[some], trust[some], min(width, count))
        found, sound = _first_order(points[some], rest[chosen], shares, reach)
        wide = chosen.shape[1]
        slots[some, :wide] = np.where(found != 0, chosen, chosen[:, :1])
        slots[some, wide:] = chosen[:, :1]
        weights[some, :wide] = found
        alone = np.flatnonzero(~sound) + first
        slots[alone, :4], slots[alone, 4:] = corners[alone], corners[alone, :1]
        weights[alone], weights[alone, :4] = 0.0, barycentric_in_tet(points[alone], rest[corners[alone]])
    used = 4 * -(-int((weights != 0).sum(axis=1).max()) // 4)  # the farthest come last
    return slots[:, :used], weights[:, :used]


def _candidates(points: Array, rest: Array, corners: Indices) -> tuple[Array, Numbers]:
    """Distances and particles (N, C): the nearest in space and the corners of the carrier. What stands there twice is
    infinitely far the second time."""
    looked_at = min(LOOKED_AT, len(rest))
    air, near = cKDTree(rest).query(points, k=np.arange(1, looked_at + 1))
    own = np.linalg.norm(points[:, None] - rest[corners], axis=2)
    own[(corners[:, :, None] == near[:, None, :]).any(axis=2)] = np.inf
    return np.concatenate([air, own], axis=1), np.concatenate([near, corners.astype(np.int64)], axis=1)


def _trust(air: Array, near: Numbers, points: Array, rest: Array, tets: Indices, corners: Indices) -> Array:
    """(N, C), from 1 for particles that are near within the body to 0 for those across a gap."""
    count = len(rest)
    starts, members = rings(tets, count)
    owner = np.repeat(np.arange(count), np.diff(starts))
    lengths = np.linalg.norm(rest[owner] - rest[members], axis=1)
    spacing = np.bincount(owner, lengths, count) / np.maximum(np.diff(starts) - 1, 1)
    sources, row = np.unique(corners, return_inverse=True)
    row = row.reshape(corners.shape)
    keys, walks = _walks(sources, starts, members, lengths)
    trust = np.empty_like(air)
    for first in range(0, len(points), VERTICES_AT_ONCE):
        some = slice(first, first + VERTICES_AT_ONCE)
        shortest = np.full(near[some].shape, np.inf)
        for k in range(4):
            asked = row[some, k, None] * count + near[some]
            at = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
            start = np.linalg.norm(points[some] - rest[corners[some, k]], axis=1)
            np.minimum(shortest, np.where(keys[at] == asked, start[:, None] + walks[at], np.inf), out=shortest)
        away = np.where(np.isfinite(air[some]), air[some], 0.0)
        edge = spacing[near[some]]
        detour = np.maximum(shortest - DETOUR * away - FREE_STEP * edge, 0.0) / (SLACK * edge)
        trust[some] = np.maximum(1.0 - detour, 0.0)
    return trust


def _walks(sources: Indices, starts: Indices, members: Indices, lengths: Array) -> tuple[Numbers, Array]:
    """The shortest walks of at most HOPS edges: keys, rising, row of the source * particles + particle; lengths m."""
    count = len(starts) - 1
    sizes = np.diff(starts).astype(np.int64)
    keys = np.arange(len(sources), dtype=np.int64) * count + sources
    walks = np.zeros(len(keys))
    for _ in range(HOPS):
        at = keys % count
        before = np.repeat(np.arange(len(keys)), sizes[at])
        step = np.arange(len(before)) - np.repeat(np.cumsum(sizes[at]) - sizes[at], sizes[at]) + starts[at][before]
        further, longer = (keys - at)[before] + members[step], walks[before] + lengths[step]
        order = np.lexsort((longer, further))
        further, longer = further[order], longer[order]
        shortest = np.concatenate([[True], further[1:] != further[:-1]])
        keys, walks = further[shortest], longer[shortest]
    return keys, walks


def _averaged(trust: Array, air: Array, near: Numbers, points: Array, faces: Indices, edge: float) -> Array:
    """The trust (N, C) of each vertex in each particle, and that of its neighbours on the skin in the same one."""
    doubted = np.unique(near[trust < 1.0])
    if len(doubted) == 0 or len(faces) == 0:
        return trust
    links = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).astype(np.int64)
    links = np.unique(np.sort(links, axis=1), axis=0)
    links = links[links[:, 0] != links[:, 1]]
    lengths = np.linalg.norm(points[links[:, 0]] - points[links[:, 1]], axis=1)
    if len(links) == 0 or not lengths.any():
        return trust
    # A round of averages over the six neighbours of an even skin spreads by the square root of 6/7 of an edge.
    rounds = round(7 / 6 * (SPREAD * edge / float(lengths[lengths > 0].mean())) ** 2)
    is_doubted = np.zeros(int(near.max()) + 1, dtype=bool)
    is_doubted[doubted] = True
    where = np.nonzero(is_doubted[near] & np.isfinite(air))
    # A vertex that has not looked at a particle has no say in it: sums are over those that have.
    pairs, shape = (where[0], near[where]), (len(points), len(is_doubted))
    told = coo_array((np.ones(len(where[0])), pairs), shape=shape).tocsr()
    row, column = np.concatenate([links, links[:, ::-1]]).T
    neighbours = coo_array((np.ones(len(row)), (row, column)), shape=(len(points),) * 2).tocsr()
    neighbours = csr_array(neighbours + eye_array(len(points)))
    values = coo_array((np.maximum(trust[where], NEVER_ZERO), pairs), shape=shape).tocsr()
    all_of = _where_told(neighbours @ told, told)
    for _ in range(min(rounds, MOST_ROUNDS)):
        values.data = _where_told(neighbours @ values, told) / all_of
    trust = trust.copy()
    trust[where] = values[pairs]
    return trust


def _where_told(sums: csr_array, told: csr_array) -> Array:
    """The entries of a product of positive matrices in the order of the pattern `told`, all of whose entries it has."""
    kept = csr_array(sums.multiply(told))
    kept.sort_indices()
    return kept.data


def _nearest(air: Array, near: Numbers, trust: Array, width: int) -> tuple[Numbers, Array, Array]:
    """The nearest particles (N, width) in which a vertex trusts, their weights, and the distance (N,) at which these
    fall to 0."""
    away = np.where(trust >= LEAST_TRUST, air / np.sqrt(np.maximum(trust, LEAST_TRUST)), np.inf)
    order = np.argsort(away, axis=1, kind="stable")
    away, near = np.take_along_axis(away, order, axis=1), np.take_along_axis(near, order, axis=1)
    shares, reach = falling(away, width)
    return near[:, :width], shares, reach


def falling(away: Array, width: int, carriers: float = CARRIERS) -> tuple[Array, Array]:
    """Weights (1 - (d / R)^2)^2 of the nearest `width` particles at distances (N, C), rising; and the reach R (N,):
    that of `carriers`, or the distance of the next particle if that is less."""
    reach = reach_of(away, carriers)
    if away.shape[1] > width:
        reach = np.minimum(reach, away[:, width])
    return np.maximum(1.0 - (away[:, :width] / np.maximum(reach, 1e-300)[:, None]) ** 2, 0.0) ** 2, reach


def reach_of(away: Array, carriers: float = CARRIERS) -> Array:
    """The reach R (N,) of points at these distances (N, C) from particles, rising, infinite where there is none:
    sum_j (1 - (d_j / R)^8)^2 is `carriers`, or 0.8 times the number of particles if that is less.

    >>> float(reach_of(np.ones((1, 20)))[0].round(3))
    1.166
    """
    known = np.isfinite(away)
    wanted = np.minimum(carriers, FULL * known.sum(axis=1))
    last = np.minimum(known.sum(axis=1), int(np.ceil(carriers / FULL))) - 1
    scale = np.maximum(np.take_along_axis(away, last[:, None], axis=1)[:, 0], 1e-300)
    powers = np.where(known, (np.where(known, away, 0.0) / scale[:, None]) ** 8, 1e300)
    # The sum is convex and falls with u = (scale / R)^8, so Newton's steps from the left rise to where it is as wanted
    # and never beyond. Here it is more: each of the first carriers / FULL particles, or of all, counts FULL or more.
    u = np.full(len(away), 1.0 - np.sqrt(FULL))
    for _ in range(REACH_ROUNDS):
        left = np.maximum(1.0 - powers * u[:, None], 0.0)
        slope = 2.0 * (left * powers).sum(axis=1)
        step = np.where(slope > 0, (left**2).sum(axis=1) - wanted, 0.0) / np.maximum(slope, 1e-300)
        u = u + step
        if np.abs(step).max(initial=0.0) < 1e-14:
            break
    return scale / u**0.125


def _first_order(points: Array, places: Array, shares: Array, reach: Array) -> tuple[Array, NDArray[np.bool_]]:
    """The weights a (N, K) of the formula above, and which rows (N,) are sound: the others lie in a plane."""
    arms = (places - points[:, None]) / reach[:, None, None]
    basis = np.concatenate([np.ones((*shares.shape, 1)), arms], axis=2)
    shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
    moments = np.einsum("nk,nki,nkj->nij", shares, basis, basis)
    sound = np.linalg.eigvalsh(moments)[:, 0] > IN_A_PLANE
    moments[~sound] = np.eye(4)
    wanted = np.linalg.solve(moments, np.tile([[1.0], [0.0], [0.0], [0.0]], (len(points), 1, 1)))[:, :, 0]
    return shares * np.einsum("nki,ni->nk", basis, wanted), sound


def mean_edge(rest: Array, tets: Indices) -> float:
    """The mean edge of the tets, m."""
    pairs = np.unique(np.sort(tets[:, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]].reshape(-1, 2), axis=1), axis=0)
    return float(np.linalg.norm(rest[pairs[:, 0]] - rest[pairs[:, 1]], axis=1).mean())
