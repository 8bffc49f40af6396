"""A crew of threads that share out the blocks of a kernel. Kernels release the interpreter, so plain threads do."""

import atexit
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

MOST_PIECES = 32
_pools: dict[int, ThreadPoolExecutor] = {}


class Crew:
    """Runs `task(first, last, piece)` over ranges. Kernels give the same bits however the range is cut."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = max(1, int(threads))

    def share_out(self, task: Callable[[int, int, int], object], count: int) -> None:
        """Cut `range(count)` in as many pieces as there are threads; the calling thread takes the first."""
        cuts = self.cuts(count)
        if len(cuts) == 1:
            task(0, count, 0)
            return
        pool = _pool(self.threads)
        others = [pool.submit(task, first, last, piece) for piece, (first, last) in enumerate(cuts) if piece > 0]
        task(*cuts[0], 0)
        for other in others:
            other.result()

    def cuts(self, count: int) -> list[tuple[int, int]]:
        """The first and the one after the last of each piece of `range(count)`."""
        pieces = max(1, min(self.threads, count, MOST_PIECES))
        return [(count * i // pieces, count * (i + 1) // pieces) for i in range(pieces)]


def _pool(threads: int) -> ThreadPoolExecutor:
    if threads not in _pools:
        _pools[threads] = ThreadPoolExecutor(threads - 1, thread_name_prefix="pliant")
        atexit.register(_pools[threads].shutdown, wait=False)
    return _pools[threads]
