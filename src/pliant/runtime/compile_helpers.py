"""Processes that compile kernels beside this one, into the same cache.

Numba compiles one function at a time in a process, so more cores take more processes. A helper is a Python that
imports nothing but the kernels it is asked for: it reads names from its input, one a line, and answers each line when
that kernel is in the cache. It ends with its input, so none outlives the process that started it.

Not `multiprocessing`, which would run the user's script again in each of them.
"""

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from pliant.runtime.processes import apart, ask_to_end

Task = tuple[str, str]  # precision, and the name of a kernel with its module
MODULE = "pliant.runtime.compile_worker"
CODE = f"import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {MODULE} import main; main(int(sys.argv[2]))"
BACKGROUND = 19  # how far a helper steps back behind all other processes (`nice`)


def cores() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Helpers:
    """Share out tasks among `count` helpers and the caller of `take`; those first that come first.

    begin, end: called for each kernel of a helper, in threads of their own."""

    def __init__(
        self, tasks: Iterable[Task], count: int, begin: Callable[[str], None], end: Callable[[], None], nice: int = 0
    ) -> None:
        self.waiting = deque(tasks)
        self.begin, self.end, self.nice = begin, end, nice
        self.processes: list[subprocess.Popen[bytes]] = []
        self.threads = [threading.Thread(target=self._feed, name="pliant-compiling", daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def take(self) -> Task | None:
        """The next task that is not begun."""
        try:
            return self.waiting.popleft()
        except IndexError:
            return None

    def wait(self) -> None:
        """Until the helpers are done."""
        for thread in self.threads:
            thread.join()

    def stop(self) -> None:
        """What they have not done is left undone."""
        self.waiting.clear()
        for process in self.processes:
            if process.poll() is None:
                ask_to_end(process)

    def _feed(self) -> None:
        """One helper, from its start to its end. One that cannot be started, or dies, leaves its work to the others; a
        kernel that it did not finish is compiled by who needs it."""
        try:
            process = _started(self.nice)
        except OSError:
            return
        self.processes.append(process)
        asked, answers = process.stdin, process.stdout
        assert asked is not None and answers is not None
        with process:
            while (task := self.take()) is not None:
                self.begin(task[1].rpartition(".")[2])
                try:
                    asked.write(" ".join(task).encode() + b"\n")
                    asked.flush()
                except OSError:
                    return
                if not answers.readline():
                    return
                self.end()


def _started(nice: int) -> Any:
    command = [sys.executable, "-c", CODE, json.dumps([each for each in sys.path if isinstance(each, str)]), str(nice)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, **apart())
