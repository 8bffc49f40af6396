"""Young's modulus of a graph that was made by hand: the k of (3) that makes it as hard as its material. The sides of
its shares are not known, so its edges cannot be beams (beams.py).

A small strain e of the whole body costs  k/2 sum_i sum_j v_j |e D_ij|^2 = k/2 tr(e B e),  B the sum of v_j D_ij D_ij^T
over all directed edges; a material that does not narrow when it is stretched costs E V / 2 |e|^2. So pulled along n

    E V  =  k n^T B n * (extent / span)

What a chain of N particles with N - 1 edges lacks at its ends is the last factor: how long the body is along n, by how
far its outermost particles are apart. A graph of few particles is different in every direction. What is seen of a body
is how it gives way along its length, so a principal axis counts by its second moment. In rods and sheets, which may be
curved, the same is asked of each particle by itself, an axis counts by how far its edges go along it, and the usual
particle is taken. All of this supposes that particles move as the body does. Bending is too hard, as always in (3)."""

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.graph import Graph
from pliant.models.oriented_particles.network import Network, network_of

Array = NDArray[np.float64]
FLAT = 0.1  # of the largest eigenvalue: where the third one is smaller, a graph is a sheet or a rod
_known: "WeakKeyDictionary[Graph, float]" = WeakKeyDictionary()


def modulus_of_one(graph: Graph) -> float:
    """E / k, m^2: Young's modulus of a graph whose k is 1. Found once for each graph."""
    if graph not in _known:
        _known[graph] = _modulus(graph, network_of(graph))
    return _known[graph]


def _modulus(graph: Graph, network: Network) -> float:
    offsets = graph.rest[network.neighbours] - graph.rest[network.owners]
    rows = graph.ellipsoids.volumes[network.neighbours, None, None] * offsets[:, :, None] * offsets[:, None, :]
    moments = np.zeros((len(graph.rest), 3, 3))
    np.add.at(moments, network.owners, rows)
    values = np.linalg.eigvalsh(moments)
    if not values[:, -1].any():  # no edges: nothing that could be stretched
        return 2.0 * network.length**2
    volumes = graph.masses / graph.density
    if np.median(values[:, 0] - FLAT * values[:, 2]) < 0:
        sums = np.maximum(values.sum(axis=1), 1e-300)
        return float(np.median((values**2).sum(axis=1) / sums / volumes))
    from_centre = graph.rest - graph.masses @ graph.rest / graph.mass
    weights, axes = np.linalg.eigh(np.einsum("n,ni,nj->ij", graph.masses, from_centre, from_centre))
    along = np.einsum("ia,nij,ja->a", axes, moments, axes) / volumes.sum()
    extents, spans = np.ptp(graph.skin.vertices @ axes, axis=0), np.ptp(graph.rest @ axes, axis=0)
    factors = np.maximum(extents / np.maximum(spans, 1e-2 * spans.max()), 1.0)
    return float((weights / weights.sum()) @ (along * factors))
