"""Work that takes seconds in a process of its own: neither the simulation nor the page waits for it.

The process takes a task on its standard input and says on its standard output, a line of JSON each, how far it is and
how it ended. It stops when its input ends, so it never outlives the server.
"""

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pliant.runtime.errors import PliantError
from pliant.runtime.processes import ask_to_end

HELPER_PATIENCE = 3.0  # seconds in which the process may clear up
_turn = threading.Lock()  # drawing takes all that the machine can give: one at a time


class HelperProcess:
    """`run` waits for it in a thread; `cancel` is for others."""

    def __init__(self, module: str, task: object, hear: Callable[[dict[str, Any]], None], what: str) -> None:
        """module: what `python -m` runs, with `serve`.  hear: is given every line that it says.  what: it makes."""
        self.module, self.task, self.hear, self.what = module, task, hear, what
        self.cancelled = False
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def run(self) -> bool:
        """Whether it was done, and not cancelled."""
        if not _turn.acquire(blocking=False):
            raise PliantError("another film is being made; wait until it is done")
        try:
            return self._run()
        finally:
            _turn.release()

    def cancel(self) -> None:
        """Stop it; what there is of a file goes."""
        with self._lock:
            self.cancelled = True
            process = self._process
        if process is None or process.poll() is not None:
            return
        ask_to_end(process)
        try:
            process.wait(HELPER_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()

    def _run(self) -> bool:
        command = [sys.executable, "-m", self.module]
        pipe = subprocess.PIPE
        with tempfile.TemporaryFile() as errors:
            with self._lock:
                if self.cancelled:
                    return False
                self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=errors)
            with self._process as process:
                problem = self._listen(process)
            if self.cancelled:
                return False
            if problem or process.returncode:
                errors.seek(0)
                last = errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
                raise PliantError(
                    problem or f"{self.what} cannot be drawn ({last or 'its process was ended'}); try again"
                )
        return True

    def _listen(self, process: subprocess.Popen[bytes]) -> str:
        """Hand the task over and wait until it is done; what was said to be wrong."""
        problem = ""
        try:
            assert process.stdin is not None and process.stdout is not None
            with suppress(BrokenPipeError):  # it has ended already
                pickle.dump(self.task, process.stdin, pickle.HIGHEST_PROTOCOL)
                process.stdin.flush()
            for line in process.stdout:
                said = json.loads(line)
                self.hear(said)
                problem = said.get("problem", problem)
            process.wait()  # its input stays open until then: the end of it means to stop
        except BaseException:
            process.kill()
            raise
        return problem


# ---- the other process -----------------------------------------------------------------------------------


def serve(work: Callable[[Any], None]) -> None:
    """Do the task on the standard input; what is wrong with it is said."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    signal.signal(signal.SIGTERM, _leave)
    if hasattr(os, "nice"):
        os.nice(10)
    task = pickle.load(sys.stdin.buffer)  # from the server alone, which holds the other end of the pipe
    threading.Thread(target=_watch_input, daemon=True).start()
    try:
        work(task)
    except PliantError as error:
        say(problem=str(error))


def say(**news: Any) -> None:
    """To the server."""
    print(json.dumps(news), flush=True)


def _leave(_number: int, _frame: object) -> None:
    raise SystemExit(1)  # so that what is under way is cleared up


def _watch_input() -> None:
    while os.read(sys.stdin.fileno(), 1):  # not by the buffer, whose lock the interpreter wants when it ends
        pass
    signal.raise_signal(signal.SIGTERM)
