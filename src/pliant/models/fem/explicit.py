"""The integrators of the textbooks, for comparison [Nealen+06]: forces where the body is, no systems to solve.

    explicit      x += h v;  v += h f / m     gains energy in each step, most in the fastest modes
    symplectic    v += h f / m;  x += h v     keeps energy on average, as long as h < 2 / (highest frequency)

Both cut a step into as many as stability needs. The world takes (p - x) / h for the velocity at the end of a step: it
is the average over its parts; what the body is faster or slower at the end is remembered for the next step."""

import math

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.objective import GRADIENT, HESSIAN
from pliant.models.fem.memory import of_manifold, offsets
from pliant.models.fem.prepare import Player, Solved

Array = NDArray[np.float64]
SAFETY = 0.5  # of the longest stable step at rest: a strained body is stiffer
MOST_PARTS = 1000  # parts of a step; beyond, the world will say that the body diverged
POWER_ROUNDS = 30  # of the power method


def march(player: Player, own: Array, x: Array, y: Array, h: float) -> Array:
    """Where the particles are after h."""
    settings = player.settings
    masses = np.repeat(player.role.body.masses, 3)
    held = player.fixed != 0
    parts = parts_of(player, h)
    dt = h / parts
    v = (y - x) / h + offsets(player, own)
    speed = (y - x)[held] / h
    manifold = player.manifold if settings.example_stiffness > 0 else None
    if manifold is not None:
        manifold.begin(of_manifold(player, own), x)
    p = x.copy()
    energy = 0.0
    for _ in range(parts):
        energy, gradient = forces_at(player, p)
        v[held] = speed
        if settings.integrator == "symplectic":
            v -= dt * gradient / masses
            v[held] = speed
            p += dt * v
        else:
            p += dt * v
            v -= dt * gradient / masses
    if manifold is not None:
        manifold.finish(of_manifold(player, own))
    p[held] = y[held]
    left = offsets(player, own)
    left[:] = v - (p - x) / h
    left[held] = 0.0
    if not np.isfinite(left).all():
        left[:] = 0.0
    player.solved = Solved(parts, True, 0.0, energy)
    return p


def forces_at(player: Player, x: Array) -> tuple[float, Array]:
    """Energy and gradient of material, examples and handles.                                [Martin+11] Algorithm 1"""
    potential = player.potential
    energy = potential.evaluate(x, GRADIENT)
    if player.manifold is not None and player.settings.example_stiffness > 0:
        player.manifold.project(x)
        energy += player.manifold.expand(x, potential.forces, potential.blocks)
    gradient = potential.gradient()
    if len(player.springs):
        energy += player.springs.energy(x)
        player.springs.add_gradient(x, gradient)
    return energy, gradient


def parts_of(player: Player, h: float) -> int:
    """In how many parts a step stays stable. Explicit Euler multiplies a mode of frequency w by sqrt(1 + (w dt)^2) in a
    part, which damping at a rate of c (half of it acts on the amplitude) makes up for if dt < c / w^2."""
    if player.fastest == 0.0:
        player.fastest = highest_frequency(player)
    w = player.fastest
    longest = 2.0 / w
    if player.settings.integrator == "explicit":
        longest = min(longest, (player.settings.damping + player.settings.drag) / w**2)
    if longest <= 0.0:
        return MOST_PARTS
    return min(MOST_PARTS, max(1, math.ceil(h / (SAFETY * longest))))


def highest_frequency(player: Player) -> float:
    """rad/s at rest, by the power method on M^-1 K, with the examples' pull as a stiffer material."""
    body, potential = player.role.body, player.potential
    potential.evaluate(body.rest.reshape(-1), HESSIAN)
    values = player.pattern.values()
    player.pattern.add_tets(potential.elements, potential.blocks, values)
    player.springs.add_to_matrix(player.pattern, values)
    upper = player.pattern.matrix(values)
    masses = np.repeat(body.masses, 3)
    diagonal = upper.diagonal()
    v = np.random.default_rng(0).normal(size=len(masses))
    square = 0.0
    for _ in range(POWER_ROUNDS):
        v = (upper @ v + upper.T @ v - diagonal * v) / masses
        square = float(np.linalg.norm(v))
        v /= square
    factor = 1.0 + (player.settings.example_stiffness if player.manifold is not None else 0.0)
    return math.sqrt(1.1 * square * factor)
