"""Modes: a step of bodies of thirty, everything but the skin."""

from collections.abc import Callable, Iterator
from typing import Any

import pliant
from pliant.bench.budget import WHOLE, Budget
from pliant.bench.clock import time_world

Row = dict[str, Any]
BEARS = (225, 600, 2_000)  # particles, whose skin may have any number of vertices
SECONDS = 2.0


def modes(progress: Callable[[str], None], budget: Budget = WHOLE) -> Iterator[Row]:
    """A bear that wobbles in the air, with 30 warped modes: a step without its skin."""
    for wanted in budget.first(list(BEARS)):
        body = pliant.shapes.teddy(particles=wanted)
        count = len(body.rest)
        progress(f"modes, {count} particles")
        world = pliant.World(contact=False, gravity=(0, 0, 0))
        actor = world.add(body, pliant.Modal(modes=30, damping=0), angular_velocity=(0, 1, 0))
        actor.positions[:] *= (1.1, 0.95, 0.95)
        world.step(1 / 60)
        step_us = time_world(world, budget.count(50), budget.seconds(SECONDS))
        yield {
            "name": "modes, bear", "particles": count, "us_per_step": step_us, "ns_per_particle": 1e3 * step_us / count,
        }  # fmt: skip
