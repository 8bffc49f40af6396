"""One sub-step of the world, read as a paragraph."""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pliant.errors import Diverged
from pliant.world.kernels import ALL, COMMIT, MEET, RIGID, finish, predict, pull

if TYPE_CHECKING:
    from pliant.world.world import World

WORTH_SHARING = 20_000  # particles


def substep(world: "World", h: float) -> None:
    """From world.time to world.time + h."""
    _predict(world, h)
    _hold(world, h)
    _solve(world, h)
    _pull(world, h)
    _settle(world, h)


def _predict(world: "World", h: float) -> None:
    s, g = world._state, world.gravity
    arrays = (s.x, s.v, s.y, s.p, s.inverse, s.acceleration, g[0], g[1], g[2], h)
    if world._crew.threads == 1 or len(s) < WORTH_SHARING:
        bad = predict(*arrays, 0, len(s))
        if bad >= 0:
            _diverged(world, bad)
    else:
        found: list[int] = []
        world._crew.share_out(lambda a, b: found.append(predict(*arrays, a, b)), len(s))
        if max(found) >= 0:
            _diverged(world, min(i for i in found if i >= 0))


def _hold(world: "World", h: float) -> None:
    """Pinned particles go where their pin says."""
    if world._pins:
        places = world._pin_places(world.time + h)
        for rows in (world._state.y, world._state.p):
            rows.reshape(-1, 4)[world._pinned, :3] = places


def _solve(world: "World", h: float) -> None:
    s = world._state
    for model, pack in world._packs:
        model.solve(pack, s.own[model.name], s.x, s.y, s.p, h, world._crew)


def _pull(world: "World", h: float) -> None:
    """Handles pull; then pins have the last word."""
    s = world._state
    if world._handles:
        pull(s.p, s.inverse, *world._handle_rows(world.time + h), h)
    if world._pins:
        rows = s.y.reshape(-1, 4)
        s.p.reshape(-1, 4)[world._pinned, :3] = rows[world._pinned, :3]


def _settle(world: "World", h: float) -> None:
    """Push out of colliders, v = (p - x) / h, damping and friction, x = p."""
    s = world._state
    arrays = (
        s.x, s.v, s.y, s.p, s.inverse, s.masses, s.chunks, s.origins, s.sums, s.motion, world._collider_rows(h), h,
    )  # fmt: skip
    world._damping(h)
    chunks = len(s.chunks) // 3
    if world._crew.threads == 1 or len(s) < WORTH_SHARING:
        bad = finish(*arrays, ALL, 0, chunks)
        if bad >= 0:
            _diverged(world, bad)
        return
    found: list[int] = []
    world._crew.share_out(lambda a, b: found.append(finish(*arrays, MEET, a, b)), chunks)
    if max(found) >= 0:
        _diverged(world, min(i for i in found if i >= 0))
    finish(*arrays, RIGID, 0, chunks)
    world._crew.share_out(partial(finish, *arrays, COMMIT), chunks)


def _diverged(world: "World", particle: int) -> None:
    number = int(np.searchsorted(world._state.origins, particle, side="right")) - 1
    actor = world._cast[number]
    raise Diverged(
        f'actor "{actor.name}" diverged at {world.time:.4f} s (particle {particle - actor._first}): a position would become '
        "infinite or undefined; the last good state is kept; use a smaller step, or check forces, paths and positions set by hand"
    )
