"""Statics with examples: the shape in which a body is at rest, and the blend of poses it then is nearest to.

    W_tot(x, x_w, w) = W_c(x) + W_p(x, x_w, w) - f^T x                                            [Martin+11] (7)

The same minimisation as a step, without inertia."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.elastic import ready
from pliant.elastic.newton import Outcome
from pliant.elastic.springs import Springs
from pliant.elastic.statics import settle_statically
from pliant.models.fem.manifold import manifold_of
from pliant.models.fem.prepare import beside_forced, check, moduli_of, potential_of, resolved
from pliant.models.fem.settings import Fem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """positions (V, 3) m; weights (groups, 1 + poses), rest first; outcome: how it was found."""

    positions: Array
    weights: Array
    outcome: Outcome


def equilibrium(
    body: Body,
    settings: Fem,
    *,
    start: ArrayLike | None = None,
    fixed: ArrayLike | None = None,
    gravity: ArrayLike = (0.0, 0.0, 0.0),
    force: ArrayLike | None = None,
    springs: Springs | None = None,
    most_iterations: int = 400,
) -> Equilibrium:
    """From start (V, 3), else from rest, to the nearest shape at rest. fixed (V,) or (V, 3): true where a particle, or
    one of its coordinates, stays where it starts; gravity (3,) m/s^2; force (V, 3) N besides it."""
    check(body, settings, body.name)
    ready(settings.material)
    moduli = moduli_of(body, settings)
    manifold, left = None, np.ones(len(moduli))
    memory = np.zeros(0)
    if settings.example_stiffness > 0:
        manifold = manifold_of(
            body, resolved(body, settings, body.name), moduli[:, 0], moduli[:, 1],
            settings.example_stiffness, settings.forced, settings.manifold,
        )  # fmt: skip
        if manifold is not None:
            left, stiffness = beside_forced(settings, manifold)
            manifold.tune(stiffness, settings.forced)
    potential = potential_of(body, settings, left[:, None] * moduli)
    x = np.array(body.rest if start is None else start, dtype=np.float64).reshape(-1)
    if manifold is not None:
        memory = np.zeros(manifold.memory)
        manifold.start(memory)
        manifold.begin(memory, x)
    held = np.zeros(body.rest.shape, bool)
    if fixed is not None:
        given = np.asarray(fixed, bool)
        held |= given[:, None] if given.ndim == 1 else given
    push = body.masses[:, None] * np.asarray(gravity, np.float64)
    if force is not None:
        push = push + np.asarray(force, np.float64)
    outcome = settle_statically(
        potential, x, fixed=held.reshape(-1).astype(np.int64), springs=springs, force=push.reshape(-1),
        companion=manifold, most_iterations=most_iterations,
    )  # fmt: skip
    weights = np.eye(1, 1 + len(body.poses))
    if manifold is not None:
        manifold.finish(memory)
        weights = manifold.weights(memory)
    return Equilibrium(outcome.x.reshape(-1, 3), weights, outcome)
