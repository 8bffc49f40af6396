"""A crew of threads that share out the blocks of a kernel. Kernels release the interpreter, so plain threads do.

A sub-step of a small world takes a millisecond, and work is handed out several times in it. So a hand that has done its
task looks out for the next one for a while before it goes to sleep: to wake it takes tens of microseconds, a look none.
It looks on inside a kernel, and says that it is done from there: nobody waits for the interpreter."""

import os
from collections.abc import Callable
from itertools import count
from threading import Lock, Thread

import numpy as np

MOST_PIECES = 32
PATIENCE = 60_000  # looks: about one and a half milliseconds, longer than what one thread does alone in between
ASKED, DONE, NOWHERE = 0, 8, 16  # places on the board of a hand, each in a cache line of its own
BOARD = 24

Task = Callable[[int, int, int], object]


class Crew:
    """Runs `task(first, last, piece)` over ranges. Kernels give the same bits however the range is cut."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = max(1, int(threads))

    def share_out(self, task: Task, size: int, abandon: Callable[[], None] | None = None) -> None:
        """Cut `range(size)` in as many pieces as there are threads; the calling thread takes the first. Where pieces
        wait for one another, `abandon` lets them go when one of them fails."""
        cuts = self.cuts(size)
        if len(cuts) == 1:
            task(0, size, 0)
            return
        patience = PATIENCE if self.threads <= CORES else 0  # who looks out keeps another from working
        hands = [_idle.pop() if _idle else Hand() for _ in cuts[1:]]
        for piece, (hand, cut) in enumerate(zip(hands, cuts[1:], strict=True), start=1):
            hand.begin(task, (*cut, piece), patience)
        try:
            task(*cuts[0], 0)
        except BaseException:  # somebody may want the program to end
            if abandon is not None:
                abandon()
            raise
        finally:  # nobody may go on writing when this is over
            failures = [hand.end() for hand in hands]
            _idle.extend(hands)
        for failure in failures:
            if failure is not None:
                raise failure

    def abreast(self, most: int) -> int:
        """How many threads may share a task in which they wait for one another: that takes a processor for each."""
        return max(1, min(self.threads, most, MOST_PIECES)) if self.threads <= CORES else 1

    def cuts(self, size: int) -> list[tuple[int, int]]:
        """The first and the one after the last of each piece of `range(size)`."""
        pieces = max(1, min(self.threads, size, MOST_PIECES))
        return [(size * i // pieces, size * (i + 1) // pieces) for i in range(pieces)]


class Hand:
    """A thread that waits for a task, does it and waits again. It ends with the program. Each task is announced twice:
    at a lock, for one that sleeps, and before that on the board, for one that looks out."""

    def __init__(self) -> None:
        from pliant.maths.waiting import wait_for

        self.wait_for = wait_for
        self.board = np.zeros(BOARD, np.int64)
        self.number = 0  # of the task
        self.task: Task | None = None
        self.piece = (0, 0, 0)
        self.patience = 0
        self.failure: BaseException | None = None
        self.asked, self.done = Lock(), Lock()
        self.asked.acquire()
        self.done.acquire()
        Thread(target=self.work, name="pliant", daemon=True).start()

    def begin(self, task: Task, piece: tuple[int, int, int], patience: int) -> None:
        self.task, self.piece, self.patience, self.failure = task, piece, patience, None
        self.number += 1
        self.asked.release()
        self.board[ASKED] = self.number

    def end(self) -> BaseException | None:
        """Wait until the task is done. Returns what went wrong with it."""
        self.wait_for(self.board, NOWHERE, 0, DONE, self.number, self.patience)
        self.done.acquire()
        self.task = None
        return self.failure

    def work(self) -> None:
        """Until the program ends."""
        for number in count():
            self.wait_for(self.board, DONE, number, ASKED, number + 1, self.patience)
            self.asked.acquire()
            assert self.task is not None
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
_idle: list[Hand] = []  # several worlds may step at once, each with hands of its own
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # threads do not come along
