"""Named groups of the drawn vertices as groups of particles."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, diags_array
from scipy.sparse.linalg import spsolve

from pliant.geometry.rings import rings
from pliant.volume.draft import Binding

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

MOSTLY = 0.5  # part of a particle's skin that must belong to the group
LEAST_WEIGHT = 1e-3  # weight below which a particle carries no skin to speak of


def particle_groups(
    groups: Mapping[str, Indices], binding: Binding, elements: Indices, count: int
) -> dict[str, Indices]:
    """For each group of bound points (rows of the binding) the particles (rising) whose skin mostly belongs to it.

    Particles inside, which carry no skin, go with those
    around them. A group that is too small to hold the better part of any particle gets those that carry it. A group
    without a point is left out.
    """
    weights = np.maximum(binding.weights, 0.0)
    carried = np.bincount(binding.slots.ravel(), weights.ravel(), minlength=count)
    bearing = carried > LEAST_WEIGHT
    spread = _spreading(elements, bearing)
    result = {}
    for name, points in groups.items():
        member = np.zeros(len(binding.slots))
        member[points] = 1.0
        if not member.any():
            continue
        mine = np.bincount(binding.slots.ravel(), (weights * member[:, None]).ravel(), minlength=count)
        part = np.where(bearing, mine / np.maximum(carried, LEAST_WEIGHT), 0.0)
        chosen = np.flatnonzero(spread(part) > MOSTLY)
        if len(chosen) == 0:
            chosen = np.flatnonzero(part >= part.max() / 2)
        result[name] = chosen.astype(np.int32)
    return result


def _spreading(elements: Indices, known: NDArray[np.bool_]) -> Callable[[Array], Array]:
    """A function that gives the particles without a value the mean of their neighbours'."""
    count = len(known)
    unknown = np.flatnonzero(~known)
    starts, members = rings(elements, count)
    row = np.repeat(np.arange(count), np.diff(starts))
    other = row != members
    graph = coo_array((np.ones(other.sum()), (row[other], members[other])), shape=(count, count)).tocsr()
    laplacian = diags_array(graph.sum(axis=1) + 1e-9) - graph  # the little: a piece without any skin stays at 0
    inner = laplacian.tocsr()[unknown]

    def spread(values: Array) -> Array:
        if len(unknown) == 0:
            return values
        result = values.copy()
        known_part = np.where(known, values, 0.0)
        result[unknown] = spsolve(inner[:, unknown].tocsc(), -(inner @ known_part))
        return result

    return spread
