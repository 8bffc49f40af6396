"""Obstacles of any shape: a triangle mesh, met through a grid of distances that is made once and kept."""

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.collision.layout import GRID_HEAD, GRID_HIGH, GRID_LOW, GRID_ORIGIN, GRID_POINTS, GRID_SPACING, MESH
from pliant.geometry.distance_grid import DistanceGrid
from pliant.runtime.errors import SettingsError
from pliant.world.colliders import Array, Collider
from pliant.world.validation import FARTHEST, as_matrix, as_vector, between, floats, formatted, positive, whole

if TYPE_CHECKING:
    from pliant.files.asset import Asset

Indices = NDArray[np.int32]
FEWEST_CELLS, MOST_CELLS = 8, 256  # cells along the longest side


@dataclass(frozen=True, eq=False)
class Mesh(Collider):
    """A triangle mesh; what is closed is solid inside, what is open is a sheet with two sides.

    vertices (N, 3) m and triangles (M, 3), scaled, turned about their origin (quaternion x, y, z, w or 3x3) and moved
    to `position`.  thickness (m) of sheets, half on either side; two cells if not said, and never less.  cells: of the
    grid, along the longest side; 64 to 144 if not said, as the shape needs.  solid: take all of it for solid (True) or
    for sheets (False), whether it is closed or not.  `Mesh.load` takes the mesh of a file.

    >>> from pliant.geometry.surfaces import ball
    >>> stone = Mesh(*ball(1.0, 0.2), position=(0, 1, 0), cells=16)
    >>> stone.distances([(0, 3, 0)]).round(1).tolist()
    [1.0]
    """

    vertices: ArrayLike
    triangles: ArrayLike
    position: ArrayLike = (0.0, 0.0, 0.0)
    rotation: ArrayLike = (0.0, 0.0, 0.0, 1.0)
    scale: float = 1.0
    thickness: float | None = None
    cells: int | None = None
    solid: bool | None = None
    file: str | None = None  # where it came from
    # The grid and what it was made of: a copy with other friction, or elsewhere, has the same.
    _made: "_Made | None" = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        who = self.who
        set_ = object.__setattr__
        set_(self, "vertices", _points(self.vertices, who))
        set_(self, "triangles", _triangles(self.triangles, len(np.asarray(self.vertices)), who))
        set_(self, "position", as_vector(self.position, f"{who}: position"))
        set_(self, "rotation", as_matrix(self.rotation, who))
        set_(self, "scale", between(self.scale, f"{who}: scale", 1e-6, 1e6))
        if self.thickness is not None:
            set_(self, "thickness", positive(self.thickness, f"{who}: thickness", "metres"))
        if self.cells is not None:
            set_(self, "cells", whole(self.cells, f"{who}: cells", FEWEST_CELLS, MOST_CELLS))
        if self.solid not in (None, True, False):
            raise SettingsError(f"{who}: solid = {formatted(self.solid)}; give true, false or nothing")
        made = _Made.of(self)
        set_(self, "_made", self._made if self._made is not None and self._made.same(made) else made.finished(who))

    @classmethod
    def load(cls, path: "str | PathLike[str]", **options: Any) -> "Mesh":
        """The mesh of a file, of any format that bodies come in; the options are those of `Mesh`."""
        from pliant.files.reading import read_asset

        vertices, triangles = triangles_of(read_asset(Path(path)))
        return cls(vertices, triangles, file=str(path), **options)

    @property
    def who(self) -> str:
        return "Mesh" if self.file is None else f"Mesh {Path(self.file).name}"

    @property
    def grid(self) -> DistanceGrid:
        """Its distances, before it is scaled and placed."""
        assert self._made is not None and self._made.grid is not None
        return self._made.grid

    @property
    def surface(self) -> tuple[Array, Indices]:
        """Vertices, scaled but not yet placed, and triangles."""
        return np.asarray(self.vertices) * self.scale, np.asarray(self.triangles)

    def distances(self, points: ArrayLike, time: float = 0.0) -> Array:
        """Signed distances (N,) m of points (N, 3) as the world meets them, negative inside."""
        return self.probe(np.asarray(points, np.float64), time)[0]

    def probe(self, points: Array, time: float) -> tuple[Array, Array]:
        """Distances (N,) and outward normals (N, 3) at a time."""
        turn, centre = self.placed(time)
        distances, normals = self.grid.at((points - centre) @ turn / self.scale)
        return distances * self.scale, normals @ turn.T

    def shape(self) -> tuple[int, Array, Array, Array]:
        return MESH, np.zeros(3), np.asarray(self.position), np.asarray(self.rotation)

    def size(self) -> float:
        """How far from its origin it goes."""
        return self.scale * float(np.linalg.norm(np.maximum(np.abs(self.grid.low), np.abs(self.grid.high))))

    def grid_row(self) -> NDArray[np.float32]:
        """The grid as kernels read it: a head (layout.py), then the distances."""
        grid, head = self.grid, np.zeros(GRID_HEAD)
        head[GRID_POINTS : GRID_POINTS + 3], head[GRID_SPACING] = grid.values.shape, grid.spacing * self.scale
        for at, each in ((GRID_ORIGIN, grid.origin), (GRID_LOW, grid.low), (GRID_HIGH, grid.high)):
            head[at : at + 3] = self.scale * each
        values = grid.values.reshape(-1) * np.float32(self.scale)
        return np.concatenate([head.astype(np.float32), values])


