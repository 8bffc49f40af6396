"""One step of boundary elements: where the body is as a whole follows from inertia, its shape from balance alone."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.dynamics.step_inputs import Handles
from pliant.elastic.momentum import keep_momentum
from pliant.elastic.springs import Springs
from pliant.models.boundary.choosing import weights_of
from pliant.models.boundary.frames import frame_of, turned
from pliant.models.boundary.memory import left, used
from pliant.models.boundary.prepare import Group, Pack, Player, Solved

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
MOVED = 1e-5  # of the size: a particle that stands farther from where it was left has been pushed; single precision
MOST_TOUCHED = 60  # of the particles that were pushed, those that were pushed farthest are asked
FOLLOW_TIME = 4e-3  # s: how long weights take to go 1 / (1/strength - 1) of their way back when nothing holds the body
STIFF_PIN = 1e-9  # of the mean compliance of held places: what a pin gives way
LOOSE = 1e4  # times as movable as its inertia lets it be, a body is as good as free; weights see strains, not motion
MOST_SYSTEMS = 4  # kept, of what is held
SWEEPS = 4  # over the groups, whose weights act on each other where places are held


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
    if not np.isfinite(y).all():
        state.p.reshape(-1, 4)[rows, :3] = y.reshape(-1, 3)
        return
    places, targets = _held(player, x.reshape(-1, 3), y.reshape(-1, 3), left(player, own), h)
    if _put(player, x.reshape(-1, 3), left(player, own)):
        _read_off(player, used(player, own), x.reshape(-1, 3))
    p = settle(player, used(player, own), y.reshape(-1, 3), places, targets, h).reshape(-1)
    if not len(player.pinned):
        keep_momentum(player.role.body.masses, x, y, p, player.held, h)
    state.p.reshape(-1, 4)[rows, :3] = p.reshape(-1, 3)
    mine = left(player, own)
    mine[:-1] = state.p.reshape(-1, 4)[rows, :3].reshape(-1)
    mine[-1] = 1.0


def _flat(rows_of_four: NDArray[Any], rows: slice) -> Array:
    return rows_of_four.reshape(-1, 4)[rows, :3].astype(np.float64).reshape(-1)


@dataclass(frozen=True, eq=False)
class Places:
    """n places that are held. `moves` (3 n, 6): how they follow the body as a whole, nothing for those that contact
    holds; `columns` (3 n, G K): what the poses do to them; `gives` (3 n, 3 N): how the surface gives way to a force
    there; `inverse` (3 n, 3 n) of how they do; `loose`: the same where the body moves as a whole at no cost."""

    shares: Array  # (n, N)
    moves: Array
    columns: Array
    gives: Array
    inverse: Array
    loose: Array


def _held(player: Player, x: Array, y: Array, mine: Array, h: float) -> tuple[Places | None, Array]:
    """Pins, handles, and what contact has pushed since the last step, and where they belong (n, 3). A particle that was
    pushed resists by its own inertia, m / h^2, and is given back to the surface when nothing pushes it any more."""
    touched = _touched(player, x, mine)
    ones = np.concatenate([player.pinned, touched])
    if not len(ones) and not len(player.held):
        return None, np.zeros((0, 3))
    key = h, ones.tobytes(), len(touched), *(a.tobytes() for a in _kind(player.held))
    if key not in player.systems:
        while len(player.systems) >= MOST_SYSTEMS:
            del player.systems[next(iter(player.systems))]
        player.systems[key] = _places(player, touched, h)
    return player.systems[key], np.concatenate([y[ones], player.held.targets])


def _kind(held: Springs) -> tuple[NDArray[Any], ...]:
    return held.particles, held.weights, held.stiffness


def _pushed(player: Player, x: Array, mine: Array) -> Array:
    """(V,) m: how far each particle stands from where it was left."""
    return np.asarray(np.linalg.norm(x - mine[:-1].reshape(-1, 3), axis=1))


def _put(player: Player, x: Array, mine: Array) -> bool:
    """Whether the body is not where it was left: it is new, or most of its particles were put elsewhere."""
    return mine[-1] != 1.0 or int((_pushed(player, x, mine) > MOVED * player.size).sum()) > player.count // 2


def _touched(player: Player, x: Array, mine: Array) -> Ints:
    if _put(player, x, mine):
        return np.zeros(0, np.int64)
    pushed = _pushed(player, x, mine)
    pushed[player.pinned] = 0.0
    pushed[player.surface.inside] = 0.0
    touched = np.flatnonzero(pushed > MOVED * player.size)
    return np.sort(touched[np.argsort(-pushed[touched], kind="stable")[:MOST_TOUCHED]])


def _places(player: Player, touched: Ints, h: float) -> Places:
    """A = L (C + h^2 Phi M^-1 Phi^T) L^T + yields, and its inverse."""
    ones = np.concatenate([player.pinned, touched])
    shares = np.concatenate([
        player.surface.shares(ones[:, None], np.ones((len(ones), 1))),
        player.surface.shares(player.held.particles, player.held.weights),
    ])  # fmt: skip
    masses, held = player.role.body.masses, player.held
    yields = np.concatenate(
        [np.zeros(len(player.pinned)), h * h / masses[touched], 1.0 / np.maximum(held.stiffness, 1e-300)]
    )
    outside = np.ones(len(shares))
    outside[len(player.pinned) : len(ones)] = 0.0
    wide = np.kron(shares, np.eye(3))
    gives = wide @ player.green / player.shear
    moves = wide @ _rigid(player) * np.repeat(outside, 3)[:, None]
    system = gives @ wide.T
    small = STIFF_PIN * float(np.trace(system)) / len(system)
    system += np.diag(np.repeat(yields + small, 3))
    follows = moves @ _mobility(player, h) @ moves.T
    inverse, loose = (np.asarray(np.linalg.inv(system + part * follows), np.float64) for part in (1.0, LOOSE))
    return Places(shares, moves, wide @ player.examples.columns, gives, inverse, loose)


def _rigid(player: Player) -> Array:
    """Phi (3 N, 6): how the surface moves with the body as a whole."""
    rest = player.surface.rest - player.frame.centre
    rigid = np.zeros((len(rest), 3, 6))
    rigid[:, :, :3] = np.eye(3)
    for axis in range(3):
        rigid[:, :, 3 + axis] = np.cross(np.eye(3)[axis], rest)
    return rigid.reshape(-1, 6)


def _mobility(player: Player, h: float) -> Array:
    """h^2 M^-1 (6, 6): how far a force within a step moves and turns the body."""
    mass, r = player.role.body.mass, player.frame.rest
    inertia = mass * (np.einsum("v,vi,vi->", player.frame.shares, r, r) * np.eye(3) - (player.frame.shares * r.T) @ r)
    mobility = np.zeros((6, 6))
    mobility[:3, :3] = h * h / mass * np.eye(3)
    mobility[3:, 3:] = h * h * np.linalg.inv(inertia)
    return mobility


def settle(player: Player, weights: Array, y: Array, places: Places | None, targets: Array, h: float) -> Array:
    """The body (V, 3) in balance. In its frame, with u the displacement of the surface from rest, w the weights, f what
    holds it:

        u = D w + C L^T f,   f = A^-1 (q - L (rest + D w)),   A = L (C + h^2 Phi M^-1 Phi^T) L^T + yields
        w = argmin  f^T A f + (1/beta - 1) w^T G w,  convex                                     [James & Pai 1999] (15)

    A is small: three numbers for each place that is held. Phi M^-1 Phi^T: how the body gives way as a whole."""
    examples, surface = player.examples, player.surface
    centre, turn = player.frame.match(y)
    rest = surface.rest - player.frame.centre
    reach = np.zeros(0)
    if places is not None:
        reach = ((targets - centre) @ turn - np.einsum("in,nc->ic", places.shares, rest)).reshape(-1)
    if player.weight_count:
        _choose(player, weights, places, reach, h)
    u = np.einsum("ik,k->i", examples.columns, weights)
    energy = 0.0
    if places is not None:
        push = np.einsum("ij,j->i", places.inverse, reach - np.einsum("ik,k->i", places.columns, weights))
        give = np.einsum("ij,i->j", places.gives, push)
        at_places = np.einsum("in,nc->ic", places.shares, give.reshape(-1, 3)).reshape(-1)
        energy = 0.5 * float(np.einsum("i,i->", at_places, push))
        u = u + give
        shift, angle = np.split(_mobility(player, h) @ np.einsum("ij,i->j", places.moves, push), 2)
        centre = centre + turn @ shift
        turn = turn @ turned(angle)
    p = np.empty_like(y)
    shape = u.reshape(-1, 3)
    p[surface.outer] = (rest + shape) @ turn.T + centre
    inner = player.role.body.rest[surface.inside] - player.frame.centre
    p[surface.inside] = (inner + np.einsum("in,nc->ic", surface.follow, shape)) @ turn.T + centre
    player.solved = Solved(len(targets), energy)
    return p


def _read_off(player: Player, weights: Array, x: Array) -> None:
    """The weights (G K) that the shape of a body that was put there tells: the convex projection in its energy."""
    examples = player.examples
    if player.weight_count:
        wishes = np.concatenate([_wish(part, x[player.surface.outer]) for part in examples.parts])
        weights_of(examples.grams.reshape(-1), player.given, wishes, 1.0, weights)


def _choose(player: Player, weights: Array, places: Places | None, reach: Array, h: float) -> None:
    """The weights (G K) with which what holds the body has least to do. Where nothing does, they go from those of the
    last step back to rest, as fast as the strength says."""
    examples, given, beta = player.examples, player.given, player.settings.example_strength
    groups, poses, shear = len(examples.parts), len(given), player.shear
    if beta == 0.0:
        weights[:] = np.tile(np.maximum(given, 0.0), groups)
        return
    before = weights.copy()
    back, stay = 1.0 / beta - 1.0, FOLLOW_TIME / h
    pull, drawn = np.zeros((len(weights), len(weights))), np.zeros(len(weights))
    if places is not None:
        answer = np.einsum("ij,jk->ik", places.loose, places.columns)
        pull = np.einsum("ik,im->km", places.columns, answer) / shear
        drawn = np.einsum("ik,i->k", answer, reach) / shear
    for _ in range(SWEEPS if len(reach) and groups > 1 else 1):
        for group in range(groups):
            mine = slice(group * poses, (group + 1) * poses)
            full = examples.parts[group].gram
            others = pull[mine] @ weights - pull[mine, mine] @ weights[mine]
            matrix = (back + stay) * full + pull[mine, mine]
            np.einsum("kk->k", matrix)[examples.grams[group].diagonal() == 0.0] = 0.0
            wish = stay * full @ before[mine] + drawn[mine] - others
            weights_of(matrix.reshape(-1), given, wish, 1.0, weights[mine])


def _wish(part: Group, places: Array) -> Array:
    """(K,) the work that the poses' pushes would do on a group that is where it is now, seen from its own frame."""
    if not len(part.particles):
        return np.zeros(part.gram.shape[0])
    displaced = frame_of(part.rest, part.masses).displacement(places[part.particles])
    found: Array = part.pushes.T @ displaced.reshape(-1)
    return found
