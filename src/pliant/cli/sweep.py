"""`pliant sweep`: many bakes of one scene, each with settings of its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pliant.cli import complete

if TYPE_CHECKING:
    from pliant.sweeps.plan import Plan
    from pliant.sweeps.sweeping import SweepWatch, Swept

INTERRUPTED = 130
PAUSE = 10.0  # seconds between two lines of a log
BEST_SHOWN = 5  # rows


def sweep(
    target: Annotated[
        str, typer.Argument(metavar="SCENE|ASSET|gallery:NAME", help="What to bake.", autocompletion=complete.targets)
    ],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="OUT", help="A folder, or an fsspec address such as s3://bucket/sweep.")
    ],
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=RANGE",
            help="0.1..4x8: eight values; 0.1..4x8log: equal ratios; 1..5: whole numbers; on,off: a list. Repeatable.",
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="RANGE", help="For what the scene leaves to chance, such as 1..5.")
    ] = None,
    side_by_side: Annotated[
        bool, typer.Option("--zip", help="The first values together, the second together; not every combination.")
    ] = False,
    rows: Annotated[
        Path | None, typer.Option(metavar="FILE", help="More settings from a .csv (keys in its first line) or .toml.")
    ] = None,
    best: Annotated[
        str, typer.Option(metavar="MEASURES", help='How to sort: "near(squash) < 0.02, rest_time"; -weight(squash).')
    ] = "",
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help=".npz .glb .usdc .pc2 .mp4 .html obj png: of every row; repeatable."),
    ] = None,
    no_films: Annotated[bool, typer.Option("--no-films", help="Draw no small films of the rows.")] = False,
    frames: Annotated[int | None, typer.Option(min=1, help="How many frames, the first included.")] = None,
    seconds: Annotated[float | None, typer.Option(help="How long, instead of --frames.")] = None,
    fps: Annotated[float | None, typer.Option(help="Frames per second.")] = None,
    substeps: Annotated[int | None, typer.Option(min=1, help="Steps of the simulation in each frame.")] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Of a running Dask cluster, such as tcp://10.0.0.1:8786.")
    ] = None,
    scheduler_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file that `dask scheduler --scheduler-file` writes.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes of this machine's own cluster; one a core if not said.")
    ] = None,
    memory: Annotated[
        str, typer.Option(metavar="BYTES", help="Of each of these processes, such as 2GB; auto shares all there is.")
    ] = "auto",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check and count, and start nothing.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table for programs.")] = False,
) -> None:
    """Bake a scene with many settings, measure each, and show them side by side.

    Rows that are there already are not baked again: the same command goes on after Ctrl-C, and a larger one takes over
    what it can.
    """
    from pliant.sweeps.grid import grid_of
    from pliant.sweeps.place import Place
    from pliant.sweeps.sweeping import Cluster, plan_sweep, run_sweep

    grid = grid_of(changes or [], seeds=seed, side_by_side=side_by_side, rows=rows)
    cluster = Cluster(scheduler, scheduler_file, workers, memory)
    common: dict[str, Any] = {"best": best, "keep": tuple(keep or ()), "films": not no_films, "cluster": cluster}
    common |= {"frames": frames, "seconds": seconds, "fps": fps, "substeps": substeps}
    if dry_run:
        print(plan_sweep(target, grid, Place(out), **common)[1])
        return
    watch = _watch(quiet)
    with watch:
        swept = run_sweep(target, grid, Place(out), watch=watch, **common)
    failed = sum(bool(result["error"]) for result in swept.table.rows)
    if as_json:
        print(json.dumps(list(swept.table), indent=2))
    elif not quiet:
        _print(swept, out, best, failed)
    if swept.stopped:
        done = f"{len(swept.table)} of {grid.count} rows are done"
        print(f"pliant: stopped; {done}, the same command goes on", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    if failed and failed == len(swept.table):
        print(f"pliant: all {failed} rows failed: {swept.table.rows[0]['error']}", file=sys.stderr)
        raise typer.Exit(1)


def _print(swept: Swept, out: str, best: str, failed: int) -> None:
    table = swept.table
    rows = "1 row" if len(table) == 1 else f"{len(table)} rows"
    print(f"{out}: {rows}{f', {failed} failed' if failed else ''}: {', '.join(swept.files)}")
    if failed:
        error = next(result for result in table.rows if result["error"])
        print(f"row {error['row']} failed: {error['error']}")
    if best and len(table):
        from rich.console import Console

        from pliant.cli.sheet import Sheet
        from pliant.sweeps.best import best_of
        from pliant.sweeps.ranges import said

        names = list(dict.fromkeys(["row", *table.settings, *best_of(best).measures]))
        lines = [[said(line[name]) if line[name] is not None else "" for name in names] for line in table]
        Sheet(Console()).table(names, lines[:BEST_SHOWN])


def _watch(quiet: bool) -> Any:
    from rich.console import Console

    from pliant.sweeps.sweeping import SweepWatch

    class Lines(SweepWatch):
        """For logs: a line now and then."""

        def __init__(self) -> None:
            self._last = self._start = perf_counter()

        def __enter__(self) -> SweepWatch:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def say(self, line: str) -> None:
            if not quiet:
                print(f"pliant: {line}", file=sys.stderr, flush=True)

        def planned(self, plan: Plan, line: str) -> None:
            self.say(line)
            for note in plan.notes:
                self.say(f"note: {note}")

        def baking(self, done: int, total: int, failed: int) -> None:
            now = perf_counter()
            if now - self._last >= PAUSE or done == total:
                self._last = now
                self.say(f"{done} of {total} rows{f', {failed} failed' if failed else ''}")

    class Bars(Lines):
        """For people who wait."""

        def __init__(self, console: Console) -> None:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            super().__init__()
            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(elapsed_when_finished=True),
                console=console,
                transient=True,
            )
            self._task: Any = None

        def __exit__(self, *_: object) -> None:
            self._progress.stop()

        def say(self, line: str) -> None:
            self._progress.console.print(f"pliant: {line}", highlight=False, markup=False)

        def baking(self, done: int, total: int, failed: int) -> None:
            about = f"baking, {failed} failed" if failed else "baking"
            if self._task is None:
                self._progress.start()
                self._task = self._progress.add_task(about, total=total, completed=done)
            self._progress.update(self._task, completed=done, description=about)

        def showing(self, name: str) -> None:
            if self._task is not None:
                self._progress.update(self._task, description=f"making {name}")

    console = Console(stderr=True)
    return Bars(console) if console.is_terminal and not quiet else Lines()
