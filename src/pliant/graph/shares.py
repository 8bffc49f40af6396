"""What each oriented particle is a share of: from a pose of the source's particles to centres and rotations."""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pliant.body.body import Body
from pliant.body.checks import floats, frozen
from pliant.body.skin import Skin
from pliant.geometry.normals import face_normals, unit
from pliant.graph.cells import Indices, SimplexCells, summed
from pliant.graph.rods import carried_rotations
from pliant.runtime.errors import BodyError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shares:
    """How N particles share out a source of V particles and E elements.

    owners (V,): the particle whose share holds most of what is round a particle of the source; means (N, V): centre =
    means @ positions; moments (3 N, V) m: rows 3 i to 3 i + 2 times positions are the transpose of the mean of
    (x - centre)(X - centre at rest)^T over share i, up to the thickness of shells and rods; across (N, E) m^2: what a
    shell adds along the normal and a rod across its axis, for each element; kind: the source's;
    elements (E, K): the source's; rest (V, 3): the source's; riding: the source's particles as a skin of the graph.
    """

    kind: str
    rest: Array
    elements: NDArray[np.int32]
    owners: NDArray[np.int32]
    means: csr_array
    moments: csr_array
    across: csr_array
    riding: Skin

    def gather(self, positions: Any) -> tuple[Array, Array]:
        """Centres (N, 3) m and moments (N, 3, 3) m^2 of the shares when the source's particles are at (V, 3)."""
        x = self._fine(positions)
        centres = self.means @ x
        # Moments do not change with the origin; one near the body keeps far poses exact.
        moments = np.swapaxes((self.moments @ (x - x[0])).reshape(-1, 3, 3), 1, 2)
        if self.kind != "solid":
            moments = moments + (self.across @ self._thickness(x).reshape(len(self.elements), 9)).reshape(-1, 3, 3)
        return centres, moments

    def _fine(self, positions: Any) -> Array:
        x = floats(positions, "positions of the source")
        if len(x) != len(self.rest):
            raise BodyError(
                f"positions of the source: {len(x)} given, it has {len(self.rest)} particles; give one each"
            )
        return x

    def _thickness(self, x: Array) -> Array:
        """(E, 3, 3): n N^T of a shell's normals; Q (I - T T^T) of a rod, Q the rotation of each segment."""
        if self.kind == "shell":
            return face_normals(x, self.elements)[:, :, None] * face_normals(self.rest, self.elements)[:, None, :]
        along = unit(self.rest[self.elements[:, 1]] - self.rest[self.elements[:, 0]])
        sideways = np.eye(3) - along[:, :, None] * along[:, None, :]
        return carried_rotations(self.rest, x, self.elements) @ sideways

    @cached_property
    def covariances(self) -> Array:
        """(N, 3, 3) m^2 of the shares at rest."""
        return frozen(self.gather(self.rest)[1], np.float64)

    def scaled(self, factor: float) -> "Shares":
        return replace(
            self,
            rest=frozen(self.rest * factor, np.float64),
            moments=self.moments * factor,
            across=self.across * factor**2,
            riding=self.riding.scaled(factor),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Shares, tuple(getattr(self, each.name) for each in fields(self))


def shares_of(body: Body, cells: SimplexCells, share: Indices, count: int, riding: Skin) -> Shares:
    """The shares made of these cells, `share` (M,) saying whose each is. All integrals are exact."""
    k = cells.corners.shape[1]
    part = cells.volumes / summed(share, cells.volumes, count)[share]
    centres = np.stack([summed(share, part * cells.centres[:, j], count) for j in range(3)], axis=1)
    rows, columns = np.repeat(share, k), cells.corners.ravel()
    means = csr_array((np.repeat(part / k, k), (rows, columns)), shape=(count, len(cells.points)))
    # The mean of (x - c)(X - C)^T over a simplex is (x' - c)(X' - C)^T + sum (x_a - x')(X_a - X')^T / (k (k + 1)), x'
    # the mean of its corners x_a. Both terms are linear in the x_a, and these are their factors.
    arms = (cells.centres - centres[share])[:, None] / k
    arms = arms + (cells.points[cells.corners] - cells.centres[:, None]) / (k * (k + 1))
    values = part[:, None, None] * arms
    places = (3 * rows[:, None] + np.arange(3)).ravel(), np.repeat(columns, 3)
    moments = csr_array((values.ravel(), places), shape=(3 * count, len(cells.points)))
    across = csr_array((part * _across(body), (share, cells.elements)), shape=(count, len(body.elements)))
    return Shares(
        kind=body.kind,
        rest=body.rest,
        elements=body.elements,
        owners=frozen(owners_of(cells, share, count), np.int32),
        means=csr_array(means @ cells.weights),
        moments=csr_array(moments @ cells.weights),
        across=across,
        riding=riding,
    )


def owners_of(cells: SimplexCells, share: Indices, count: int) -> Indices:
    """(V,) the share that holds most of the volume round each particle of the source."""
    k = cells.corners.shape[1]
    held = csr_array(
        (np.repeat(cells.volumes, k), (np.repeat(share, k), cells.corners.ravel())), shape=(count, len(cells.points))
    )
    table = (held @ cells.weights).tocsc()
    table.sort_indices()
    columns = np.repeat(np.arange(table.shape[1]), np.diff(table.indptr))
    order = np.lexsort((table.indices, -table.data, columns))
    return table.indices[order[table.indptr[:-1]]].astype(np.int64)


def _across(body: Body) -> float:
    """The variance of a plate along its normal, of a round bar along each diameter (m^2)."""
    if body.thickness is None:
        return 0.0
    return body.thickness**2 / (12 if body.kind == "shell" else 16)
