"""The drawn surface: triangles whose vertices ride on the elements of a body."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from pliant.body.checks import floats, frozen, indices
from pliant.body.look import Look
from pliant.geometry.binding import SLOTS, bind
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.embedding import locate
from pliant.geometry.measures import diagonal
from pliant.geometry.nearest import barycentric_in_plane
from pliant.geometry.normals import face_normals, unit, vertex_normals
from pliant.geometry.tubes import tube
from pliant.geometry.turning import rotation_matrices, turned
from pliant.runtime.errors import BodyError

Array = NDArray[np.float64]

SKIN_KINDS = ("solid", "shell", "rod", "oriented")
TUBE_RADIUS = 0.01  # of the diagonal: the tube round a rod whose thickness is not given


@dataclass(frozen=True, eq=False)
class Skin:
    """A surface bound to particles: vertex n is the sum of weights[n, k] * positions[indices[n, k]] over k.

    vertices (N, 3) m, at rest; faces (M, 3); indices, weights (N, K), unused slots of weight 0, K = 4, or on a solid
    and on particles that turn also 8, 12, 16, 20 or 24; offsets (N, 3) m, at rest; uv (N, 2) or None; colours (N, 3),
    sRGB 0 to 1, or None.
    Offsets follow the body: on a shell
    they lie along the normal of the triangle of slots 0, 1, 2; on a rod they turn with the chord from slot
    0 to slot 1 (by the smallest rotation). `axes` (N, 3) is that normal or chord at rest. A solid has no
    offsets. `look` is how it is painted. `twins` (N,): vertices that are one and the same for shading carry the
    number of the first of them; a vertex stands there several times where its uv jump.

    A skin of kind "oriented" rides on particles that turn: vertex n is the sum of weights[n, k] * (R_k (vertices[n]
    - pivots[k']) + x_k), k' = indices[n, k], R_k and x_k the rotation and position of that particle [Choi+17] (2).
    `pivots` (P, 3) m are the particles at rest. It has no offsets.
    """

    vertices: Array
    faces: NDArray[np.int32]
    indices: NDArray[np.int32]
    weights: Array
    offsets: Array = field(default=None)  # type: ignore[arg-type]
    axes: Array = field(default=None)  # type: ignore[arg-type]
    kind: str = "solid"
    uv: Array | None = None
    colours: Array | None = None
    look: Look | None = None
    twins: NDArray[np.int32] | None = None
    pivots: Array | None = None

    def __post_init__(self) -> None:
        def keep(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        keep("vertices", floats(self.vertices, "skin: vertices"))
        count = len(self.vertices)
        keep("faces", indices(self.faces, "skin: faces", 3, count))
        highest = int(np.max(self.indices, initial=0)) + 1
        slots = self._slots()
        keep("indices", indices(self.indices, "skin: indices", slots, highest))
        keep("weights", floats(self.weights, "skin: weights", slots))
        for name in ("offsets", "axes"):
            given = getattr(self, name)
            keep(name, floats(np.zeros((count, 3)) if given is None else given, f"skin: {name}"))
        for name, columns in (("uv", 2), ("colours", 3)):
            if getattr(self, name) is not None:
                keep(name, floats(getattr(self, name), f"skin: {name}", columns))
        if self.twins is not None:
            keep("twins", frozen(self.twins, np.int32))
        for name in ("indices", "weights", "offsets", "axes", "uv", "colours", "twins"):
            rows = getattr(self, name)
            if rows is not None and len(rows) != count:
                raise BodyError(
                    f"skin: {name} has {len(rows)} rows, the skin {count} vertices; give one a vertex"
                )
        if self.kind not in SKIN_KINDS:
            raise BodyError(f'skin: the kind is {self.kind!r}; give "solid", "shell", "rod" or "oriented"')
        if (self.kind == "oriented") != (self.pivots is not None):
            raise BodyError('skin: pivots belong to the kind "oriented"; give both or neither')
        if self.pivots is not None:
            keep("pivots", floats(self.pivots, "skin: pivots"))
            indices(self.indices, "skin: indices", slots, len(self.pivots))

    def _slots(self) -> int:
        """How many particles a vertex may ride on: rows of four, which is how a graphics card reads them."""
        given = np.shape(self.indices)
        if self.kind in ("solid", "oriented") and len(given) == 2 and given[1] in range(4, SLOTS + 1, 4):
            return int(given[1])
        return 4

    @classmethod
    def bind(
        cls,
        vertices: ArrayLike,
        faces: ArrayLike,
        rest: Array,
        elements: NDArray[np.int32],
        kind: str,
        uv: ArrayLike | None = None,
        colours: ArrayLike | None = None,
        carriers: ArrayLike | None = None,
    ) -> "Skin":
        """A skin whose vertices ride on the particles near them; at rest it is exactly as given.

        On tets by smooth weights on about 15 particles (geometry/binding.py), inside and outside alike; on a shell or
        rod on the nearest element, extrapolated beside it. `carriers` (N,): the tet that each vertex belongs to, if it
        is known; else the nearest.
        """
        points = floats(vertices, "skin: vertices")
        if elements.shape[1] == 4:
            slots, weights = _bound(points, indices(faces, "skin: faces", 3, len(points)), rest, elements, carriers)
            return cls(points, faces, slots, weights, kind=kind, uv=uv, colours=colours)  # type: ignore[arg-type]
        corners = elements.shape[1]
        at = locate(points, rest, elements)
        chosen = elements[at.elements]
        if corners == 3:
            weights = barycentric_in_plane(points, rest[chosen])
            axes = face_normals(rest, chosen)
        else:
            weights = at.weights
            axes = unit(rest[chosen[:, 1]] - rest[chosen[:, 0]])
        offsets = points - np.einsum("nk,nkj->nj", weights, rest[chosen])
        slots = np.concatenate([chosen, np.repeat(chosen[:, :1], 4 - corners, axis=1)], axis=1)
        padded = np.concatenate([weights, np.zeros((len(points), 4 - corners))], axis=1)
        return cls(points, faces, slots, padded, offsets, axes, kind, uv, colours)  # type: ignore[arg-type]

    @classmethod
    def of_elements(
        cls, rest: Array, elements: NDArray[np.int32], kind: str, thickness: float | None = None
    ) -> "Skin":
        """The plain skin: the boundary of the tets, the triangles, or a thin tube round the segments."""
        if elements.shape[1] == 2:
            radius = TUBE_RADIUS * diagonal(rest) if thickness is None else thickness / 2
            hull = tube(rest, elements, radius)
            offsets = hull.vertices - np.einsum("nk,nkj->nj", hull.weights, rest[hull.slots])
            return cls(hull.vertices, hull.faces, hull.slots, hull.weights, offsets, hull.axes, kind)
        faces = boundary_triangles(elements) if elements.shape[1] == 4 else elements
        used, inverse = np.unique(faces, return_inverse=True)
        slots = np.repeat(used[:, None], 4, axis=1).astype(np.int32)
        weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(used), 1))
        faces = inverse.reshape(-1, 3).astype(np.int32)
        return cls(rest[used], faces, slots, weights, kind=kind)

    def deform(self, positions: ArrayLike, rotations: ArrayLike | None = None) -> Array:
        """The vertices (N, 3) when the particles are at `positions` (V, 3).

        A skin of kind "oriented" also needs their `rotations` (V, 4) since rest, quaternions x, y, z, w; the others
        have no use for them.
        """
        x = np.asarray(positions)
        if self.kind == "oriented":
            return self._ride @ self._motions(x, rotations)
        base = self._blend @ x[: self._blend.shape[1]]
        moved = self._with_offset
        if len(moved) == 0:
            return base
        x = x.astype(np.float64, copy=False)
        corners = x[self.indices[moved]]
        if self.kind == "shell":
            normal = unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
            height = np.einsum("nj,nj->n", self.offsets[moved], self.axes[moved])
            base[moved] += height[:, None] * normal
        elif self.kind == "rod":
            chord = unit(corners[:, 1] - corners[:, 0], self.axes[moved])
            base[moved] += turned(self.offsets[moved], self.axes[moved], chord)
        else:
            base[moved] += self.offsets[moved]
        return base

    def normals(self, vertices: ArrayLike) -> Array:
        """Unit normals (N, 3) of deformed vertices, smooth across edges and seams."""
        points = np.asarray(vertices, dtype=np.float64)
        if self.twins is None:
            return vertex_normals(points, self.faces)
        return vertex_normals(points, self.twins[self.faces])[self.twins]

    def blended_normals(self, rotations: ArrayLike) -> Array:
        """Unit normals (N, 3) of a skin of kind "oriented" when its particles are turned by `rotations` (V, 4): those
        at rest, turned with every particle and blended with the skin's weights [Choi+17, section 3.1].

        Cheaper than `normals`, and what a vertex shader can do; they lag behind where particles move apart.
        """
        matrices = self._matrices(rotations)[: self._blend.shape[1]]
        blended = (self._blend @ matrices.reshape(-1, 9)).reshape(-1, 3, 3)
        rest = self.normals(self.vertices)
        return unit(np.einsum("nij,nj->ni", blended, rest), rest)

    def _matrices(self, rotations: ArrayLike | None) -> Array:
        if self.pivots is None or rotations is None:
            raise BodyError('skin: an "oriented" skin rides on particles that turn; give their rotations (V, 4)')
        q = np.asarray(rotations, dtype=np.float64)
        if q.shape != (len(self.pivots), 4):
            raise BodyError(f"skin: the rotations have shape {q.shape}; give ({len(self.pivots)}, 4)")
        return rotation_matrices(q)

    def _motions(self, positions: NDArray[Any], rotations: ArrayLike | None) -> Array:
        """(4 P, 3): the columns of R and the position of every particle, what `_ride` multiplies."""
        matrices = self._matrices(rotations)
        if positions.shape != (len(matrices), 3):
            raise BodyError(f"skin: the positions have shape {positions.shape}; give ({len(matrices)}, 3)")
        columns = np.swapaxes(matrices, 1, 2)
        return np.concatenate([columns, positions[:, None].astype(np.float64)], axis=1).reshape(-1, 3)

    def scaled(self, factor: float) -> "Skin":
        pivots = None if self.pivots is None else self.pivots * factor
        return replace(self, vertices=self.vertices * factor, offsets=self.offsets * factor, pivots=pivots)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made anew, so that they are read-only like the original."""
        return Skin, tuple(getattr(self, each.name) for each in fields(self))

    @cached_property
    def _blend(self) -> csr_array:
        count, width = len(self.vertices), int(self.indices.max(initial=0)) + 1
        rows = np.repeat(np.arange(count), self.indices.shape[1])
        blend = csr_array((self.weights.ravel(), (rows, self.indices.ravel())), shape=(count, width))
        blend.eliminate_zeros()
        return blend

    @cached_property
    def _ride(self) -> csr_array:
        """(N, 4 P): vertex n is w (v - pivot) on the columns of a particle's R and w on its position, over its slots.

        One product with a matrix of about 25 numbers a row: 20,000 vertices take about 3 ms.
        """
        assert self.pivots is not None
        count = len(self.vertices)
        arm = self.vertices[:, None] - self.pivots[self.indices]
        ones = np.ones((*self.indices.shape, 1))
        values = self.weights[:, :, None] * np.concatenate([arm, ones], axis=2)
        columns = 4 * self.indices[:, :, None] + np.arange(4, dtype=np.int32)
        row = 4 * self.indices.shape[1]
        starts = np.arange(0, row * count + 1, row, dtype=np.int32)
        ride = csr_array((values.ravel(), columns.ravel(), starts), shape=(count, 4 * len(self.pivots)))
        ride.eliminate_zeros()
        return ride

    @cached_property
    def _with_offset(self) -> NDArray[np.intp]:
        return frozen(np.flatnonzero((self.offsets != 0).any(axis=1)), np.intp)


def _bound(
    vertices: Array, faces: NDArray[np.int32], rest: Array, tets: NDArray[np.int32], carriers: ArrayLike | None
) -> tuple[NDArray[np.int32], Array]:
    """Slots and weights on tets. Vertices in one place, as at a seam of uv, are bound as one, or they would part."""
    places, first, which = np.unique(vertices, axis=0, return_index=True, return_inverse=True)
    which = which.reshape(-1)
    tet = locate(places, rest, tets).elements if carriers is None else np.asarray(carriers)[first]
    slots, weights = bind(places, which[faces].astype(np.int32), rest, tets, tet)
    return slots[which], weights[which]
