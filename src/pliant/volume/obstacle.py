"""From a surface to the grid of distances that bodies collide with: made once, and kept.

Shells that are closed are solid inside, however they are turned; open ones are sheets, two-sided and of some
thickness. A surface may be both, as a pot with a flag on it.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.distance_grid import DistanceGrid, distances_to, grid_round, inside_of
from pliant.geometry.measures import areas
from pliant.runtime.errors import SettingsError
from pliant.volume.mending import mend
from pliant.volume.store import key_of, remembered
from pliant.volume.welding import weld

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

FEWEST_GRID_CELLS, USUAL_GRID_CELLS, MOST_GRID_CELLS = 8, 64, 256  # cells along the longest side
TRIED = (USUAL_GRID_CELLS, 96, 144)  # until the surface is followed well enough
MOST_POINTS = 8_000_000  # of a grid
TRIED_PLACES = 4096  # places of the surface where the grid is tried
OFF = 0.5  # cells by which the grid may miss the surface
MISSED = 0.01  # part of the surface that may be missed by more
GRID_ARRAYS = ("values", "origin", "low", "high", "numbers")


def obstacle_grid(
    vertices: Array,
    faces: Indices,
    cells: int | None = None,
    thickness: float | None = None,
    solid: bool | None = None,
    cache: bool = True,
) -> DistanceGrid:
    """The distance to a surface. cells: along its longest side; as many as it takes if not said.  thickness (m) of open
    shells; two cells if not said, and never less.  solid: take all of it for solid (True) or for sheets (False)."""
    key = key_of("obstacle", vertices, faces, cells, thickness, solid)
    made, _ = remembered(key, GRID_ARRAYS, lambda: _arrays(_make(vertices, faces, cells, thickness, solid)), cache)
    spacing, accuracy = made["numbers"].tolist()
    return DistanceGrid(made["values"], made["origin"], spacing, made["low"], made["high"], accuracy)


def _arrays(grid: DistanceGrid) -> dict[str, NDArray[np.generic]]:
    numbers = np.array([grid.spacing, grid.accuracy])
    return {"values": grid.values, "origin": grid.origin, "low": grid.low, "high": grid.high, "numbers": numbers}


def _make(
    vertices: Array, faces: Indices, cells: int | None, thickness: float | None, solid: bool | None
) -> DistanceGrid:
    welded = weld(vertices, faces, {})
    points = vertices[welded.vertices]
    mended = mend(points, welded.faces)
    if len(mended.faces) == 0:
        raise SettingsError("Mesh: every triangle is a line or a point; there is no surface to collide with")
    closed = np.full(mended.shells, bool(solid)) if solid is not None else mended.closed
    full, thin = mended.faces[closed[mended.shell]], mended.faces[~closed[mended.shell]]
    corners = points[mended.faces].reshape(-1, 3)
    size = float(np.ptp(corners, axis=0).max())
    wanted: tuple[int, ...] = TRIED if cells is None else (cells,)
    if cells is None and thickness is not None and len(thin):
        finest = min(int(np.ceil(2 * size / thickness)), MOST_GRID_CELLS)
        wanted = tuple(sorted({max(finest, each) for each in TRIED}))
    for count in wanted:
        grid, missed = _sampled(points, full, thin, size / count, thickness, corners)
        if missed <= MISSED:
            break
    return grid


def _sampled(
    points: Array, full: Indices, thin: Indices, spacing: float, thickness: float | None, corners: Array
) -> tuple[DistanceGrid, float]:
    """A grid of some spacing, and what part of the surface it misses."""
    half = max(spacing, (thickness or 0.0) / 2) if len(thin) else 0.0
    low, high = corners.min(axis=0) - half, corners.max(axis=0) + half
    origin, counts = grid_round(low, high, spacing)
    if counts.prod() > MOST_POINTS:
        return _sampled(points, full, thin, 1.26 * spacing, thickness, corners)
    values = np.full(tuple(counts), np.inf)
    if len(thin):
        values = distances_to(points, thin, origin, spacing, counts) - half
    if len(full):
        inside = inside_of(points, full, origin, spacing, counts)
        distance = distances_to(points, full, origin, spacing, counts)
        values = np.minimum(values, np.where(inside, -distance, distance))
    grid = DistanceGrid(values.astype(np.float32), origin, spacing, low, high)
    # Sheets are as thick as the grid needs them; the walls of a solid may be too thin for it.
    off = _missed(grid, points, full) if len(full) else np.zeros(1)
    return replace(grid, accuracy=float(np.quantile(off, 1 - MISSED))), float((off > OFF * spacing).mean())


def _missed(grid: DistanceGrid, points: Array, faces: Indices) -> Array:
    """How far (m) the surface of the grid is from places of some faces."""
    area = areas(points, faces)
    chance = np.random.default_rng(0)
    chosen = points[faces[chance.choice(len(faces), TRIED_PLACES, p=area / area.sum())]]
    weights = chance.dirichlet(np.ones(3), TRIED_PLACES)
    return np.abs(grid.at(np.einsum("nk,nkj->nj", weights, chosen))[0])
