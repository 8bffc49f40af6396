"""Boundary elements: what a step costs while a body is held, and what it takes to make its Green's functions."""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

import pliant
from pliant.bench.budget import WHOLE, Budget
from pliant.bench.clock import time_world
from pliant.models.boundary.greens import stiffness
from pliant.models.boundary.surface import surface_of

Row = dict[str, Any]
SURFACE_CELLS = ((2, 4, 2), (4, 8, 4), (8, 12, 8))  # 80, 320 and 1,024 triangles
SECONDS = 2.0


def surfaces(progress: Callable[[str], None], budget: Budget = WHOLE) -> Iterator[Row]:
    """A bar with an example, pinned at its feet and grabbed at a corner."""
    for cells in budget.first(SURFACE_CELLS):
        body = pliant.shapes.cuboid(size=(1, 2, 1), cells=cells)
        body = body.with_pose("twist", pliant.poses.twist(body, degrees=60, axis="y"))
        surface = surface_of(body)
        assert not isinstance(surface, str)
        progress(f"surfaces, {len(surface.triangles)} triangles")
        world = pliant.World(contact=False)
        actor = world.add(body, pliant.Boundary())
        actor.pin(np.flatnonzero(body.rest[:, 1] < -0.999).tolist())
        actor.grab(int(np.argmax(body.rest.sum(axis=1)))).move_to(body.size * (0.7, 0.5, 0.3))
        for _ in range(3):
            world.step(1 / 60)
        step_us = time_world(world, budget.count(10), budget.seconds(SECONDS))
        start = perf_counter()
        stiffness(surface, 0.3)
        yield {
            "name": f"surfaces, {len(surface.triangles)} triangles", "particles": len(body.rest),
            "us_per_step": step_us, "ns_per_particle": 1e3 * step_us / len(body.rest),
            "made_in_s": perf_counter() - start,
        }  # fmt: skip
