"""Tets for any surface: a lattice of cubic cells that never joins what is apart.

Cells that hold a bit of the solid are kept, *one copy per connected part* of the solid in them (Nesme et al.
2009); copies share corners only where the solid runs on from one into the other. So the cage of two legs a
hair apart is two cages, while one cell between them would glue them together. Each cell is six tets.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from pliant.errors import BodyError
from pliant.geometry.carving import carve
from pliant.geometry.copies import shared_corners, without_crumbs, without_hinges
from pliant.geometry.fitting import fit
from pliant.geometry.grid import six_tets, within_six
from pliant.geometry.isosurface import Field, isosurface
from pliant.geometry.measures import areas, diagonal
from pliant.geometry.ordering import ordered_if_large
from pliant.geometry.solid import Solid, sample_solid, solid_volume, unique_pairs
from pliant.geometry.symmetry import both_sides

Array = NDArray[np.float64]
Indices = NDArray[np.int32]
Cage: TypeAlias = tuple[Array, Indices, NDArray[np.int64] | None]

SAMPLES = 4  # per cell and axis: what is thinner than a quarter of a cell is told by the surface alone
SPARSE = 0.4  # of a tet filled by the solid, below which it may go
REACH = 0.5  # of a cell: as far as the surface may stick out of what stays
CLOSE = 0.03  # the search for a cell size stops this near to the wanted number of particles


def tetrahedralise(
    vertices: ArrayLike,
    faces: ArrayLike,
    particles: int = 600,
    *,
    cell: float | None = None,
    hug: bool = True,
    mirror: int | None = None,
) -> tuple[Array, Indices]:
    """Rest positions and tets that carry a surface: about `particles` of them, or cells of `cell` metres.

    The surface may be open, overlap itself or consist of many pieces. With `hug` cells that it barely touches
    are dropped and the outer particles moved onto it; without, the cage holds the whole surface inside.
    `mirror` is an axis: the surface is taken to be symmetric about the middle of its extent there, and so are
    the tets.

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
        raise BodyError(
            f"vertex {int(np.argmin(np.isfinite(surface).all(axis=1)))} of the surface is not a finite point"
        )
    if cell is not None:
        solid = sample_solid(surface, triangles, cell / SAMPLES)
        cage = _cage(solid, cell, hug, mirror)
    else:
        guess = _first_guess(surface, triangles, particles, hug)
        solid = sample_solid(surface, triangles, guess / SAMPLES)
        cage, cell = _search(solid, guess, particles, hug, mirror)
    rest, tets, twin = cage
    if hug:
        pairs = None if mirror is None or twin is None else (mirror, twin)
        rest, tets = fit(rest, tets, solid.points[solid.inside :], solid.normals, cell, pairs)
    return ordered_if_large(rest, tets)


def tetrahedralise_implicit(
    function: Field,
    low: ArrayLike,
    high: ArrayLike,
    particles: int = 600,
    *,
    hug: bool = True,
    mirror: int | None = None,
) -> tuple[Array, Indices]:
    """The same for the solid where a function is negative, within the box from `low` to `high`."""
    size = float(np.max(np.asarray(high, dtype=np.float64) - np.asarray(low, dtype=np.float64)))
    vertices, faces = isosurface(function, low, high, size / 64)
    return tetrahedralise(vertices, faces, particles, hug=hug, mirror=mirror)


def _first_guess(vertices: Array, faces: Indices, particles: int, hug: bool) -> float:
    """The cell size at which there are about as many particles as wanted.

    Those inside are one a cell; the surface adds some for each cell of its area: 1.2 when hugged and 1.9 when
    not, as counted on a dozen shapes.
    """
    volume = solid_volume(vertices, faces, diagonal(vertices) / 40)
    area = areas(vertices, faces).sum()
    cells = diagonal(vertices) * np.geomspace(1e-3, 1, 1000)
    expected = volume / cells**3 + (1.2 if hug else 1.9) * area / cells**2
    return float(cells[np.argmin(np.abs(np.log(expected / particles)))])


def _search(solid: Solid, guess: float, particles: int, hug: bool, mirror: int | None) -> tuple[Cage, float]:
    """The cage whose number of particles is nearest to the wanted one. The number jumps as layers of cells
    come and go, so after closing in on it a few sizes around are tried as well."""
    tried: dict[float, Cage] = {}

    def miss(cell: float) -> float:
        if cell not in tried:
            tried[cell] = _cage(solid, cell, hug, mirror)
        return float(np.log(len(tried[cell][0]) / particles))

    def nearest() -> float:
        return min(tried, key=lambda cell: abs(miss(cell)))

    cell = guess
    for _ in range(6):
        if abs(miss(cell)) < CLOSE:
            break
        cell = round(cell * np.exp(miss(cell) / 2.7), 12)  # particles grow a little slower than cell^-3
    best = nearest()
    for factor in (0.97, 1.03, 0.94, 1.06, *np.geomspace(0.75, 1.35, 25)):
        # Further away only in need: few particles make large jumps, and cost little to try.
        if abs(miss(nearest())) < (CLOSE if len(tried) < 7 else 2 * CLOSE):
            break
        miss(best * factor)
    return tried[nearest()], nearest()


