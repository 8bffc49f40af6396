"""A body at rest costs no more than one that moves: the same one in motion and at rest, in free space and on the floor,
by turns. It may not sleep, which would cost nothing at all.

What is left of a motion fades into denormal numbers, which processors are slow with; kernels flush them to zero (see
denormals.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import pliant
from pliant.bench.budget import Budget
from pliant.bench.clock import H, Run, moving, stepping, time_by_turns
from pliant.body import Body
from pliant.world import World

SETTLING = 600  # steps until what was in motion is at rest, and what is left of that has faded
PARTICLE_STEPS = 60_000  # in a run
REST_SECONDS = 6.0  # that each body is timed, all its states together


def moving_and_resting(body: Body, progress: Callable[[str], None], budget: Budget) -> Iterator[dict[str, Any]]:
    """A row for each state: microseconds of the kernel and of the whole step, and both in units of those of the body
    that is in motion in the same place."""
    count = len(body.rest)
    worlds = {}
    for name, make in STATES.items():
        progress(f"rest, {count:,} particles {name}")
        worlds[name] = make(body)
    progress(f"rest, {count:,} particles, by turns")
    steps = budget.count(max(4, PARTICLE_STEPS // count))
    runs = [run for world in worlds.values() for run in (solving_in(world, steps), stepping(world, steps))]
    times = time_by_turns(runs, budget.seconds(REST_SECONDS))
    pairs = list(zip(times[::2], times[1::2], strict=True))
    for number, (name, (solve, whole)) in enumerate(zip(worlds, pairs, strict=True)):
        moving_solve, moving_whole = pairs[number - number % 2]
        yield {
            "name": name, "particles": count, "us_per_step": solve, "x_in_motion": solve / moving_solve,
            "world_us": whole, "world_x_in_motion": whole / moving_whole,
        }  # fmt: skip


def in_free_space(body: Body) -> World:
    world = World(gravity=(0, 0, 0))
    world.add(body, pliant.ShapeMatching(), may_sleep=False)
    return world


def on_the_floor(body: Body) -> World:
    world = World(colliders=[pliant.Plane()])
    spot = (0, -float(body.rest[:, 1].min()), 0)
    world.add(body, pliant.ShapeMatching(), position=spot, may_sleep=False)
    return world


def trembling(world: World) -> World:
    """Its body half-way to a pose, and in motion."""
    (actor,) = world.actors
    shift = actor.positions - actor.body.rest
    x, v = (rows.reshape(-1, 4)[:, :3] for rows in moving(actor.body, float))
    actor.positions[:], actor.velocities[:] = x + shift, v
    return world


def settled(world: World) -> World:
    """Left alone until its body is at rest."""
    for _ in range(SETTLING):
        world.step(H)
    return world


# each in motion, then the same at rest
STATES: dict[str, Callable[[Body], World]] = {
    "in motion in free space": lambda body: trembling(in_free_space(body)),
    "undisturbed in free space": lambda body: settled(in_free_space(body)),
    "in motion on the floor": lambda body: trembling(on_the_floor(body)),
    "at rest on the floor": lambda body: settled(on_the_floor(body)),
}


def solving_in(world: World, steps: int) -> Run:
    """As `stepping`, but only what the model does is timed, called from Python."""
    whole, solvers = stepping(world, steps), world._registry.solvers
    ((model, pack),) = solvers
    times: list[float] = []

    def solve(*arguments: Any) -> None:
        start = perf_counter()
        model.solve(*arguments)
        times.append(perf_counter() - start)

    def once() -> list[float]:
        times.clear()
        solvers[:] = [(replace(model, solve=solve, task_lists=None), pack)]
        try:
            whole()
        finally:
            solvers[:] = [(model, pack)]
        return times.copy()

    return once
