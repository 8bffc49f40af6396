"""What a soft body minimises: its energy, and with it inertia, weight, handles and the pull of examples.

    H(x) = 1/(2 h^2) (x - y)^T M (x - y) + W(x) + handles - f^T x            [Martin+11] (9); (7) without the first"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern
from pliant.elastic.elements import Elements
from pliant.elastic.factor import Factor
from pliant.elastic.kernels import BLOCKS, FORCE, gather
from pliant.elastic.lagging import Lagging
from pliant.elastic.newton import dot
from pliant.elastic.springs import Springs
from pliant.runtime.thread_pool import ThreadPool

Array = NDArray[np.float64]
ENERGY, GRADIENT, HESSIAN, EXACT = 0, 1, 2, 3
ENOUGH = 1e-2  # of a right-hand side, that an old factor may leave: Newton's method mends it in its next iteration


class Companion(Protocol):
    """Energy with unknowns of its own, such as the manifold of examples: see pliant.models.fem.manifold."""

    lasting: bool  # whether it can do with a Hessian in x that is a little old

    def expand(self, x: Array, forces: Array, blocks: Array) -> float: ...

    def direction(self, system: Any, gradient: Array) -> tuple[Array, float]: ...

    def attempt(self, x: Array, part: float) -> float: ...

    def accept(self) -> None: ...


@dataclass(eq=False)
class Potential:
    """The elastic energy of a mesh: a material (a kernel of pliant.elastic.materials) and its moduli (T, 2)."""

    elements: Elements
    material: Callable[..., None]
    moduli: Array
    pool: ThreadPool = field(default_factory=ThreadPool)  # threads that share out the tets

    def __post_init__(self) -> None:
        tets = len(self.elements.tets)
        self.energies, self.forces, self.blocks = np.zeros(tets), np.zeros(FORCE * tets), np.zeros(BLOCKS * tets)
        self._constants = (
            self.elements.tets.reshape(-1), self.elements.inverses.reshape(-1), self.elements.volumes,
            self.moduli.reshape(-1),
        )  # fmt: skip

    def evaluate(self, x: Array, level: int) -> float:
        """Energy (J) at x (3 V,); fills `forces` and `blocks` as far as the level asks."""
        out = self.energies, self.forces, self.blocks
        self.pool.share_out(
            lambda first, last, _piece: self.material(x, *self._constants, level, first, last, *out), len(self.energies)
        )
        return float(self.energies.sum())

    def gradient(self) -> Array:
        """(3 V,) from `forces` of the last evaluation."""
        e, out = self.elements, np.empty(3 * self.elements.count)
        gather(self.forces, e.corner_starts, e.corners, 0, e.count, out)
        return out


class Linear(Protocol):
    """Solves with the Hessian: Direct, or pliant.elastic.conjugate."""

    pattern: Pattern
    @property
    def lasting(self) -> bool:
        """Whether what `take` makes can be used again, a little farther on."""

    def take(self, objective: "Objective") -> None:
        """The numbers of an iteration: the blocks of its potential, inertia, springs and pins."""

    def solve(self, right: Array) -> Array: ...

    def values(self) -> Array:
        """The upper triangle, as `take` found it."""


class Direct:
    """By factors of the whole matrix; in large solids by one for all iterations (lagging.py)."""

    def __init__(self, pattern: Pattern, factor: Factor) -> None:
        self.pattern, self.factor = pattern, factor
        self._values = pattern.values()
        self._lagging = Lagging(pattern, factor, ENOUGH)

    @property
    def lasting(self) -> bool:
        return not self._lagging.rounds

    def using(self, _crew: Any) -> "Direct":
        """Factors are made by one thread."""
        return self

    def take(self, objective: "Objective") -> None:
        objective.fill(self._values)
        self._lagging.take(self._values, new=not objective.begun)

    def solve(self, right: Array) -> Array:
        return self._lagging.solve(right)

    def values(self) -> Array:
        return self._values


class System:
    """The Hessian of an iteration, as a companion sees it: pinned unknowns are left out."""

    def __init__(self, linear: Linear, fixed: NDArray[np.int64]) -> None:
        self._linear = linear
        self._held = np.flatnonzero(fixed)
        self.free = fixed == 0

    def solve(self, right: Array) -> Array:
        """H^-1 right for one (3 V,) or several (3 V, k) right-hand sides; nothing where an unknown is pinned."""
        if len(self._held):
            right = right.copy()
            right[self._held] = 0.0
        return self._linear.solve(right)

    def matrix(self) -> Any:
        """The upper triangle as a scipy matrix."""
        return self._linear.pattern.matrix(self._linear.values())


class Objective:
    """A Problem for `minimise`. inertia (V,) kg/s^2: m / h^2, or None in statics; goal (3 V,): y; force (3 V,) N;
    fixed (3 V,): 1 where an unknown is pinned."""

    def __init__(
        self,
        potential: Potential,
        linear: Linear,
        *,
        inertia: Array | None = None,
        goal: Array | None = None,
        force: Array | None = None,
        springs: Springs | None = None,
        fixed: NDArray[np.int64] | None = None,
        companion: Companion | None = None,
        shift: float = 0.0,
    ) -> None:
        self.potential, self.linear = potential, linear
        self.inertia, self.goal, self.force = inertia, goal, force
        self.pull = None if inertia is None else np.repeat(inertia, 3)
        self.springs = springs if springs is not None and len(springs) else None
        self.fixed = np.zeros(linear.pattern.size, np.int64) if fixed is None else fixed
        self.companion = companion
        self.shift = shift  # of the diagonal, as a part of its mean: for meshes that nothing holds
        self.level = HESSIAN
        self.system = System(linear, self.fixed)
        self._any_fixed = bool(self.fixed.any())
        self.begun = False  # whether the matrix has been taken before

    def energy(self, x: Array) -> float:
        """Without the companion."""
        return self.potential.evaluate(x, ENERGY) + self._outer_energy(x)

    def _outer_energy(self, x: Array) -> float:
        energy = 0.0
        if self.pull is not None and self.goal is not None:
            away = x - self.goal
            energy += 0.5 * dot(away, self.pull * away)
        if self.force is not None:
            energy -= dot(self.force, x)
        if self.springs is not None:
            energy += self.springs.energy(x)
        return energy

    def expand(self, x: Array) -> tuple[float, Array]:
        """Energy and gradient (3 V,), without the pinned; the matrix is made and factored by `direction`."""
        energy = self.potential.evaluate(x, self.level) + self._outer_energy(x)
        if self.companion is not None:
            energy += self.companion.expand(x, self.potential.forces, self.potential.blocks)
        gradient = self.potential.gradient()
        if self.pull is not None and self.goal is not None:
            gradient += self.pull * (x - self.goal)
        if self.force is not None:
            gradient -= self.force
        if self.springs is not None:
            self.springs.add_gradient(x, gradient)
        if self._any_fixed:
            gradient[self.fixed != 0] = 0.0
        return energy, gradient

    def direction(self, gradient: Array, again: bool = False) -> tuple[Array, float]:
        """The Newton step, and the slope along it; `again`: with the factors of the last one, where there are such."""
        if not (again and self.linear.lasting and (self.companion is None or self.companion.lasting)):
            self.linear.take(self)
            self.begun = True
        if self.companion is not None:
            return self.companion.direction(self.system, gradient)
        step = -self.system.solve(gradient)
        return step, dot(gradient, step)

    def fill(self, values: Array) -> None:
        """The upper triangle of the Hessian from the blocks of the tets and all that acts from outside."""
        pattern = self.linear.pattern
        values[:] = 0.0
        pattern.add_tets(self.potential.elements, self.potential.blocks, values)
        if self.inertia is not None:
            pattern.add_diagonal(self.inertia, values)
        if self.springs is not None:
            self.springs.add_to_matrix(pattern, values)
        mean = float(values[pattern.pointers[1:] - 1].mean())
        if self.shift:
            pattern.add_diagonal(np.full(pattern.count, self.shift * mean), values)
        if self._any_fixed:
            pattern.hold(self.fixed, mean, values)

    def attempt(self, x: Array, part: float) -> float:
        """Energy at x, which is this part of the step away."""
        energy = self.energy(x)
        if self.companion is not None:
            energy += self.companion.attempt(x, part)
        return energy

    def accept(self) -> None:
        """The last attempt becomes the present."""
        if self.companion is not None:
            self.companion.accept()
