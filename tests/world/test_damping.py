"""Damping takes away what deviates from the rigid motion; drag slows all motion."""

import numpy as np
import pytest

import pliant
import worlds
from pliant.world import World
from worlds import momentum, run, speed


@pytest.mark.parametrize("body", [worlds.bar, worlds.twist_bar, worlds.ball, worlds.sheet, worlds.rope])
def test_a_thrown_spinning_body_keeps_its_momentum(body: worlds.Maker) -> None:
    world = World(gravity=(0, 0, 0), precision="double")
    actor = world.add(
        body(),
        pliant.ShapeMatching(stiffness=0.7, damping=5),
        position=(1, 2, 3),
        velocity=(1, 2, -1),
        angular_velocity=(0.5, 2, 1),
    )
    linear, angular = momentum(actor)
    run(world, 3)
    linear_after, angular_after = momentum(actor)
    assert linear_after == pytest.approx(linear, rel=1e-9)
    assert np.abs(angular_after - angular).max() < 1e-9 * np.abs(angular).max()


def test_deformation_dies_out_but_flying_and_spinning_do_not() -> None:
    world = World(gravity=(0, 0, 0), precision="double")
    actor = world.add(worlds.ball(), pliant.ShapeMatching(damping=3), velocity=(1, 0, 0), angular_velocity=(0, 3, 0))
    actor.velocities[:] += 2 * np.sin(9 * actor.body.rest)[:, ::-1]
    linear, angular = momentum(actor)
    run(world, 8)
    x, v = np.array(actor.positions) - actor.centre, np.array(actor.velocities)
    m = actor.body.masses
    inertia = np.einsum("i,ij,ik->jk", m, x, x)
    inertia = np.trace(inertia) * np.eye(3) - inertia
    spin = np.linalg.solve(inertia, np.cross(x, m[:, None] * v).sum(axis=0))
    rigid = m @ v / m.sum() + np.cross(spin, x)
    assert np.abs(v - rigid).max() < 0.05 * np.abs(v).max()
    assert momentum(actor)[0] == pytest.approx(linear, rel=1e-9, abs=1e-9 * actor.mass)
    assert momentum(actor)[1] == pytest.approx(angular, rel=1e-9, abs=1e-9 * actor.mass)


def test_drag_slows_everything() -> None:
    world = World(gravity=(0, 0, 0), precision="double")
    actor = world.add(worlds.bar(), pliant.ShapeMatching(drag=0.5), velocity=(3, 0, 0))
    run(world, 2)
    assert momentum(actor)[0][0] / actor.mass == pytest.approx(3 * np.exp(-1), rel=1e-6)


def pendulum(drag: float) -> tuple[float, float]:
    """Highest speeds of the centre in the first and in the last three of twenty seconds."""
    world = World(gravity=(0, -2, 0), precision="double")  # so little that the rod stays almost straight
    rod = pliant.shapes.cuboid(size=(1, 0.2, 0.2), cells=(8, 2, 2))
    actor = world.add(rod, pliant.ShapeMatching(stiffness=1, drag=drag))
    actor.pin(lambda rest: (rest[:, 0] < -0.49) & (np.abs(rest[:, 1]) < 0.01))  # a hinge
    speeds = []
    for _ in range(20 * 60):
        world.step()
        speeds.append(np.linalg.norm(momentum(actor)[0]) / actor.mass)
    return max(speeds[:180]), max(speeds[-180:])


def test_a_pendulum_swings_on_and_stops_in_air() -> None:
    first, last = pendulum(drag=0)
    assert last > 0.75 * first
    first, last = pendulum(drag=1.5)
    assert last < 0.01 * first


def test_damping_never_adds_energy_to_a_body_on_the_ground() -> None:
    """Without gravity, a body that shivers on its foot only gets slower."""
    world = World(gravity=(0, 0, 0), colliders=[pliant.Plane()], precision="double")
    actor = world.add(worlds.bar(), pliant.ShapeMatching(damping=20), position=(0, 0.5, 0))
    actor.velocities[:] = 0.5 * np.sin(7 * actor.body.rest)[:, ::-1]
    highest = speed(actor)
    run(world, 4)
    assert speed(actor) < highest


def test_a_sliding_body_is_not_damped_along_its_way() -> None:
    world = World(colliders=[pliant.Plane(friction=0)], precision="double")
    actor = world.add(
        worlds.bar(), pliant.ShapeMatching(stiffness=1, damping=5), position=(0, 0.5, 0), velocity=(2, 0, 0)
    )
    run(world, 5)
    assert momentum(actor)[0][0] / actor.mass == pytest.approx(2, rel=1e-6)