def _cage(solid: Solid, cell: float, trim: bool, mirror: int | None = None) -> Cage:
    """Corner points and tets of the copied cells, and the twin of each particle if they are to be
    symmetric."""
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
    merged = without_crumbs(at, joins, hollow)
    copy, at, joins = merged[copy], at[np.unique(merged, return_index=True)[1]], merged[joins]
    joins = unique_pairs(joins[joins[:, 0] != joins[:, 1]], len(at))
    at, joins = without_hinges(at, joins)
    corners, points = shared_corners(at, joins)
    tets = six_tets(corners, at)
    # Copies whose corners were all shared in a roundabout way are one cell.
    unique, tet_number = _unique_rows(tets)
    tets = tets[unique]
    if trim:
        local = (solid.points - middle) / cell
        tet, weights = within_six(local - place, place)
        tet = tet_number[6 * copy + tet]
        inside = np.bincount(tet[: solid.inside], minlength=len(tets)).astype(np.float64)
        fill = 6 * (solid.spacing / cell) ** 3 * inside
        sure = np.flatnonzero(fill >= SPARSE)
        surface = slice(solid.inside, None)
        beside = _beside(
            local[surface], copy[surface], points[tets[sure]].mean(axis=1), unique[sure] // 6, joins
        )
        alone = solid.inside + np.flatnonzero(~beside)
        reach = _reach(tets, points, tet[alone], weights[alone])
        half, wall = np.arange(len(tets)), None
        if mirror is not None:  # carve one half only; the other will be its image
            half, wall = np.flatnonzero(at[unique // 6, mirror] >= 0), points[:, mirror] == 0
        tets = tets[half][carve(tets[half], fill[half], reach[half], SPARSE, wall)]
    if mirror is not None:
        points, tets, twin = both_sides(points, tets, mirror, 0.0)
        return middle + cell * points, tets, twin
    used, compact = np.unique(tets, return_inverse=True)
    return middle + cell * points[used], compact.reshape(-1, 4).astype(np.int32), None


def _unique_rows(tets: Indices) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first tet of each set of corners, in order, and for every tet which of those it equals."""
    a, b, c, d = np.sort(tets, axis=1).T.astype(np.int64)
    count = int(tets.max()) + 1
    _, low = np.unique(a * count + b, return_inverse=True)
    _, high = np.unique(c * count + d, return_inverse=True)
    _, first, same = np.unique(low * len(tets) + high, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[same]


def _beside(
    samples: Array,
    copy: NDArray[np.int64],
    centres: Array,
    home: NDArray[np.int64],
    joins: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Which samples have, close by, the centre of a tet of their own copy or of one joined to it. In
    cells."""
    if len(centres) == 0:
        return np.zeros(len(samples), dtype=bool)
    distance, near = cKDTree(centres).query(samples, k=np.arange(1, min(8, len(centres)) + 1))
    close = distance < REACH + 0.25
    mine, theirs = np.broadcast_to(copy[:, None], near.shape)[close], home[near[close]]
    # One number for a pair; searching the sorted joins is far quicker than comparing all with all.
    count = int(max(joins.max(initial=0), copy.max(), home.max())) + 1
    known = np.sort(joins.min(axis=1) * count + joins.max(axis=1))
    pairs = np.minimum(mine, theirs) * count + np.maximum(mine, theirs)
    at = np.minimum(np.searchsorted(known, pairs), len(known) - 1)
    close[close] = (mine == theirs) | (known[at] == pairs if len(known) else False)
    return close.any(axis=1)


def _reach(tets: Indices, points: Array, tet: NDArray[np.int64], weights: Array) -> Array:
    """How far the samples in each tet lie from each of its faces, as a share of the distance that is
    allowed."""
    reach = np.zeros((len(tets), 4))
    np.maximum.at(reach, tet, weights)
    # A corner's weight times its height above the opposite face (3 V / area) is the distance to that face.
    for k in range(4):
        reach[:, k] *= 3 * (1 / 6) / areas(points, np.delete(tets, k, axis=1)) / REACH
    return reach
