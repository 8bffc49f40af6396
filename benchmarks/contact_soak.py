"""A crowd for an hour: `python benchmarks/contact_soak.py [--seconds 3600] [--threads 2] [--json] [--quick]`.

Sixty toys lie among twelve soft columns, and a paddle stirs them for a while every minute; in between they come to
rest. After each minute, when all is still, it is measured: are all toys there, is none below the floor, none deep
inside another, do they lie still (no creeping), is their middle where it was (no drift), does memory stay what it is,
do frames take as long as before?

Ends with code 1 if a body is lost or sinks, the crowd creeps or drifts, or memory grows. Toys whose limbs the paddle
has hooked into one another are told of, but are no fault. --quick has minutes of a few seconds and few toys, to see
that it runs.
"""

import argparse
import json
import resource
import sys
from time import perf_counter
from typing import Any

import numpy as np

import pliant
from pliant.gallery.pouring import COLUMN_RADIUS, COLUMN_RING, bodies_of, pour, world_with_columns
from pliant.gallery.touching import centres_of, lowest, overlap

MINUTE = 60.0
STIRRED = 12.0  # seconds of each minute in which the paddle turns
WATCHED = 10.0  # seconds at the end of each minute in which no toy may creep
OF_EACH = 15  # toys of each of four kinds
QUICK = {"MINUTE": 3.0, "WATCHED": 0.5, "OF_EACH": 1}  # instead; they have to come to rest
FPS = 60
SUBSTEPS = 3
MOST_GROWTH = 8.0  # megabytes after the first minute
MOST_CREEP = 0.02  # metres in the time watched, half of the crowd less
MOST_DRIFT = 0.5  # metres of the middle of the crowd sideways, since the first minute
SUNK = -0.05  # metres
DEEPEST = 0.5  # contact radii


def build(threads: int) -> pliant.World:
    """The crowd, and a paddle that turns about the upright axis and rests above them in between. It is a board so tall
    that no toy lies on it: a bar would lift toys above the columns, and they would fall outside."""
    world = world_with_columns()
    world._pool = type(world._pool)(threads)
    pour(world, {"dinosaur": 30, "teddy": 30, "ball": 30, "torus": 12}, OF_EACH, scale=0.7)
    world.colliders.append(pliant.Box(centre=(0, 2.85, 0), half_size=(2.0, 2.5, 0.15), friction=0.2, path=stirring))
    return world


def stirring(time: float) -> tuple[Any, Any]:
    """Where the paddle is: it comes down, turns half round and back, and goes up again."""
    now = time % MINUTE - 5.0
    share = np.clip(now / STIRRED, 0, 1)
    turn = np.pi * np.sin(np.pi * share) ** 2
    high = 6.0 * (1 - np.clip(min(share, 1 - share) * 6, 0, 1))
    c, s = np.cos(turn), np.sin(turn)
    return (0.0, high, 0.0), np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def play(seconds: float, threads: int) -> list[dict[str, float]]:
    """A row for each minute of the crowd (one at least)."""
    world = build(threads)
    bodies = bodies_of(world)
    toys = {name: body for name, body in bodies.items() if not name.startswith("column")}
    rows: list[dict[str, float]] = []
    middle = np.zeros(3)
    for number in range(max(1, round(seconds / MINUTE))):
        length = min(seconds, MINUTE)
        begin = perf_counter()
        for _ in range(round((length - WATCHED) * FPS)):
            world.step(1 / FPS, SUBSTEPS)
        before = centres_of(toys, world.frame())
        for _ in range(round(WATCHED * FPS)):
            world.step(1 / FPS, SUBSTEPS)
        took = perf_counter() - begin
        frame = world.frame()
        centres = centres_of(toys, frame)
        if not rows:
            middle = centres.mean(axis=0)
        fastest = max(float(np.abs(velocity).max()) for velocity in frame.velocities.values())
        rows.append(
            {
                "minute": number + 1, "bodies": len(bodies),
                "lost": int((np.hypot(centres[:, 0], centres[:, 2]) > COLUMN_RING + 2 * COLUMN_RADIUS).sum()),
                "lowest_m": lowest(toys, frame), "overlap": overlap(bodies, frame),
                "creep_m": float(np.median(np.linalg.norm(centres - before, axis=1))),
                "drift_m": float(np.hypot(*(centres.mean(axis=0) - middle)[[0, 2]])),
                "fastest_m_s": fastest, "frame_ms": 1e3 * took / (length * FPS), "memory_mb": memory(),
            }
        )  # fmt: skip
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    return rows


def memory() -> float:
    """Megabytes of this process now; the most so far where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as numbers:
            return int(numbers.read().split()[1]) * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def faults(rows: list[dict[str, float]]) -> list[str]:
    """What went wrong, a line each."""
    found = []
    for row in rows:
        who = f"minute {row['minute']:.0f}"
        if row["lost"]:
            found.append(f"{who}: {row['lost']:.0f} bodies have left the columns")
        if row["lowest_m"] < SUNK:
            found.append(f"{who}: a toy is {-row['lowest_m']:.3f} m below the floor")
        if row["creep_m"] > MOST_CREEP:
            found.append(f"{who}: the crowd creeps, {row['creep_m']:.3f} m in {WATCHED:.0f} s")
        if row["drift_m"] > MOST_DRIFT:
            found.append(f"{who}: the crowd drifts, {row['drift_m']:.2f} m since the first")
    growth = rows[-1]["memory_mb"] - rows[0]["memory_mb"]
    if growth > MOST_GROWTH:
        found.append(f"memory grew by {growth:.1f} MB")
    return found


def hooked(rows: list[dict[str, float]]) -> str:
    """In how many minutes two toys stayed deep inside one another."""
    deep = [row["overlap"] for row in rows if row["overlap"] > DEEPEST]
    if not deep:
        return f"none more than {DEEPEST} contact radii inside another"
    return f"in {len(deep)} of {len(rows)} minutes two toys stayed hooked, up to {max(deep):.2f} contact radii deep"


def main() -> int:
    parser = argparse.ArgumentParser(description="A crowd for an hour of its time.")
    parser.add_argument("--seconds", type=float, default=3600.0, help="of the crowd's time")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.add_argument("--quick", action="store_true", help="two minutes of a few seconds, to see that it runs")
    asked = parser.parse_args()
    if asked.quick:
        globals().update(QUICK)
        asked.seconds = 2 * MINUTE
    rows = play(max(asked.seconds, 2 * WATCHED), asked.threads)
    wrong = faults(rows)
    if asked.json:
        print(json.dumps({"minutes": rows, "faults": wrong, "hooked": hooked(rows)}, indent=2))
    else:
        columns = list(rows[0])
        print("| " + " | ".join(columns) + " |\n|" + " ---: |" * len(columns))
        for row in rows:
            print("| " + " | ".join(f"{value:.4g}" for value in row.values()) + " |")
        print("\n".join(wrong) or "none lost, none sinks, none creeps, no drift, memory stays")
        print(hooked(rows))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
