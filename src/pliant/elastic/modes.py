"""The lowest modes of a body: shapes u with K u = lambda M u, K the stiffness at rest and M the lumped masses.

Of a solid K is that of linear finite elements; of a shell or rod it is that of its rings: each ring resists every
motion of its members but a rigid one, which holds against stretching and bending alike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from pliant.body import Body
from pliant.elastic.elements import Elements, elements_of
from pliant.elastic.materials.lame import lame
from pliant.geometry.regions import regions
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]

RIGID_MODE = 1e-12  # of the stiffest lambda: below it a mode moves as a whole; rounding leaves about 1e-15
MODE_SHIFT = 1e-7  # of the stiffest lambda: makes K positive; what lies above it converges as fast as that below
DENSE_UNKNOWNS = 90  # unknowns: up to here all modes are found at once
MOST_MODE_UNKNOWNS = 100_000  # more do not fit as factors
RING_RANK = 1e-6  # of the largest singular value: a rigid motion below it is none, as the spin of a straight rod


@dataclass(frozen=True, eq=False)
class Modes:
    """frequencies (K,) Hz, rising; shapes (K, V, 3), each with u^T M u = 1 kg m^2, its largest component positive."""

    frequencies: Array
    shapes: Array


def lowest_modes(body: Body, count: int, young: float = 1e5, poisson: float = 0.3) -> Modes:
    """The modes of the lowest frequencies that are not rigid, as many as there are up to `count`.

    >>> tent = Body(np.eye(4, 3, -1), tets=[[0, 1, 2, 3]])
    >>> len(lowest_modes(tent, 99).shapes)  # twelve unknowns, of which six move it as a whole
    6
    """
    unknowns = 3 * len(body.rest)
    if unknowns > MOST_MODE_UNKNOWNS:
        raise SettingsError(
            f'modes: body "{body.name}" has {len(body.rest):,} particles; give at most {MOST_MODE_UNKNOWNS // 3:,}'
        )
    stiffness = solid_stiffness(elements_of(body), young, poisson) if body.kind == "solid" else ring_stiffness(body)
    return modes_of(stiffness, body.masses, count)


def solid_stiffness(elements: Elements, young: float, poisson: float) -> csc_array:
    """K (3 V, 3 V) N/m: of the corners a, b of a tet  vol (lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) I)."""
    mu, lam = lame(young, poisson)
    g, volume = elements.gradients, elements.volumes
    outer = np.einsum("t,tai,tbj->tabij", volume, g, g)
    along = np.einsum("tabii->tab", outer)
    blocks = lam * outer + mu * np.swapaxes(outer, 3, 4) + mu * along[..., None, None] * np.eye(3)
    return _assembled(elements.tets, blocks, elements.count)


def ring_stiffness(body: Body) -> csc_array:
    """K (3 V, 3 V) up to a factor: the sum over all rings of m~ |u less its best rigid motion|^2, over the square of
    the ring's radius."""
    parts = regions(body.rest, body.masses, body.elements, body.kind)
    matrices = []
    sizes = np.diff(parts.starts)
    for size in np.unique(sizes):
        which = np.flatnonzero(sizes == size)
        members = parts.members[parts.starts[which][:, None] + np.arange(size)]
        root = np.sqrt(parts.effective[members])
        offsets = body.rest[members] - parts.centres[which][:, None]
        motions = np.zeros((len(which), size, 3, 6))
        motions[..., :3] = np.eye(3)
        for k, axis in enumerate(np.eye(3)):
            motions[..., 3 + k] = np.cross(axis, offsets)
        radius = np.sqrt((root**2 * np.square(offsets).sum(axis=2)).sum(axis=1) / (root**2).sum(axis=1))
        motions[..., 3:] /= radius[:, None, None, None]
        weighed = (motions * root[:, :, None, None]).reshape(len(which), 3 * size, 6)
        u, s, _ = np.linalg.svd(weighed, full_matrices=False)
        u *= (s > RING_RANK * s[:, :1])[:, None, :]
        held = np.eye(3 * size) - u @ np.swapaxes(u, 1, 2)
        scale = np.repeat(root, 3, axis=1) / radius[:, None]
        blocks = (scale[:, :, None] * held * scale[:, None, :]).reshape(-1, size, 3, size, 3).swapaxes(2, 3)
        matrices.append(_assembled(members, blocks, len(body.rest)))
    return csc_array(sum(matrices[1:], start=matrices[0]))


def modes_of(stiffness: csc_array, masses: Array, count: int) -> Modes:
    """The lowest modes of K (3 V, 3 V) and lumped masses (V,) that are not rigid."""
    root = np.repeat(np.sqrt(masses), 3)
    scaled = csc_array(diags_array(1 / root) @ stiffness @ diags_array(1 / root))
    unknowns = len(root)
    stiffest = float(abs(scaled).sum(axis=0).max())
    pieces = int(connected_components(scaled, directed=False, return_labels=False))
    wanted = count + 6 * pieces
    if unknowns <= DENSE_UNKNOWNS or wanted >= unknowns // 2:
        values, vectors = np.linalg.eigh(scaled.toarray())
    else:
        factor = splu(csc_array(scaled + MODE_SHIFT * stiffest * diags_array(np.ones(unknowns))))
        inverse = LinearOperator((unknowns, unknowns), matvec=factor.solve, dtype=np.float64)
        start = np.random.default_rng(0).standard_normal(unknowns)  # the same modes each time
        largest, vectors = eigsh(inverse, wanted, which="LM", v0=start)
        values = 1 / largest - MODE_SHIFT * stiffest
    order = np.argsort(values, kind="stable")
    order = order[values[order] > RIGID_MODE * stiffest][:count]
    shapes = (vectors[:, order] / root[:, None]).T
    most = np.take_along_axis(shapes, np.abs(shapes).argmax(axis=1)[:, None], axis=1)
    frequencies = np.sqrt(values[order]) / (2 * np.pi)
    return Modes(frequencies, (shapes * np.sign(most)).reshape(len(order), -1, 3))


def _assembled(members: NDArray[np.integer], blocks: Array, count: int) -> csc_array:
    """(3 V, 3 V) from the blocks (N, n, n, 3, 3) of the particles (N, n)."""
    unknown = 3 * members[:, :, None].astype(np.int64) + np.arange(3)
    rows = np.broadcast_to(unknown[:, :, None, :, None], blocks.shape)
    columns = np.broadcast_to(unknown[:, None, :, None, :], blocks.shape)
    whole = coo_array((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(3 * count, 3 * count))
    return csc_array(whole)
