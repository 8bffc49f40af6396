"""Ctrl-C while frames are made: the frame under way is finished and kept. A second Ctrl-C stops at once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# On Windows a program is asked to end by Ctrl-Break, or when its window is closed.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name))


class Stop:
    """`asked` turns true with the first signal."""

    def __init__(self) -> None:
        self.asked = False

    def hear(self, number: int, _frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def gentle_stop() -> Iterator[Stop]:
    """Signals are heard while the block runs; in another thread than the first they cannot be heard."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = [(number, signal.signal(number, stop.hear)) for number in SIGNALS]
    try:
        yield stop
    finally:
        for number, handler in before:
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
