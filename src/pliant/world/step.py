"""One sub-step of the world, read as a paragraph."""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import Diverged
from pliant.threads import Crew
from pliant.world.kernels import ALL, COMMIT, DOUBTFUL, MEET, RIGID, predict, pull, put, settle

if TYPE_CHECKING:
    from pliant.world.cast import Cast
    from pliant.world.inputs import Inputs

Gravity = tuple[float, float, float]
WORTH_SHARING = 20_000  # particles
WORTH_PREDICTING = 200_000  # so little is done with each that memory, which all threads share, is what takes time


def substep(cast: "Cast", inputs: "Inputs", gravity: Gravity, time: float, h: float, crew: Crew) -> None:
    """From time to time + h; the inputs have been gathered. Nothing that lasts is written until the last
    line, but for the models' own arrays: so where a model might fail, a copy of those is kept."""
    if cast.arena is not None:
        cast.arena.watch(inputs)
    doubtful = _predict(cast, gravity, time, h, crew)
    before = cast.state.kept() if doubtful else None
    _hold(cast, inputs)
    _solve(cast, inputs, h, crew)
    _pull(cast, inputs, h)
    bad = _settle(cast, inputs, gravity, h, crew)
    if bad >= 0:
        if before is not None:
            cast.state.put_back_own(before)
        raise _diverged(cast, time, bad)
    _finish(cast, h)


def _predict(cast: "Cast", gravity: Gravity, time: float, h: float, crew: Crew) -> bool:
    """y = x + h v + h^2 a. True if somebody is so far out that the models might fail."""
    s = cast.state
    arrays = (s.x, s.v, s.y, s.p, s.inverse, s.acceleration, *gravity, h)
    if crew.threads == 1 or len(s) < WORTH_PREDICTING:
        worst = predict(*arrays, 0, len(s))
    else:
        worst = _worst(crew, partial(predict, *arrays), len(s))
    if worst >= 0:
        raise _diverged(cast, time, worst)
    return worst == DOUBTFUL


def _hold(cast: "Cast", inputs: "Inputs") -> None:
    """Pinned particles go where their pin says."""
    if inputs.pins:
        put(cast.state.y, inputs.pinned, inputs.places.reshape(-1))
        for rows, turns in inputs.turned:
            cast.state.q.reshape(-1, 4)[rows] = turns


def _solve(cast: "Cast", inputs: "Inputs", h: float, crew: Crew) -> None:
    """Each model: where inertia would take its particles (y) -> where they settle (p)."""
    s = cast.state
    for model, pack in cast.solvers:
        model.solve(pack, s.own[model.name], s, inputs, h, crew)


def _pull(cast: "Cast", inputs: "Inputs", h: float) -> None:
    """Handles pull, but those of models that see to it themselves; then pins have the last word."""
    s = cast.state
    if len(inputs.grabbed):
        pull(s.p, s.inverse, inputs.grabbed, inputs.springs.reshape(-1), h)
    if inputs.pins:
        put(s.p, inputs.pinned, inputs.places.reshape(-1))


def _settle(cast: "Cast", inputs: "Inputs", gravity: Gravity, h: float, crew: Crew) -> int:
    """Bodies meet bodies; push out of colliders, v = (p - x) / h, friction, damping, x = p. Returns a particle that has
    no finite place, or -1."""
    s = cast.state
    cast.damp_for(h)
    if cast.arena is not None:
        return cast.arena.meet(inputs, gravity, h, crew)
    arrays = (
        s.x, s.v, s.y, s.p, s.inverse, s.masses, s.acceleration,
        s.chunks, s.origins, s.sums, s.motion, s.bounces, s.w, s.hulls, inputs.rows, inputs.grids, s.marks,
        *gravity, h,
    )  # fmt: skip
    chunks = len(s.chunks) // 3
    if crew.threads == 1 or len(s) < WORTH_SHARING:
        return settle(*arrays, ALL, 0, chunks)
    bad = _worst(crew, partial(settle, *arrays, MEET), chunks)
    if bad < 0:
        settle(*arrays, RIGID, 0, chunks)
        _worst(crew, partial(settle, *arrays, COMMIT), chunks)
    return bad


def _finish(cast: "Cast", h: float) -> None:
    """Models whose particles must stand in some order bring them into it, now that contact has pushed them."""
    s = cast.state
    for model, pack in cast.solvers:
        if model.finish is not None:
            model.finish(pack, s.own[model.name], s, h)


def _worst(crew: Crew, task: Any, count: int) -> int:
    """The first bad particle that any thread found, else the most doubtful answer."""
    found: list[int] = []

    def run(first: int, last: int, _piece: int) -> None:
        found.append(task(first, last))

    crew.share_out(run, count)
    return min((i for i in found if i >= 0), default=min(found))


def _diverged(cast: "Cast", time: float, particle: int) -> Diverged:
    place = int(np.searchsorted(cast.state.origins, particle, side="right")) - 1
    actor = cast.order[place]
    return Diverged(
        f'actor "{actor.name}" diverged at {time:.4f} s (particle {particle - actor._first}): a position '
        "would become infinite or undefined; the last good state is kept; use a smaller step, or check "
        "forces, paths and positions set by hand"
    )
