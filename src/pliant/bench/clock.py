"""How things are timed: bodies in motion, the best of several runs, one thing at a time."""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.maths.aligned import aligned_zeros

H = 1 / 60


def moving(body: Any, dtype: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows x and v of a body half-way into its first pose (or squeezed), trembling: where all runs start."""
    rest = body.rest
    pose = next(iter(body.poses.values()), rest * (1.1, 1.1, 0.8))
    x = rest + 0.5 * (pose - rest)
    wave = np.sin(rest @ np.array([[3.0, 1, 2], [1, 4, 2], [2, 1, 5]]))
    rows = [aligned_zeros(4 * len(rest), dtype).reshape(-1, 4) for _ in range(2)]
    rows[0][:, :3] = x + 0.01 * wave
    rows[1][:, :3] = 0.3 * wave
    return rows[0].reshape(-1), rows[1].reshape(-1)


def time_solve(solve: Callable[..., None], body: Any, dtype: Any, steps: int, seconds: float = 1.0) -> float:
    """Microseconds per call of `solve(x, y, p)` while the body vibrates; only the calls are timed."""

    def once() -> float:
        x, v = moving(body, dtype)
        y, p, h, total = x.copy(), x.copy(), dtype(H), 0.0
        for _ in range(steps):
            y[:] = x + h * v
            start = perf_counter()
            solve(x, y, p)
            total += perf_counter() - start
            v[:] = (p - x) * dtype(0.98 / H)
            x[:] = p
        return total / steps

    return _best(once, seconds)


def time_world(world: Any, steps: int, seconds: float = 1.0) -> float:
    """Microseconds per `world.step`, everything included, from the same state each time."""
    start_state = world.snapshot()

    def once() -> float:
        world.restore(start_state)
        start = perf_counter()
        for _ in range(steps):
            world.step(H)
        return (perf_counter() - start) / steps

    return _best(once, seconds)


def _best(once: Callable[[], float], seconds: float) -> float:
    """The best of as many runs as fit in the time, three at least: what else the machine does only ever adds."""
    end = perf_counter() + seconds
    runs: list[float] = []
    while len(runs) < 3 or perf_counter() < end:
        runs.append(once())
    return min(runs) * 1e6
