"""One step of clusters with examples, read as the paper's."""

from functools import partial

import numpy as np

from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.models.clusters.kernels import AIM, DESCRIBE, WEIGH, WHOLE, run
from pliant.models.clusters.layout import LANES
from pliant.models.clusters.memory import set_step
from pliant.models.clusters.prepare import Cohort, Pack

PRECISION = {4: 1e-6, 8: 1e-14}  # rad: how far a rotation may be off, by the bytes of a number
WORTH_SHARING = 20_000  # particles; below, waking the other threads costs more than they bring


def solve(pack: Pack, own: Own, context: StepContext) -> None:
    """x: where the particles are, p: where inertia and forces would take them, and then where they settle.

    As in shape matching alpha belongs to h^2, so sag and frequency stay what they are when the step changes."""
    state, pool = context.state, context.pool
    if pack.step != context.h:
        set_step(pack, context.h)
    close = PRECISION[state.x.itemsize]
    for cohort, memory in zip(pack.cohorts, own, strict=True):
        if cohort.awake_for != state.sleep_version:
            wake(cohort, state)
        arrays = (cohort.ints, cohort.floats, memory, cohort.work, state.x, state.p, cohort.awake, close, context.h)
        if pool.threads == 1 or cohort.particles < WORTH_SHARING or cohort.blocks == 1:
            run(*arrays, WHOLE, 0, 0, 0)
            continue
        # A~ = sum m p q~^T, and its products with D^k                        [Mueller+05] (7) (14)
        pool.share_out(partial(run, *arrays, DESCRIBE), cohort.blocks)
        # w = argmin |sum_k w_k D^k - R^T A~|^2 / beta, convex                METHODS: pliant.examples
        run(*arrays, WEIGH, 0, 0, 0)
        # R = polar(A~ D~^T),  g = ((1 - K) A~ + K R D~) q~ + c,  p += alpha (g - x)
        if cohort.alone:
            pool.share_out(partial(run, *arrays, AIM), cohort.blocks)
        else:  # clusters that share particles add to the same places, in their order
            run(*arrays, AIM, 0, cohort.blocks, 0)


def wake(cohort: Cohort, state: State) -> None:
    """Only blocks in which an actor is awake are played. One that sleeps beside it is solved along with it; the world
    leaves such an actor where it is."""
    cohort.awake = np.ones(cohort.blocks, np.uint32)
    if state.sleep_version:
        asleep = state.sleep_timers[np.searchsorted(state.origins, [role.first for role in cohort.roles])] < 0
        cohort.awake[:] = 0
        for lanes, sleeps in zip(cohort.lanes, asleep, strict=True):
            if not sleeps:
                cohort.awake[lanes // LANES] = 1
    cohort.awake_for = state.sleep_version
