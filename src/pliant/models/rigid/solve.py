"""One step of rigid bodies."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.models.rigid.contact import gather
from pliant.models.rigid.kernels import place
from pliant.models.rigid.prepare import Pack
from pliant.runtime.thread_pool import ThreadPool

# where the motion of an actor has what other bodies add to it, and how far they have moved it (world/layout.py)
ADDED, CORRECTION = 12, 28


def solve(pack: Pack, own: list[NDArray[Any]], state: Any, inputs: Any, h: float, _pool: ThreadPool) -> None:
    """Each body where its momentum takes it as a whole, and its handles pull it."""
    if pack.version != inputs.version:
        _take_handles(pack, inputs)
    for row, handle in enumerate(pack.handles):
        pack.springs[8 * row + 1 : 8 * row + 4] = handle.goal_now
    place(
        _asleep(pack, state), pack.heads, pack.rest, pack.constants, pack.holds, pack.springs, own[0], own[1],
        state.x, state.y, state.p, state.inverse, h, 0, len(pack.roles),
    )  # fmt: skip


def finish(pack: Pack, own: list[NDArray[Any]], state: Any, h: float) -> None:
    """After contact: what its particles were pushed by acts on each body as a whole."""
    asleep = _asleep(pack, state)
    motions = state.motion.reshape(len(state.origins), -1)
    others = np.hstack(
        [motions[pack.places, ADDED : ADDED + 6], motions[pack.places, CORRECTION : CORRECTION + 6]]
    ).reshape(-1)
    gather(
        asleep, pack.heads, pack.rest, pack.constants, own[0], own[1], state.marks, others,
        state.x, state.v, state.y, state.inverse, h, 0, len(pack.roles),
    )  # fmt: skip


def _asleep(pack: Pack, state: Any) -> NDArray[np.uint32]:
    """Which bodies sleep: 1 or 0 for each."""
    if pack.places is None:
        pack.places = np.searchsorted(state.origins, [role.first for role in pack.roles])
    return (state.sleep_timers[pack.places] < 0).astype(np.uint32)


def _take_handles(pack: Pack, inputs: Any) -> None:
    """The handles of these actors as flat arrays."""
    mine = {role.first: number for number, role in enumerate(pack.roles)}
    pack.handles = [each for each in inputs.own if each.actor._first in mine and each.actor._model.rigid]
    pack.springs = np.zeros(8 * len(pack.handles))
    holds = np.zeros((len(pack.handles), 5), np.uint32)
    for row, handle in enumerate(pack.handles):
        holds[row] = mine[handle.actor._first], *handle.particles
        pack.springs[8 * row], pack.springs[8 * row + 4 : 8 * row + 8] = handle.stiffness, handle.weights
    pack.holds = holds.reshape(-1)
    pack.version = inputs.version
