"""The numbering of particles: along a chain, or sweeping through the body."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import depth_first_order

from pliant.geometry.ordering import sweep_order
from pliant.graph.cells import Indices, symmetric

Array = NDArray[np.float64]


def in_order(centres: Array, edges: Indices, kind: str) -> Indices:
    """(N,) the particles in the order in which they are to be numbered, so that neighbours are near in memory.

    Where no particle has more than two neighbours (a rope, a bar, a ring), along the chain; a branching rod branch by
    branch; anything else in a sweep.
    """
    count = len(centres)
    degrees = np.bincount(edges.ravel(), minlength=count)
    sweep = sweep_order(centres).astype(np.int64)
    if kind != "rod" and degrees.max(initial=0) > 2:
        return sweep
    links = symmetric(edges, np.ones(len(edges)), count)
    # Ends first, as the rod itself numbers them; a ring has none.
    by_number = np.arange(count) if kind == "rod" else sweep
    starts = [*by_number[degrees[by_number] <= 1], *by_number]
    seen, order = np.zeros(count, dtype=bool), []
    for start in starts:
        if not seen[start]:
            reached = depth_first_order(links, start, directed=False, return_predecessors=False)
            seen[reached] = True
            order.append(reached)
    return np.concatenate(order).astype(np.int64)
