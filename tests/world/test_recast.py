"""Another body for an actor that goes on moving."""

import numpy as np
import pytest

import pliant
from pliant.runtime.errors import PliantError, SettingsError


def tilted() -> tuple[pliant.World, pliant.Body]:
    body = pliant.shapes.cuboid(size=(0.4, 0.4, 0.8), cells=(2, 2, 3))
    world = pliant.World(colliders=[pliant.Plane()])
    world.add(body, pliant.ShapeMatching(), name="other", position=(2, 1, 0))
    actor = world.add(body, pliant.ShapeMatching(), name="bar", position=(0, 1, 0), angular_velocity=(0, 0, 3))
    actor.pin([0])
    for _ in range(20):
        world.step()
    return world, body


def test_it_goes_on_from_where_it_is() -> None:
    world, body = tilted()
    same, _ = tilted()
    actor = world["bar"]
    positions, velocities = np.array(actor.positions), np.array(actor.velocities)
    world.recast(actor, body.with_pose("twist", pliant.poses.twist(body, degrees=60)))
    np.testing.assert_array_equal(actor.positions, positions)
    np.testing.assert_array_equal(actor.velocities, velocities)
    assert actor.weights.shape == (1, 2) and world.actors == (world["other"], actor)
    held = np.array(actor.positions[0])
    for _ in range(10):
        world.step()
        same.step()
    np.testing.assert_allclose(actor.positions[0], held, atol=1e-6)  # the pin is still there
    np.testing.assert_allclose(world["other"].positions, same["other"].positions, atol=1e-5)


def test_a_body_and_settings_together() -> None:
    world, body = tilted()
    twisted = body.with_pose("twist", pliant.poses.twist(body, degrees=60))
    world.recast(world["bar"], twisted, pliant.ShapeMatching(forced={"twist": 1.0}, forced_time=0.0))
    world.step()
    assert world["bar"].weights[0, 1] == pytest.approx(1.0)
    with pytest.raises(PliantError, match="twist"):
        world.recast(world["bar"], body)  # the settings speak of a pose that it does not have
    assert world["bar"].body is twisted


def test_what_does_not_fit_is_told() -> None:
    world, _ = tilted()
    with pytest.raises(SettingsError, match="36 particles"):
        world.recast(world["bar"], pliant.shapes.ball(particles=60))
    gone = world["bar"]
    world.remove(gone)
    with pytest.raises(SettingsError, match="not in this world"):
        world.recast(gone, gone.body)
