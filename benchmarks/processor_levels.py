"""What kernels for common processors cost: `python benchmarks/processor_levels.py [--runs 5] [--json] [--quick]`.

The same bodies are stepped, one thread, with kernels that were compiled for this very processor, and for the levels of
x86-64 that a wheel could carry (src/pliant/runtime/carried.py): -v3, and -v4 with its wider vectors. Each run is a
process of its own, the kinds take turns, and the best of many short runs counts, since the machine may do other things.
Told are microseconds of `world.step`, and the ratios to this processor's own. A level that the processor does not have
is left out. --quick: one short run of the processor's own, to see that it runs.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

OWN = "own"
LEVELS = {"x86-64-v3": ("avx2", "bmi2", "fma"), "x86-64-v4": ("avx512f", "avx512bw", "avx512vl", "avx512dq")}
SMALL, LARGE = (4, 8, 4), (8, 16, 8)  # cells


def timed(quick: bool) -> dict[str, float]:
    """Microseconds of a step of each body, in this process."""
    import pliant

    def world(cells: tuple[int, int, int], model: Any, poses: int) -> Callable[[], None]:
        bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=cells)
        for k in range(poses):
            bar = bar.with_pose(f"twist {k}", pliant.poses.twist(bar, degrees=60 + 30 * k, axis="y"))
        made = pliant.World(colliders=[pliant.Plane()], threads=1)
        made.add(bar, model, name="bar", position=(0, 1.2, 0))
        return lambda: made.step(1 / 60)

    regions = pliant.ShapeMatching(stiffness=4, examples="regions")
    bodies = {
        "shape matching, 225 particles, 1 example": (world(SMALL, pliant.ShapeMatching(stiffness=4), 1), 100),
        "shape matching, 2,025 particles, 1 example": (world(LARGE, pliant.ShapeMatching(stiffness=4), 1), 20),
        "shape matching, 2,025 particles, 4 in each region": (world(LARGE, regions, 4), 20),
        "oriented particles, 45 particles, 1 example": (world((2, 4, 2), pliant.OrientedParticles(), 1), 20),
    }
    return {name: best(step, *((1, 2) if quick else (steps, 60))) for name, (step, steps) in bodies.items()}


def best(step: Callable[[], None], steps: int, tries: int) -> float:
    for _ in range(30):
        step()
    shortest = float("inf")
    for _ in range(tries):
        begun = time.perf_counter()
        for _ in range(steps):
            step()
        shortest = min(shortest, (time.perf_counter() - begun) / steps)
    return 1e6 * shortest


def started(level: str, quick: bool) -> dict[str, float]:
    """The same in a process that compiles for a level."""
    settings = {} if level == OWN else {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": ""}
    command = [sys.executable, __file__, "--here", *(["--quick"] if quick else [])]
    done = subprocess.run(command, env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout))


def levels() -> list[str]:
    """Those that this processor has."""
    from llvmlite.binding import get_host_cpu_features

    found = get_host_cpu_features()
    return [level for level, needed in LEVELS.items() if all(found.get(name, False) for name in needed)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # what this program starts itself with
    asked = parser.parse_args()
    if asked.here:
        print(json.dumps(timed(asked.quick)))
        return
    kinds = [OWN, *([] if asked.quick else levels())]
    runs = [{kind: started(kind, asked.quick) for kind in kinds} for _ in range(1 if asked.quick else asked.runs)]
    shortest = {kind: {name: min(run[kind][name] for run in runs) for name in runs[0][OWN]} for kind in kinds}
    if asked.json:
        print(json.dumps(shortest, indent=2))
        return
    print("| us a step |", " | ".join(kinds), "|\n| --- |", " ---: |" * len(kinds))
    for name, own in shortest[OWN].items():
        cells = [f"{shortest[kind][name]:.1f} ({shortest[kind][name] / own:.2f})" for kind in kinds]
        print(f"| {name} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
