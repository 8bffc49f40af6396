"""Tets for any surface: a lattice of cubic cells that never joins what is apart.

Cells that hold a bit of the solid are kept, *one copy per connected part* of the solid in them (Nesme et al.
2009); copies share corners only where the solid runs on from one into the other. So the cage of two legs a
hair apart is two cages, while one cell between them would glue them together. Each cell is six tets.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree

from pliant.geometry.carrying import Parts, carriers, kin_of
from pliant.geometry.cells import CellMesh, cage
from pliant.geometry.fitting import fit
from pliant.geometry.isosurface import Field, isosurface
from pliant.geometry.measures import areas, diagonal
from pliant.geometry.ordering import ordered_if_large
from pliant.geometry.solid import Solid, refined_count, sample_solid, solid_volume
from pliant.geometry.symmetry import SWAPPED
from pliant.runtime.errors import BodyError

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

SAMPLES = 4  # per cell and axis: what is thinner than a quarter of a cell is told by the surface alone
SPARSE = 0.4  # of a tet filled by the solid, below which it may go
FEWEST_SAMPLES, PER_PARTICLE = 3e6, 1500  # of the grid: more of it are empty in the box of a long thin thing
MOST_SAMPLES = 5e7  # bounds the memory
COUNT_MARGIN = 0.03  # the search for a cell size stops this near to the wanted number of particles


@dataclass(frozen=True, eq=False)
class Lattice:
    """Rest positions (V, 3) m and tets (T, 4) that carry a surface: vertex n of it rides on tet carriers[n], with
    weights[n] (4) of its corners, some below zero where it lies outside. `cell` m is the size of a cell."""

    rest: Array
    tets: Indices
    carriers: Indices
    weights: Array
    cell: float


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
    made = carry(vertices, faces, particles, cell=cell, hug=hug, mirror=mirror)
    return made.rest, made.tets


def carry(
    vertices: ArrayLike,
    faces: ArrayLike,
    particles: int = 600,
    *,
    cell: float | None = None,
    hug: bool = True,
    mirror: int | None = None,
    sparse: float = SPARSE,
    stand_off: float = 0.0,
    by_part: bool = False,
) -> Lattice:
    """The same with the tet that carries each vertex. It belongs to the same part as the vertex, also where
    another part is nearer: a vertex of one leg never rides on the other leg.

    With `hug`, outer tets of which less than the part `sparse` is filled are dropped, and the outer particles come
    to lie `stand_off` cells outside of the surface; `by_part`: of that of their own part.
    """
    surface = np.array(vertices, dtype=np.float64)
    triangles = np.array(faces, dtype=np.int32)
    if triangles.ndim != 2 or len(triangles) == 0 or diagonal(surface) == 0:
        raise BodyError("a surface without faces has no inside to fill; give at least one triangle")
    if not np.isfinite(surface).all():
        raise BodyError(
            f"vertex {int(np.argmin(np.isfinite(surface).all(axis=1)))} of the surface is not a finite point"
        )
    if not hug:
        sparse = 0.0
    if cell is not None:
        if not cell > 0 or float(_samples(surface, np.array([cell]))[0]) > MOST_SAMPLES:
            raise BodyError(f"cells of {cell:g} m are too small for a surface {diagonal(surface):.3g} m across")
        solid = sample_solid(surface, triangles, cell / SAMPLES)
        cells = cage(solid, cell, sparse, mirror)
    else:
        guess = _first_guess(surface, triangles, particles, hug)
        solid = sample_solid(surface, triangles, guess / SAMPLES)
        cells, cell = _search(solid, guess, particles, sparse, mirror)
    rest, tets, homes = cells.rest, cells.tets, cells.parts.homes
    if hug:
        pairs = None if mirror is None or cells.twin is None else (mirror, cells.twin)
        hull = solid.points[solid.inside :] + stand_off * cell * solid.normals
        kin = kin_of(tets, cells.parts, cells.copy) if by_part else None
        rest, tets, kept = fit(rest, tets, hull, solid.normals, cell, pairs, kin)
        number = np.full(len(cells.tets), -1)
        number[kept] = np.arange(len(kept))
        homes = np.stack([homes[:, 0], number[homes[:, 1]]], axis=1)[number[homes[:, 1]] >= 0]
    rest, tets = ordered_if_large(rest, tets)
    parts = Parts(homes, cells.parts.joins, cells.parts.count)
    tet, weights = _carried(surface, solid, cells, rest, tets, parts, mirror)
    return Lattice(rest, tets, tet, weights, cell)


def _carried(
    surface: Array, solid: Solid, cells: CellMesh, rest: Array, tets: Indices, parts: Parts, mirror: int | None
) -> tuple[Indices, Array]:
    """The tet of each vertex and the weights of its corners."""
    samples = solid.points[solid.inside :]
    if mirror is None:
        return carriers(surface, cells.copy[_sample_of(surface, solid.origin, samples)], rest, tets, parts)
    # Only tets above the plane of symmetry know their copy: ask for the image of what lies below it.
    middle = (samples[:, mirror].min() + samples[:, mirror].max()) / 2
    below = surface[:, mirror] < middle
    images = surface.copy()
    images[below, mirror] = 2 * middle - images[below, mirror]
    number = _sample_of(images, np.where(below, -1, solid.origin), samples)
    half = tets[: len(tets) // 2]
    tet, weights = carriers(images, cells.copy[number], rest, half, parts)
    weights[below] = weights[below][:, SWAPPED]
    return tet + np.where(below, len(half), 0).astype(np.int32), weights


def _sample_of(surface: Array, known: NDArray[np.int64], samples: Array) -> NDArray[np.int64]:
    """The surface sample that each vertex is, where that is known, else (-1) the nearest."""
    number = known.copy()
    lost = np.flatnonzero(number < 0)
    if len(lost):
        number[lost] = cKDTree(samples).query(surface[lost])[1]
    return number


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
    most = min(FEWEST_SAMPLES + PER_PARTICLE * particles, MOST_SAMPLES)
    fits = _samples(vertices, cells) <= most
    # The surface is sampled as well: look from the coarse end for the first size that is too fine.
    coarse = np.flatnonzero(fits)[::-20]
    points = max(most / 16, 1.2 * len(vertices))
    too_fine = next((k for k in coarse if refined_count(vertices, faces, cells[k] / SAMPLES) > points), -1)
    cells = cells[np.flatnonzero(fits & (np.arange(len(cells)) > too_fine))]
    expected = volume / cells**3 + (1.2 if hug else 1.9) * area / cells**2
    return float(cells[np.argmin(np.abs(np.log(expected / particles)))])


def _samples(vertices: Array, cells: Array) -> Array:
    """How many samples the grid has for each of these sizes of a cell."""
    return np.prod(np.ptp(vertices, axis=0)[:, None] * SAMPLES / cells + 3, axis=0)


def _search(solid: Solid, guess: float, particles: int, sparse: float, mirror: int | None) -> tuple[CellMesh, float]:
    """The cage whose number of particles is nearest to the wanted one. The number jumps as layers of cells
    come and go, so after closing in on it a few sizes around are tried as well."""
    tried: dict[float, CellMesh] = {}

    def miss(cell: float) -> float:
        if cell not in tried:
            tried[cell] = cage(solid, cell, sparse, mirror)
        return float(np.log(len(tried[cell].rest) / particles))

    def nearest() -> float:
        return min(tried, key=lambda cell: abs(miss(cell)))

    cell = guess
    for _ in range(6):
        if abs(miss(cell)) < COUNT_MARGIN:
            break
        cell = round(cell * np.exp(miss(cell) / 2.7), 12)  # particles grow a little slower than cell^-3
    best = nearest()
    for factor in (0.97, 1.03, 0.94, 1.06, *np.geomspace(0.75, 1.35, 25)):
        # Further away only in need: few particles make large jumps, and cost little to try.
        if abs(miss(nearest())) < (COUNT_MARGIN if len(tried) < 7 else 2 * COUNT_MARGIN):
            break
        miss(best * factor)
    return tried[nearest()], nearest()
