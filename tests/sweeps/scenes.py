"""Small scenes and real processes for the tests of sweeps."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pliant

BAR = """
[world]
seconds = 0.4
fps = 30

[[colliders]]
type = "plane"

[[bodies]]
name = "bar"
file = "shapes/bar.obj"
particles = 60
position = [0, 0.05, 0]
anchor = "bottom"
jitter = { rotation = 10 }

[bodies.poses]
low = { type = "squash", amount = 0.4, axis = "y" }

[checks]
"comes near" = "near(low) < 0.2"
"never" = "energy < 0"
"""
ALIKE = ("weights.csv", "measures.json", "take.npz")  # the same bytes wherever a row was baked
PATIENCE = 120.0  # seconds


def write_bar(folder: Path) -> Path:
    """A scene that reads a file, which names another one."""
    skin = pliant.shapes.cuboid(size=(0.5, 1, 0.5), cells=(2, 3, 2)).skin
    (folder / "shapes").mkdir(parents=True, exist_ok=True)
    lines = ["mtllib bar.mtl", "usemtl red"]
    lines += [f"v {x:g} {y:g} {z:g}" for x, y, z in skin.vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in skin.faces]
    (folder / "shapes" / "bar.obj").write_text("\n".join(lines) + "\n")
    (folder / "shapes" / "bar.mtl").write_text("newmtl red\nKd 1 0 0\n")
    (folder / "shapes" / "other.txt").write_text("not read by anything")
    scene = folder / "bar.toml"
    scene.write_text(BAR)
    return scene


def contents(out: Path) -> dict[str, dict[str, bytes]]:
    """Of every row, by its key, the files that must be the same."""
    rows = sorted((out / "rows").iterdir())
    return {row.name: {name: (row / name).read_bytes() for name in ALIKE if (row / name).exists()} for row in rows}


@contextmanager
def process(*words: str, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Ended with the block, whatever happens."""
    started = subprocess.Popen(
        [sys.executable, "-m", *words], env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield started
    finally:
        started.kill()
        started.wait()


@contextmanager
def cluster(folder: Path, *workers: Mapping[str, str]) -> Iterator[tuple[Path, "list[subprocess.Popen[bytes]]"]]:
    """A real scheduler and real workers, each with some environment; its file, and the workers."""
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        stack.enter_context(process("dask", "scheduler", *options, "--scheduler-file", str(file)))
        started = [stack.enter_context(worker(folder, file, number, each)) for number, each in enumerate(workers)]
        wait_for(lambda: file.exists() and _joined(file) >= len(workers))
        yield file, started


def worker(folder: Path, file: Path, number: int, environment: Mapping[str, str]):  # type: ignore[no-untyped-def]
    """Without a nanny: what is killed stays away."""
    own = folder / f"worker-{number}"
    words = ("dask", "worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny", "--no-dashboard")
    return process(*words, "--local-directory", str(own), **environment)


def _joined(file: Path) -> int:
    from distributed import Client

    try:
        with Client(scheduler_file=str(file), timeout=5, set_as_default=False) as client:
            return len(client.scheduler_info(n_workers=-1)["workers"])
    except (OSError, ValueError):
        return 0


def wait_for(true, every: float = 0.05) -> None:  # type: ignore[no-untyped-def]
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(every)
