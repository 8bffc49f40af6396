"""The example manifold: an attraction towards blends of the example poses, beside the conventional material.

    manifold="realised"   the blend is a shape x_w, the exact minimiser of (2); unknowns of a step: x and w   (default)
    manifold="penalty"    x_w is an unknown too, held to (2) by a penalty, as printed                 [Martin+11] (5)(9)
    manifold="strain"     no shape x_w: the strains themselves are blended; the fast sibling

`manifold_of` makes one per actor; they differ inside only. Beside the positions x, which belong to the Newton solve, a
manifold has unknowns of its own (weights w, with some forms x_w) and moves them along. One step reads

    manifold.begin(memory, x)                       # w and x_w of the last step
    for each Newton iteration:
        energy += manifold.expand(x, forces, blocks)        # adds its share, tet by tet
        ... gather forces and blocks of all, factor ...
        step, slope = manifold.direction(system, gradient)  # solves for x and its own unknowns together
        for part in (1, 1/2, 1/4, ...):
            energy = ... + manifold.attempt(x + part * step, part)
            until it has fallen enough against slope
        manifold.accept()
    manifold.finish(memory)

Flat vectors of positions are (3 V,), component c of particle i at 3 i + c. Everything is double precision.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pliant.body import Body

Array = NDArray[np.float64]


class System(Protocol):
    """What the Newton solve holds in an iteration: the Hessian of everything in x, the manifold's blocks included.

    Pinned unknowns are left out of it: whatever stands there on the right is ignored, and the solution is zero there.
    """

    @property
    def free(self) -> NDArray[np.bool_]:
        """(3 V,) false where an unknown is pinned."""

    def solve(self, right: Array) -> Array:
        """H^-1 right for one (3 V,) or several (3 V, k) right-hand sides."""

    def matrix(self) -> Any:
        """H as a scipy sparse matrix (3 V, 3 V), upper triangle or whole; the pattern is the same in every iteration.
        Rows and columns of pinned unknowns may hold anything. Only the penalty form asks for it."""


class Manifold(Protocol):
    """What the Newton solve asks of a form."""

    groups: tuple[str, ...]  # names of the sets of weights that are convex each by itself
    memory: int  # how many numbers it remembers from step to step
    within: Array  # (T,) the part of each tet that has examples
    lasting: bool  # whether it can do with a Hessian in x that is a little old

    def start(self, memory: Array) -> None:
        """Fill a memory for an actor that was just made: the forced weights, else rest."""

    def begin(self, memory: Array, x: Array) -> None:
        """A step begins at positions x (3 V,): take up what was remembered."""

    def project(self, x: Array) -> float:
        """Own unknowns alone to their minimum, x as it is: the energy. For explicit integrators.   (4), Algorithm 1"""

    def expand(self, x: Array, forces: Array, blocks: Array) -> float:
        """Energy at x and the present own unknowns. Adds the gradient of each tet to `forces` (9 T,) and its positive
        semidefinite Hessian to `blocks` (54 T,), both flat and by the EDGES u_m = x_m - x_0 of `elastic.elements`
        (`elements_of(body)`: corners of a tet rise!), laid out as `elastic.kernels` says: gradient u_1 u_2 u_3; blocks
        11 12 13 22 23 33 of 3x3 by rows. With g_m the rows of D^-1 the gradient by u_m is volume * P g_m."""

    def direction(self, system: System, gradient: Array) -> tuple[Array, float]:
        """After `expand` at the same x, and with the gradient (3 V,) of the total energy in x: the Newton step (3 V,)
        of x, and the slope of the total energy along it, own unknowns included (negative; minus half of it is what the
        quadratic model gains). The step of the own unknowns is kept for `attempt`."""

    def attempt(self, x: Array, part: float) -> float:
        """Energy at x with the own unknowns moved by this part of their step; infinite if they may not go there."""

    def accept(self) -> None:
        """The last attempt becomes the present."""

    def finish(self, memory: Array) -> None:
        """The step is over: write what is to be remembered."""

    def weights(self, memory: Array) -> Array:
        """(groups, 1 + poses) as remembered, rest first; each row is convex and sums to one."""

    def tune(self, stiffness: float, forced: Mapping[str, float]) -> None:
        """Another stiffness ratio alpha, other forced weights (the same poses), without preparing anew."""


def manifold_of(
    body: "Body",
    examples: Any,
    shear: Array,
    bulk: Array,
    stiffness: float,
    forced: Mapping[str, float],
    form: str = "realised",
) -> Manifold | None:
    """The manifold of a body with poses, or None without poses.

    examples: "global" or group -> selection of particles; shear, bulk (T,): mu and lambda of (3) of each tet, as the
    conventional material has them (per-tet stiffness included); stiffness: alpha; form: the setting `manifold`.
    """
    if not body.poses:
        return None
    from pliant.models.fem.manifold.make import make

    return make(body, examples, shear, bulk, stiffness, forced, form)
