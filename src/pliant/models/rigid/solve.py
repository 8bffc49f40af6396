"""One step of rigid bodies."""

from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.dynamics.state import Own, State
from pliant.dynamics.step_context import StepContext
from pliant.dynamics.step_inputs import Handles
from pliant.models.rigid.kernels import place
from pliant.models.rigid.prepare import Pack
from pliant.runtime.task_list import Call, TaskList


def solve(pack: Pack, own: Own, context: StepContext) -> None:
    """Each body where its momentum takes it as a whole, and its handles pull it."""
    place(*_arrays(pack, own, context), context.h, 0, len(pack.roles))


def task_lists(pack: Pack, own: Own, context: StepContext, threads: int) -> list[TaskList]:
    """The same, each thread some of the bodies."""
    arrays, numbers = _arrays(pack, own, context), (threads, context.h)
    made_of, made_for, made = pack.task_lists
    if made_for != numbers or not all(map(is_, made_of, arrays)):
        count = len(pack.roles)
        cuts = [(count * piece // threads, count * (piece + 1) // threads) for piece in range(threads)]
        made = [TaskList(Call(place, (*arrays, context.h, *cut))) for cut in cuts]
        pack.task_lists = arrays, numbers, made
    return made


def _arrays(pack: Pack, own: Own, context: StepContext) -> tuple[Any, ...]:
    """What `place` takes, up to date."""
    state = context.state
    if len(pack.springs):
        pack.springs.reshape(-1, 8)[:, 1:4] = pack.handles.targets
    return (
        _asleep(pack, state), pack.heads, pack.rest, pack.constants, pack.holds, pack.springs, own[0], own[1],
        state.x, state.y, state.p, state.inverse,
    )  # fmt: skip


def hold(pack: Pack, handles: Handles, _state: State) -> None:
    """The handles of these actors as rows for the kernel."""
    pack.handles = handles
    springs = np.zeros((len(handles.actors), 8))
    springs[:, 0], springs[:, 4:] = handles.stiffness, handles.weights
    pack.springs = springs.reshape(-1)
    pack.holds = np.column_stack([handles.actors, handles.particles]).astype(np.uint32).reshape(-1)


def _asleep(pack: Pack, state: State) -> NDArray[np.uint32]:
    """Which bodies sleep: 1 or 0 for each."""
    if pack.places is None:
        pack.places = np.searchsorted(state.origins, [role.first for role in pack.roles])
        pack.asleep = np.zeros(len(pack.roles), np.uint32)
    pack.asleep[:] = state.sleep_timers[pack.places] < 0
    return pack.asleep
