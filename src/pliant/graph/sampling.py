"""How a body is shared out: well-spread seeds that grow, or regular shares where the body has them."""

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra

from pliant.body.body import Body
from pliant.graph.cells import Indices, SimplexCells, cells_of
from pliant.graph.lloyd import settled, spread
from pliant.graph.regular import bricks, lengths, slices

Array = NDArray[np.float64]

# Cells for each share, and fewest: few to find the shares, more to draw their borders well.
COARSE_CELLS, FINE_CELLS = (10, 1000), {"solid": (25, 4000), "shell": (40, 3000), "rod": (100, 3000)}
ROUNDS_FINE = 20
STARTS = 3, 40  # so many different starts where there are at most so many particles
CUBES = 1.25  # bricks are taken whose spread is at most so many times that of cubes of their volume
REGULAR = 1.15  # regular shares are taken even when their spread is so many times that of irregular ones


FOUND_SHARES: dict[tuple[bytes, int, int], Indices] = {}  # the shares found last
MOST_KNOWN = 16


def shared_out(body: Body, count: int, seed: int) -> tuple[SimplexCells, Indices]:
    """Cells of the body, and which of `count` shares each belongs to.

    The shares are remembered for a while: a body with another pose or skin has the same.
    """
    fine = cells_of(body, _many(FINE_CELLS[body.kind], count))
    key = (_digest(body), count, seed)
    share = FOUND_SHARES.get(key)
    if share is None:
        share = _shares(body, fine, count, seed)
        while len(FOUND_SHARES) >= MOST_KNOWN:
            FOUND_SHARES.pop(next(iter(list(FOUND_SHARES))), None)
        FOUND_SHARES[key] = share
    return fine, share


def _digest(body: Body) -> bytes:
    return blake2b(body.rest.tobytes() + body.elements.tobytes() + repr(body.thickness).encode()).digest()


def _shares(body: Body, fine: SimplexCells, count: int, seed: int) -> Indices:
    regular = lengths(fine, count) if body.kind == "rod" else bricks(fine, count)
    if regular is not None and (body.kind == "rod" or spread(fine, regular, count) <= CUBES * _of_cubes(fine, count)):
        return regular
    coarse = cells_of(body, _many(COARSE_CELLS, count))
    best = _best_spread(coarse, count, np.random.default_rng(seed))
    most = REGULAR * spread(coarse, best, count)
    if regular is not None and spread(fine, regular, count) <= most:
        return regular
    sliced = slices(coarse, count)
    if sliced is not None:
        sliced = settled(coarse, sliced, count)
        best = sliced if spread(coarse, sliced, count) <= most else best
    best = np.repeat(best, len(fine.corners) // len(coarse.corners))
    return settled(fine, best, count, ROUNDS_FINE)


def _of_cubes(cells: SimplexCells, count: int) -> float:
    """The spread (m^2) if the shares were cubes; squares, if the body is a shell."""
    if cells.corners.shape[1] == 4:
        return 3 * (float(cells.volumes.sum()) / count) ** (2 / 3) / 12
    return 2 * cells.area / count / 12


def _many(numbers: tuple[int, int], count: int) -> int:
    each, fewest = numbers
    return max(each * count, fewest)


def _best_spread(cells: SimplexCells, count: int, rng: np.random.Generator) -> Indices:
    """The most compact of some tries from different seeds."""
    tries, small = STARTS
    found = [settled(cells, farthest_points(cells, count, rng), count) for _ in range(tries if count <= small else 1)]
    return min(found, key=lambda shares: spread(cells, shares, count))


def farthest_points(cells: SimplexCells, count: int, rng: np.random.Generator) -> Indices:
    """(M,) the share of each cell when `count` points are taken as far apart as can be, and each cell goes to the
    nearest: every next point is the one farthest from those before it, along the body.

    A piece of the body that has no point yet is infinitely far: every piece gets one.
    """
    walk = cells.edges
    away, nearest = np.full(len(cells.points), np.inf), np.zeros(len(cells.points), np.int64)
    point = int(rng.integers(len(cells.points)))
    for number in range(count):
        found = dijkstra(walk, indices=point, limit=float(away.max()))
        closer = found < away
        away[closer], nearest[closer] = found[closer], number
        point = int(np.argmax(away))
    arms = np.linalg.norm(cells.points[cells.corners] - cells.centres[:, None], axis=2)
    corner = np.argmin(away[cells.corners] + arms, axis=1)
    return nearest[np.take_along_axis(cells.corners, corner[:, None], axis=1)[:, 0]]
