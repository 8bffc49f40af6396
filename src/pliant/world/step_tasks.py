"""The task lists of a step: what threads do in a sub-step, from prediction to its end, so that they need no Python."""

from collections.abc import Sequence
from itertools import chain
from operator import is_
from typing import Any

from pliant.collision.contacts import find_contacts
from pliant.dynamics.alone import step_alone
from pliant.dynamics.predict import set_out
from pliant.dynamics.settle import end_substep
from pliant.dynamics.solver import solve_contacts
from pliant.dynamics.velocities import begin_substep
from pliant.runtime.task_list import MOST_CALLS, Call, TaskList
from pliant.runtime.thread_pool import ThreadPool
from pliant.runtime.waiting import STOP

Models = Sequence[Sequence[TaskList]]  # of each model the task lists of all threads
MEET = (begin_substep, find_contacts, solve_contacts, end_substep)
ALONE = (step_alone,)
MOST_MODEL_CALLS = MOST_CALLS - 1 - len(MEET)
ENDED_FAR_OUT, DIVERGED, ENDED_WITHOUT_ROOM, ENDED = range(4)  # how it came to an end


class StepTasks:
    """Calls of each thread: to set out, and to meet; and their task lists, with what models do between or without.
    meets: whether there are pairs of bodies."""

    def __init__(self, meets: bool) -> None:
        self.kernels: tuple[Any, ...] = MEET if meets else ALONE
        self.finds = 1 if meets else 0  # the number of the kernel that finds contacts, from where one goes on
        self.starts: list[Call] = []
        self.ends: list[list[Call]] = []
        self.all_after: list[TaskList] = []  # what comes after the models
        self.from_finding: list[TaskList] = []
        self.whole: list[TaskList] = []
        self.models: tuple[TaskList, ...] = ()

    def write(self, records: tuple[Any, ...], pieces: int) -> None:
        """With which records they are called, from now on."""
        _, nodes, *_, step = records
        if len(self.starts) == pieces:
            for piece in range(pieces):
                self.starts[piece].write((nodes, step, piece, pieces))
                for call in self.ends[piece]:
                    call.write((*records, piece, pieces))
            return
        self.starts = [Call(set_out, (nodes, step, piece, pieces)) for piece in range(pieces)]
        self.ends = [[Call(kernel, (*records, piece, pieces)) for kernel in self.kernels] for piece in range(pieces)]
        self.all_after = [TaskList(*calls) for calls in self.ends]
        self.from_finding = [TaskList(*calls[self.finds :]) for calls in self.ends]
        self.models = ()

    def through(self, models: Models) -> list[TaskList]:
        """What each thread does in a whole sub-step."""
        task_lists = tuple(chain.from_iterable(models))
        if len(task_lists) != len(self.models) or not self.models or not all(map(is_, task_lists, self.models)):
            self.models = task_lists
            between = [chain.from_iterable(each.calls for each in lists) for lists in zip(*models, strict=True)]
            self.whole = [
                TaskList(start, *calls, *end) for start, calls, end in zip(self.starts, between, self.ends, strict=True)
            ]
        return self.whole

    def run(self, pool: ThreadPool, task_lists: list[TaskList], times: int) -> tuple[int, int]:
        """Threads go through them, at most so many times. Returns how it came to an end, and the answer of the last
        kernel."""
        start, ends = self.starts[0], self.ends[0]
        start.answer[0] = ends[0].answer[0] = ends[self.finds].answer[0] = 0
        pool.make(task_lists, times)
        if start.answer[0] == STOP:
            return ENDED_FAR_OUT, 0
        if ends[self.finds].answer[0] == STOP:
            return ENDED_WITHOUT_ROOM, 0
        if ends[0].answer[0] == STOP:
            return DIVERGED, 0
        return ENDED, ends[-1].answer[0]