@dataclass(frozen=True, eq=False)
class _Made:
    """What a grid depends on, and the grid."""

    vertices: Array
    triangles: Indices
    options: tuple[int | None, float | None, bool | None]
    grid: DistanceGrid | None = None

    @staticmethod
    def of(mesh: Mesh) -> "_Made":
        thickness = None if mesh.thickness is None else mesh.thickness / mesh.scale
        options = (mesh.cells, thickness, mesh.solid)
        return _Made(np.asarray(mesh.vertices), np.asarray(mesh.triangles), options)

    def same(self, other: "_Made") -> bool:
        alike = self.vertices is other.vertices and self.triangles is other.triangles
        return alike and self.options == other.options

    def finished(self, who: str) -> "_Made":
        from pliant.volume.obstacle import obstacle_grid

        try:
            grid = obstacle_grid(self.vertices, self.triangles, *self.options)
        except SettingsError as error:
            raise SettingsError(f"{who}: {error}") from None
        return _Made(self.vertices, self.triangles, self.options, grid)


def triangles_of(asset: "Asset") -> tuple[Array, Indices]:
    """The triangles that are in a file; of tets their boundary."""
    from pliant.geometry.boundary import boundary_triangles
    from pliant.runtime.errors import FileError

    faces = asset.faces
    if len(faces) == 0 and asset.tets is not None:
        faces = boundary_triangles(asset.tets)
    if len(faces) == 0:
        raise FileError(f"{asset.source}: it has no triangles to collide with; give a file with a surface")
    return asset.vertices, faces


def _points(given: ArrayLike, who: str) -> Array:
    """(N, 3) finite numbers, read-only; the same object if it is that already."""
    if isinstance(given, np.ndarray) and given.dtype == np.float64 and given.ndim == 2 and not given.flags.writeable:
        return given
    points = floats(given)
    if points is None or points.ndim != 2 or points.shape[1] != 3 or len(points) < 3:
        raise SettingsError(f"{who}: vertices = {formatted(given)}; give at least three points (N, 3)")
    if not (np.abs(points) <= FARTHEST).all():
        raise SettingsError(f"{who}: some vertices are not finite; export the mesh again")
    points = points.copy()
    points.flags.writeable = False
    return points


def _triangles(given: ArrayLike, count: int, who: str) -> Indices:
    """(M, 3) numbers of vertices, read-only."""
    if isinstance(given, np.ndarray) and given.dtype == np.int32 and given.ndim == 2 and not given.flags.writeable:
        return given
    numbers = floats(given)
    if numbers is None or numbers.ndim != 2 or numbers.shape[1] != 3 or len(numbers) == 0:
        raise SettingsError(
            f"{who}: triangles = {formatted(given)}; give at least one row of three vertex numbers (M, 3)"
        )
    if not ((numbers >= 0) & (numbers < count) & (numbers == np.floor(numbers))).all():
        raise SettingsError(f"{who}: triangles name vertices that are not there; give numbers from 0 to {count - 1}")
    faces = numbers.astype(np.int32)
    faces.flags.writeable = False
    return faces
