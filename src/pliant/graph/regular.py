"""Regular shares, for bodies that have such: bricks of a box, slices of a bar or a ring, lengths of a rod."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, diags_array
from scipy.sparse.csgraph import dijkstra
from scipy.sparse.linalg import eigsh

from pliant.graph.cells import Indices, SimplexCells, pieces, summed, symmetric
from pliant.graph.lloyd import whole

Array = NDArray[np.float64]

FILLS_BOX = 0.98  # of its bounding box: a body that fills as much is a box
AS_GOOD = 1.02  # bricks whose spread is this near the best are as good
LONG_SLICE = 5.0  # slices are tried where they are not far thinner than wide; see `slices`
RING = 1.3  # ratio of the second to the first eigenvalue: 1 for a ring, 4 for a bar


def bricks(cells: SimplexCells, count: int) -> Indices | None:
    """(M,) the brick of each cell, if the body is a box and falls into a grid of `count` bricks: the grid whose bricks
    are most like cubes, and of such that are alike the one with most bricks along the longest side."""
    for axes in _axes(cells):
        along = cells.points @ axes
        low, sides = along.min(axis=0), np.ptp(along, axis=0)
        if not _fills(cells, sides):
            continue
        thick = sides > 1e-6 * sides.max()
        grids = np.array([grid for grid in _grids(count) if (np.array(grid)[~thick] == 1).all()])
        spreads = ((sides / grids) ** 2).sum(axis=1)
        good = grids[spreads <= AS_GOOD * spreads.min()]
        grid = good[np.argmax(good[:, np.argmax(sides)])]
        place = (cells.centres @ axes - low) / np.where(thick, sides, 1.0) * grid
        brick = np.ravel_multi_index(np.clip(np.floor(place).astype(int), 0, grid - 1).T, grid)
        if len(np.unique(brick)) < count:
            continue
        mended = whole(cells, brick.astype(np.int64), count)
        # A slit makes no difference to the volume, but bricks that it cuts are no good.
        if cells.volumes[mended != brick].sum() < (1 - FILLS_BOX) * cells.volumes.sum():
            return mended
    return None


def _axes(cells: SimplexCells) -> Iterator[Array]:
    yield np.eye(3)
    from_middle = cells.centres - np.average(cells.centres, axis=0, weights=cells.volumes)
    yield np.linalg.eigh((from_middle * cells.volumes[:, None]).T @ from_middle)[1]


def _fills(cells: SimplexCells, sides: Array) -> bool:
    if cells.corners.shape[1] == 4:
        return bool(cells.volumes.sum() >= FILLS_BOX * sides.prod())
    flat = np.sort(sides)
    return bool(flat[0] < 1e-6 * flat[2] and cells.area >= FILLS_BOX * flat[1] * flat[2])


def _grids(count: int) -> Iterator[tuple[int, int, int]]:
    for a in range(1, count + 1):
        if count % a == 0:
            yield from ((a, b, count // a // b) for b in range(1, count // a + 1) if count // a % b == 0)


def slices(cells: SimplexCells, count: int) -> Indices | None:
    """(M,) slices of equal volume across a body that is long: along the first vibration of the heat in it, or round it
    if it is a ring, whose first two vibrations are alike."""
    first = dijkstra(cells.edges, indices=0)
    if not np.isfinite(first).all():
        return None
    length = dijkstra(cells.edges, indices=int(np.argmax(first))).max()
    # A bar of this length is volume / length thin; a ring is twice as long.
    if count < 2 or count > LONG_SLICE * length * np.sqrt(length / _bulk(cells)):
        return None
    along = _along(cells)
    order = np.argsort(along, kind="stable")
    filled = np.cumsum(cells.volumes[order]) - cells.volumes[order] / 2
    slice_of = np.empty(len(order), np.int64)
    slice_of[order] = np.minimum(count * filled / cells.volumes.sum(), count - 1).astype(np.int64)
    return slice_of


def _bulk(cells: SimplexCells) -> float:
    """The volume; of a shell the volume of a body as deep as it is wide, for it is as long when its area is long."""
    if cells.corners.shape[1] == 4:
        return float(cells.volumes.sum())
    return cells.area**2 / float(np.linalg.norm(np.ptp(cells.points, axis=0)))


def _along(cells: SimplexCells) -> Array:
    a, b = cells.touching.T
    apart = np.linalg.norm(cells.centres[a] - cells.centres[b], axis=1)
    flow = symmetric(cells.touching, np.maximum(cells.sides, 1e-9 * cells.sides.max()) / apart, len(cells.corners))
    laplacian = diags_array(flow.sum(axis=1)) - flow
    laplacian = csc_array(laplacian / flow.data.mean())
    masses = csc_array(diags_array(cells.volumes / cells.volumes.mean()))
    start = np.random.default_rng(0).random(len(cells.corners))  # the same slices whatever the seed
    values, waves = eigsh(laplacian, k=3, M=masses, sigma=-1e-6, v0=start)
    order = np.argsort(values)
    values, waves = values[order], waves[:, order]
    if values[2] < RING * values[1]:
        return np.arctan2(waves[:, 2], waves[:, 1])
    return waves[:, 1]


def lengths(cells: SimplexCells, count: int) -> Indices | None:
    """(M,) equal lengths of rods that do not branch, in order along each; every piece gets at least one."""
    degrees = (cells.neighbours >= 0).sum(axis=1)
    if degrees.max() > 2:
        return None
    piece = pieces(cells.touching, len(cells.corners))
    sizes = summed(piece, cells.volumes, int(piece.max()) + 1)
    share, first = np.empty(len(piece), np.int64), 0
    for number, wanted in enumerate(_shared_out(sizes, count)):
        members = np.flatnonzero(piece == number)
        ends = members[degrees[members] < 2]
        order = _in_line(cells.neighbours, int(ends[0] if len(ends) else members[0]))
        filled = np.cumsum(cells.volumes[order]) - cells.volumes[order] / 2
        share[order] = first + np.minimum(wanted * filled / sizes[number], wanted - 1).astype(np.int64)
        first += int(wanted)
    return share


def _in_line(neighbours: Indices, start: int) -> Indices:
    """The cells of a piece one after the other, once round if it is closed."""
    order, seen = [start], {start}
    while ahead := [each for each in neighbours[order[-1]].tolist() if each >= 0 and each not in seen]:
        order.append(ahead[0])
        seen.add(ahead[0])
    return np.array(order)


def _shared_out(sizes: Array, count: int) -> Indices:
    """`count` shared out in proportion to sizes, at least one each: the next always goes where shares are largest."""
    given = np.ones(len(sizes), np.int64)
    for _ in range(count - len(sizes)):
        given[np.argmax(sizes / given)] += 1
    return given
