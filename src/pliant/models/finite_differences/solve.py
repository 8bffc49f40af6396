"""One step of finite differences, read as the paper's."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.dynamics.step_inputs import Handles
from pliant.elastic.momentum import keep_momentum
from pliant.elastic.springs import Springs
from pliant.models.finite_differences.memory import used
from pliant.models.finite_differences.potential import Potential
from pliant.models.finite_differences.prepare import Pack, Player, Solved
from pliant.models.finite_differences.system import conjugate, preconditioner
from pliant.models.mass_spring.kernels import dot

Array = NDArray[np.float64]
ENOUGH = 1e-4  # of what the slope promises (Armijo)
HALVINGS = 12  # of a step before it is given up


def solve(pack: Pack, own: Own, context: StepContext) -> None:
    """x: where the particles are, y: where inertia and weight would take them, p: where they settle. Actors are
    independent, so threads share them out."""
    state = context.state
    for player in pack.players:
        player.held.targets[:] = pack.handles.targets[player.rows]
    players = pack.players if not state.sleep_version else [each for each in pack.players if _awake(each, state)]

    def run(first: int, last: int, _piece: int) -> None:
        for player in players[first:last]:
            _advance(player, own[0], state, context.h)

    if len(players) > 1:
        context.pool.share_out(run, len(players))
    elif players:
        run(0, 1, 0)


def hold(pack: Pack, handles: Handles, state: State) -> None:
    """Pins and handles of every actor, when some have come or gone."""
    pack.handles = handles
    for number, player in enumerate(pack.players):
        first = player.role.first
        player.pinned = np.flatnonzero(state.inverse[first : first + player.count] == 0)
        player.rows = np.flatnonzero(handles.actors == number)
        player.held = Springs(
            handles.particles[player.rows].astype(np.int64),
            handles.weights[player.rows],
            handles.stiffness[player.rows],
            np.zeros((len(player.rows), 3)),
        )
        player.systems.clear()


def _awake(player: Player, state: State) -> bool:
    return bool(state.sleep_timers[np.searchsorted(state.origins, player.role.first)] >= 0)


def _advance(player: Player, own: Array, state: State, h: float) -> None:
    rows = slice(player.role.first, player.role.first + player.count)
    x, y = (_flat(each, rows) for each in (state.x, state.y))
    p = settle(player, used(player, own), x, y, h)
    if not len(player.pinned):
        keep_momentum(player.role.body.masses, x, y, p, player.held, h)
    state.p.reshape(-1, 4)[rows, :3] = p.reshape(-1, 3)


def _flat(rows_of_four: NDArray[Any], rows: slice) -> Array:
    return rows_of_four.reshape(-1, 4)[rows, :3].astype(np.float64).reshape(-1)


def settle(player: Player, weights: Array, x: Array, y: Array, h: float) -> Array:
    """From x (3 V,) to where the particles are after h, y where inertia would take them:

    (M / h^2 + K(x)) (p - x) = M (y - x) / h^2 + f(x)                             [Terzopoulos+87] semi-implicit

    with the matrix at the last state. It is the first step of Newton's method on implicit Euler; `iterations` more of
    them begin where the one before ended. None goes farther than the energy falls."""
    settings, fixed = player.settings, player.fixed
    potential = Potential(player, weights)
    system = preconditioner(player, h)
    inertia = np.repeat(player.role.body.masses, 3) / h**2

    def objective(p: Array) -> tuple[float, Array]:
        energy, gradient = potential.evaluate(p)
        away = p - y
        gradient += inertia * away
        gradient[fixed] = 0.0
        return energy + 0.5 * dot(inertia, away * away), gradient

    def matrix(v: Array) -> Array:
        out = inertia * v
        potential.add_product(v, out)
        out[fixed] = 0.0
        return out

    p = np.where(fixed, y, x)  # pins have moved already
    energy, gradient = objective(p)
    least, residual, rounds, iterations, converged = settings.tolerance * player.size, 0.0, 0, 0, False
    while iterations < settings.iterations and not converged and np.isfinite(energy):
        iterations += 1
        step, more = conjugate(matrix, system, -gradient)
        rounds += more
        slope, part = dot(gradient, step), 1.0
        for _ in range(HALVINGS):
            there = p + part * step
            energy_there, gradient_there = objective(there)
            if energy_there <= energy + ENOUGH * part * slope + 1e-14 * abs(energy):
                break
            part *= 0.5
        p, energy, gradient = there, energy_there, gradient_there
        residual = part * float(np.linalg.norm(step.reshape(-1, 3), axis=1).max())
        converged = residual <= least
    player.solved = Solved(iterations, rounds, converged, residual, potential.energy)
    return p
