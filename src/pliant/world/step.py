"""Sub-steps of the world, read as a paragraph."""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.runtime.errors import Diverged
from pliant.runtime.thread_pool import ThreadPool
from pliant.runtime.waiting import STOP
from pliant.world.kernels import ALL, COMMIT, DOUBTFUL, MEET, RIGID, predict, pull, put, settle

if TYPE_CHECKING:
    from pliant.world.actor_registry import ActorRegistry
    from pliant.world.inputs import Inputs

Gravity = tuple[float, float, float]
PARTICLES_WORTH_SHARING = 20_000  # particles
WORTH_PREDICTING = 200_000  # so little is done with each that memory, which all threads share, is what takes time


def advance(
    registry: "ActorRegistry", inputs: "Inputs", gravity: Gravity, time: float, h: float, pool: ThreadPool, most: int
) -> tuple[int, Diverged | None]:
    """From time to time + h, and perhaps further, but not more than so many sub-steps; the inputs have been gathered.
    Returns how many there were, and what went wrong with the next. Nothing that lasts is written until the end of a
    sub-step, but for the models' own arrays: so where a model might fail, a copy of those is kept."""
    if registry.by_rows:
        registry.contact_system.watch(inputs)
        registry.contact_system.begin(h, pool)
        bad = _one_by_one(registry, inputs, gravity, h, pool)
        return int(bad < 0), _diverged(registry, time, bad) if bad >= 0 else None
    registry.damp_for(h)
    done, bad = _all_at_once(registry, inputs, gravity, h, pool, most if inputs.steady else 1)
    if bad == STOP:
        bad = _one_by_one(registry, inputs, gravity, h, pool)
        done = int(bad < 0)
    if bad >= 0:
        if registry.contact_system is not None:
            registry.contact_system.broad_phase.forget_candidates()  # some particle has no finite place
        return done, _diverged(registry, time + done * h, bad)
    _finish(registry, h)
    return done, None


def _all_at_once(
    registry: "ActorRegistry", inputs: "Inputs", gravity: Gravity, h: float, pool: ThreadPool, most: int
) -> tuple[int, int]:
    """Threads go through sub-steps without Python, if nothing but models, pins and contact between bodies moves
    particles. Returns how many they have done, and a particle that then has no finite place, -1, or STOP if it has to
    be done one by one."""
    contact_system = registry.contact_system
    if contact_system is None:
        return 0, STOP
    contact_system.watch(inputs)
    contact_system.begin(h, pool)
    pieces = contact_system.broad_phase.pieces
    if pieces == 1 or pieces != pool.threads or len(inputs.grabbed) or inputs.pinned_rotations:
        return 0, STOP
    s, task_lists = registry.state, []
    for model, pack in registry.solvers:
        made = model.task_lists(pack, s.own[model.name], s, inputs, h, pool) if model.task_lists is not None else []
        if not made or model.finish is not None:
            return 0, STOP
        task_lists.append(made)
    return contact_system.go_through(inputs, gravity, task_lists, most)


def _one_by_one(registry: "ActorRegistry", inputs: "Inputs", gravity: Gravity, h: float, pool: ThreadPool) -> int:
    """One sub-step. Returns a particle that has no finite place, or -1."""
    worst = _predict(registry, gravity, h, pool)
    if worst >= 0:
        return worst
    doubtful = worst == DOUBTFUL
    before = registry.state.kept() if doubtful else None
    _hold(registry, inputs)
    _solve(registry, inputs, h, pool)
    _pull(registry, inputs, h)
    bad = _settle(registry, inputs, gravity, h, pool)
    if bad >= 0 and before is not None:
        registry.state.put_back_own(before)
    return bad


def _predict(registry: "ActorRegistry", gravity: Gravity, h: float, pool: ThreadPool) -> int:
    """y = x + h v + h^2 a. Returns a particle that has no finite place, or whether one is so far out that the models
    might fail."""
    s = registry.state
    arrays = (s.x, s.v, s.y, s.p, s.inverse, s.acceleration, *gravity, h)
    if pool.threads == 1 or len(s) < WORTH_PREDICTING:
        return predict(*arrays, 0, len(s))
    return _worst(pool, partial(predict, *arrays), len(s))


def _hold(registry: "ActorRegistry", inputs: "Inputs") -> None:
    """Pinned particles go where their pin says."""
    if inputs.pins:
        put(registry.state.y, inputs.pinned, inputs.places)
        for rows, rotations in inputs.pinned_rotations:
            registry.state.q.reshape(-1, 4)[rows] = rotations


def _solve(registry: "ActorRegistry", inputs: "Inputs", h: float, pool: ThreadPool) -> None:
    """Each model: where inertia would take its particles (y) -> where they settle (p)."""
    s = registry.state
    for model, pack in registry.solvers:
        model.solve(pack, s.own[model.name], s, inputs, h, pool)


def _pull(registry: "ActorRegistry", inputs: "Inputs", h: float) -> None:
    """Handles pull, but those of models that see to it themselves; then pins have the last word."""
    s = registry.state
    if len(inputs.grabbed):
        pull(s.p, s.inverse, inputs.grabbed, inputs.springs.reshape(-1), h)
    if inputs.pins:
        put(s.p, inputs.pinned, inputs.places)


def _settle(registry: "ActorRegistry", inputs: "Inputs", gravity: Gravity, h: float, pool: ThreadPool) -> int:
    """Bodies meet bodies; push out of colliders, v = (p - x) / h, friction, damping, x = p. Returns a particle that has
    no finite place, or -1."""
    s = registry.state
    if registry.contact_system is not None:
        return registry.contact_system.meet(inputs, gravity)
    arrays = (
        s.x, s.v, s.y, s.p, s.inverse, s.masses, s.acceleration,
        s.chunks, s.origins, s.sums, s.motion, s.bounces, s.w, s.hulls, inputs.rows, inputs.grids, s.marks,
        *gravity, h,
    )  # fmt: skip
    chunks = len(s.chunks) // 3
    if pool.threads == 1 or len(s) < PARTICLES_WORTH_SHARING:
        return settle(*arrays, ALL, 0, chunks)
    bad = _worst(pool, partial(settle, *arrays, MEET), chunks)
    if bad < 0:
        settle(*arrays, RIGID, 0, chunks)
        _worst(pool, partial(settle, *arrays, COMMIT), chunks)
    return bad


def _finish(registry: "ActorRegistry", h: float) -> None:
    """Models whose particles must stand in some order bring them into it, now that contact has pushed them."""
    s = registry.state
    for model, pack in registry.solvers:
        if model.finish is not None:
            model.finish(pack, s.own[model.name], s, h)


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
