"""Regions of shape matching: a particle and its ring, and how it is deformed [Koyama+12, section 3].

This is the plain reference, in double precision; the kernels of a model are prepared from its arrays and
tested against its answers.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.rings import rings

Array = NDArray[np.float64]

# Eigenvalues of A_qq below this part of the largest count as missing. A tet always spans space, so solids
# drop only what rounding would spoil. The ring of a slightly curved sheet spans space, too, but so thinly
# that its height says nothing but noise: shells and rods drop what is thinner than a tenth of the region's
# length.
TOLERANCE = {"solid": 1e-6, "shell": 1e-2, "rod": 1e-2, "graph": 1e-2}  # a graph may be any of them
IN_A_LINE = 1e-9  # second singular value over the first: below it the gradient maps everything to one line


@dataclass(frozen=True, eq=False)
class Regions:
    """One region r per particle. Sums run over `members[starts[r]:starts[r + 1]]`, particle r first.

    starts (V + 1,), members (M,): compressed rows;  effective (V,) kg: m~_i = m_i / |N_i|;  masses (V,) kg:
    sum of m~ over the region;  centres (V, 3) m: c_r at rest;  offsets (M, 3) m: q_i;  moments (V, 3, 3) kg
    m^2: A_qq; inverses (V, 3, 3): its pseudo-inverse;  missing (V, 3, 3): the projector P on the axes it
    lacks; coefficients (M, 3) 1/m: b_ri = m~_i A_qq^-1 q_i, so that A_r = sum x_i b_ri^T.
    """

    starts: NDArray[np.int32]
    members: NDArray[np.int32]
    effective: Array
    masses: Array
    centres: Array
    offsets: Array
    moments: Array
    inverses: Array
    missing: Array
    coefficients: Array

    def gradients(self, positions: Array) -> Array:
        """A_r (V, 3, 3), the least-squares deformation gradient of each region; zero along missing axes.
        (1)
        """
        x = np.asarray(positions, dtype=np.float64)
        # The sum of b over a region is zero, so any origin will do; the particle itself keeps far bodies
        # exact.
        from_centre = x[self.members] - np.repeat(x, np.diff(self.starts), axis=0)
        return _sum(from_centre[:, :, None] * self.coefficients[:, None, :], self.starts)

    def shapes(self, positions: Array) -> Array:
        """(M, 3) m: where the members of each ring are in the region's own frame, less where they are at rest."""
        x = np.asarray(positions, dtype=np.float64)
        owners = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        p = x[self.members] - x[owners]
        p -= (_sum(self.effective[self.members][:, None] * p, self.starts) / self.masses[:, None])[owners]
        rotations = proper_rotations(self.gradients(x))
        return np.einsum("mji,mj->mi", rotations[owners], p) - self.offsets

    def polar(self, positions: Array) -> tuple[Array, Array]:
        """Rotations R_r (always proper) and stretches S_r = sym(R_r^T A_r) + P_r, both (V, 3, 3)."""
        gradients = self.gradients(positions)
        rotations = proper_rotations(gradients)
        stretches = np.swapaxes(rotations, 1, 2) @ gradients
        return rotations, (stretches + np.swapaxes(stretches, 1, 2)) / 2 + self.missing

    def stretches(self, positions: Array) -> Array:
        """The right stretch tensors S_r (V, 3, 3): the descriptor of a deformation; the identity at rest."""
        return self.polar(positions)[1]


def regions(rest: Array, masses: Array, elements: NDArray[np.int32], kind: str) -> Regions:
    """The regions of a rest shape (V, 3) m with masses (V,) kg; kind is "solid", "shell" or "rod".

    >>> line = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    >>> rope = regions(line, np.ones(3), np.array([[0, 1], [1, 2]]), "rod")
    >>> rope.stretches(line * 2)[1].diagonal().tolist()
    [2.0, 1.0, 1.0]
    """
    rest = np.asarray(rest, dtype=np.float64)
    starts, members = rings(elements, len(rest))
    sizes = np.diff(starts)  # a particle is in as many regions as its own region has members
    effective = np.asarray(masses, dtype=np.float64) / sizes
    share = effective[members]
    total = _sum(share, starts)

    own = np.repeat(rest, sizes, axis=0)
    centres = rest + _sum(share[:, None] * (rest[members] - own), starts) / total[:, None]
    offsets = rest[members] - np.repeat(centres, sizes, axis=0)
    moments = _sum(share[:, None, None] * offsets[:, :, None] * offsets[:, None, :], starts)

    values, axes = np.linalg.eigh(moments)
    kept = values > TOLERANCE[kind] * values[:, -1:]
    inverse_values = np.where(kept, 1.0 / np.where(kept, values, 1.0), 0.0)
    inverses = (axes * inverse_values[:, None, :]) @ np.swapaxes(axes, 1, 2)
    missing = (axes * ~kept[:, None, :]) @ np.swapaxes(axes, 1, 2)
    coefficients = share[:, None] * np.einsum("mij,mj->mi", np.repeat(inverses, sizes, axis=0), offsets)
    return Regions(
        starts, members, effective, total, centres, offsets, moments, inverses, missing, coefficients
    )


def proper_rotations(gradients: Array) -> Array:
    """The rotation R nearest each matrix A (N, 3, 3): R^T A is symmetric and det R = 1, whatever A is.

    With A = U diag(s) V^T the best proper rotation is U diag(1, 1, det U det V) V^T: a mirrored A gives up
    its smallest stretch, and a flat A (s_3 = 0) has the axis that it lost completed to a right-handed
    frame. A matrix of rank one leaves a spin about its line open, one of rank zero leaves everything: of
    all best rotations we take the smallest, which is what R = polar(A + eps I) tends to as eps goes to 0.
    """
    u, s, vt = np.linalg.svd(gradients)
    handed = np.linalg.det(u) * np.linalg.det(vt)
    u[:, :, 2] *= np.sign(handed)[:, None]
    rotations = u @ vt
    for r in np.flatnonzero(s[:, 1] <= IN_A_LINE * s[:, 0]):
        rotations[r] = smallest_rotation(vt[r, 0], u[r, :, 0]) if s[r, 0] > 0 else np.eye(3)
    return rotations


def smallest_rotation(start: Array, end: Array) -> Array:
    """The rotation (3, 3) by the smallest angle that takes one unit vector to another."""
    cosine = float(start @ end)
    if 1.0 + cosine < 1e-12:  # half a turn: any axis across will do; take the one nearest a coordinate axis
        across = np.zeros(3)
        across[np.argmin(np.abs(start))] = 1.0
        across -= (across @ start) * start
        across /= np.linalg.norm(across)
        return 2.0 * np.outer(across, across) - np.eye(3)
    k = np.cross(start, end)
    cross = np.array([[0.0, -k[2], k[1]], [k[2], 0.0, -k[0]], [-k[1], k[0], 0.0]])
    return np.eye(3) + cross + cross @ cross / (1.0 + cosine)


def _sum(rows: Array, starts: NDArray[np.int32]) -> Array:
    """The sum of each compressed row; no row is empty."""
    return np.add.reduceat(rows, starts[:-1], axis=0)
