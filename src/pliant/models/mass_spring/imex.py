"""Springs implicit, all that resists bending explicit [Eberhardt, Etzmuss & Hauth 2000]: the linear system has only the
springs in it, whose stiffness is what keeps an explicit step short. Steps are cut where bending alone needs it."""

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.momentum import keep_momentum
from pliant.models.mass_spring.explicit import parts_of
from pliant.models.mass_spring.implicit import newton_step
from pliant.models.mass_spring.memory import of_integrator, used
from pliant.models.mass_spring.prepare import Player, Solved

Array = NDArray[np.float64]


def march(player: Player, own: Array, x: Array, y: Array, h: float) -> Array:
    """Where the particles are after h."""
    fixed = player.fixed
    parts, longest = parts_of(player, h, edges=False)
    dt = h / parts
    left = of_integrator(player, own)
    v = (y - x) / h + left
    v[fixed] = (y - x)[fixed] / h
    p, rounds = x.copy(), 0
    for _ in range(parts):
        there = newton_step(player, used(player, own), p, p + dt * v, dt, bends=False)
        if not len(player.pinned):
            keep_momentum(player.role.body.masses, p, p + dt * v, there, player.held, dt)
        v, p = (there - p) / dt, there
        rounds += player.solved.iterations
    left[:] = np.where(fixed, 0.0, v - (p - x) / h) if parts > 1 else 0.0
    if not np.isfinite(left).all():
        left[:] = 0.0
    last = player.solved
    player.solved = Solved(rounds, last.converged, last.residual, last.energy, parts, longest)
    return p
