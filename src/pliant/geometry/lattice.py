"""Tets for any surface: a lattice of cubic cells that never joins what is apart.

Cells that hold a bit of the solid are kept, *one copy per connected part* of the solid in them (Nesme et al. 2009);
copies share corners only where the solid runs on from one into the other. So the cage of two legs a hair apart is two
cages, while one cell between them would glue them together. Each cell is six tets.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pliant.errors import BodyError
from pliant.geometry.carving import carve
from pliant.geometry.fitting import fit
from pliant.geometry.grid import CORNERS, six_tets, within_six
from pliant.geometry.isosurface import Field, isosurface
from pliant.geometry.measures import areas, diagonal
from pliant.geometry.ordering import space_filling_order
from pliant.geometry.solid import Solid, sample_solid, solid_volume, unique_pairs

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

SAMPLES = 4  # per cell and axis: what is thinner or closer than a quarter of a cell is told by the surface alone
SPARSE = 0.4  # of a tet filled by the solid, below which it may go
REACH = 0.5  # of a cell: as far as the surface may stick out of what stays
CLOSE = 0.03  # the search for a cell size stops this near to the wanted number of particles
LARGE = 5000  # particles; from here on they are numbered along a space-filling curve


def tetrahedralise(
    vertices: ArrayLike,
    faces: ArrayLike,
    particles: int = 600,
    *,
    cell: float | None = None,
    hug: bool = True,
) -> tuple[Array, Indices]:
    """Rest positions and tets that carry a surface: about `particles` of them, or cells of `cell` metres.

    The surface may be open, overlap itself or consist of many pieces. With `hug` cells that it barely touches are
    dropped and the outer particles moved onto it; without, the cage holds the whole surface inside.

    >>> from pliant.geometry.surfaces import ball
    >>> rest, tets = tetrahedralise(*ball(1.0, 0.1), particles=300)
    >>> 270 <= len(rest) <= 330
    True
    """
    surface = np.array(vertices, dtype=np.float64)
    triangles = np.array(faces, dtype=np.int32)
    if triangles.ndim != 2 or len(triangles) == 0 or diagonal(surface) == 0:
        raise BodyError("a surface without faces has no inside to fill; give at least one triangle")
    if not np.isfinite(surface).all():
        raise BodyError(f"vertex {int(np.argmin(np.isfinite(surface).all(axis=1)))} of the surface is not a finite point")
    if cell is not None:
        solid = sample_solid(surface, triangles, cell / SAMPLES)
        cage = _cage(solid, cell, hug)
    else:
        guess = _first_guess(surface, triangles, particles)
        solid = sample_solid(surface, triangles, guess / SAMPLES)
        cage, cell = _search(solid, guess, particles, hug)
    rest, tets = cage
    if hug:
        rest, tets = fit(rest, tets, solid.points[solid.inside :], solid.normals, cell)
    if len(rest) > LARGE:
        order = space_filling_order(rest)
        rest, tets = rest[order], np.argsort(order).astype(np.int32)[tets]
    return rest, tets


def tetrahedralise_implicit(
    function: Field, low: ArrayLike, high: ArrayLike, particles: int = 600, *, hug: bool = True
) -> tuple[Array, Indices]:
    """The same for the solid where a function is negative, within the box from `low` to `high`."""
    size = float(np.max(np.asarray(high, dtype=np.float64) - np.asarray(low, dtype=np.float64)))
    vertices, faces = isosurface(function, low, high, size / 64)
    return tetrahedralise(vertices, faces, particles, hug=hug)


def _first_guess(vertices: Array, faces: Indices, particles: int) -> float:
    """The cell of which the solid, with half a cell more all round, holds as many as there are to be particles."""
    volume = solid_volume(vertices, faces, diagonal(vertices) / 40)
    area = areas(vertices, faces).sum()
    cells = diagonal(vertices) * np.geomspace(1e-3, 1, 400)
    wanted = (volume + area * cells / 2) / cells**3
    return float(cells[np.argmin(np.abs(np.log(wanted / particles)))])


def _search(solid: Solid, guess: float, particles: int, hug: bool) -> tuple[tuple[Array, Indices], float]:
    """The cage whose number of particles is nearest to the wanted one. The number jumps as layers of cells come and go,
    so after closing in on it a few sizes around are tried as well."""
    tried: dict[float, tuple[Array, Indices]] = {}

    def miss(cell: float) -> float:
        if cell not in tried:
            tried[cell] = _cage(solid, cell, hug)
        return float(np.log(len(tried[cell][0]) / particles))

    def nearest() -> float:
        return min(tried, key=lambda cell: abs(miss(cell)))

    cell = guess
    for _ in range(6):
        if abs(miss(cell)) < CLOSE:
            break
        cell = round(cell * np.exp(miss(cell) / 2.7), 12)  # particles grow a little slower than cell^-3
    for factor in (0.97, 1.03, 0.94, 1.06, 0.985, 1.015):
        if abs(miss(nearest())) < CLOSE:
            break
        miss(cell * factor)
    return tried[nearest()], nearest()


def _cage(solid: Solid, cell: float, trim: bool) -> tuple[Array, Indices]:
    """Corner points and tets of the copied cells."""
    count = len(solid.points)
    low, high = solid.points[solid.inside :].min(axis=0), solid.points[solid.inside :].max(axis=0)
    middle = (low + high) / 2
    place = np.floor((solid.points - middle) / cell).astype(np.int64)
    first, second = solid.links.T
    same = (place[first] == place[second]).all(axis=1)
    within = coo_array((np.ones(same.sum()), (first[same], second[same])), shape=(count, count))
    copies, copy = connected_components(within, directed=False)
    at = np.zeros((copies, 3), dtype=np.int64)
    at[copy] = place
    joins = unique_pairs(np.stack([copy[first[~same]], copy[second[~same]]], axis=1), copies)
    hollow = np.bincount(copy[: solid.inside], minlength=copies) == 0
    merged = _without_crumbs(at, joins, hollow)
    copy, at, joins = merged[copy], at[np.unique(merged, return_index=True)[1]], merged[joins]
    joins = unique_pairs(joins[joins[:, 0] != joins[:, 1]], len(at))
    at, joins = _without_hinges(at, joins)
    corners, points = _shared_corners(at, joins)
    tets = six_tets(corners, at)
    # Copies whose corners were all shared in a roundabout way are one cell.
    unique, tet_number = _unique_rows(tets)
    tets = tets[unique]
    if trim:
        tet, weights = within_six((solid.points - middle) / cell - place, place)
        tet = tet_number[6 * copy + tet]
        tets = tets[_worth_keeping(tets, points, tet, weights, solid.inside, (solid.spacing / cell) ** 3)]
    used, tets = np.unique(tets, return_inverse=True)
    return middle + cell * points[used], tets.reshape(-1, 4).astype(np.int32)


def _unique_rows(tets: Indices) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first tet of each set of corners, in order, and for every tet which of those it equals."""
    a, b, c, d = np.sort(tets, axis=1).T.astype(np.int64)
    count = int(tets.max()) + 1
    _, low = np.unique(a * count + b, return_inverse=True)
    _, high = np.unique(c * count + d, return_inverse=True)
    _, first, same = np.unique(low * len(tets) + high, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[same]


def _worth_keeping(
    tets: Indices, points: Array, tet: NDArray[np.int64], weights: Array, inside: int, share: float
) -> NDArray[np.bool_]:
    """Which tets stay: see `carve`. Samples lie in `tet` with `weights`; each inside one stands for `share` cells."""
    fill = 6 * share * np.bincount(tet[:inside], minlength=len(tets))
    reach = np.zeros((len(tets), 4))
    np.maximum.at(reach, tet, weights)
    # A corner's weight times its height above the opposite face (3 V / area) is the distance to that face.
    for k in range(4):
        face = np.delete(tets, k, axis=1)
        reach[:, k] *= 3 * (1 / 6) / areas(points, face) / REACH
    return carve(tets, fill, reach, SPARSE)


def _without_crumbs(at: NDArray[np.int64], joins: NDArray[np.int64], hollow: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A new number for each copy: one with no sample inside becomes one with another copy of its cell if both border on
    the same copy. It is a bit of surface cut off by the sampling, not a part of its own."""
    neighbours: list[set[int]] = [set() for _ in at]
    for a, b in joins.tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)
    in_cell: dict[tuple[int, ...], list[int]] = {}
    for c, place in enumerate(map(tuple, at.tolist())):
        in_cell.setdefault(place, []).append(c)
    number = np.arange(len(at))
    for copies in in_cell.values():
        # Full ones first, so that crumbs join them rather than each other.
        ordered = sorted(copies, key=lambda c: (bool(hollow[c]), c))
        for k, c in enumerate(ordered):
            if hollow[c]:
                home = next((other for other in ordered[:k] if neighbours[other] & neighbours[c]), c)
                number[c] = number[home]
    return np.unique(number, return_inverse=True)[1].reshape(-1)


def _without_hinges(at: NDArray[np.int64], joins: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where two copies hang together across an edge or a corner only, cells in between that make it a wall."""
    step = at[joins[:, 1]] - at[joins[:, 0]]
    straight = np.abs(step).sum(axis=1) == 1
    walls: dict[int, set[int]] = {}
    for a, b in joins[straight].tolist():
        walls.setdefault(a, set()).add(b)
        walls.setdefault(b, set()).add(a)
    near = {a: others.union(*(walls[b] for b in others)) for a, others in walls.items()}
    new_at, new_joins = [], []
    number = len(at)
    for (a, b), move in zip(joins[~straight].tolist(), step[~straight], strict=True):
        # A way over at most three walls makes the corner solid already.
        if b in near.get(a, ()) or near.get(a, set()) & walls.get(b, set()):
            continue
        here, previous = at[a].copy(), a
        for axis in np.flatnonzero(move)[:-1]:
            here = here.copy()
            here[axis] += move[axis]
            new_at.append(here)
            new_joins.append((previous, number))
            previous, number = number, number + 1
        new_joins.append((previous, b))
    if not new_at:
        return at, joins
    return np.concatenate([at, new_at]), np.concatenate([joins, new_joins])


def _shared_corners(at: NDArray[np.int64], joins: NDArray[np.int64]) -> tuple[Indices, Array]:
    """Particle numbers (C, 8) of the corners of each copy, joined copies sharing theirs, and their grid points."""
    step = at[joins[:, 1]] - at[joins[:, 0]]
    here, there = [], []
    for corner, bits in enumerate(CORNERS):
        other = bits - step
        shared = ((other == 0) | (other == 1)).all(axis=1)
        here.append(joins[shared, 0] * 8 + corner)
        there.append(joins[shared, 1] * 8 + other[shared] @ np.array([4, 2, 1]))
    total = 8 * len(at)
    first, second = np.concatenate(here), np.concatenate(there)
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(total, total))
    count, number = connected_components(graph, directed=False)
    places = (at[:, None] + CORNERS).reshape(-1, 3)
    points = np.zeros((count, 3))
    points[number] = places
    # Numbered as a grid is, copies of one corner side by side.
    order = np.lexsort((np.arange(count), points[:, 2], points[:, 1], points[:, 0]))
    return np.argsort(order)[number].reshape(-1, 8).astype(np.int32), points[order]
