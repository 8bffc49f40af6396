"""`pliant bench cuboid`: what is timed is what it says."""

from importlib import import_module

import numpy as np
import pytest

import pliant
from pliant.bench.budget import QUICK

bench = import_module("pliant.bench.run")  # the package has a function of that name


def test_rows() -> None:
    rows = list(bench.cuboid(lambda text: None, QUICK))
    assert [row["name"] for row in rows] == [
        "cuboid, 1 global", "cuboid, 1 regions", "cuboid, 4 global", "cuboid, 4 regions",
    ]  # fmt: skip
    for row in rows:
        assert row["particles"] == 225
        assert all(row[key] > 0 for key in ("us_per_step", "world_us", "floor_us", "plain_us", "twin_us"))
        assert row["x_plain"] == pytest.approx(row["plain_us"] / row["us_per_step"])
        assert not [key for key in row if "author" in key]  # what was measured elsewhere does not stand beside it


def test_it_lies_on_the_floor_and_moves() -> None:
    """From the first step to the last of those that are timed."""
    settings = pliant.ShapeMatching()
    for cells in bench.GRIDS.values():
        world = bench.on_floor(bench.bar(cells, 1), settings)
        actor = world.actors[0]
        low, moving = [], []
        for _ in range(60_000 // len(actor.body.rest)):
            world.step(1 / 60)
            low.append(float(actor.positions[:, 1].min()))
            moving.append(float(np.abs(actor.velocities).max()))
        assert np.abs(low).max() < 0.02 and np.median(np.abs(low)) < 1e-3
        assert not actor.asleep and min(moving) > 0
        assert world.gravity[1] == pytest.approx(-9.81)


def test_it_is_free_elsewhere() -> None:
    world = bench.free(bench.bar((4, 4, 8), 1), pliant.ShapeMatching())
    before = world.actors[0].centre
    for _ in range(20):
        world.step(1 / 60)
    assert not world.colliders and np.abs(world.actors[0].centre - before).max() < 0.2
    assert np.abs(world.actors[0].velocities).max() > 0.01
