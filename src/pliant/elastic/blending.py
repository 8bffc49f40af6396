"""Between example poses: the shape whose Green strains are nearest to a blend of theirs.            [Martin+11] 3.1

    S(w) = sum_k w_k E_k,     Pi(w) = argmin over x of  W_I = 1/2 sum_t V_t |E_t(x) - S_t|^2         (1) (2)

Rest has no strain, so its weight does not show. Strains do not change when a shape moves rigidly: such motion costs
nothing, and a hair of the diagonal keeps it from happening by itself. The derivative of the blended shape is

    dPi/dw_k = Hess_I^-1 a_k,     a_k = sum_t V_t dE_t/dx : E_k,t
"""

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern, make_pattern
from pliant.elastic.blend_kernels import (
    blend_forces,
    blend_pulls,
    blend_strains,
    blend_terms,
    blend_works,
)
from pliant.elastic.elements import Elements
from pliant.elastic.factor import Factor
from pliant.elastic.kernels import gather
from pliant.elastic.lagging import Lagging
from pliant.elastic.newton import dot
from pliant.elastic.rigid import remove_rigid

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

SHIFT = 1e-10  # of the largest number on the diagonal: enough to hold rigid motion, too little to slow anything
EXACTLY = 1e-6  # of a right-hand side: what an old factor may leave of it
STRAIN_LEFT = 1e-9  # strain that is left over when a shape counts as found
WEIGHT_STRIDE = 0.25  # of weight, in one go along the derivative
SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # a symmetric matrix as six numbers


def six_strains(elements: Elements, x: Array) -> Array:
    """Green strains (6 T,) of a shape, as xx yy zz xy xz yz of each tet."""
    strains = elements.strains(x)
    return np.stack([strains[:, i, j] for i, j in SIX], axis=1).reshape(-1)


