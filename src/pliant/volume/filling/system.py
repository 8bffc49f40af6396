"""The quadratic energies of a fill, as sparse matrices that hold for all poses of a mesh.

    E(x) = w (sum_i a_i |Bx - s|^2 / h^2  +  b |J (Bx - s)|^2)
           + h^2 sum_f g_f |F_a - F_b|^2  +  alpha sum_t v_t |F_t - R_t|^2

B x is the bound skin, s the posed surface, |J u|^2 the mean squared jump of the gradient of u at the edges of the skin
(`hinges.py`), F the deformation gradient of a tet, a and b the tets on either side of an inner face f, R a rotation;
a_i is the point's share of the area, v_t the tet's share of the volume, h the mean edge, g the area of the face /
(distance of the two centres * whole volume), which makes the sum over f the integral of the squared change of F. Each
term is without unit. All three coordinates share one V x V matrix.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, diags_array, eye_array, kron
from scipy.sparse.linalg import splu

from pliant.geometry.binding import mean_edge
from pliant.geometry.boundary import OUTWARD_FACES
from pliant.geometry.measures import areas as face_areas
from pliant.geometry.measures import diagonal, volumes
from pliant.runtime.errors import BodyError
from pliant.volume.filling.hinges import hinge_jumps
from pliant.volume.filling.pieces import Piece, components, pieces

Array = NDArray[np.float64]
Indices = NDArray[np.int32]
Solve = Callable[[Array], Array]

PULL = 3e3  # w: how strongly the skin is drawn to the posed surface
BEND = 1 / 3  # b: how much the angles at its edges count. At 1/10 new creases show, at 1 more tets have to be untangled
FLOOR = 1e6  # w at which the skin comes as near as the particles allow at all
TURN = 0.01  # alpha: just enough to hold what skin and smoothness leave free
NO_VOLUME = 1e-12  # of the cubed mean edge: a tet of less volume has no deformation gradient
LEAST_SHARE = 0.01  # of the mean share: also a point without area belongs to the skin


@dataclass(frozen=True, eq=False)
class FillingSystem:
    """A mesh with a bound skin, ready to be filled: V particles, T tets, N skin points.

    rest (V, 3) m, about its own centre; skin (N, V); shares (N,) of the area and volumes (T,) of the volume, each
    summing to 1; slopes (T, 4, 3) 1/m: the gradient of each corner's weight, so F = sum_k x_k slopes_k^T;
    gradient (3T, V): the same as a matrix; h (m): mean edge; diagonal (m) of the skin at rest; component (V,):
    which of the connected pieces a particle belongs to; held (V,): weights that keep a particle at its start if
    the skin says nothing about its whole piece; jumps (3E, N): J. The last four (V, V) are the terms of the energy.
    """

    rest: Array
    tets: Indices
    skin: csr_array
    shares: Array
    volumes: Array
    slopes: Array
    gradient: csr_array
    h: float
    diagonal: float
    component: Indices
    pieces: tuple[Piece, ...]
    held: Array
    jumps: csr_array
    fitting: csr_array
    bending: csr_array
    jumping: csr_array
    turning: csr_array

    def deformation(self, x: Array) -> Array:
        """The deformation gradient F (T, 3, 3) of each tet."""
        return np.swapaxes((self.gradient @ x).reshape(-1, 3, 3), 1, 2)

    def drawing(self, pull: float) -> csr_array:
        """The matrix (V, V) of the terms that draw the skin to a surface. A pull above the usual is one to its points:
        it asks how near they come at all."""
        return pull * self.fitting + min(pull, PULL) * BEND * self.bending

    def drawing_side(self, pull: float, surface: Array) -> Array:
        """The right-hand side (V, 3) that belongs to `drawing`."""
        near = pull / self.h**2 * self.shares[:, None] * surface
        return self.skin.T @ (near + min(pull, PULL) * BEND * (self.jumps.T @ (self.jumps @ surface)))

    def drawing_constant(self, pull: float, surface: Array) -> float:
        """What is left of these terms where x is 0."""
        bent = float(np.sum((self.jumps @ surface) ** 2))
        return pull / self.h**2 * float((self.shares @ surface**2).sum()) + min(pull, PULL) * BEND * bent

    def turning_side(self, targets: Array) -> Array:
        """The right-hand side (V, 3) that belongs to `turning` when F shall be `targets` (T, 3, 3)."""
        rows = np.swapaxes(targets, 1, 2).reshape(-1, 3)
        return self.gradient.T @ (np.repeat(self.volumes, 3)[:, None] * rows)

    def matrix(self, pull: float, turn: float) -> csr_array:
        """The whole energy's V x V matrix; positive definite if `turn` is above 0."""
        return self.drawing(pull) + self.jumping + turn * self.turning + diags_array(self.held)

    @cached_property
    def solve(self) -> Solve:
        """Solves with the usual pull, factored once."""
        return factored(self.matrix(PULL, TURN))

    @cached_property
    def solve_floor(self) -> Solve:
        """Solves with the strongest pull, factored once and only if a pose asks for it."""
        return factored(self.matrix(FLOOR, TURN))


