"""One step of springs."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.dynamics.step_inputs import Handles
from pliant.elastic.momentum import keep_momentum
from pliant.elastic.springs import Springs
from pliant.models.mass_spring import bdf2, explicit, imex, implicit, local_global
from pliant.models.mass_spring.kernels import flow, limit
from pliant.models.mass_spring.memory import lasting, of_integrator, used
from pliant.models.mass_spring.prepare import Pack, Player
from pliant.models.plasticity import rules_of

Array = NDArray[np.float64]
SWEEPS = 8  # of the strain limit. Half: twice the limit may be left under a heavy hem; twice: little is gained


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
    """Pins and handles of every actor, when some have come or gone. Factors stay where these are the same."""
    pack.handles = handles
    for number, player in enumerate(pack.players):
        first = player.role.first
        before = player.pinned, player.held
        player.pinned = np.flatnonzero(state.inverse[first : first + player.count] == 0)
        player.rows = np.flatnonzero(handles.actors == number)
        player.held = Springs(
            handles.particles[player.rows].astype(np.int64),
            handles.weights[player.rows],
            handles.stiffness[player.rows],
            np.zeros((len(player.rows), 3)),
        )
        if not _same(*before, player):
            player.systems.clear()
            player.frequencies.clear()


def _same(pinned: NDArray[np.int64], held: Springs, player: Player) -> bool:
    """Whether an actor is held as it was before; targets may be others."""
    pairs = ((pinned, player.pinned), (held.particles, player.held.particles), (held.weights, player.held.weights))
    return all(np.array_equal(*pair) for pair in (*pairs, (held.stiffness, player.held.stiffness)))


def _awake(player: Player, state: State) -> bool:
    return bool(state.sleep_timers[np.searchsorted(state.origins, player.role.first)] >= 0)


def _advance(player: Player, own: Array, state: State, h: float) -> None:
    rows = slice(player.role.first, player.role.first + player.count)
    x, y, v = (_flat(each, rows) for each in (state.x, state.y, state.v))
    player.stays = lasting(player, own)
    if len(player.stays):
        poses = len(player.given)
        rules = rules_of(player.settings.plasticity)
        flow(used(player, own), player.stays, rules, len(player.examples.groups.names), poses, h)
    p = INTEGRATORS[player.settings.integrator](player, own, x, y, v, h)
    if player.settings.strain_limit > 0.0:
        _limit(player, p)
    if not len(player.pinned) and not of_integrator(player, own).size:
        keep_momentum(player.role.body.masses, x, y, p, player.held, h)
    state.p.reshape(-1, 4)[rows, :3] = p.reshape(-1, 3)


def _flat(rows_of_four: NDArray[Any], rows: slice) -> Array:
    return rows_of_four.reshape(-1, 4)[rows, :3].astype(np.float64).reshape(-1)


def _limit(player: Player, p: Array) -> None:
    """No spring longer than its limit [Provot 1995]."""
    network = player.network
    springs = len(network.edges) - network.across
    longest = np.zeros(len(network.edges))
    longest[:springs] = (1.0 + player.settings.strain_limit) * player.goals[:springs]
    inverse = 1.0 / player.role.body.masses
    inverse[player.pinned] = 0.0
    limit(network.edges.reshape(-1), longest, inverse, SWEEPS, p, np.zeros(1))


def _local_global(player: Player, own: Array, x: Array, y: Array, _v: Array, h: float) -> Array:
    return local_global.settle(player, used(player, own), x, y, h)


def _implicit(player: Player, own: Array, x: Array, y: Array, _v: Array, h: float) -> Array:
    return implicit.newton_step(player, used(player, own), x, y, h)


def _imex(player: Player, own: Array, x: Array, y: Array, _v: Array, h: float) -> Array:
    return imex.march(player, own, x, y, h)


def _symplectic(player: Player, own: Array, x: Array, y: Array, _v: Array, h: float) -> Array:
    return explicit.march(player, own, x, y, h)


INTEGRATORS: dict[str, Callable[[Player, Array, Array, Array, Array, float], Array]] = {
    "local_global": _local_global,
    "implicit": _implicit,
    "bdf2": bdf2.step,
    "imex": _imex,
    "symplectic": _symplectic,
}
