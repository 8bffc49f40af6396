"""What a sweep costs beside its bakes, and what a second core gives: `python benchmarks/sweep_speed.py` (some minutes;
`--quick` takes one).

Two sweeps of the same rows of the twist bar, on one worker and on two, start and end of the workers included: the ratio
of their times. Then rows whose bake takes about a second, on one worker: what passes from row to row beside the bake
and its measures is the overhead. And how fast Dask's scheduler gives out rows that do nothing. Run it on a machine that
does nothing else. `--write docs/how-to/sweeps.md` puts what a sweep of 100,000 bakes on 1,000 cores would take, from
these figures, between the marks of that page.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

from pliant.session.amounts import size, span
from pliant.sweeps.cluster import connected
from pliant.sweeps.grid import grid_of
from pliant.sweeps.place import Place
from pliant.sweeps.sweeping import Cluster, SweepWatch, Swept, run_sweep

SCENE = Path(__file__).parents[1] / "docs" / "scenes" / "twist-bar.toml"
ROWS, QUICK_ROWS = 200, 2
SECOND_ROWS, QUICK_SECOND_ROWS = 20, 3
TASKS, QUICK_TASKS = 20_000, 500
FINE = 110  # sub-steps of a frame that make a bake of the bar take about a second
WANTED, ALLOWED = 1.7, 0.05
BAKES, BAKED, CORES = (1, 10, 60), 100_000, 1000  # the plan: seconds of a bake, rows, cores
PRICE = 0.05  # of a core for an hour; replace it by your own
BYTES_OF_FILM = 35_000  # of a twist bar
BEGIN, END = "<!-- plan -->", "<!-- end of plan -->"


class Clock(SweepWatch):
    """When each row was there."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def baking(self, done: int, total: int, failed: int) -> None:
        self.times.append(time.perf_counter())


def swept(rows: int, workers: int, folder: str, substeps: int | None = None) -> tuple[Swept, Clock, float]:
    """The sweep, when its rows came, and the seconds that all of it took."""
    clock, begun = Clock(), time.perf_counter()
    done = run_sweep(
        SCENE,
        grid_of([f"body.stiffness=2..12x{rows}"]),
        Place(folder),
        films=False,
        cluster=Cluster(workers=workers),
        watch=clock,
        substeps=substeps,
    )
    assert len(done.table) == rows and not any(result["error"] for result in done.table.rows)
    return done, clock, time.perf_counter() - begun


def speed_up(rows: int) -> dict[str, float]:
    """One worker against two."""
    times = {}
    for workers in (1, 2):
        with TemporaryDirectory() as folder:
            _, clock, times[workers] = swept(rows, workers, folder)
            told = f"{workers} worker{'s'[: workers - 1]}: {times[workers]:.1f} s for {rows} rows"
            print(f"{told}, {clock.times[-1] - clock.times[0]:.1f} s of it from the first row to the last")
    ratio = times[1] / times[2]
    print(f"two workers are {ratio:.2f} times as fast as one (wanted: {WANTED})")
    return {"one": times[1], "two": times[2], "ratio": ratio}


def overhead(rows: int) -> dict[str, float]:
    """Of rows that take a second, on one worker: what passes between them."""
    with TemporaryDirectory() as folder:
        done, clock, _ = swept(rows, 1, folder, FINE)
        disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / rows
    runs = [result["run"] for result in done.table.rows]
    bake = median(run["simulating"] for run in runs)
    inside = mean(run["seconds"] for run in runs[1:])  # the first one loads the kernels
    between = (clock.times[-1] - clock.times[1]) / (rows - 1) - inside
    measuring = median(run["measuring"] for run in runs)
    print(f"a row of {bake:.2f} s: measured in {1e3 * measuring:.0f} ms, {size(disk)} on disk")
    print(f"from row to row {1e3 * between:.1f} ms more, {between / bake:.1%} of the bake (allowed: {ALLOWED:.0%})")
    return {"bake": bake, "between": between, "measuring": measuring, "share": between / bake, "bytes": disk}


def scheduling(tasks: int) -> dict[str, float]:
    """Rows that do nothing, on two workers: what Dask alone takes for each, and what the scheduler keeps of it."""
    import psutil

    with connected(workers=2) as client:
        before = psutil.Process().memory_info().rss  # the scheduler of our own cluster is in this process
        begun = time.perf_counter()
        client.gather(client.map(abs, range(tasks), pure=False, batch_size=1000))
        each = (time.perf_counter() - begun) / tasks
        kept = (psutil.Process().memory_info().rss - before) / tasks
    print(f"Dask alone: {1e3 * each:.2f} ms a row, {1 / each:,.0f} rows a second, {size(max(kept, 0))} of memory a row")
    return {"ms_per_row": 1e3 * each, "bytes_per_row": kept}


def planned(found: dict[str, dict[str, float]]) -> str:
    """A sweep of many bakes on many cores, from what was measured here, in Markdown."""
    each = found["scheduling"]["ms_per_row"] / 1e3
    between, disk = found["overhead"]["between"], found["overhead"]["bytes"]
    lines = ["| a bake takes | " + " | ".join(f"{bake} s" for bake in BAKES) + " |", "| --- |" + " ---: |" * len(BAKES)]

    def line(what: str, values: list[str]) -> None:
        lines.append(f"| {what} | " + " | ".join(values) + " |")

    # A core asks for a row as often as it is done with one; the scheduler can give out no more than it can.
    wanted = [CORES / (bake + between) for bake in BAKES]
    given = [min(rate, 1 / each) for rate in wanted]
    line("rows a second that 1,000 cores ask for", [f"{rate:,.0f}" for rate in wanted])
    line("of those the scheduler gives out", [f"{rate:,.0f}" for rate in given])
    line("cores that are busy", [f"{CORES * rate / more:,.0f}" for rate, more in zip(given, wanted, strict=True)])
    line("time for 100,000 rows", [span(BAKED / rate) for rate in given])
    hours = [CORES * BAKED / rate / 3600 for rate in given]
    line("core-hours that are paid", [f"{hour:,.0f}" for hour in hours])
    line(f"cost at {PRICE:g} a core-hour", [f"{PRICE * hour:,.0f}" for hour in hours])
    line("written, without films", [size(BAKED * disk)] * len(BAKES))
    line("written, with films", [size(BAKED * (disk + BYTES_OF_FILM))] * len(BAKES))
    line("memory of the scheduler", [size(BAKED * max(found["scheduling"]["bytes_per_row"], 0.0))] * len(BAKES))
    return "\n".join(lines)


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rows, to see that it runs")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the plan into a page")
    parser.add_argument("--json", action="store_true", help="the numbers for programs, as a last line")
    options = parser.parse_args(words)
    few = options.quick
    found = {
        "speed_up": speed_up(QUICK_ROWS if few else ROWS),
        "overhead": overhead(QUICK_SECOND_ROWS if few else SECOND_ROWS),
        "scheduling": scheduling(QUICK_TASKS if few else TASKS),
    }
    plan = planned(found)
    print(plan)
    if options.write is not None:
        page = options.write.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        options.write.write_text(f"{before}{BEGIN}\n\n{plan}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")
    if options.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
