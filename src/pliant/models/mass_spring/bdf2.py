"""The backward differentiation formula of second order [Choi & Ko 2002], H = 2 h / 3:

    p = (4 x - x') / 3 + H v_p,    v_p = (4 v - v') / 3 + H (a + f(p) / m)

with the step before, x' and v'. Put into one, it is implicit Euler over H from another y, so local_global.py settles
it. It damps less, and needs that nothing jumped: the first step, and the one after a contact, the world's damping or a
hand has moved the particles otherwise, is implicit Euler."""

import numpy as np
from numpy.typing import NDArray

from pliant.models.mass_spring.local_global import settle
from pliant.models.mass_spring.memory import of_integrator, used
from pliant.models.mass_spring.prepare import Player

Array = NDArray[np.float64]
SAME = 1e-5  # of the size: particles that are nearer to where they were left have not been moved; single precision


def step(player: Player, own: Array, x: Array, y: Array, v: Array, h: float) -> Array:
    """Where the particles are after h; v (3 V,) their velocities in the world."""
    memory, fixed = of_integrator(player, own).reshape(4, -1), player.fixed
    x_before, v_before, expected, left = memory
    began = bool(expected.any())
    moved = np.abs(expected - x).max() > SAME * player.size if began else True
    jumped = moved or np.abs((x - x_before) / h - v)[~fixed].max(initial=0.0) * h > SAME * player.size
    a = (y - x - h * v) / h**2
    if jumped:
        p = settle(player, used(player, own), x, y, h)
        now, then = v, (p - x) / h
    else:
        long, now = 2.0 * h / 3.0, v + left
        first = (4.0 * x - x_before) / 3.0
        goal = first + long * (4.0 * now - v_before) / 3.0 + long**2 * a
        goal[fixed] = y[fixed]
        p = settle(player, used(player, own), x, goal, long, begin=first)
        then = (p - first) / long
    x_before[:], v_before[:], expected[:] = x, now, p
    left[:] = np.where(fixed, 0.0, then - (p - x) / h)
    if not np.isfinite(memory).all():
        memory[:] = 0.0
    return p
