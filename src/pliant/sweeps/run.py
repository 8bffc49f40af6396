"""From a plan to results: rows that are there already are read, the others are given to Dask."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

from pliant.sweeps.place import ROWS_FOLDER, Place
from pliant.sweeps.plan import Plan
from pliant.sweeps.task import FILM_FILE, MEASURES_FILE, RUN_FILE, run_row

if TYPE_CHECKING:
    from distributed import Client, Future

    from pliant.sweeps.assets import Assets

Result = dict[str, Any]
Progress = Callable[[int, int, int], None]
ROWS_TOLD_AT_ONCE = 1000  # rows that Dask is told of at once


class Rows:
    """The rows of a plan, and the results that are there."""

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self.plan, self.progress = plan, progress
        self.rows = list(plan.grid)
        self.numbers: dict[str, list[int]] = {}
        for number, row in enumerate(self.rows):  # rows that are alike are baked once
            self.numbers.setdefault(plan.job.key(plan.assets, row), []).append(number)
        self.results: list[Result] = []
        self.failed = 0

    @property
    def missing(self) -> list[str]:
        """Keys of rows that have no result yet."""
        there = {result["key"] for result in self.results}
        return [key for key in self.numbers if key not in there]

    def add(self, result: Result) -> None:
        for number in self.numbers[result["key"]]:
            self.results.append({**result, "row": number, "settings": self.rows[number]})
            self.failed += bool(result["error"])

    def recall(self) -> None:
        """Take over what is on disk: from an earlier call, or from a worker that could not tell of it any more."""
        for result in finished(self.plan, self.missing).values():
            self.add(result)

    def bake(self, client: Client) -> None:
        """All that are missing. Left early, rows that have not begun are taken back."""
        self.progress(len(self.results), len(self.rows), self.failed)
        wanted = {key: (self.numbers[key][0], self.rows[self.numbers[key][0]]) for key in self.missing}
        found = _baked(self.plan, client, wanted)
        try:
            for result in found:
                self.add(result)
                self.progress(len(self.results), len(self.rows), self.failed)
        finally:
            found.close()


def finished(plan: Plan, keys: Sequence[str]) -> dict[str, Result]:
    """Rows that an earlier call has left whole."""
    place = Place(plan.job.out)
    there = place.rows()
    found = [key for key in keys if key in there]
    files = place.read_all([f"{ROWS_FOLDER}/{key}/{name}" for key in found for name in (MEASURES_FILE, RUN_FILE)])
    results: dict[str, Result] = {}
    for key in found:
        try:
            told = json.loads(files[f"{ROWS_FOLDER}/{key}/{MEASURES_FILE}"])
            run = json.loads(files.get(f"{ROWS_FOLDER}/{key}/{RUN_FILE}", b"{}")).get("run", {})
            if told["key"] == key:
                results[key] = {"run": run, "error": "", **told}
        except (KeyError, ValueError, TypeError):
            continue  # it was being written when the machine stopped: baked again
    return results


def _baked(plan: Plan, client: Client, rows: dict[str, tuple[int, Any]]) -> Generator[Result]:
    from distributed import as_completed

    # Computed by a task, not scattered: a worker that goes takes what was scattered to it along, while this is made
    # again from what the scheduler keeps. Each worker gets it once, by the name that its content gives it.
    assets = client.submit(_same, plan.assets, key=f"pliant-assets-{plan.assets.digest[:16]}")
    futures: list[Future] = client.map(
        run_row,
        [number for number, _ in rows.values()],
        [row for _, row in rows.values()],
        job=plan.job,
        assets=assets,
        key=[f"pliant-row-{key}" for key in rows],
        batch_size=ROWS_TOLD_AT_ONCE,
    )
    settings = {future.key: rows[key] for key, future in zip(rows, futures, strict=True)}
    keys = {future.key: key for key, future in zip(rows, futures, strict=True)}
    waiting = as_completed(futures, loop=client.loop, with_results=True, raise_errors=False)
    try:
        for future, result in waiting:
            if future.status == "finished":
                yield result
            else:
                number, row = settings[future.key]
                yield _lost(future, number, row, keys[future.key])
            future.release()
    finally:
        client.cancel([future for future in futures if not future.done()])


def _lost(future: Future, number: int, row: Any, key: str) -> Result:
    """A row that no worker could finish."""
    error = future.exception() if future.status == "error" else None
    kind = type(error).__name__ if error is not None else "cancelled"
    why = "the workers died over it; give more --memory" if kind == "KilledWorker" else f"{kind}: {error}"
    return {"row": number, "key": key, "settings": row, "measures": {}, "run": {}, "error": " ".join(why.split())}


def _same(assets: Assets) -> Assets:
    return assets


def films_of(place: Place, results: Sequence[Result]) -> dict[str, bytes]:
    """The films of rows, by key."""
    names = {f"{ROWS_FOLDER}/{result['key']}/{FILM_FILE}": result["key"] for result in results if result.get("film")}
    return {names[name]: content for name, content in place.read_all(list(names)).items()}
