"""One step of shape matching with examples, read as the paper's."""

from collections.abc import Callable
from functools import partial
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.body.spacing import spacing
from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.models.painting import log_factors
from pliant.models.shape_matching.kernels import (
    ADVANCE,
    AIM,
    DESCRIBE,
    DESCRIBE_AGAIN,
    EDGES,
    FLOW,
    ROUNDS,
    WEIGH,
    WEIGH_AGAIN,
    WHOLE,
    any_restless,
    run,
)
from pliant.models.shape_matching.layout import LANES
from pliant.models.shape_matching.material import RATE
from pliant.models.shape_matching.memory import limit
from pliant.models.shape_matching.prepare import Cohort, Pack
from pliant.models.shape_matching.settings import ShapeMatching
from pliant.runtime.task_list import MOST_CALLS, Call, TaskList

PRECISION = {4: 1e-6, 8: 1e-14}  # rad: how far a rotation may be off, by the bytes of a number
WORTH_SHARING = 20_000  # particles; below, waking the other threads costs more than they bring


def solve(pack: Pack, own: Own, context: StepContext) -> None:
    """x: where the particles are, y: where inertia and forces would take them, p: where they settle.

    A spring of stiffness k moves a particle by k h^2 / m of its extension in a step: alpha belongs to h^2, so the
    sag and the frequency of a body stay what they are when the step changes.
    """
    state, h, pool = context.state, context.h, context.pool
    if pack.limited_for != h:
        limit(pack, h)
    x, y, p = state.x, state.y, state.p
    rate = (RATE * h) ** 2
    close = PRECISION[x.itemsize]
    for cohort, memory in zip(pack.cohorts, own, strict=False):
        if state.sleep_version and not cohort.far:
            asleep = _asleep(cohort, state)
            if asleep.any():
                arrays = (cohort.ints, cohort.near, cohort.floats, memory, cohort.work, x, y, p, close, rate)
                _solve_awake(cohort, arrays, asleep)
                continue
        if pool.threads == 1 or cohort.count < WORTH_SHARING:
            run(cohort.ints, cohort.near, cohort.floats, memory, cohort.work, x, y, p, close, rate, WHOLE, 0, 0, 0)
            continue
        arrays = (cohort.ints, cohort.near, cohort.floats, memory, cohort.work, x, y, p, close, rate)

        # A_pq, A_pu, R = polar(A_pq~), <R, A_pu>                             [Koyama+12] (1) (7)
        # w = argmin |L w - (D - D^0)|^2 / beta, convex                       [Koyama+12] (6), section 4.2
        def describe(stage: int, arrays: tuple[Any, ...] = arrays, cohort: Cohort = cohort) -> None:
            pool.share_out(partial(run, *arrays, stage), cohort.blocks)

        def weigh(stage: int, arrays: tuple[Any, ...] = arrays, cohort: Cohort = cohort) -> None:
            if cohort.by_region:
                pool.share_out(partial(run, *arrays, stage), cohort.blocks)
            else:
                run(*arrays, stage, 0, 0, 0)

        _measure(cohort, describe, weigh)
        if cohort.far:  # the two passes below in one
            pool.share_out(partial(run, *arrays, FLOW), cohort.blocks)
            for first, last in pool.cuts(cohort.blocks):  # few particles: waking the others would take longer
                run(*arrays, EDGES, first, last, 0)
            continue
        # q~ = q + sum w_k u^k,  R = polar(A_pq~)                             [Koyama+12] (3)
        pool.share_out(partial(run, *arrays, AIM), cohort.blocks)
        # g_i = <R q~_i + c>,  p = y + alpha (g - x)                          [Koyama+12] (3) (4) (5)
        pool.share_out(partial(run, *arrays, ADVANCE), cohort.blocks)


