"""One step of oriented particles, as rigid as possible, read as the paper's."""

from itertools import chain, pairwise
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.dynamics.step_inputs import Handles
from pliant.models.oriented_particles import layout as at
from pliant.models.oriented_particles.batch_rows import LANE_ROWS, W
from pliant.models.oriented_particles.batched_step import BATCH_ROW, SCRATCH_SUMS, batched_step
from pliant.models.oriented_particles.factors import Factor, factor, system
from pliant.models.oriented_particles.kernels import BOTH_HALVES, advance
from pliant.models.oriented_particles.prepare import Pack, stiffness_of
from pliant.runtime.task_list import Call, TaskList

EFFORT_WORTH_SHARING = 2_000  # particles times iterations; below, waking the other threads costs more than they bring
BATCH_EFFORT = 3  # how much longer a batch takes than one of its bodies by itself
PER_EDGE = 0.12  # how much an edge takes of what a particle takes
FEWEST_IN_BATCH = 5  # bodies of one graph for which lanes are faster than one by one
MOST_FACTORS = 64  # kept for when a handle comes back


def solve(pack: Pack, own: Own, context: StepContext) -> None:
    """E = momentum (9) + deformation (3) + handles (13) (15), lowered by turns:                    [Choi+17] (1)

    R_i = rotation of C_i, one particle after the other        local.py       (5) (11)
    L x = b, all particles together                            place.py       (7) (12) (14)
    """
    state, h = context.state, context.h
    threads = context.pool.threads
    make_ready(pack, context)
    if threads > 1 and pack.effort >= EFFORT_WORTH_SHARING:
        context.pool.make(task_lists(pack, own, context, threads))
        return
    singles, batches = awake(pack, state)
    if len(singles):
        advance(singles, *single_arrays(pack, own, state, h)[1:], BOTH_HALVES, 0, len(singles))
    if len(batches):
        scratch = context.scratch.room(0, pack.scratch_size, pack.floats.dtype)
        batched_step(*batch_arrays(pack, batches, state, h), scratch, 0, len(batches) // BATCH_ROW)


def make_ready(pack: Pack, context: StepContext) -> None:
    """For a step: factors for what is held now, and where handles pull."""
    if pack.made_for != (context.h, pack.edits):
        _make_ready(pack, context.state, context.h)
    if len(pack.order):
        pack.springs.reshape(-1, at.SPRING)[:, 1:4] = pack.handles.targets[pack.order]


def task_lists(pack: Pack, own: Own, context: StepContext, threads: int) -> list[TaskList]:
    """What each thread does in a step: batches, then singles."""
    state, h = context.state, context.h
    make_ready(pack, context)
    singles, batches = awake(pack, state)
    arrays, numbers = (pack.ints, singles, batches, own[0], state.x), (threads, h)
    made_of, made_for, made = pack.task_lists
    if made_for == numbers and all(map(is_, made_of, arrays)):
        return made
    rooms = [context.scratch.room(thread, pack.scratch_size, pack.floats.dtype) for thread in range(threads)]
    dealt, batch_cuts, single_cuts = deal(pack, singles, batches, threads)
    one_by_one, lanes = (singles, *single_arrays(pack, own, state, h)[1:]), batch_arrays(pack, dealt, state, h)
    many = [(*lanes, scratch, *cut) for scratch, cut in zip(rooms, pairwise(batch_cuts), strict=True)]
    single = [(*one_by_one, BOTH_HALVES, *cut) for cut in pairwise(single_cuts)]
    if len(made) != threads:
        made = [
            TaskList(Call(batched_step, one), Call(advance, other)) for one, other in zip(many, single, strict=True)
        ]
    for task_list, one, other in zip(made, many, single, strict=True):  # kept, whichever actors sleep or wake
        task_list.calls[0].write(one)
        task_list.calls[1].write(other)
    pack.task_lists = arrays, numbers, made
    return made


def deal(
    pack: Pack, singles: NDArray[np.uint32], batches: NDArray[np.uint32], count: int
) -> tuple[NDArray[np.uint32], list[int], list[int]]:
    """Deal out the work in portions of about the same effort: batches, the largest first, each to the thread that has
    least, and then singles. Returns the batches in the order of the portions, and where each portion of the batches and
    of the singles begins and ends."""
    rows = batches.reshape(-1, BATCH_ROW)
    effort = BATCH_EFFORT * pack.efforts[rows[:, 0]]
    workers: list[list[int]] = [[] for _ in range(count)]
    loads = np.zeros(count)
    for number in np.argsort(-effort, kind="stable").tolist():
        least = int(loads.argmin())
        workers[least].append(number)
        loads[least] += effort[number]
    ends = np.cumsum([0.0, *pack.efforts[singles].tolist()])
    fair = (loads.sum() + ends[-1]) / count
    wanted = np.maximum(fair - loads, 0.0)
    share = np.cumsum(wanted) * (ends[-1] / max(wanted.sum(), 1e-9))
    single_cuts = [0, *np.searchsorted(ends, share[:-1] - 1e-6).tolist(), len(singles)]
    batch_cuts = np.cumsum([0, *map(len, workers)]).tolist()
    return rows[list(chain.from_iterable(map(sorted, workers)))].reshape(-1), batch_cuts, single_cuts


def awake(pack: Pack, state: State) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Singles and batches without the bodies that sleep: those that are awake move together in lanes."""
    if not state.sleep_version:
        return pack.singles, pack.batches
    if pack.awake[0] != state.sleep_version:
        up = state.sleep_timers[np.searchsorted(state.origins, [player.role.first for player in pack.players])] >= 0
        alike = [[number for number in numbers if up[number]] for numbers in pack.alike]
        pack.awake = state.sleep_version, *batches_of(alike, [number for number in pack.alone if up[number]])
    return pack.awake[1:]


def single_arrays(pack: Pack, own: Own, state: State, h: float) -> tuple[Any, ...]:
    """What `advance` takes, in its order."""
    return (
        pack.singles, pack.ints, pack.floats, pack.scalars, own[0], pack.work, pack.holds, pack.springs,
        state.x, state.y, state.p, state.q, state.w, state.hulls, state.inverse, h,
    )  # fmt: skip


def batch_arrays(pack: Pack, batches: NDArray[np.uint32], state: State, h: float) -> tuple[Any, ...]:
    """What `batched_step` takes, in its order."""
    return (
        pack.ints, pack.floats, pack.scalars, batches, state.x, state.y, state.p, state.q, state.w, state.hulls,
        state.inverse, h,
    )  # fmt: skip


def hold(pack: Pack, handles: Handles, _state: State) -> None:
    """The handles of these actors as rows for the kernels, those of one actor next to each other; and factors for what
    is held now are needed in the next step."""
    pack.handles, pack.order = handles, np.argsort(handles.actors, kind="stable")
    holds = np.zeros((len(pack.order), at.HOLD), np.uint32)
    holds[:, 0] = np.where(handles.aims, at.AIM, at.POINT)[pack.order]
    holds[:, 1:] = handles.particles[pack.order]
    springs = np.zeros((len(pack.order), at.SPRING))
    springs[:, 0], springs[:, 4:8] = handles.stiffness[pack.order], handles.weights[pack.order]
    springs[:, at.ARMS :] = handles.arms[pack.order].reshape(-1, 12)
    pack.holds, pack.springs = holds.reshape(-1), springs.reshape(-1)
    pack.edits += 1


def _make_ready(pack: Pack, state: State, h: float) -> None:
    """Heads and factors for what is held now."""
    held_by = np.bincount(pack.handles.actors, minlength=len(pack.players))
    places: dict[int, tuple[int, int]] = {}
    ints, floats = [pack.fixed_ints], [pack.fixed_floats]
    ints_size, floats_size = len(pack.fixed_ints), len(pack.fixed_floats)
    heads = np.zeros((len(pack.players), at.HEAD), np.uint32)
    hold = 0
    iterations = np.array([player.role.settings.iterations for player in pack.players])
    sizes = np.array([(len(player.graph.rest), len(player.network.edges)) for player in pack.players])
    pack.effort, pack.efforts = int(iterations @ sizes[:, 0]), iterations * (sizes @ (1.0, PER_EDGE))
    alike: dict[Any, list[int]] = {}  # bodies that can go in lanes, by graph, matrix and settings
    singles: list[int] = []
    for number, (player, table, head) in enumerate(zip(pack.players, pack.tables, heads, strict=True)):
        for name, place in table.head.items():
            head[name] = place
        n, first = len(player.graph.rest), player.role.first
        pinned = np.flatnonzero(state.inverse[first : first + n] == 0)
        held = pack.order[hold : hold + held_by[number]]
        head[at.ITERATIONS] = player.role.settings.iterations
        head[at.PINNED], head[at.HOLDS], head[at.HELD] = len(pinned), hold, len(held)
        hold += len(held)
        made = _factor(pack, number, pinned, held, h)
        if id(made) not in places:
            places[id(made)] = (ints_size, floats_size)
            ints.append(_padded(made.structure).astype(np.uint32))
            floats.append(_padded(made.values).astype(pack.fixed_floats.dtype))
            ints_size += len(ints[-1])
            floats_size += len(floats[-1])
        head[at.FACTOR], head[at.MATRIX] = places[id(made)]
        head[at.SPARSE] = len(made.structure) > 0
        if len(held) or player.graph.poses or len(made.structure):
            singles.append(number)
        else:
            s = player.role.settings
            alike.setdefault((id(made), s.iterations, s.damping, s.drag, player.graph.density), []).append(number)
    pack.ints, pack.floats = np.concatenate(ints), np.concatenate(floats)
    pack.ints[: heads.size] = heads.reshape(-1)
    pack.alike, pack.alone = list(alike.values()), singles
    pack.singles, pack.batches = batches_of(pack.alike, pack.alone)
    largest = max((at.padded(len(pack.players[numbers[0]].graph.rest)) for numbers in pack.alike), default=0)
    pack.scratch_size = W * ((LANE_ROWS + 6) * largest + SCRATCH_SUMS)
    pack.awake = None, pack.singles, pack.batches
    pack.made_for = (h, pack.edits)


def batches_of(alike: list[list[int]], alone: list[int]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Singles and batches: bodies that are alike in batches where there are enough of them, the others one by one."""
    batches, singles = [], list(alone)
    for numbers in alike:
        while len(numbers) >= FEWEST_IN_BATCH:
            chosen, numbers = numbers[:W], numbers[W:]
            batches.append([chosen[0], len(chosen), *chosen, *[chosen[0]] * (W - len(chosen))])
        singles += numbers
    return np.array(sorted(singles), np.uint32), np.array(batches, np.uint32).reshape(-1)


def _factor(pack: Pack, number: int, pinned: NDArray[np.int64], held: NDArray[np.int64], h: float) -> Factor:
    player = pack.players[number]
    k = stiffness_of(player)
    every = pack.handles
    told = tuple(
        (tuple(every.particles[row].tolist()), tuple(every.weights[row].tolist()), float(every.stiffness[row]))
        for row in held
        if not every.aims[row]
    )
    key = id(player.network), k, h, tuple(pinned.tolist()), told
    if key not in pack.factors:
        while len(pack.factors) >= MOST_FACTORS + len(pack.players):
            pack.factors.pop(next(iter(pack.factors)))
        pack.factors[key] = factor(system(player.network, k, h, pinned, told))
    return pack.factors[key]


def _padded(values: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([values, np.zeros(-len(values) % 16, values.dtype)])
