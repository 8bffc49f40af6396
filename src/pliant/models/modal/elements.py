"""Small strains of a mesh of tets: stiffness for a modulus of 1 Pa, strains of fields, and how fields turn."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.elements import Elements
from pliant.elastic.materials.lame import lame

if TYPE_CHECKING:
    from scipy.sparse import csc_array

Array = NDArray[np.float64]


def stiffness_matrix(
    elements: Elements, poisson: float, chosen: NDArray[np.bool_] | None = None
) -> "csc_array":
    """(3 V, 3 V) K for a Young's modulus of 1 Pa, of all tets or those chosen. With the gradients g of the corners'
    weights, the block of two corners is  V (lambda g_a g_b^T + mu g_b g_a^T + mu g_a . g_b)."""
    from scipy.sparse import coo_array

    mu, lam = lame(1.0, poisson)
    g = elements.gradients
    outer = np.einsum("tai,tbj->tabij", g, g)
    blocks = lam * outer + mu * np.swapaxes(outer, 3, 4)
    blocks += mu * np.einsum("tai,tbi->tab", g, g)[..., None, None] * np.eye(3)
    volumes = elements.volumes if chosen is None else np.where(chosen, elements.volumes, 0.0)
    blocks *= volumes[:, None, None, None, None]
    unknowns = 3 * elements.tets[:, :, None] + np.arange(3)  # (T, 4, 3)
    rows = np.broadcast_to(unknowns[:, :, None, :, None], blocks.shape)
    columns = np.broadcast_to(unknowns[:, None, :, None, :], blocks.shape)
    size = 3 * elements.count
    entries = blocks.reshape(-1), (rows.reshape(-1), columns.reshape(-1))
    matrix = coo_array(entries, shape=(size, size)).tocsc()
    return (matrix + matrix.T).tocsc() * 0.5


def gradients_of(elements: Elements, fields: Array) -> Array:
    """(T, 3, 3, R) du_i/dX_j in each tet, of fields (3 V, R) of displacements."""
    corners = fields.reshape(elements.count, 3, -1)[elements.tets]
    return np.einsum("taj,tair->tijr", elements.gradients, corners)


def strain_metric(elements: Elements, poisson: float, one: Array, other: Array, chosen: NDArray[np.bool_]) -> Array:
    """(R, S) K of some tets between fields of displacements, for a modulus of 1 Pa."""
    mu, lam = lame(1.0, poisson)
    a, b = (gradients_of(elements, each)[chosen] for each in (one, other))
    a, b = (0.5 * (each + np.swapaxes(each, 1, 2)) for each in (a, b))
    weighed = elements.volumes[chosen, None, None, None] * a
    found = 2.0 * mu * np.tensordot(weighed, b, ((0, 1, 2), (0, 1, 2)))
    traces = np.einsum("tiir->tr", weighed), np.einsum("tiir->tr", b)
    whole: Array = found + lam * traces[0].T @ traces[1]
    return whole


def turns_of(elements: Elements, fields: Array) -> Array:
    """(3 V, R) Psi: half the curl of fields of displacements at each particle, from the tets round it by volume."""
    g = gradients_of(elements, fields)
    curls = 0.5 * np.stack([g[:, 2, 1] - g[:, 1, 2], g[:, 0, 2] - g[:, 2, 0], g[:, 1, 0] - g[:, 0, 1]], axis=1)
    return around(elements, curls).reshape(3 * elements.count, -1)


def around(elements: Elements, values: Array) -> Array:
    """(V, ...) of particles from values (T, ...) of tets, by volume."""
    total = np.zeros((elements.count, *values.shape[1:]))
    share = np.zeros(elements.count)
    volumes = elements.volumes.reshape(-1, *[1] * (values.ndim - 1))
    for corner in range(4):
        np.add.at(total, elements.tets[:, corner], volumes * values)
        np.add.at(share, elements.tets[:, corner], elements.volumes)
    kept: Array = total / share.reshape(-1, *[1] * (values.ndim - 1))
    return kept
