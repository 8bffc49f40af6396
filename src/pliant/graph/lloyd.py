"""From seeds to shares: every cell goes to the nearest centre, every centre to the middle of its cells (Lloyd).

A share grows only across sides that its cells have in common with others. So two legs that nearly touch never end up
in one share, and shares stay in one piece.
"""

import numpy as np
from numpy.typing import NDArray

from pliant.graph.cells import Indices, SimplexCells, pieces, summed

Array = NDArray[np.float64]

LLOYD_ROUNDS = 80
LEAST_GAIN = 5e-5  # of the spread: rounds end when one gains less
HANDED_ON = 3  # a cell may be handed on this far in a round


def settled(cells: SimplexCells, shares: Indices, count: int, rounds: int = LLOYD_ROUNDS) -> Indices:
    """The shares after Lloyd's rounds: as compact as they get from there, each in one piece and none empty."""
    before = np.inf
    for _ in range(rounds):
        shares = grown(cells, shares, middles(cells, shares, count))
        now = spread(cells, shares, count)
        if now > before * (1 - LEAST_GAIN):
            break
        before = now
    return whole(cells, shares, count)


def middles(cells: SimplexCells, shares: Indices, count: int) -> Array:
    """(count, 3) the centres of mass of the shares."""
    total = summed(shares, cells.volumes, count)
    sums = [summed(shares, cells.volumes * cells.centres[:, k], count) for k in range(3)]
    return np.stack(sums, axis=1) / np.where(total > 0, total, 1.0)[:, None]


def spread(cells: SimplexCells, shares: Indices, count: int) -> float:
    """The mean square distance of the cells from the centres of their shares (m^2): small for compact shares."""
    total = summed(shares, cells.volumes, count)
    centres = middles(cells, shares, count)
    return float(cells.inertia - total @ np.einsum("nj,nj->n", centres, centres)) / float(cells.volumes.sum())


def grown(cells: SimplexCells, shares: Indices, centres: Array, sweeps: int = HANDED_ON) -> Indices:
    """Cells handed to the share of a neighbour whose centre is nearer than their own."""
    a, b = cells.touching.T
    for _ in range(sweeps):
        at_border = np.zeros(len(shares), dtype=bool)  # only there has a cell a choice
        differ = shares[a] != shares[b]
        at_border[a[differ]] = at_border[b[differ]] = True
        who = np.flatnonzero(at_border)
        around = cells.neighbours[who]
        around = np.where(around < 0, who[:, None], around)
        offers = np.concatenate([shares[who][:, None], shares[around]], axis=1)
        away = cells.centres[who][:, None] - centres[offers]
        best = np.argmin(np.einsum("mkj,mkj->mk", away, away), axis=1)
        changed = best > 0
        if not changed.any():
            break
        shares = shares.copy()
        shares[who[changed]] = offers[changed, best[changed]]
    return shares


def whole(cells: SimplexCells, shares: Indices, count: int) -> Indices:
    """Shares in one piece each: smaller pieces go to those round them. An empty share takes half of the largest."""
    shares = _refilled(cells, shares, count)
    same = shares[cells.touching[:, 0]] == shares[cells.touching[:, 1]]
    piece = pieces(cells.touching[same], len(shares))
    sizes = np.bincount(piece, cells.volumes)
    order = np.lexsort((np.arange(len(piece)), -sizes[piece], shares))
    kept = np.full(count, -1)
    first = np.concatenate([[True], np.diff(shares[order]) > 0])
    kept[shares[order[first]]] = piece[order[first]]
    loose = piece != kept[shares]
    return _adopted(cells, shares, loose, count) if loose.any() else shares


def _adopted(cells: SimplexCells, shares: Indices, loose: NDArray[np.bool_], count: int) -> Indices:
    """Loose cells go to the nearest of the shares round them, ring by ring."""
    shares = np.where(loose, -1, shares)
    centres = middles(cells, np.where(loose, count, shares), count + 1)
    while (shares < 0).any():
        who = np.flatnonzero(shares < 0)
        around = cells.neighbours[who]
        offers = np.where(around < 0, -1, shares[around])
        away = cells.centres[who][:, None] - centres[offers]
        square = np.where(offers < 0, np.inf, np.einsum("mkj,mkj->mk", away, away))
        best = np.argmin(square, axis=1)
        reached = np.isfinite(square[np.arange(len(who)), best])
        shares[who[reached]] = offers[reached, best[reached]]
    return shares


def _refilled(cells: SimplexCells, shares: Indices, count: int) -> Indices:
    for share in np.flatnonzero(np.bincount(shares, minlength=count) == 0):
        shares = shares.copy()
        numbers = np.bincount(shares, minlength=count)
        sizes = np.where(numbers > 1, summed(shares, cells.volumes, count), 0.0)
        members = np.flatnonzero(shares == np.argmax(sizes))
        from_middle = cells.centres[members] - np.average(
            cells.centres[members], axis=0, weights=cells.volumes[members]
        )
        axis = np.linalg.svd(from_middle, full_matrices=False)[2][0]
        along = from_middle @ axis
        shares[members[along > np.median(along)] if (along > np.median(along)).any() else members[:1]] = share
    return shares
