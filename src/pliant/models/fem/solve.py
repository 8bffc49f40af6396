"""One step of finite elements, read as the paper's."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.dynamics.step_inputs import Handles
from pliant.elastic.assembly import make_pattern
from pliant.elastic.conjugate import Conjugate
from pliant.elastic.factor import Factor
from pliant.elastic.momentum import keep_momentum
from pliant.elastic.newton import minimise
from pliant.elastic.objective import Direct, Objective
from pliant.elastic.springs import Springs
from pliant.models.fem.explicit import march
from pliant.models.fem.memory import of_manifold, offsets
from pliant.models.fem.prepare import Pack, Player, Solved, pattern_of
from pliant.runtime.thread_pool import ThreadPool

Array = NDArray[np.float64]
LARGE = 12_000  # unknowns: beyond, conjugate gradients are faster than factors in a solid lump
LARGE_WITH_EXAMPLES = 40_000  # the same, where a system is solved for several right-hand sides and exactly
BODY_WORTH_SHARING = 2_000  # particles of one body; below, waking the other threads costs more than they bring
NEAR_STEP = 3e-3  # of the size: after such a step the factors of the Hessian are good for another


def solve(pack: Pack, own: Own, context: StepContext) -> None:
    """x: where the particles are, y: where inertia and weight would take them, p: where they settle. Actors are
    independent, so threads share them out; a single large one shares out its own work."""
    state, pool = context.state, context.pool
    if len(pack.handles.actors):
        for player in pack.players:
            player.springs.targets[:] = pack.handles.targets[player.held]
    players = pack.players if not state.sleep_version else [each for each in pack.players if _awake(each, state)]
    several = len(players) > 1

    def run(first: int, last: int, _piece: int) -> None:
        for player in players[first:last]:
            _advance(player, own[0], state, context.h, ThreadPool(1) if several else pool)

    if several:
        pool.share_out(run, len(players))
    elif players:
        run(0, 1, 0)


def hold(pack: Pack, handles: Handles, state: State) -> None:
    """Pins and handles of every actor, when some have come or gone."""
    pack.handles = handles
    for number, player in enumerate(pack.players):
        first = player.role.first
        player.fixed = np.repeat(state.inverse[first : first + player.count] == 0, 3).astype(np.int64)
        player.held = np.flatnonzero(handles.actors == number)
        player.springs = Springs(
            handles.particles[player.held].astype(np.int64),
            handles.weights[player.held],
            handles.stiffness[player.held],
            np.zeros((len(player.held), 3)),
        )
        player.system = None


def _awake(player: Player, state: State) -> bool:
    return bool(state.sleep_timers[np.searchsorted(state.origins, player.role.first)] >= 0)


def _advance(player: Player, own: Array, state: State, h: float, pool: ThreadPool) -> None:
    rows = slice(player.role.first, player.role.first + player.count)
    x = _flat(state.x, rows)
    y = _flat(state.y, rows)
    settings = player.settings
    player.potential.pool = pool if player.count > BODY_WORTH_SHARING else ThreadPool(1)
    if settings.integrator in ("symplectic", "explicit"):
        p = march(player, own, x, y, h)
    else:
        p = _implicit(player, own, x, y, h, pool)
        if not player.fixed.any():
            keep_momentum(player.role.body.masses, x, y, p, player.springs, h)
        offsets(player, own)[:] = 0.0
    state.p.reshape(-1, 4)[rows, :3] = p.reshape(-1, 3)


def _flat(rows_of_four: NDArray[Any], rows: slice) -> Array:
    return rows_of_four.reshape(-1, 4)[rows, :3].astype(np.float64).reshape(-1)


def _implicit(player: Player, own: Array, x: Array, y: Array, h: float, pool: ThreadPool) -> Array:
    """argmin of (x - y)^T M (x - y) / (2 h^2) + W(x) + W_p(x, ...) + handles                [Martin+11] (9)

    linear: one Newton iteration from where the body is, the step of [Baraff & Witkin 1998]."""
    settings = player.settings
    manifold = player.manifold if settings.example_stiffness > 0 else None
    if player.system is None:
        player.system = _system(player)
    objective = Objective(
        player.potential,
        player.system.using(pool),
        inertia=player.role.body.masses / h**2,
        goal=y,
        springs=player.springs,
        fixed=player.fixed,
        companion=manifold,
    )
    if manifold is not None:
        manifold.begin(of_manifold(player, own), x)
    if settings.integrator == "linear":
        start = np.where(player.fixed != 0, y, x)
        energy, gradient = objective.expand(start)
        step, _ = objective.direction(gradient)
        p = start + step
        objective.attempt(p, 1.0)
        objective.accept()
        player.solved = Solved(1, True, float(np.abs(step).max()), energy)
    else:
        outcome = minimise(
            objective, y, settings.tolerance * player.size, settings.iterations, near=NEAR_STEP * player.size
        )
        p = outcome.x
        energy = outcome.energies[-1] if outcome.energies else 0.0
        player.solved = Solved(outcome.iterations, outcome.converged, outcome.residual, energy)
    if manifold is not None:
        manifold.finish(of_manifold(player, own))
    return p


def _system(player: Player) -> Any:
    """What solves with the Hessian: factors or conjugate gradients."""
    wish = player.settings.solver
    particles = player.springs.particles[(player.springs.weights != 0).any(axis=1)]
    pattern = pattern_of(player.role.body)
    if len(particles) and _beyond(pattern, particles):
        pattern = make_pattern(player.potential.elements, [particles])
    player.pattern = pattern
    large = LARGE if player.manifold is None else LARGE_WITH_EXAMPLES
    if wish == "conjugate" or (wish == "auto" and pattern.size > large):
        return Conjugate(pattern)
    return Direct(pattern, Factor(pattern, pardiso=wish == "pardiso"))


def _beyond(pattern: Any, particles: NDArray[np.int64]) -> bool:
    """Whether a handle couples particles that no tet does."""
    sorted_particles = np.sort(particles, axis=1)
    pairs = [(i, j) for i in range(4) for j in range(i, 4)]
    return any((pattern.find(sorted_particles[:, i], sorted_particles[:, j]) < 0).any() for i, j in pairs)
