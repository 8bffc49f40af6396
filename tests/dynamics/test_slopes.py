"""A slope holds below the angle of friction and lets slide above it: a slope that is a body, and one that is an
obstacle."""

from typing import Any

import numpy as np
import pytest

import pliant
from meetings import block
from worlds import run

FRICTION = 0.5  # its angle is 26.6 degrees
BLOCKS = {
    "shape matching": pliant.ShapeMatching(stiffness=2.0, damping=10),
    "oriented particles": pliant.OrientedParticles(particles=27, stiffness=1e6, damping=10),
    "rigid": pliant.Rigid(),
}


def on_slope(degrees: float, on_body: bool, settings: Any) -> tuple[Any, Any, np.ndarray]:
    """A block near the upper end of a plank of 8 m; and which way is down along it."""
    turn = np.deg2rad(degrees)
    rotation = (0, 0, np.sin(-turn / 2), np.cos(-turn / 2))
    up, along = np.array([np.sin(turn), np.cos(turn), 0.0]), np.array([np.cos(turn), -np.sin(turn), 0.0])
    if on_body:
        world = pliant.World()
        plank = pliant.shapes.cuboid(size=(8, 0.5, 1), cells=(32, 2, 4), name="plank")
        slope = world.add(plank, pliant.Rigid(), name="slope", rotation=rotation, friction=FRICTION)
        slope.pin(range(len(plank.rest)))
    else:
        obstacle = pliant.Box(centre=(0, 0, 0), half_size=(4, 0.25, 0.5), rotation=rotation, friction=FRICTION)
        world = pliant.World(colliders=[obstacle])
    place = 0.505 * up - 3.0 * along
    given = {"rotation": rotation, "friction": FRICTION, "may_sleep": False}
    return world, world.add(block(), settings, name="block", position=place, **given), along


@pytest.mark.parametrize("on_body", [True, False], ids=["body", "obstacle"])
@pytest.mark.parametrize("settings", BLOCKS.values(), ids=BLOCKS)
def test_holds_without_creeping(settings: Any, on_body: bool) -> None:
    world, body, along = on_slope(20, on_body, settings)
    run(world, 2, substeps=2)
    before = body.centre @ along
    run(world, 10, substeps=2)
    assert abs(body.centre @ along - before) < 2e-3


@pytest.mark.parametrize("on_body", [True, False], ids=["body", "obstacle"])
@pytest.mark.parametrize("settings", BLOCKS.values(), ids=BLOCKS)
def test_slides_as_fast_as_friction_lets_it(settings: Any, on_body: bool) -> None:
    world, body, along = on_slope(40, on_body, settings)
    run(world, 0.4, substeps=2)
    places = [body.centre @ along]
    for _ in range(2):
        run(world, 0.4, substeps=2)
        places.append(body.centre @ along)
    found = (places[2] - 2 * places[1] + places[0]) / 0.4**2
    wanted = 9.81 * (np.sin(np.deg2rad(40)) - FRICTION * np.cos(np.deg2rad(40)))
    assert found == pytest.approx(wanted, rel=0.1)
