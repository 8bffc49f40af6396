"""What a worker of our own does first. Ctrl-C is for the sweep, which keeps what is done and then ends its workers; a
worker that heard it too would end in the middle of a row and print its own end."""

import signal
from typing import Any


def dask_setup(worker: Any) -> None:
    """Called by Dask when the worker starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
