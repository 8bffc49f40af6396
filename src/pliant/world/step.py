"""Sub-steps of the world, read as a paragraph."""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.dynamics.step_context import StepContext
from pliant.runtime.errors import Diverged
from pliant.runtime.task_list import TaskList
from pliant.runtime.thread_pool import ThreadPool
from pliant.runtime.waiting import STOP
from pliant.world.kernels import DOUBTFUL, predict, pull, put
from pliant.world.step_tasks import MOST_MODEL_CALLS

if TYPE_CHECKING:
    from pliant.world.actor_registry import ActorRegistry

WORTH_PREDICTING = 200_000  # particles: so little is done with each that memory, which all threads share, takes longest


def advance(registry: "ActorRegistry", context: StepContext, time: float, most: int) -> tuple[int, Diverged | None]:
    """From time to time + h, and perhaps further, but not more than so many sub-steps; the inputs have been gathered.
    Returns how many there were, and what went wrong with the next. Threads go through sub-steps without Python, if
    nothing but models, pins and contact moves particles; else one by one. Where all bodies sleep there is nothing to be
    done. Nothing that lasts is written until the end of a sub-step, but for the models' own arrays: so where a model
    might fail, a copy of those is kept."""
    registry.hold(context.inputs)
    contact_system, inputs = registry.contact_system, context.inputs
    assert contact_system is not None
    contact_system.begin(context.h, context.pool)
    done, bad = 0, -1
    while done < most and bad < 0 and not contact_system.asleep:
        task_lists = _of_models(registry, context, contact_system.shared_by(context.pool))
        if task_lists:
            gone, bad = contact_system.go_through(inputs, task_lists, most - done)
            done += gone
        if not task_lists or bad == STOP:
            contact_system.begun = False
            bad = _one_by_one(registry, context)
            done += bad < 0
    if bad >= 0:
        contact_system.undo()
        return done, _diverged(registry, time + done * context.h, bad)
    return most if contact_system.asleep else done, None


def _of_models(registry: "ActorRegistry", context: StepContext, pieces: int) -> list[list[TaskList]]:
    """The task lists of all models, if so many threads can do all that moves particles before contact does."""
    inputs, found = context.inputs, []
    if len(inputs.grabbed) or inputs.pinned_rotations:
        return []
    for model, pack in registry.solvers:
        made = []
        if model.task_lists is not None:
            made = model.task_lists(pack, context.state.own[model.name], context, pieces)
        if not made:
            return []
        found.append(made)
    return found if sum(len(made[0].calls) for made in found) <= MOST_MODEL_CALLS else []


def _one_by_one(registry: "ActorRegistry", context: StepContext) -> int:
    """One sub-step. Returns a particle that has no finite place, or -1."""
    worst = _predict(context)
    if worst >= 0:
        return worst
    doubtful = worst == DOUBTFUL
    before = context.state.kept() if doubtful else None
    _hold(context)
    _solve(registry, context)
    _pull(context)
    assert registry.contact_system is not None
    bad = registry.contact_system.meet(context.inputs)
    if bad >= 0 and before is not None:
        context.state.put_back_own(before)
    return bad


def _predict(context: StepContext) -> int:
    """y = x + h v + h^2 a. Returns a particle that has no finite place, or whether one is so far out that the models
    might fail."""
    s = context.state
    arrays = (s.x, s.v, s.y, s.p, s.inverse, s.acceleration, *context.inputs.gravity, context.h)
    if context.pool.threads == 1 or len(s) < WORTH_PREDICTING:
        return predict(*arrays, 0, len(s))
    return _worst(context.pool, partial(predict, *arrays), len(s))


def _hold(context: StepContext) -> None:
    """Pinned particles go where their pin says."""
    inputs = context.inputs
    if len(inputs.pinned):
        put(context.state.y, inputs.pinned, inputs.places)
        for rows, rotations in inputs.pinned_rotations:
            context.state.q.reshape(-1, 4)[rows] = rotations


def _solve(registry: "ActorRegistry", context: StepContext) -> None:
    """Each model: where inertia would take its particles (y) -> where they settle (p)."""
    for model, pack in registry.solvers:
        model.solve(pack, context.state.own[model.name], context)


def _pull(context: StepContext) -> None:
    """Handles pull, but those of models that see to it themselves; then pins have the last word."""
    s, inputs = context.state, context.inputs
    if len(inputs.grabbed):
        pull(s.p, s.inverse, inputs.grabbed, inputs.springs.reshape(-1), context.h)
    if len(inputs.pinned):
        put(s.p, inputs.pinned, inputs.places)


def _worst(pool: ThreadPool, task: Any, count: int) -> int:
    """The first bad particle that any thread found, else the most doubtful answer."""
    found: list[int] = []

    def run(first: int, last: int, _piece: int) -> None:
        found.append(task(first, last))

    pool.share_out(run, count)
    return min((i for i in found if i >= 0), default=min(found))


def _diverged(registry: "ActorRegistry", time: float, particle: int) -> Diverged:
    place = int(np.searchsorted(registry.state.origins, particle, side="right")) - 1
    actor = registry.order[place]
    return Diverged(
        f'actor "{actor.name}" diverged at {time:.4f} s (particle {particle - actor._first}): a position '
        "would become infinite or undefined; the last good state is kept; use a smaller step, or check "
        "forces, paths and positions set by hand"
    )
