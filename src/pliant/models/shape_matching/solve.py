"""One step of shape matching with examples, read as the paper's."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.body.spacing import spacing
from pliant.dynamics.state import Own
from pliant.dynamics.step_context import StepContext
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
            asleep = state.sleep_timers[np.searchsorted(state.origins, [role.first for role in cohort.roles])] < 0
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


def sound(body: Body, settings: ShapeMatching, h: float) -> float:
    """How fast a push goes through it, m/s: as through its material, or from particle to particle, each of which is a
    spring of the frequency sqrt(alpha) / h; in a step, not farther than to the next."""
    fastest = spacing(body) / h
    if settings.young is not None:
        return min(float(np.sqrt(settings.young / body.density)), fastest)
    return min(spacing(body) * RATE * float(np.sqrt(settings.stiffness)), fastest)


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
