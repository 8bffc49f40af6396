"""Young's modulus of a graph whose edges know their sides: each edge is a beam between two rigid shares.

Two shares meet in a side of area A, whose middle is p_i = c - X_i from the one and p_j from the other. Let the material
between their centres, |D| apart, be as far from rest as the two are, were they rigid, at that side. What it costs is

    alpha/2 |x_j + R_j p_j - x_i - R_i p_i|^2  +  1/2 tr (R_j - R_i) N (R_j - R_i)^T,      alpha = E A / |D|

the first for the gap that opens between them, the second for what turns about the middle of the side: bent about an
axis in it by a small angle, a section of second moment I costs E I / |D|, so N = alpha / A * (moments of the side),
and a twist about the normal as much as the weaker of the two bends (exact for a round bar and for a plate, E = 2 G).
This is the rigid-body-spring network of Kawai (1978); with shares that are Voronoi cells of their centres it is
elastically homogeneous with Poisson's ratio 0 (Bolander & Saito 1998): strained by e, the sides of a share are pulled
by alpha e D = E e A n, a constant stress, which is in balance because the sides of a share are closed.

In (3) the particle i sees j from its own centre only. That is the same but for R_i (v_j D_ij) in place of alpha R_i p_i
and another moment, so a step goes as before: nothing but the constants of the edges differs. It is also why (3) bends
too little: in a grid of cubes l wide, where the neighbour's turn costs l^2 / 6 and its own view of it l^2 / 4 beside
the (H^2 - l^2) / 12 of the stretch, a bar of thickness H is as hard to bend as one of sqrt(H^2 + 4 l^2).

Shares of few cells are not quite Voronoi's, and small sides have no edge. So alpha is chosen anew, as near to A / |D|
as can be, such that what pulls at a share under any strain is what pulls at its sides:

    sum_j alpha_ij D_ij = sum_j A_ij n_ij    for every share i

Of all positive alpha that fulfil it, that of least relative entropy is alpha_0 exp(D . (l_i - l_j)); the l_i are found
by Newton's method, on a system like that of a truss with the same edges."""

from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.turning import rotation_matrices
from pliant.graph import Graph
from pliant.graph.sides import Sides
from pliant.models.oriented_particles import layout as at
from pliant.models.oriented_particles.network import Network, network_of

Array = NDArray[np.float64]
# Dimensionless, of the truss's mean stiffness: what is asked of the l_i beside the balance. Sheets and rods have
# directions in which no edge goes. Half or twice of it changes how far a bar hangs by less than 1 %.
REGULAR = 1e-2
MOST_ROUNDS = 20
BALANCED = 1e-6  # of the largest side: Newton's method ends when all shares are in balance up to this
_known: "WeakKeyDictionary[Graph, Network]" = WeakKeyDictionary()


def beams_of(graph: Graph) -> Network:
    """The network of a graph that was made from a body, for a material of 1 Pa. Made once for each graph."""
    if graph not in _known:
        assert graph.sides is not None
        _known[graph] = _beams(graph, graph.sides, network_of(graph))
    return _known[graph]