def factored(matrix: csr_array) -> Solve:
    """A solver for a symmetric positive definite matrix, which needs no pivots."""
    options = {"SymmetricMode": True}
    factors = splu(csc_array(matrix), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    return factors.solve


def assemble(
    rest: Array, tets: Indices, slots: Indices, weights: Array, areas: Array, faces: Indices
) -> FillingSystem:
    """The system of a mesh at rest whose skin, with `faces` (M, 3), is bound by `slots` and `weights` (N, K)."""
    rest = rest - rest.mean(axis=0)
    count, points = len(rest), len(slots)
    rows = np.repeat(np.arange(points), slots.shape[1])
    skin = csr_array((weights.ravel(), (rows, slots.ravel())), shape=(points, count))
    shares = np.maximum(areas, LEAST_SHARE * areas.mean()) if areas.sum() > 0 else np.ones(points)
    shares = shares / shares.sum()
    h = mean_edge(rest, tets)
    amount = np.abs(volumes(rest, tets))
    flat = np.flatnonzero(amount <= NO_VOLUME * h**3)
    if len(flat):
        raise BodyError(f"tet {flat[0]} is flat at rest; a pose cannot be filled in before it is taken out")
    share = amount / amount.sum()
    slopes = _slopes(rest, tets)
    rows = np.broadcast_to(3 * np.arange(len(tets))[:, None, None] + np.arange(3), slopes.shape)
    columns = np.broadcast_to(tets[:, :, None], slopes.shape)
    gradient = csr_array((slopes.ravel(), (rows.ravel(), columns.ravel())), shape=(3 * len(tets), count))
    component = components(tets, count)
    fitting = csr_array(skin.T @ diags_array(shares) @ skin) / h**2
    jumps = hinge_jumps(skin @ rest, faces, h)
    bent = csr_array(jumps @ skin)
    turning = csr_array(gradient.T @ diags_array(np.repeat(share, 3)) @ gradient)
    told = np.zeros(int(component.max()) + 1, dtype=bool)
    told[component[slots[weights != 0]]] = True
    in_tet = np.zeros(count, dtype=bool)
    in_tet[tets] = True
    # Any weight will do: nothing else pulls at such a piece.
    held = np.where(told[component] & in_tet, 0.0, turning.diagonal().mean())
    jumping = h**2 * _jumping(rest, tets, amount.sum(), gradient)
    return FillingSystem(
        rest=rest,
        tets=tets,
        skin=skin,
        shares=shares,
        volumes=share,
        slopes=slopes,
        gradient=gradient,
        h=h,
        diagonal=diagonal(skin @ rest),
        component=component,
        pieces=pieces(component, rest, slots, weights),
        held=held,
        jumps=jumps,
        fitting=fitting,
        bending=csr_array(bent.T @ bent),
        jumping=jumping,
        turning=turning,
    )


def _slopes(rest: Array, tets: Indices) -> Array:
    """The gradients (T, 4, 3) of the barycentric weights: rows of the inverse edge matrix, and what makes them
    sum to zero."""
    corners = rest[tets]
    three = np.linalg.inv(np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2))
    return np.concatenate([-three.sum(axis=1, keepdims=True), three], axis=1)


def _jumping(rest: Array, tets: Indices, whole: float, gradient: csr_array) -> csr_array:
    """The matrix of the jumps of the deformation gradient across inner faces, without h."""
    corners, first, second = _across(rest, tets)
    count = len(first)
    centres = rest[tets].mean(axis=1)
    apart = np.linalg.norm(centres[first] - centres[second], axis=1)
    weight = face_areas(rest, corners) / (apart * whole)
    signs, at = np.repeat([1.0, -1.0], count), np.tile(np.arange(count), 2)
    across = csr_array((signs, (at, np.concatenate([first, second]))), shape=(count, len(tets)))
    jump = csr_array(kron(across, eye_array(3), format="csr") @ gradient)
    return csr_array(jump.T @ diags_array(np.repeat(weight, 3)) @ jump)


def _across(rest: Array, tets: Indices) -> tuple[Indices, Indices, Indices]:
    """Inner faces (F, 3) and the two tets (F,) on either side of each.

    Where a lattice splits, as below a crotch, a face has two tets on one side: each is paired with the one on the
    other side, and not with each other. They may be copies of one tet, in the same place.
    """
    faces = np.sort(tets[:, OUTWARD_FACES].reshape(-1, 3), axis=1)
    order = np.lexsort(faces.T[::-1])
    faces = faces[order]
    a, b, c = (rest[faces[:, k]] for k in range(3))
    above = np.einsum("nx,nx->n", np.cross(b - a, c - a), rest[tets].mean(axis=1)[order // 4] - a) > 0
    found = []
    for step in range(1, len(faces)):
        same = np.flatnonzero((faces[step:] == faces[:-step]).all(axis=1))
        if len(same) == 0:
            break
        found.append(np.stack([same, same + step])[:, above[same] != above[same + step]])
    first, second = np.concatenate(found, axis=1) if found else np.empty((2, 0), dtype=np.int64)
    return faces[first], order[first] // 4, order[second] // 4
