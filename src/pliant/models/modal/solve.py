"""One step of modes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.dynamics.step_inputs import Handles
from pliant.models.modal import layout as at
from pliant.models.modal.compliance import springs_at
from pliant.models.modal.fit import begin
from pliant.models.modal.kernels import march
from pliant.models.modal.prepare import Pack, Player, set_step
from pliant.runtime.errors import Diverged

Array = NDArray[np.float64]
PIN = 1e5  # of the body's mass over the square of the step: how hard a pin is at most, shared out among all pins
MOST_HEAVIER = 1e4  # times its own mass that a particle may count to contacts
WORTH_SHARING = 4  # actors; below, waking the other threads costs more than they bring


def solve(pack: Pack, own: Own, context: StepContext) -> None:
    """x: where the particles are, y: where inertia would take them as if each were free, p: where frame and modes put
    them. Actors are independent, so threads share them out."""
    state = context.state
    players = pack.players if not state.sleep_version else [each for each in pack.players if _awake(each, state)]

    def run(first: int, last: int, _piece: int) -> None:
        for player in players[first:last]:
            _advance(pack, player, own[0], context)

    if len(players) >= WORTH_SHARING:
        context.pool.share_out(run, len(players))
    elif players:
        run(0, len(players), 0)


def hold(pack: Pack, handles: Handles, state: State) -> None:
    """Pins and handles of every actor, when some have come or gone. Pins come first."""
    pack.handles = handles
    for number, player in enumerate(pack.players):
        first, before = player.role.first, (player.particles, player.holds.reshape(-1, at.HOLD)[:, 1:5].copy())
        player.pinned = np.flatnonzero(state.inverse[first : first + player.count] == 0)
        player.handles = np.flatnonzero(handles.actors == number)
        pins, count = len(player.pinned), len(player.pinned) + len(player.handles)
        particles, holds = np.zeros((count, 4), np.int64), np.zeros((count, at.HOLD))
        particles[:pins], holds[:pins, 1] = player.pinned[:, None], 1.0
        particles[pins:], holds[pins:, 1:5] = handles.particles[player.handles], handles.weights[player.handles]
        if not (np.array_equal(before[0], particles.reshape(-1)) and np.array_equal(before[1], holds[:, 1:5])):
            player.yields = _springs(player, particles, holds[:, 1:5], pins)
        player.pulls_of = handles.stiffness[player.handles]
        player.particles, player.holds = particles.reshape(-1), holds.reshape(-1)
        player.wholes[at.HOLDS] = count


def _springs(player: Player, particles: NDArray[np.int64], weights: Array, pins: int) -> Array:
    """Between modes and what is held, for 1 Pa: pins together, each handle by itself."""
    body, basis, poisson = player.role.body, player.basis, player.settings.poisson
    parts = [slice(0, pins)] if pins else []
    parts += [slice(k, k + 1) for k in range(pins, len(particles))]
    return np.concatenate(
        [np.zeros(0), *(springs_at(body, basis, poisson, particles[p], weights[p]) for p in parts)]
    )


def _awake(player: Player, state: State) -> bool:
    if player.place < 0:
        player.place = int(np.searchsorted(state.origins, player.role.first))
    return bool(state.sleep_timers[player.place] >= 0)


def _advance(pack: Pack, player: Player, own: Array, context: StepContext) -> None:
    state, h = context.state, context.h
    if player.step != h:
        set_step(player, h)
    if len(player.holds):
        _aim(pack, player, state, h)
    player.numbers[at.GRAVITY : at.GRAVITY + 3] = context.inputs.gravity
    player.numbers[at.MOST_HEAVIER], player.numbers[at.ALONE] = MOST_HEAVIER, len(state.origins) == 1
    row, basis = own[player.memory], player.basis
    arrays = (
        state.x, state.v, state.y, state.p, state.inverse, state.acceleration, player.wholes, *player.constants,
        player.responses.reshape(-1), player.pulls, player.gram, player.given, player.settings.young * basis.squares,
        player.settings.young * basis.cubes, player.particles, player.holds, player.numbers, row, player.work,
    )  # fmt: skip
    answer = march(*arrays)
    if answer == at.REWRITTEN:
        x, v = _rows(player, state.x), _rows(player, state.v)
        if not (np.isfinite(x).all() and np.isfinite(v).all()):
            return  # p = y: the world tells
        begin(player, row, x, v)
        made = row[-9 * player.count : -6 * player.count].reshape(-1, 3)
        free = state.inverse[player.role.first : player.role.first + player.count] > 0
        _put(player, state, made, free)
        answer = march(*arrays)
    if answer == at.FAILED:
        raise Diverged(f'actor "{player.role.name}" diverged: its modes have no finite step; use a smaller step')


def _aim(pack: Pack, player: Player, state: State, h: float) -> None:
    """Targets of this sub-step: pins are in y, and go on as they went."""
    holds, pins = player.holds.reshape(-1, at.HOLD), len(player.pinned)
    rows = player.role.first + player.pinned
    holds[:pins, 5:8] = state.y.reshape(-1, 4)[rows, :3]
    holds[:pins, 8:11] = state.v.reshape(-1, 4)[rows, :3]
    springs = player.settings.young * player.yields
    holds[:pins, 0] = np.minimum(springs[:pins], PIN * player.basis.masses.sum() / (h * h * max(pins, 1)))
    holds[pins:, 0] = springs[pins:] * player.pulls_of / np.maximum(springs[pins:] + player.pulls_of, 1e-300)
    holds[pins:, 5:8] = pack.handles.targets[player.handles]


def _rows(player: Player, rows_of_four: NDArray[Any]) -> Array:
    return rows_of_four.reshape(-1, 4)[player.role.first : player.role.first + player.count, :3].astype(np.float64)


def _put(player: Player, state: State, made: Array, free: NDArray[np.bool_]) -> None:
    """Particles to where frame and modes can have them; where inertia would take them goes along."""
    rows = slice(player.role.first, player.role.first + player.count)
    x, y = (each.reshape(-1, 4)[rows] for each in (state.x, state.y))
    before = x[:, :3].copy()
    x[free, :3] = made[free]
    y[free, :3] += x[free, :3] - before[free]

