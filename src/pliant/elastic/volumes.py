"""Forces by finite volumes [Teran et al. 2003; Nealen+06, 3.3]: what acts on a corner of a tet is what stress carries
through the faces that meet there, a third of each,

    f = -1/3 sum over these faces of P N,     P = dW/dF  (first Piola),  N the face's area times its normal at rest

Where elements are linear P is constant in a tet, and these are the very forces that its energy gives."""

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.objective import GRADIENT, HESSIAN, Potential
from pliant.elastic.volume_kernels import face_forces, stretch_of
from pliant.geometry.boundary import OUTWARD_FACES

Array = NDArray[np.float64]


class VolumePotential(Potential):
    """The same energy, whose gradient is made from stress and normals. The Hessian is that of the energy."""

    def __post_init__(self) -> None:
        super().__post_init__()
        tets = len(self.elements.tets)
        self.normals = normals_of(self.elements.rest, self.elements.tets).reshape(-1)
        # A material takes places and D^-1. Where the edges are the columns of F, D^-1 and volumes one, what it gives
        # for the edges are the columns of P.
        self._stretched = np.zeros(12 * tets)
        self._stress = np.zeros(9 * tets)
        self._bare = (
            np.arange(4 * tets), np.tile(np.eye(3).reshape(-1), tets), np.ones(tets), self.moduli.reshape(-1),
        )  # fmt: skip

    def evaluate(self, x: Array, level: int) -> float:
        energy = super().evaluate(x, level if level >= HESSIAN else 0)
        if level >= GRADIENT:
            spare = np.empty(len(self.energies))

            def run(first: int, last: int, _piece: int) -> None:
                stretch_of(x, *self._constants[:2], first, last, self._stretched)
                self.material(
                    self._stretched, *self._bare, GRADIENT, first, last, spare, self._stress, self.blocks[:0]
                )
                face_forces(self._stress, self.normals, first, last, self.forces)

            self.pool.share_out(run, len(self.energies))
        return energy


def normals_of(rest: Array, tets: NDArray[np.int64]) -> Array:
    """(T, 4, 3) m^2: area times outward normal at rest, of the face opposite each corner."""
    corners = rest[tets][:, OUTWARD_FACES]
    normals = 0.5 * np.cross(corners[:, :, 1] - corners[:, :, 0], corners[:, :, 2] - corners[:, :, 0])
    away = corners[:, :, 0] - rest[tets]
    flipped: Array = normals * np.sign(np.einsum("tfi,tfi->tf", normals, away))[:, :, None]
    return flipped
