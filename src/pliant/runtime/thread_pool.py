"""A pool of threads that share out the blocks of a kernel. Kernels release the interpreter, so plain threads do.

A sub-step of a small world takes a millisecond, and work is handed out several times in it. So a worker that has done
its task polls for the next one for a while before it goes to sleep: to wake it takes tens of microseconds, to poll
none. It polls inside a kernel, and says that it is done from there. Calls of a task list (task_list.py) it makes there
too: no thread waits for the interpreter."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pliant.runtime.task_list import TaskList

MOST_PIECES = 32
PATIENCE = 60_000  # looks: about one and a half milliseconds, longer than what one thread does alone in between
FOREVER = 1 << 62

Task = Callable[[int, int, int], object]


class ThreadPool:
    """Runs `task(first, last, piece)` over ranges. Kernels give the same bits however the range is cut."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = max(1, int(threads))
        self._started = np.zeros(1, np.int64)
        self._kernels: Any = None

    def _waiting(self) -> Any:
        """The kernels of waiting.py, which are loaded when a task list is first run."""
        if self._kernels is None:
            from pliant.runtime import waiting

            self._kernels = waiting
        return self._kernels

    def share_out(self, task: Task, size: int) -> None:
        """Cut `range(size)` in as many pieces as there are threads; the calling thread takes the first."""
        cuts = self.cuts(size)
        if len(cuts) == 1:
            task(0, size, 0)
            return
        workers = self._workers(len(cuts))
        for piece, (worker, cut) in enumerate(zip(workers, cuts[1:], strict=True), start=1):
            worker.begin(task, (*cut, piece))
        try:
            task(*cuts[0], 0)
        finally:  # no thread may go on writing when this is over
            failures = [worker.end() for worker in workers]
            _idle.extend(workers)
        for failure in failures:
            if failure is not None:
                raise failure

    def make(self, task_lists: "Sequence[TaskList]", times: int = 1) -> None:
        """Run a task list on each thread, the first on this one. They may wait for one another if there are no more of
        them than `abreast` says; so if this is interrupted, they are run all the same. times: how often, at most
        (`run_task_list` in runtime/waiting.py)."""
        waiting, started = self._waiting(), self._started
        for task_list in task_lists:
            task_list.written[0] = times
        workers = self._workers(len(task_lists)) if len(task_lists) > 1 else []
        started[0] = 0
        numbers = [worker.number + 1 for worker in workers]
        try:
            for worker, task_list in zip(workers, task_lists[1:], strict=True):
                worker.call(task_list.written)
            waiting.make_calls(task_lists[0].written, started)
        except BaseException:
            for worker, number, task_list in zip(workers, numbers, task_lists[1:], strict=True):
                worker.call_again(task_list.written, number)
            if not started[0]:
                waiting.make_calls(task_lists[0].written, started)
            raise
        finally:
            for worker in workers:
                worker.wait()
            _idle.extend(workers)

    def abreast(self, most: int) -> int:
        """How many threads may share a task in which they wait for one another: that takes a processor for each."""
        return max(1, min(self.threads, most, MOST_PIECES)) if self.threads <= CORES else 1

    def cuts(self, size: int) -> list[tuple[int, int]]:
        """The first and the one after the last of each piece of `range(size)`."""
        pieces = max(1, min(self.threads, size, MOST_PIECES))
        return [(size * i // pieces, size * (i + 1) // pieces) for i in range(pieces)]

    def _workers(self, pieces: int) -> "list[Worker]":
        """Hands for all pieces but the first."""
        workers = [_idle.pop() if _idle else Worker() for _ in range(pieces - 1)]
        for worker in workers:
            worker.patience = PATIENCE if self.threads <= CORES else 0  # who looks out keeps another from working
        return workers


class Worker:
    """A thread that waits for a task, does it and waits again. It ends with the program."""

    def __init__(self) -> None:
        from pliant.runtime import waiting

        self.kernels = waiting
        self.board = np.zeros(waiting.BOARD, np.int64)
        self.number = 0  # of the task
        self.task: Task | None = None
        self.piece = (0, 0, 0)
        self.patience = 0
        self.failure: BaseException | None = None
        self.asked, self.done = Lock(), Lock()
        self.asked.acquire()
        self.done.acquire()
        Thread(target=self.work, name="pliant", daemon=True).start()

    def begin(self, task: Task, piece: tuple[int, int, int]) -> None:
        self.task, self.piece, self.failure = task, piece, None
        self.call(NO_CALLS)

    def end(self) -> BaseException | None:
        """Wait until the task is done. Returns what went wrong with it."""
        self.kernels.wait_for(self.board, self.kernels.DONE, self.number, self.patience)
        self.done.acquire()
        self.task = None
        return self.failure

    def call(self, calls: NDArray[np.int64]) -> None:
        """Begin to make calls."""
        self.number += 1
        if self.kernels.ask(self.board, self.number, calls):
            self.asked.release()

    def call_again(self, calls: NDArray[np.int64], number: int) -> None:
        """Begin to make calls, unless that was done before an interrupt."""
        if self.board[self.kernels.ASKED] != number:
            self.number = number - 1
            self.call(calls)
        elif self.board[self.kernels.STATE] == self.kernels.CALLED:
            with suppress(RuntimeError):  # it may have been woken
                self.asked.release()

    def wait(self) -> None:
        """Until they are made."""
        self.kernels.wait_for(self.board, self.kernels.DONE, self.number, FOREVER)

    def work(self) -> None:
        """Until the program ends."""
        finished = 0
        while True:
            if not self.kernels.serve(self.board, finished, self.patience):
                self.asked.acquire()
                continue
            assert self.task is not None
            finished = self.number
            try:
                self.task(*self.piece)
            except BaseException as failure:
                self.failure = failure
            self.done.release()


def _cores() -> int:
    """How many processors this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


CORES = _cores()
NO_CALLS = np.zeros(0, np.int64)
_idle: list[Worker] = []  # several worlds may step at once, each with workers of its own
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # threads do not come along