def task_lists(pack: Pack, own: Own, context: StepContext, threads: int) -> list[TaskList]:
    """What `solve` does with cohorts of which each is done by one thread, whole. Empty if one is worth sharing, or if
    some of its actors sleep."""
    state, h = context.state, context.h
    if pack.limited_for != h:
        limit(pack, h)
    made_of, made_for, made = pack.task_lists
    numbers = threads, h, state.sleep_version
    arrays = (state.x, *(array for c, memory in zip(pack.cohorts, own, strict=False) for array in (c.floats, memory)))
    if made_for == numbers and len(made_of) == len(arrays) and all(map(is_, made_of, arrays)):
        return made
    split = any(_is_split(cohort, state, threads) for cohort in pack.cohorts)
    made = [] if split else _dealt(pack, own, context, threads)
    pack.task_lists = arrays, numbers, made
    return made


def _dealt(pack: Pack, own: Own, context: StepContext, threads: int) -> list[TaskList]:
    """Each cohort to the thread that has least."""
    state, rate = context.state, (RATE * context.h) * (RATE * context.h)  # ** would raise for one that is too large
    close = PRECISION[state.x.itemsize]
    calls: list[list[Call]] = [[] for _ in range(threads)]
    loads = np.zeros(threads)
    for cohort, memory in zip(pack.cohorts, own, strict=False):
        least = int(loads.argmin())
        loads[least] += cohort.count
        arrays = (cohort.ints, cohort.near, cohort.floats, memory, cohort.work, state.x, state.y, state.p)
        calls[least].append(Call(run, (*arrays, close, rate, WHOLE, 0, 0, 0)))
    return [TaskList(*each) for each in calls] if max(map(len, calls)) <= MOST_CALLS else []


def _is_split(cohort: Cohort, state: State, threads: int) -> bool:
    """Whether several threads share a cohort, or some of its actors sleep."""
    if threads > 1 and cohort.count >= WORTH_SHARING:
        return True
    return bool(state.sleep_version) and not cohort.far and bool(_asleep(cohort, state).any())


def _asleep(cohort: Cohort, state: State) -> NDArray[np.bool_]:
    asleep: NDArray[np.bool_] = (
        state.sleep_timers[np.searchsorted(state.origins, [role.first for role in cohort.roles])] < 0
    )
    return asleep


def sound(body: Body, settings: ShapeMatching, h: float) -> float:
    """How fast a push goes through it, m/s: as through its material, or from particle to particle, each of which is a
    spring of the frequency sqrt(alpha) / h; in a step, not farther than to the next."""
    fastest = spacing(body) / h
    hardest = float(np.exp(0.5 * log_factors(body, settings.painted).max()))
    if settings.young is not None:
        return min(hardest * float(np.sqrt(settings.young / body.density)), fastest)
    return min(hardest * spacing(body) * RATE * float(np.sqrt(settings.stiffness)), fastest)


def _solve_awake(cohort: Cohort, arrays: tuple[Any, ...], asleep: NDArray[np.bool_]) -> None:
    """Only the blocks in which an actor is awake. One that sleeps beside it is solved along with it; the world leaves
    such an actor where it is."""
    ranges: list[list[int]] = []
    for part, sleeps in zip(cohort.particles, asleep, strict=True):
        first, last = part.start // LANES, -(-part.stop // LANES)
        if sleeps:
            continue
        if ranges and first <= ranges[-1][1]:
            ranges[-1][1] = max(last, ranges[-1][1])
        else:
            ranges.append([first, last])

    def each(stage: int) -> None:
        for first, last in ranges:
            run(*arrays, stage, first, last, 0)

    def weigh(stage: int) -> None:
        if cohort.by_region:
            each(stage)
        else:
            run(*arrays, stage, 0, 0, 0)

    _measure(cohort, each, weigh)
    each(AIM)
    each(ADVANCE)


def _measure(cohort: Cohort, describe: Callable[[int], None], weigh: Callable[[int], None]) -> None:
    """Weights, in as many rounds as a call with WHOLE makes."""
    describe(DESCRIBE)
    weigh(WEIGH)
    if any_restless.py_func(cohort.ints, cohort.work):
        for _ in range(1, ROUNDS):
            describe(DESCRIBE_AGAIN)
            weigh(WEIGH_AGAIN)
