"""What all forms of the manifold share: weights within their bounds, and how far they step."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.columns import Columns
from pliant.elastic.newton import dot
from pliant.maths.blends import blend_weights
from pliant.models.fem.manifold import System

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
NEWCOMERS = 2  # weights of a set that may leave zero in one iteration


class Weights:
    """Weights (K,) of columns: those given, and free ones that are convex in sets with what the given ones leave."""

    def __init__(self, columns: Columns, forced: Mapping[str, float]) -> None:
        self.columns = columns
        # gains are compared for equal amounts of strain, so that strong poses do not come before right ones
        self._ease = 1.0 / np.maximum(np.linalg.norm(columns.strains, axis=1), 1e-300)
        self.now = np.zeros(len(columns.sets))
        self.tune(forced)
        self.start()

    def tune(self, forced: Mapping[str, float]) -> None:
        self.given = self.columns.given(forced)
        self.free = self.given < 0.0
        taken = np.bincount(self.columns.sets, np.where(self.free, 0.0, self.given), minlength=len(self.columns.groups))
        self.caps = np.maximum(1.0 - taken, 0.0)
        self.free &= self.caps[self.columns.sets] > 1e-9

    def start(self) -> None:
        """Rest, but for the weights that are given."""
        self.now = np.where(self.free, 0.0, np.maximum(self.given, 0.0))

    def allowed(self, weights: Array) -> Array:
        """The same weights within the bounds: given ones as given, the others fewer where there is no room."""
        kept = np.where(self.free, np.maximum(weights, 0.0), np.maximum(self.given, 0.0))
        sums = np.bincount(self.columns.sets, np.where(self.free, kept, 0.0), minlength=len(self.caps))
        share = np.minimum(1.0, self.caps / np.maximum(sums, 1e-300))
        return np.where(self.free, kept * share[self.columns.sets], kept)

    def choose(self, slopes: Array) -> Ints:
        """The columns that may move, given the slopes of the energy by all weights: those above zero, and of each set
        those that would gain most by coming in. The others stay out of the linear algebra: a dozen poses cost little
        more than one."""
        out = self.free & (self.now <= 0.0)
        inside = self.free & ~out
        level = np.full(len(self.caps), -np.inf)
        np.maximum.at(level, self.columns.sets[inside], slopes[inside])
        sums = np.bincount(self.columns.sets, np.where(self.free, self.now, 0.0), minlength=len(self.caps))
        has_rest = sums < self.caps * (1.0 - 1e-12)
        level = np.where(has_rest, np.maximum(level, 0.0), level)
        gains = np.where(out, level[self.columns.sets] - slopes, 0.0) * self._ease
        chosen = inside.copy()
        for number in range(len(self.caps)):
            mine = np.flatnonzero((self.columns.sets == number) & (gains > 0.0))
            chosen[mine[np.argsort(-gains[mine], kind="stable")[:NEWCOMERS]]] = True
        return np.flatnonzero(chosen)

    def step(self, chosen: Ints, matrix: Array, slopes: Array) -> Array:
        """The step (K,) of the chosen weights that minimises the quadratic model and stays within the bounds."""
        sets = self.columns.sets[chosen]
        kinds, group = np.unique(sets, return_inverse=True)
        w = self.now[chosen].copy()
        wish = matrix @ w - slopes
        blend_weights(np.ascontiguousarray(matrix).reshape(-1), wish, group, self.caps[kinds], w)
        step = np.zeros(len(self.now))
        step[chosen] = w - self.now[chosen]
        return step


class Described(NamedTuple):
    """How the energy changes with the weights, x as it is. slopes (K,): by each of them; chosen (C,): those that may
    move; gram (C, C): second derivatives by these; mixed (C, 3 V): by these and the positions.

    Without the positions the nearest weights are those of every model: they minimise  w' G w / 2 - f' w  over what is
    convex, f = G w_now - slopes. In a step of Newton's method the positions come along, and G is what they leave of
    it (`Form._bordered`)."""

    slopes: Array
    chosen: Ints
    gram: Array
    mixed: Array


class Form(ABC):
    """The part of `Manifold` that does not depend on the form. A form brings

    describe   how a deformation looks from the blend, by the strains of its tets in the metric of the material; after
               `expand`, at the same x
    aim        what the body is drawn to with other weights, this part of the step ahead; false if there is no blend
    energy     how far x is from there
    """

    lasting = True  # positions may move with a Hessian that is a little old

    def __init__(
        self, columns: Columns, shear: Array, bulk: Array, stiffness: float, forced: Mapping[str, float]
    ) -> None:
        self.elements, self.columns = columns.elements, columns
        self.groups, self.within = columns.groups, columns.within
        self.weighing = Weights(columns, forced)
        counted = self.elements.volumes * columns.within * ~columns.lost
        self._unit_shear, self._unit_bulk = shear * counted, bulk * counted
        self._mesh = (self.elements.tets.reshape(-1), self.elements.inverses.reshape(-1))
        self._scale(stiffness)
        self._seen = Described(np.zeros(len(columns.sets)), np.empty(0, np.int64), np.empty((0, 0)), np.empty((0, 0)))
        self._step = np.zeros(len(columns.sets))
        self._tried = self.weighing.now

    def _scale(self, stiffness: float) -> None:
        self.stiffness = stiffness
        self.shear, self.bulk = stiffness * self._unit_shear, stiffness * self._unit_bulk

    def tune(self, stiffness: float, forced: Mapping[str, float]) -> None:
        self._scale(stiffness)
        self.weighing.tune(forced)

    def weights(self, memory: Array) -> Array:
        return self.columns.table(memory[: len(self.columns.sets)])

    def project(self, x: Array) -> float:
        """Own unknowns to their minimum, x as it is."""
        tets, size = len(self.elements.tets), len(x)
        forces, blocks = np.zeros(9 * tets), np.zeros(54 * tets)
        energy = np.inf
        for _ in range(30):
            energy = self.expand(x, forces, blocks)
            _, slope = self.direction(Still(size), np.zeros(size))
            if -slope <= 1e-12 * max(abs(energy), 1e-300):
                break
            part = 1.0
            while part > 1e-4:
                if self.attempt(x, part) <= energy + 1e-4 * part * slope:
                    self.accept()
                    break
                part *= 0.5
            else:
                break
        return energy

    @abstractmethod
    def expand(self, x: Array, forces: Array, blocks: Array) -> float: ...

    @abstractmethod
    def describe(self) -> Described: ...

    @abstractmethod
    def aim(self, weights: Array, part: float) -> bool: ...

    @abstractmethod
    def energy(self, x: Array) -> float: ...

    def direction(self, system: System, gradient: Array) -> tuple[Array, float]:
        self._seen = self.describe()
        return self._bordered(system, gradient, self._seen)

    def attempt(self, x: Array, part: float) -> float:
        self._tried = self.weighing.now + part * self._step
        return self.energy(x) if self.aim(self._tried, part) else np.inf

    def accept(self) -> None:
        self.weighing.now = self._tried

    def _bordered(self, system: System, gradient: Array, seen: Described) -> tuple[Array, float]:
        """Newton step of x and of the chosen weights together: with H of x, mixed derivatives M (K, 3 V) and gram G,
        the weights see  G - M H^-1 M'  once x has been eliminated; then  dx = -H^-1 (g + M' dw)."""
        chosen, mixed = seen.chosen, seen.mixed
        right = np.concatenate([gradient[None], mixed])
        solved = np.ascontiguousarray(system.solve(np.ascontiguousarray(right.T)).T)
        products = np.einsum("an,bn->ab", mixed, solved)
        schur = seen.gram - products[:, 1:]
        self._step = self.weighing.step(chosen, 0.5 * (schur + schur.T), seen.slopes[chosen] - products[:, 0])
        step = -(solved[0] + np.einsum("a,an->n", self._step[chosen], solved[1:]))
        return step, dot(gradient, step) + float(seen.slopes @ self._step)


class Still:
    """A system in which every position is pinned."""

    def __init__(self, size: int) -> None:
        self.free = np.zeros(size, dtype=bool)

    def solve(self, right: Array) -> Array:
        return np.zeros_like(right)

    def matrix(self) -> Any:
        """There are no unknowns in x: unit blocks stand for them."""
        from scipy.sparse import csc_matrix

        # three columns of one, two and three rows for each particle, as in elastic/assembly.py
        count = len(self.free) // 3
        rows = 3 * np.repeat(np.arange(count), 6) + np.tile([0, 0, 1, 0, 1, 2], count)
        pointers = np.concatenate([[0], np.cumsum(np.tile([1, 2, 3], count))])
        values = np.tile([1.0, 0.0, 1.0, 0.0, 0.0, 1.0], count)
        return csc_matrix((values, rows, pointers), shape=(len(self.free),) * 2)
