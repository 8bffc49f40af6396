"""What a show costs: memory, and time, measured by playing it a little."""

from dataclasses import dataclass, fields, is_dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.runtime.errors import Diverged
from pliant.session.recording import columns_of
from pliant.world import World

if TYPE_CHECKING:
    from pliant.scene.show import Show

MEASURED_SECONDS = 0.5  # seconds of measuring, but for a first step that takes longer
FRAMES_MEASURED = 60  # frames


@dataclass(frozen=True)
class Cost:
    """bodies, world: bytes in memory.  frame: bytes that a frame takes on disk while it is baked.  step, frame_time:
    milliseconds of a sub-step and of a whole frame, the median of `measured` frames played here and now; None if it
    diverged at once.  realtime: how many times as fast as it plays."""

    bodies: int
    world: int
    frame: int
    step: float | None
    frame_time: float | None
    realtime: float | None
    measured: int
    substeps: int
    fps: float
    threads: int
    precision: str
    note: str = ""


def cost_of(show: "Show") -> Cost:
    """Plays the first frames of the show: it has moved afterwards."""
    world = show.world
    world.frame()  # laid out, so that this is not timed
    times: list[float] = []
    note = ""
    start = perf_counter()
    while len(times) < 2 or (perf_counter() - start < MEASURED_SECONDS and len(times) < FRAMES_MEASURED):
        before = perf_counter()
        try:
            show.step()
        except Diverged as error:
            note = str(error)
            break
        times.append(1e3 * (perf_counter() - before))
    # The first frame wakes the caches up.
    frame = median(times[1:] or times) if times else None
    seen: set[int] = set()
    bodies = sum(bytes_of(actor.body, seen) for actor in world.actors)
    return Cost(
        bodies=bodies,
        world=bytes_of(world._registry, seen),
        frame=frame_bytes(world),
        step=None if frame is None else frame / show.substeps,
        frame_time=frame,
        realtime=None if frame is None else 1e3 / show.fps / frame,
        measured=len(times),
        substeps=show.substeps,
        fps=show.fps,
        threads=world._pool.threads,
        precision=world.precision,
        note=note,
    )


def frame_bytes(world: World) -> int:
    """Bytes that a frame takes while it is baked."""
    return 4 * sum(columns.floats for columns in columns_of(world))


def bytes_of(thing: Any, seen: set[int]) -> int:
    """Bytes of all arrays that can be reached, each once.

    >>> shared = np.zeros(10)
    >>> bytes_of({"a": shared, "b": [shared, shared[2:]]}, set())
    80
    """
    if isinstance(thing, np.ndarray):
        while isinstance(thing.base, np.ndarray):
            thing = thing.base
    if thing is None or isinstance(thing, str | bytes | int | float | type) or id(thing) in seen:
        return len(thing) if isinstance(thing, bytes) else 0
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    if isinstance(thing, list | tuple | set):
        return sum(bytes_of(each, seen) for each in thing)
    if hasattr(thing, "items"):
        return sum(bytes_of(each, seen) for _, each in thing.items())
    if is_dataclass(thing) and not isinstance(thing, type):
        return sum(bytes_of(getattr(thing, each.name), seen) for each in fields(thing))
    if type(thing).__module__.startswith("pliant.") and hasattr(thing, "__dict__"):
        return sum(bytes_of(each, seen) for name, each in vars(thing).items() if name != "world")
    return 0
