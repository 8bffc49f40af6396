"""A body at rest costs no more than one that moves: the same one in motion, at rest on the floor and undisturbed in
free space, by turns.

What is left of a motion fades into denormal numbers, which processors are slow with; kernels flush them to zero (see
denormals.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import pliant
from pliant.bench.clock import H, Run, moving, stepping, time_by_turns
from pliant.body import Body
from pliant.world import World

SETTLING = 600  # steps until what was in motion is at rest, and what is left of that has faded
PARTICLE_STEPS = 60_000  # in a run
SECONDS = 6.0  # that each body is timed, all its states together


def moving_and_resting(body: Body, progress: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """A row for each state: microseconds of the kernel and of the whole step, and both in units of those in motion."""
    count = len(body.rest)
    worlds = {}
    for name, make in STATES.items():
        progress(f"rest, {count:,} particles {name}")
        worlds[name] = make(body)
    progress(f"rest, {count:,} particles, by turns")
    steps = max(4, PARTICLE_STEPS // count)
    runs = [run for world in worlds.values() for run in (solving_in(world, steps), stepping(world, steps))]
    times = time_by_turns(runs, SECONDS)
    for name, solve, whole in zip(worlds, times[::2], times[1::2], strict=True):
        yield {
            "name": name, "particles": count, "us_per_step": solve, "x_in_motion": solve / times[0],
            "world_us": whole, "world_x_in_motion": whole / times[1],
        }  # fmt: skip


def in_motion(body: Body) -> World:
    """It trembles in free space."""
    world = World(gravity=(0, 0, 0))
    actor = world.add(body, pliant.ShapeMatching())
    x, v = (rows.reshape(-1, 4)[:, :3] for rows in moving(body, float))
    actor.positions[:], actor.velocities[:] = x, v
    return world


def on_the_floor(body: Body) -> World:
    """It was put on a floor, and has come to rest."""
    world = World(colliders=[pliant.Plane()])
    world.add(body, pliant.ShapeMatching(), position=(0, -float(body.rest[:, 1].min()), 0))
    return _settled(world)


def in_free_space(body: Body) -> World:
    """Nothing has ever moved it."""
    world = World(gravity=(0, 0, 0))
    world.add(body, pliant.ShapeMatching())
    return _settled(world)


STATES: dict[str, Callable[[Body], World]] = {
    "in motion": in_motion, "at rest on the floor": on_the_floor, "undisturbed in free space": in_free_space,
}  # fmt: skip


def solving_in(world: World, steps: int) -> Run:
    """As `stepping`, but only what the model does is timed."""
    whole, solvers = stepping(world, steps), world._cast.solvers
    ((model, pack),) = solvers
    times: list[float] = []

    def solve(*arguments: Any) -> None:
        start = perf_counter()
        model.solve(*arguments)
        times.append(perf_counter() - start)

    def once() -> list[float]:
        times.clear()
        solvers[:] = [(replace(model, solve=solve), pack)]
        try:
            whole()
        finally:
            solvers[:] = [(model, pack)]
        return times.copy()

    return once


def _settled(world: World) -> World:
    for _ in range(SETTLING):
        world.step(H)
    return world
