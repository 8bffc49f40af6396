"""How things are timed: bodies in motion, the best of several runs, one thing at a time."""

from collections.abc import Callable
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.maths.aligned import aligned_zeros

H = 1 / 60
Run = Callable[[], list[float]]  # how long each of its steps took, in seconds


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


def solving(solve: Callable[..., None], body: Any, dtype: Any, steps: int) -> Run:
    """Calls of `solve(x, y, p)` while the body vibrates; only the calls are timed."""

    def once() -> list[float]:
        x, v = moving(body, dtype)
        y, p, h, times = x.copy(), x.copy(), dtype(H), []
        for _ in range(steps):
            y[:] = x + h * v
            start = perf_counter()
            solve(x, y, p)
            times.append(perf_counter() - start)
            v[:] = (p - x) * dtype(0.98 / H)
            x[:] = p
        return times

    return once


def stepping(world: Any, steps: int) -> Run:
    """Calls of `world.step`, everything included, from the same state each time."""
    start_state = world.snapshot()

    def once() -> list[float]:
        world.restore(start_state)
        times = [perf_counter()]
        for _ in range(steps):
            world.step(H)
            times.append(perf_counter())
        return [end - start for start, end in pairwise(times)]

    return once


def time_solve(solve: Callable[..., None], body: Any, dtype: Any, steps: int, seconds: float = 1.0) -> float:
    """Microseconds per call of `solve(x, y, p)`."""
    return _best(solving(solve, body, dtype, steps), seconds)


def time_world(world: Any, steps: int, seconds: float = 1.0) -> float:
    """Microseconds per `world.step`."""
    return _best(stepping(world, steps), seconds)


def time_by_turns(runs: list[Run], seconds: float) -> list[float]:
    """Microseconds per step of several runs that are to be compared. They take turns, so that what else the machine
    does meets all of them alike, and each step counts with its best time."""
    best = [np.array(run()) for run in runs]
    end = perf_counter() + seconds
    while perf_counter() < end:
        for number, run in enumerate(runs):
            soon = perf_counter() + seconds / 40
            while True:
                best[number] = np.minimum(best[number], run())
                if perf_counter() >= soon:
                    break
    return [float(times.mean()) * 1e6 for times in best]


def _best(run: Run, seconds: float) -> float:
    """The best of as many runs as fit in the time, three at least: what else the machine does only ever adds."""
    end = perf_counter() + seconds
    totals: list[float] = []
    while len(totals) < 3 or perf_counter() < end:
        times = run()
        totals.append(sum(times) / len(times))
    return min(totals) * 1e6
