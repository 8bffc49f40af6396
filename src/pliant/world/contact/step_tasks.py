"""The task lists of a step: what threads do in a sub-step in which bodies meet, so that they need no Python."""

from collections.abc import Sequence
from itertools import chain
from operator import is_
from typing import Any

from pliant.runtime.task_list import Call, TaskList
from pliant.runtime.thread_pool import ThreadPool
from pliant.runtime.waiting import STOP
from pliant.world.contact.meet_kernels import meet_bodies
from pliant.world.kernels import set_out

Models = Sequence[Sequence[TaskList]]  # of each model the task lists of all threads


class StepTasks:
    """Calls of each thread: to set out, and to meet; and their task lists, with or without what models do."""

    def __init__(self) -> None:
        self.starts: list[Call] = []
        self.ends: list[Call] = []
        self.task_lists: list[TaskList] = []  # only to meet
        self.whole: list[TaskList] = []  # a whole sub-step
        self.models: tuple[TaskList, ...] = ()  # that are done in it
        self.arrays: tuple[Any, ...] = ()

    def write(self, start: tuple[Any, ...], arrays: tuple[Any, ...], pieces: int) -> None:
        """With which arrays `set_out` and `meet_bodies` are called; if these are the same tuple, the others are the
        same too."""
        if len(self.task_lists) != pieces:
            self.starts = [Call(set_out, (*start, piece, pieces)) for piece in range(pieces)]
            self.ends = [Call(meet_bodies, (*arrays, piece, pieces)) for piece in range(pieces)]
            self.task_lists = [TaskList(call) for call in self.ends]
            self.models = ()
        elif self.arrays is not arrays:
            for piece in range(pieces):
                self.starts[piece].write((*start, piece, pieces))
                self.ends[piece].write((*arrays, piece, pieces))
        self.arrays = arrays

    def meet(self, pool: ThreadPool) -> tuple[int, int]:
        """Threads go through `meet_bodies`. Returns what it answers: the same for all threads, but that the last one
        sees to the sleepers."""
        pool.make(self.task_lists)
        answer = self.ends[-1].results
        return int(answer[0]), int(answer[1])

    def go_through(self, pool: ThreadPool, models: Models, times: int) -> tuple[int, int]:
        """Threads go through all of a sub-step, at most so many times. Returns the last answer of `meet_bodies`; or
        STOP, if it was not called because something has to be seen to before."""
        self.ends[-1].results[:] = STOP, 0, 0, 0
        pool.make(self._through(models), times)
        answer = self.ends[-1].results
        return int(answer[0]), int(answer[1])

    def _through(self, models: Models) -> list[TaskList]:
        """What each thread does in a whole sub-step."""
        task_lists = tuple(chain.from_iterable(models))
        if len(task_lists) != len(self.models) or not all(map(is_, task_lists, self.models)):
            self.models = task_lists
            self.whole = [
                TaskList(start, *chain.from_iterable(task_list.calls for task_list in between), end)
                for start, end, *between in zip(self.starts, self.ends, *models, strict=True)
            ]
        return self.whole
