"""Symplectic Euler [Nealen+06, 2.2]: forces where the particles are, no system to solve,

    v += h f / m,    x += h v        stable as long as  h < (sqrt(c^2 + 4 w^2) - c) / w^2,   c = damping w^2

for the highest frequency w, 2 / w without dampers. A step is cut into as many parts as that needs; `actor.solver` says
how many. The world takes (p - x) / h for the velocity at the end of a step: it is the average over its parts; what the
body is faster or slower at the end is remembered for the next step."""

import math

import numpy as np
from numpy.typing import NDArray

from pliant.models.mass_spring.memory import of_integrator, used
from pliant.models.mass_spring.potential import Potential
from pliant.models.mass_spring.prepare import Player, Solved
from pliant.models.mass_spring.system import laplacian

Array = NDArray[np.float64]
SAFETY = 0.5  # of the longest stable step at rest. Twice: bodies that are pressed together diverge
MOST_PARTS = 1000  # parts of a step; beyond, the world will say that the body diverged
POWER_ROUNDS = 30  # of the power method, which finds w^2 to a tenth in them


def march(player: Player, own: Array, x: Array, y: Array, h: float) -> Array:
    """Where the particles are after h."""
    masses, fixed = player.masses, player.fixed
    parts, longest = parts_of(player, h)
    dt = h / parts
    left = of_integrator(player, own)
    v = (y - x) / h + left
    speed = (y - x)[fixed] / h
    p, energy = x.copy(), 0.0
    potential = Potential(player, used(player, own), 0.0, x)
    for _ in range(parts):
        energy, gradient = potential.evaluate(p)
        if player.settings.spring_damping > 0.0:
            potential.drag(v, player.settings.spring_damping, gradient)
        v -= dt * gradient / masses
        v[fixed] = speed
        p += dt * v
    p[fixed] = y[fixed]
    left[:] = np.where(fixed, 0.0, v - (p - x) / h)
    if not np.isfinite(left).all():
        left[:] = 0.0
    player.solved = Solved(parts, True, 0.0, energy, parts, longest)
    return p


def parts_of(player: Player, h: float, edges: bool = True) -> tuple[int, float]:
    """In how many parts a step stays stable, and the longest that would be (s)."""
    w = highest_frequency(player, edges)
    if w == 0.0:
        return 1, math.inf
    c = player.settings.spring_damping * w**2 if edges else 0.0
    longest = (math.sqrt(c * c + 4.0 * w * w) - c) / w**2
    return min(MOST_PARTS, max(1, math.ceil(h / (SAFETY * longest)))), longest


def highest_frequency(player: Player, edges: bool = True) -> float:
    """rad/s, at most, by the power method on M^-1 L; edges: of all springs, else of what bends alone."""
    if edges not in player.frequencies:
        stiffness = player.stiffness.copy()
        if not edges:
            stiffness[: len(player.network.edges)] = 0.0
        matrix = laplacian(player.network, stiffness, player.count)
        masses = player.role.body.masses
        v, square = np.random.default_rng(0).normal(size=player.count), 0.0
        for _ in range(POWER_ROUNDS):
            v = (matrix @ v) / masses
            square = float(np.linalg.norm(v))
            if square == 0.0:
                break
            v /= square
        handles = float(np.max(player.held.diagonal(player.count) / masses, initial=0.0)) if edges else 0.0
        player.frequencies[edges] = math.sqrt(1.1 * square + handles)
    return player.frequencies[edges]
