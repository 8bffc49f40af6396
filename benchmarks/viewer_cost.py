"""What streaming costs: `python benchmarks/viewer_cost.py [--seconds 5] [--json] [--quick]`.

Server cost of a frame: all that the server's processors do while one page watches, without the stepping of the world,
over the frames that arrived. That is recording, packing, sending and taking credits, in all threads; being time of
processors, it hardly depends on what else the computer does. Frames a second: ten bars on a slope at real time, as they
arrive at a client. Bytes: a skin of 100,000 vertices bound to a few hundred particles. --quick takes a moment for each,
to see that it runs: then nothing is judged.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from viewer_stage import SLOPE, LivePage, Server, server_of, serving

SECONDS = 5.0
LOADING = 6.0  # seconds until what is done once is done: all models are loaded
VERTICES = 100_000
QUICK = {"LOADING": 0.5, "VERTICES": 2000}  # instead
MOST_COST = 1.0  # milliseconds
FEWEST_FRAMES = 59.0  # a second: sixty, and what the clocks of two processes differ by
CROWD = """\
[world]
substeps = 1
[[colliders]]
type = "plane"
[[bodies]]
name = "body"
shape = {{ type = "cuboid", size = {size}, cells = {cells} }}
position = [0, {height}, 0]
copies = {{ count = {count}, spacing = [1.5, 1, 1.5] }}
[bodies.poses]
twist = {{ type = "twist", degrees = 90, axis = "y" }}
bend = {{ type = "bend", degrees = 60, axis = "y" }}
"""
CASTS = {
    "one body": CROWD.format(size=[1.6, 2.4, 1.6], cells=[14, 21, 14], height=1.3, count=[1, 1, 1]),
    "22 bars": CROWD.format(size=[0.5, 1, 0.5], cells=[4, 8, 4], height=0.6, count=[11, 1, 2]),
    "180 small bodies": CROWD.format(size=[0.4, 0.4, 0.4], cells=[2, 2, 2], height=0.3, count=[18, 1, 10]),
}


# ---- in the server's process -------------------------------------------------------------------------------


def serve(path: str) -> None:
    """`pliant view` that prints twice a second: processor seconds of the process, those of stepping, steps."""
    from pliant.viewer.app import run
    from pliant.viewer.simulation.opened import Opened
    from pliant.world import World

    step, spent = World.step, [0.0, 0]

    def timed(self: World, *given: Any, **named: Any) -> None:
        begin = time.thread_time()
        step(self, *given, **named)
        spent[0] += time.thread_time() - begin
        spent[1] += 1

    def tell() -> None:
        while True:
            print("spent", time.process_time(), *spent, flush=True)
            time.sleep(0.5)

    World.step = timed  # type: ignore[method-assign]
    threading.Thread(target=tell, daemon=True).start()
    run(Opened(Path(path).name, Path(path)).checked(), port=0, open_browser=False)


# ---- in ours -----------------------------------------------------------------------------------------------


class Meter(threading.Thread):
    """The last line that the server said."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        super().__init__(daemon=True)
        self.process, self.last = process, (0.0, 0.0, 0.0)
        self.start()

    def run(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("spent "):
                self.last = tuple(map(float, line.split()[1:]))  # type: ignore[assignment]

    def fresh(self) -> tuple[float, float, float]:
        old = self.last
        while self.last == old:
            time.sleep(0.005)
        return self.last


@contextmanager
def metered(scene: str) -> Iterator[tuple[Server, Meter]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.toml"
        path.write_text(scene)
        with server_of([sys.executable, __file__, "--serve", str(path)], path.name) as (server, process):
            yield server, Meter(process)


def cost(scene: str, seconds: float) -> dict[str, float]:
    """Of a frame, in milliseconds."""
    with metered(scene) as (server, meter):
        page = LivePage(server.stream)
        page.wait_for_frame()
        time.sleep(LOADING)
        before, first = meter.fresh(), page.frames
        time.sleep(seconds)
        after, last = meter.fresh(), page.frames
        size = page.bytes / page.frames
        page.close()
    frames, steps = last - first, after[2] - before[2]
    streaming = (after[0] - before[0]) - (after[1] - before[1])
    return {
        "particles": page.particles,
        "ms_per_frame": 1000 * streaming / max(frames, 1),
        "step_ms": 1000 * (after[1] - before[1]) / max(steps, 1),
        "frames": frames,
        "steps": steps,
        "bytes_per_frame": size,
    }


def rate(seconds: float) -> dict[str, float]:
    """Frames a second that reach a page, and how evenly."""
    with serving(SLOPE) as server:
        page = LivePage(server.stream)
        page.wait_for_frame()
        while page.time == 0.0:  # its kernels are loaded
            time.sleep(0.05)
        time.sleep(1.0)
        begin, first, world = time.perf_counter(), page.frames, page.time
        page.gaps.clear()
        time.sleep(seconds)
        passed = time.perf_counter() - begin
        frames, world = page.frames - first, page.time - world
        gaps = 1000 * np.array(page.gaps)
        page.close()
    return {
        "particles": page.particles,
        "frames_per_second": frames / passed,
        "part_of_real_time": world / passed,
        "median_gap_ms": float(np.median(gaps)),
        "gap_95_ms": float(np.percentile(gaps, 95)),
    }


def bandwidth(seconds: float) -> dict[str, float]:
    """Bytes of a frame of a fine skin, and of its particles alone."""
    with tempfile.TemporaryDirectory() as folder:
        vertices = write_ball(Path(folder) / "ball.obj", VERTICES)
        path = Path(folder) / "ball.toml"
        path.write_text(
            '[world]\nsubsteps = 1\n[[colliders]]\ntype = "plane"\n'
            '[[bodies]]\nfile = "ball.obj"\nparticles = 200\nposition = [0, 1, 0]\n'
        )
        with serving(path) as server:
            page = LivePage(server.stream)
            page.wait_for_frame()
            begin, first, bytes_before = time.perf_counter(), page.frames, page.bytes
            time.sleep(seconds)
            passed = time.perf_counter() - begin
            frames, sent = page.frames - first, page.bytes - bytes_before
            page.close()
    return {
        "vertices": vertices,
        "particles": page.particles,
        "bytes_per_frame": sent / max(frames, 1),
        "bytes_of_particles": 16 * page.particles,
        "bytes_of_skin": 12 * vertices,
        "kilobytes_per_second": sent / passed / 1000,
        "cast_megabytes_once": page.setup_bytes / 1e6,
    }


def write_ball(path: Path, vertices: int) -> int:
    """A round skin of about so many vertices, in rings; gives how many."""
    rings = round(math.sqrt(vertices / 2))
    around = 2 * rings
    theta = np.pi * (np.arange(rings) + 0.5) / rings
    phi = 2 * np.pi * np.arange(around) / around
    ring = np.sin(theta)[:, None]
    points = np.stack([ring * np.cos(phi), np.cos(theta)[:, None] + 0 * phi, ring * np.sin(phi)], axis=-1)
    points = np.concatenate([[[0, 1, 0]], points.reshape(-1, 3), [[0, -1, 0]]]) / 2
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points]
    last = len(points)
    for k in range(around):
        a, b = 2 + k, 2 + (k + 1) % around
        lines.append(f"f 1 {b} {a}")
        for r in range(rings - 1):
            c, d = a + r * around, b + r * around
            lines += [f"f {c} {d} {d + around}", f"f {c} {d + around} {c + around}"]
        lines.append(f"f {last} {a + (rings - 1) * around} {b + (rings - 1) * around}")
    path.write_text("\n".join(lines))
    return last


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seconds", type=float, default=SECONDS, help="of each measurement")
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--quick", action="store_true")
    arguments.add_argument("--serve", metavar="SCENE", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.serve:
        serve(given.serve)
        return 0
    if given.quick:
        globals().update(QUICK)
        given.seconds = 0.5
    setups = list(CASTS.items())[: 1 if given.quick else len(CASTS)]
    costs = {name: cost(scene, given.seconds) for name, scene in setups}
    frames, fine = rate(given.seconds), bandwidth(given.seconds)
    held = (
        all(each["ms_per_frame"] < MOST_COST for each in costs.values())
        and frames["frames_per_second"] >= FEWEST_FRAMES
        and fine["bytes_per_frame"] <= 1.05 * fine["bytes_of_particles"]
    )
    if given.json:
        print(json.dumps({"cost": costs, "rate": frames, "fine_skin": fine, "held": held}, indent=2))
    else:
        report(costs, frames, fine)
        print("\nOK" if held else "\nFAIL: something is above its limit")
    return 0 if held or given.quick else 1


def report(costs: dict[str, dict[str, float]], frames: dict[str, float], fine: dict[str, float]) -> None:
    print("| scene | particles | server, ms a frame | step, ms | frames | kB a frame |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, each in costs.items():
        print(
            f"| {name} | {each['particles']:.0f} | {each['ms_per_frame']:.2f} | {each['step_ms']:.2f} "
            f"| {each['frames']:.0f} | {each['bytes_per_frame'] / 1000:.1f} |"
        )
    print(
        f"\nten bars on a slope, {frames['particles']:.0f} particles: "
        f"{frames['frames_per_second']:.1f} frames a second "
        f"at {frames['part_of_real_time']:.0%} of real time; "
        f"{frames['median_gap_ms']:.1f} ms from frame to frame (95 %: {frames['gap_95_ms']:.1f})"
    )
    print(
        f"a skin of {fine['vertices']:.0f} vertices on {fine['particles']:.0f} particles: "
        f"{fine['bytes_per_frame']:.0f} bytes a frame, {fine['bytes_of_particles']:.0f} of them particles "
        f"(the skin itself would be {fine['bytes_of_skin']:.0f}); {fine['kilobytes_per_second']:.0f} kB/s, "
        f"and {fine['cast_megabytes_once']:.1f} MB once"
    )


if __name__ == "__main__":
    sys.exit(main())
