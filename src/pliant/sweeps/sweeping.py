"""A sweep from beginning to end: planned, baked, tabled and shown."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from pliant.runtime.errors import PliantError
from pliant.runtime.thread_pool import CORES
from pliant.sweeps.best import Best, best_of
from pliant.sweeps.grid import Grid, grid_of
from pliant.sweeps.place import Place
from pliant.sweeps.plan import Plan, make_plan
from pliant.sweeps.table import SweepTable

if TYPE_CHECKING:
    from pliant.scene import Scene
    from pliant.sweeps.task import Measure

TABLE_PARQUET, TABLE_CSV, SWEEP_PAGE = "table.parquet", "table.csv", "sweep.html"


class SweepWatch:
    """What a sweep tells while it runs; this one does not listen."""

    def say(self, line: str) -> None:
        """Something that people should know."""

    def planned(self, plan: Plan, line: str) -> None:
        """It is checked, and about to start."""

    def baking(self, done: int, total: int, failed: int) -> None:
        """So many rows are there."""

    def showing(self, name: str) -> None:
        """A file of all rows is being made."""


@dataclass(frozen=True, eq=False)
class Swept:
    """What came of it.  stopped: before all rows were there.  files: that show all rows."""

    table: SweepTable
    plan: Plan
    stopped: bool
    files: tuple[str, ...]


@dataclass(frozen=True)
class Cluster:
    """Where rows are baked: see `connected`."""

    scheduler: str | None = None
    scheduler_file: Path | None = None
    workers: int | None = None
    memory: str = "auto"


def sweep(
    scene: str | Path | Scene,
    settings: Mapping[str, Any] | Sequence[str] | Sequence[Mapping[str, Any]],
    measure: Measure | None = None,
    *,
    out: str | Path | None = None,
    seed: str | None = None,
    zip: bool = False,
    best: str = "",
    keep: Sequence[str] = (),
    films: bool | None = None,
    scheduler: str | None = None,
    scheduler_file: str | Path | None = None,
    workers: int | None = None,
    memory: str = "auto",
    frames: int | None = None,
    **options: Any,
) -> SweepTable:
    """Bake a scene with every combination of settings, and measure each.

    scene: as for `simulate`, or "gallery:NAME".  settings: key -> values, or a range such as "0.1..4x8"; or a list of
    rows.  measure: of your own; is given a take and gives a number, or numbers by name.  out: a folder or an fsspec
    address, where a sweep that was stopped goes on; a temporary one if not said.  zip: the first values together, not
    all combinations.  best: how to sort, "near(squash) < 0.02, rest_time".  keep: what is written of every bake,
    (".npz", ".glb").  films: whether small ones are drawn; if not said, where there is an `out`.  scheduler: of a
    running Dask cluster; one of this machine's own with so many workers if not said.  options: seconds, fps, substeps.

    >>> import pliant
    >>> from pliant.scene import scene_from_text
    >>> ball = scene_from_text('bodies = [{ shape = "ball", particles = 100, position = [0, 3, 0] }]')
    >>> table = pliant.sweep(ball, {"gravity": [[0, -1, 0], [0, -9, 0]]}, frames=7, workers=1)
    >>> len(table), bool(table["energy"][0] < table["energy"][1])
    (2, True)
    """
    grid = grid_of(settings, seeds=seed, side_by_side=zip)
    temporary = mkdtemp(prefix="pliant-sweep-") if out is None else None
    try:
        swept = run_sweep(
            scene,
            grid,
            Place(str(out if temporary is None else temporary)),
            best=best,
            keep=tuple(keep),
            films=out is not None if films is None else films,
            cluster=Cluster(scheduler, None if scheduler_file is None else Path(scheduler_file), workers, memory),
            measure=measure,
            frames=frames,
            shown=out is not None,
            **options,
        )
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
    if swept.stopped:
        raise KeyboardInterrupt
    return swept.table


def plan_sweep(
    target: str | Path | Scene,
    grid: Grid,
    place: Place,
    *,
    best: str = "",
    cluster: Cluster = Cluster(),  # noqa: B008 (frozen)
    **options: Any,
) -> tuple[Plan, str]:
    """What would be done, and one line that tells it. All that is wrong with it is told here. options: as of
    `make_plan`."""
    from pliant.sweeps.cluster import check_installed

    check_installed()
    place.check()
    cores = CORES if cluster.workers is None else cluster.workers
    plan = make_plan(target, grid, place, best=best_of(best) if best.strip() else None, cores=cores, **options)
    return plan, plan.estimate.told(grid.count, cores, place.address)


def run_sweep(
    target: str | Path | Scene,
    grid: Grid,
    place: Place,
    *,
    best: str = "",
    cluster: Cluster = Cluster(),  # noqa: B008 (frozen)
    shown: bool = True,
    watch: SweepWatch = SweepWatch(),  # noqa: B008 (keeps nothing)
    **options: Any,
) -> Swept:
    """The same, with all that `pliant sweep` tells. Stopped by Ctrl-C it keeps what is done; the next call goes on.
    shown: whether tables and pages of all rows are written. options: as of `make_plan`."""
    from pliant.sweeps.cluster import check_workers, connected
    from pliant.sweeps.run import Rows

    plan, line = plan_sweep(target, grid, place, best=best, cluster=cluster, **options)
    order = best_of(best) if best.strip() else None
    rows, stopped = Rows(plan, watch.baking), False
    rows.recall()
    if rows.missing:
        with ExitStack() as stack:
            try:
                where = cluster.scheduler, cluster.scheduler_file, cluster.workers, cluster.memory
                client = stack.enter_context(connected(*where))
                cores = check_workers(client, place)
            except PliantError as error:
                raise PliantError(f"{error} (the sweep: {line})") from None
            watch.planned(plan, plan.estimate.told(grid.count, cores, place.address))
            try:
                rows.bake(client)
            except KeyboardInterrupt:
                stopped = True
    if stopped:
        rows.recall()  # rows that were done while it stopped
    table = SweepTable.of(grid.keys, rows.results)
    table = table.best(order) if order is not None and rows.results else table
    files = _shown(plan, table, place, order, watch) if shown and rows.results else ()
    return Swept(table, plan, stopped, files)


def _shown(plan: Plan, table: SweepTable, place: Place, order: Best | None, watch: SweepWatch) -> tuple[str, ...]:
    """Tables and pictures of all rows."""
    from pliant.sweeps.contact import write_sheets
    from pliant.sweeps.page import page_of
    from pliant.sweeps.run import films_of

    place.write(TABLE_PARQUET, table.parquet())
    place.write(TABLE_CSV, table.csv().encode())
    files = [TABLE_PARQUET, TABLE_CSV]
    films = films_of(place, [result for result in table.rows if not result.get("error")])
    try:
        files += write_sheets(table, films, place, watch.showing)
    except PliantError as error:
        watch.say(f"note: no contact sheet: {error}")
    watch.showing(SWEEP_PAGE)
    place.write(SWEEP_PAGE, page_of(plan, table, films, order))
    return (*files, SWEEP_PAGE)
