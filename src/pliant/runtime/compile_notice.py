"""That kernels are being compiled: one line on standard error, a bar where a person looks, a single sentence where a
file does; and a call of each listener, such as the viewer's."""

import sys
import threading
from collections.abc import Callable

BAR, WIDTH = 24, 100  # characters of the bar and of the line

_listeners: list[Callable[[int, int, str], None]] = []


def on_progress(listener: Callable[[int, int, str], None]) -> None:
    """Be told `(done, total, kernel)` while kernels are compiled for the first time; the viewer's progress bar."""
    _listeners.append(listener)


class Notice:
    """`done` of `total` kernels; several threads may tell of theirs."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0
        self.live = sys.stderr.isatty()
        self._turn = threading.Lock()
        if total and not self.live:
            kernels = "1 kernel" if total == 1 else f"{total} kernels"
            print(f"pliant: compiling {kernels} for this machine, once …", file=sys.stderr, flush=True)

    def begin(self, name: str) -> None:
        """A kernel is under way."""
        with self._turn:
            if not self.total:
                return
            for listener in _listeners:
                listener(self.done, self.total, name)
            if self.live:
                filled = BAR * self.done // self.total
                bar = "█" * filled + "░" * (BAR - filled)
                line = f"\rpliant: compiling kernels for this machine, once  {bar} {self.done}/{self.total} {name}"
                print(line.ljust(WIDTH)[:WIDTH], end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """One more is done."""
        with self._turn:
            self.done += 1

    def close(self) -> None:
        """Nothing is left to do."""
        if not self.total:
            return
        for listener in _listeners:
            listener(self.total, self.total, "")
        if self.live:
            print("\r" + " " * WIDTH + "\r", end="", file=sys.stderr, flush=True)
