"""Bodies that touch one another: the crowds of [Koyama+12] and [Choi+17] in the thick of it, and how the cost grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

import pliant
from pliant.bench.budget import WHOLE, Budget
from pliant.gallery import crowd_of_52, crowd_of_180, slope
from pliant.gallery.exhibit import Exhibit
from pliant.graph import graph_of
from pliant.runtime.thread_pool import CORES, ThreadPool
from pliant.world import Snapshot, World

Row = dict[str, Any]
# name -> exhibit, threads, seconds until every body touches another, frame (s), sub-steps, the paper's ms and the part
# of them that is contact. [Koyama+12] says 49 frames a second, with drawing; [Choi+17] had four cores.
SCENES: dict[str, tuple[Exhibit, int, float, float, int, float, float | None]] = {
    "slope": (slope.EXHIBIT, 1, 2.0, 1 / 60, slope.EXHIBIT.substeps, 1000 / 49, None),
    "52 bodies": (crowd_of_52.EXHIBIT, 2, 2.0, 1 / 30, 6, 26.24, 15.46 / 26.24),
    "180 bodies": (crowd_of_180.EXHIBIT, 2, 2.0, 1 / 30, 6, 27.14, 14.97 / 27.14),
}
PLAYS = 2  # of a whole scene
CROWDS = (10, 100, 1000, 10_000)
FRAMES_TIMED = 10  # that are timed together
TIMED_SECONDS = 3.0  # that each scene is timed


def contact(progress: Callable[[str], None], budget: Budget = WHOLE) -> Iterator[Row]:
    """A slope with ten bars, 52 and 180 bodies among columns, the last with one thread and more, and 10 to 10,000
    bodies that lie side by side."""
    for name, (exhibit, threads, before, frame, substeps, paper, share) in budget.first(SCENES.items(), 2):
        progress(f"contact, {name}")
        length = budget.count(max(1, round(exhibit.seconds / frame) - 1))
        mean = min(_played(exhibit, threads, frame, substeps, length) for _ in range(budget.count(PLAYS, 1)))
        world = exhibit.build()
        world._pool = ThreadPool(threads)
        for _ in range(budget.count(round(before / frame))):
            world.step(frame, substeps)
        touching = len(world.contacts.depths)
        whole, parted = _timed(world, frame, substeps, budget.seconds(TIMED_SECONDS), budget.count(FRAMES_TIMED))
        yield {
            "name": f"contact, {name}", "bodies": len(world.actors), "particles": _particles(world), "threads": threads,
            "contacts": touching, "frame_ms": whole, "contact_ms": parted, "contact_share": parted / whole,
            "scene_ms": mean, "frames_per_s": 1e3 / mean,
            "paper_ms": paper, "paper_share": share, "x_paper": paper / whole,
        }  # fmt: skip
    yield from _scaling(progress, budget)
    first = None
    for count in budget.first(CROWDS, 2):
        progress(f"contact, {count:,} bodies")
        world = crowd(count)
        for _ in range(12):  # until they touch
            world.step(1 / 60, 2)
        touching = len(world.contacts.depths)
        seconds = budget.seconds(TIMED_SECONDS / 3 + 2e-4 * count)
        whole, parted = _timed(world, 1 / 60, 2, seconds, budget.count(FRAMES_TIMED))
        first = first or whole / count
        yield {
            "name": "contact, growth", "bodies": count, "particles": _particles(world),
            "contacts": touching, "frame_ms": whole, "contact_ms": parted,
            "contact_share": parted / whole, "us_per_body": 1e3 * whole / count, "x_smallest": whole / count / first,
        }  # fmt: skip


def _scaling(progress: Callable[[str], None], budget: Budget) -> Iterator[Row]:
    """The same crowd with one thread, two, and so on, one for each processor at most: by turns, so that what else the
    machine does meets all of them alike."""
    exhibit, _, before, frame, substeps, *_ = SCENES["180 bodies"]
    progress("contact, scaling over threads")
    world = exhibit.build()
    for _ in range(budget.count(round(before / frame))):
        world.step(frame, substeps)
    start, touching = world.snapshot(), len(world.contacts.depths)
    best = dict.fromkeys(range(1, CORES + 1), np.inf)
    end = perf_counter() + budget.seconds(TIMED_SECONDS)
    turn = 0
    while turn < 2 or perf_counter() < end:
        for threads in best:
            world._pool = ThreadPool(threads)
            best[threads] = min(best[threads], _run(world, start, frame, substeps, budget.count(FRAMES_TIMED)))
        turn += 1
    for threads, whole in best.items():
        yield {
            "name": "contact, scaling", "bodies": len(world.actors), "particles": _particles(world), "threads": threads,
            "contacts": touching, "frame_ms": whole, "x_one_thread": best[1] / whole,
        }  # fmt: skip


def crowd(count: int) -> World:
    """Balls of twelve particles in two layers on the floor, a little too near to one another: each touches some."""
    world = World(colliders=[pliant.Plane()])
    ball = graph_of(pliant.shapes.ball(), 12)
    settings = pliant.OrientedParticles(particles=12, iterations=2, stiffness=1e5, damping=2)
    side = int(np.ceil(np.sqrt(count / 2)))
    for number in range(count):
        row, place = divmod(number // 2, side)
        shift = 0.5 * (number % 2)
        world.add(ball, settings, position=(1.01 * (place + shift), 0.5 + 0.72 * (number % 2), 1.01 * (row + shift)))
    return world


def _played(exhibit: Exhibit, threads: int, frame: float, substeps: int, count: int) -> float:
    """Milliseconds of a frame, the mean over so many of a scene but for the first one, which prepares."""
    world = exhibit.build()
    world._pool = ThreadPool(threads)
    world.step(frame, substeps)
    begin = perf_counter()
    for _ in range(count):
        world.step(frame, substeps)
    return 1e3 * (perf_counter() - begin) / count


def _particles(world: World) -> int:
    return sum(len(actor.body.rest) for actor in world.actors)


def _timed(world: World, frame: float, substeps: int, seconds: float, frames: int) -> tuple[float, float]:
    """Milliseconds of a frame, and how many of them go away when bodies pass through one another: the best of several
    runs of each, by turns, so that what else the machine does meets both alike."""
    start = world.snapshot()
    end = perf_counter() + 2 * seconds
    runs: dict[bool, list[float]] = {True: [], False: []}
    while len(runs[True]) < 3 or perf_counter() < end:
        for contact in runs:
            world.contact = contact
            runs[contact].append(_run(world, start, frame, substeps, frames))
    world.contact = True
    world.restore(start)
    whole, without = min(runs[True]), min(runs[False])
    return whole, max(0.0, whole - without)


def _run(world: World, start: Snapshot, frame: float, substeps: int, frames: int) -> float:
    """Milliseconds of a frame, the mean of some from a given state. The first one after going back is not timed: there
    the models prepare anew what they know of pins and handles."""
    world.restore(start)
    world.step(frame, substeps)
    begin = perf_counter()
    for _ in range(frames):
        world.step(frame, substeps)
    return 1e3 * (perf_counter() - begin) / frames
