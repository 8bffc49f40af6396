"""How a bake is going, on stderr: bars in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from pliant.session.amounts import size as size
from pliant.session.amounts import span as span
from pliant.session.bake import Watch

LOADING = "loading …"
PAUSE = 10.0  # seconds between two lines


class Lines(Watch):
    """For logs."""

    def __init__(self) -> None:
        self._what: tuple[str, int] | None = None
        self._start = self._last = perf_counter()
        self._first = 0

    def say(self, line: str) -> None:
        print(f"pliant: {line}", file=sys.stderr, flush=True)

    def simulating(self, done: int, total: int, begun: int) -> None:
        self._went("simulating", done, total)

    def writing(self, path: Path, done: int, total: int) -> None:
        self._went(f"writing {path.name}", done, total)

    def _went(self, what: str, done: int, total: int) -> None:
        now = perf_counter()
        if self._what != (what, total):
            self._what, self._start, self._last, self._first = (what, total), now, now, done
            self.say(f"{what}, {total} frames")
        elif now - self._last >= PAUSE:
            self._last = now
            speed = (done - self._first) / max(now - self._start, 1e-9)
            left = (total - done) / speed if speed else 0.0
            self.say(f"{what}, frame {done} of {total}, {speed:.3g} frames/s, {span(left)} left")


class Bars(Watch):
    """For people who wait."""

    def __init__(self, console: Any) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=console,
            transient=True,
        )
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Bars:
        return self  # the bars begin with the first frame: until then the compiler may have one of its own

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
        self._progress.console.print(" " * len(LOADING), end="\r")

    def say(self, line: str) -> None:
        self._progress.console.print(f"pliant: {line}", highlight=False, markup=False)

    def loading(self) -> None:
        self._progress.console.print(LOADING, end="\r")

    def simulating(self, done: int, total: int, begun: int) -> None:
        self._progress.start()
        self._went("simulating", done, total)

    def writing(self, path: Path, done: int, total: int) -> None:
        self._went(f"writing {path.name}", done, total)

    def _went(self, what: str, done: int, total: int) -> None:
        if what not in self._tasks:
            self._tasks[what] = self._progress.add_task(what, total=total, completed=done, speed="")
        task = self._tasks[what]
        speed = self._progress.tasks[task].finished_speed or self._progress.tasks[task].speed
        self._progress.update(task, completed=done, total=total, speed=f"{speed:.3g} frames/s" if speed else "")