class Blending:
    """Blends of columns of strains (K, 6 T) on one mesh: poses, or parts of poses. Holds the matrix of (2) and its
    factor between calls; the shapes and weights are the caller's. lost (T,): tets that do not count, and may be inside
    out."""

    def __init__(
        self,
        elements: Elements,
        strains: Array,
        pattern: Pattern | None = None,
        lost: NDArray[np.bool_] | None = None,
    ) -> None:
        self.elements = elements
        self.strains = np.ascontiguousarray(strains, dtype=np.float64)
        self.pattern = make_pattern(elements) if pattern is None else pattern
        self._factor = Factor(self.pattern)
        self.values = self.pattern.values()
        tets = len(elements.tets)
        volumes = elements.volumes if lost is None else np.where(lost, 0.0, elements.volumes)
        self._mesh = (elements.tets.reshape(-1), elements.inverses.reshape(-1), volumes)
        self._forces, self._blocks, self._room = np.zeros(9 * tets), np.zeros(54 * tets), np.zeros(45)
        self._gradient = np.zeros(3 * elements.count)
        self._lagging = Lagging(self.pattern, self._factor, EXACTLY)
        self._at = elements.rest.reshape(-1).copy()  # where the factor was made
        self._now = self._at  # where the matrix was
        self._gain = STRAIN_LEFT**2 * float(elements.volumes.sum())

    def target(self, weights: Array) -> Array:
        """S(w) (6 T,)."""
        target = np.empty(self.strains.shape[1])
        blend_strains(np.ascontiguousarray(weights), self.strains.reshape(-1), len(target), target)
        return target

    def energy(self, x: Array, target: Array) -> tuple[float, Array]:
        """W_I (m^3) at x (3 V,), infinite if a tet is inside out, and its gradient, valid until the next call."""
        energy = blend_forces(*self._mesh, x, target, self._forces, self._room)
        self._gather()
        return energy, self._gradient

    def factor(self, x: Array, target: Array, exact: bool = True) -> tuple[float, Array]:
        """Factor Hess_I at x, or its positive part; energy and gradient too, valid until the next call."""
        energy, gradient = self.assemble(x, target, exact)
        self._lagging.take(self.values, new=True)
        self._at = self._now = x.copy()
        return energy, gradient

    def near(self, x: Array, target: Array) -> None:
        """Hess_I at x, to be solved with by the factor of an earlier shape where that is sooner done."""
        self.assemble(x, target)
        self._lagging.take(self.values, new=False)
        self._now = x.copy()
        if not self._lagging.rounds:
            self._at = self._now

    def assemble(self, x: Array, target: Array, exact: bool = True) -> tuple[float, Array]:
        """Energy, gradient and `values` of Hess_I, or its positive part; all valid until the next call."""
        energy = blend_terms(*self._mesh, x, target, exact, self._forces, self._blocks, self._room)
        self._gather()
        self.values[:] = 0.0
        self.pattern.add_tets(self.elements, self._blocks, self.values)
        top = float(self.values[self.pattern.diagonals].max())
        self.pattern.add_diagonal(np.full(self.elements.count, SHIFT * top), self.values)
        return energy, self._gradient

    def solve(self, right: Array) -> Array:
        """Hess_I^-1 right, as last factored, for one right-hand side (3 V,) or several as rows (k, 3 V). Rigid motion
        is left out on both sides: forces at another shape have some of it, which the hair would blow up."""
        if not right.size:
            return right.copy()
        columns = right.reshape(-1, len(self._at)).T.copy()
        self._remove(self._now, columns)
        made = self._lagging.made
        solved = self._lagging.solve(columns, self._smooth)
        if self._lagging.made > made:
            self._at = self._now
        self._remove(self._now, solved)
        return np.ascontiguousarray(solved.T).reshape(right.shape)

    def _smooth(self, columns: Array) -> Array:
        """As the earlier factor says, without rigid motion of its shape or of the present one."""
        columns = columns.copy()
        self._remove(self._now, columns)
        self._remove(self._at, columns)
        solved = self._factor.solve(columns)
        self._remove(self._at, solved)
        self._remove(self._now, solved)
        return solved

    @staticmethod
    def _remove(shape: Array, columns: Array) -> None:
        """Rigid motion of a shape out of columns (3 V, k)."""
        rows = np.ascontiguousarray(columns.T)
        remove_rigid(shape, rows.reshape(-1))
        columns[:] = rows.T

    def realise(self, x: Array, target: Array, most: int = 60) -> tuple[Array, bool]:
        """Pi: the shape nearest to the target's strains, from a start x (3 V,) that has no tet inside out; and whether
        it was found. Newton with the exact second derivative where it points downwards, else with its positive part."""
        x = x.copy()
        exact = False
        for _ in range(most):
            energy, gradient = self.factor(x, target, exact)
            step = -self.solve(gradient)
            slope = dot(gradient, step)
            if exact and not slope < 0.0:
                exact = False
                continue
            if -slope <= self._gain:
                return x + step if exact else x, True
            part = self._descend(x, step, energy, slope, target)
            if part == 0.0:
                if not exact:
                    return x, False
                exact = False
                continue
            x += part * step
            exact = part == 1.0
        return x, False

    def follow(self, x: Array, target: Array, most: int = 8) -> tuple[Array, bool]:
        """Pi from a start close by, with the factor of an earlier shape: each round is one gradient and one solve."""
        x = x.copy()
        before = np.inf
        for _ in range(most):
            energy, gradient = self.energy(x, target)
            if not np.isfinite(energy):
                return x, False
            step = -self.solve(gradient)
            gain = -dot(gradient, step)
            if gain <= self._gain:
                return x + step, True
            if not gain < 0.5 * before:  # it does not close in
                return x, False
            before = gain
            x += step
        return x, False

    def travel(self, x: Array, start: Array, end: Array) -> tuple[Array, bool]:
        """From x = Pi(start) to Pi(end), weights (K,): in strides along the derivative, so that even far turns are
        found; and whether it arrived. Short of the end it gives the last shape that was found."""
        x = x.copy()
        way = end - start
        length = float(np.abs(way).sum())
        if length == 0.0:
            return x, True
        done, stride = 0.0, min(1.0, WEIGHT_STRIDE / length)
        chosen = np.flatnonzero(way)
        while done < 1.0:
            stride = min(stride, 1.0 - done)
            self.factor(x, self.target(start + done * way))
            move = self.solve(way[chosen] @ self.pulls(x, chosen))
            target = self.target(end if done + stride >= 1.0 else start + (done + stride) * way)
            ahead = x + stride * move
            found = bool(np.isfinite(self.energy(ahead, target)[0]))
            if found:
                ahead, found = self.realise(ahead, target)
            if found:
                x, done = ahead, done + stride
                stride *= 2.0 if stride * length < WEIGHT_STRIDE else 1.0
            elif stride * length < WEIGHT_STRIDE / 64:
                return x, False
            else:
                stride *= 0.5
        return x, True

    def pulls(self, x: Array, chosen: Ints) -> Array:
        """a_k (K, 3 V) of the chosen columns at x."""
        pulls = np.empty((len(chosen), len(x)))
        blend_pulls(*self._mesh, x, self.strains.reshape(-1), chosen, pulls.reshape(-1), self._room)
        return pulls

    def works(self, x: Array, y: Array) -> Array:
        """a_k . y of all columns at x, for y (3 V,)."""
        works = np.empty(len(self.strains))
        blend_works(*self._mesh, x, y, self.strains.reshape(-1), works, self._room)
        return works

    def moves(self, x: Array, chosen: Ints) -> Array:
        """dPi/dw_k (K, 3 V) of the chosen columns, with the factor at x."""
        return self.solve(self.pulls(x, chosen))

    def _gather(self) -> None:
        starts, corners = self.elements.corner_starts, self.elements.corners
        gather(self._forces, starts, corners, 0, self.elements.count, self._gradient)

    def _descend(self, x: Array, step: Array, energy: float, slope: float, target: Array) -> float:
        """How much of the step to go, so that the energy falls and no tet turns inside out; 0 if nowhere."""
        part = 1.0
        while part > 1e-6:
            if (
                blend_forces(*self._mesh, x + part * step, target, self._forces, self._room)
                <= energy + 1e-4 * part * slope
            ):
                return part
            part *= 0.5
        return 0.0