def _beams(graph: Graph, sides: Sides, network: Network) -> Network:
    i, j = graph.elements.T.astype(np.int64)
    offsets = graph.rest[j] - graph.rest[i]
    lengths, areas = np.linalg.norm(offsets, axis=1), np.linalg.norm(sides.areas, axis=1)
    volumes = graph.ellipsoids.volumes
    # where shares meet in a corner only they hold together like a chain, and turn freely about it
    corner = areas <= 0
    areas = np.where(corner, (volumes[i] + volumes[j]) / (2 * lengths), areas)
    centres = np.where(corner[:, None], (graph.rest[i] + graph.rest[j]) / 2, sides.centres)
    alpha = balanced(i, j, offsets, areas / lengths, sides.inwards) if len(i) else areas
    bent = (alpha / areas)[:, None, None] * _turning(sides)

    pair = np.searchsorted(i * len(volumes) + j, _keys(network, len(volumes)))
    owners, neighbours, alpha, bent = network.owners, network.neighbours, alpha[pair], bent[pair]
    mine, other = centres[pair] - graph.rest[owners], centres[pair] - graph.rest[neighbours]
    edges = np.zeros_like(network.edges)
    apart = alpha[:, None, None] * other[:, :, None] * mine[:, None, :]
    edges[:, at.TURN : at.TURN + 9] = (bent + apart).reshape(-1, 9)
    edges[:, at.OFFSET : at.OFFSET + 3] = alpha[:, None] * mine
    edges[:, at.BACK : at.BACK + 3] = alpha[:, None] * other
    edges[:, at.BOTH], edges[:, at.JOINT] = alpha, 1.0 / alpha
    particles = network.particles.copy()
    particles[:, at.ARM : at.ARM + 3] = 0.0
    np.add.at(particles[:, at.ARM : at.ARM + 3], owners, edges[:, at.OFFSET : at.OFFSET + 3])
    goals = np.zeros_like(network.bends)
    for k, (name, pose) in enumerate(graph.poses.items()):
        # In a pose the two see the middle of their side half-way between where each of them by itself would take it.
        turns = rotation_matrices(graph.turns[name])
        seen = np.einsum("eji,ej->ei", turns[owners], pose[neighbours] - pose[owners])
        turned = np.einsum("eji,ejk->eik", turns[owners], turns[neighbours])
        middle = (mine + seen + np.einsum("eij,ej->ei", turned, other)) / 2
        goals[:, k, :9] = ((turned - np.eye(3)) @ bent / 2).reshape(-1, 9)
        goals[:, k, 9:12] = alpha[:, None] * (middle - mine)
    return replace(network, edges=edges, particles=particles, goals=goals)


def _keys(network: Network, count: int) -> NDArray[np.int64]:
    low, high = np.minimum(network.owners, network.neighbours), np.maximum(network.owners, network.neighbours)
    return low * count + high


def _turning(sides: Sides) -> Array:
    """(E, 3, 3) m^4: tr (R_j - R_i) M (R_j - R_i)^T is  w^T (tr M - M) w  for a small turn w. The moments of the side
    bend right; about the normal they are both resisted, and the larger is taken off."""
    values, axes = np.linalg.eigh(sides.moments)  # the normal has 0, the first
    largest, normals = values[:, 2, None, None], axes[:, :, 0]
    return sides.moments + largest * (normals[:, :, None] * normals[:, None, :] - np.eye(3) / 2)


def balanced(i: NDArray[np.int64], j: NDArray[np.int64], offsets: Array, alpha: Array, inwards: Array) -> Array:
    """alpha (E,) near the given ones, such that sum_j alpha_ij D_ij is `inwards` (N, 3), but for what no positive alpha
    can do."""
    from scipy.sparse import csr_array, diags_array, eye_array
    from scipy.sparse.linalg import spsolve

    size, count = inwards.size, len(alpha)
    rows = [(3 * each[:, None] + np.arange(3)).ravel() for each in (i, j)]
    columns = np.tile(np.repeat(np.arange(count), 3), 2)
    values = np.concatenate([offsets.ravel(), -offsets.ravel()])
    pulls = csr_array((values, (np.concatenate(rows), columns)), shape=(size, count))
    wanted, shifts, found = inwards.ravel(), np.zeros(size), alpha
    keep = REGULAR * float((pulls**2 @ alpha).mean())
    enough = BALANCED * float((alpha * np.linalg.norm(offsets, axis=1)).max())

    def potential(at_shifts: Array) -> float:
        return float(
            (alpha * np.exp(np.minimum(pulls.T @ at_shifts, 100.0))).sum()
            - wanted @ at_shifts
            + keep / 2 * at_shifts @ at_shifts
        )

    now = potential(shifts)
    for _ in range(MOST_ROUNDS):
        slope = pulls @ found - wanted + keep * shifts
        if np.abs(slope).max() < enough:
            break
        truss = pulls @ diags_array(found) @ pulls.T + keep * eye_array(size)
        step, part = spsolve(truss.tocsc(), -slope), 1.0
        while (ahead := potential(shifts + part * step)) > now + 1e-4 * part * (slope @ step) and part > 1e-6:
            part /= 2
        shifts, now = shifts + part * step, ahead
        found = alpha * np.exp(pulls.T @ shifts)
    return found
