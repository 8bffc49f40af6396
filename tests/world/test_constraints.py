"""Pins, handles and forces."""

import numpy as np
import pytest

import pliant
import worlds
from pliant.world import World
from worlds import run, speed


def left(rest: np.ndarray) -> np.ndarray:
    return rest[:, 0] < rest[:, 0].min() + 1e-6


def test_pinned_particles_stay_whatever_happens() -> None:
    world = World(colliders=[pliant.Plane(point=(0, -0.3, 0))])
    actor = world.add(worlds.bar(), pliant.ShapeMatching(), velocity=(0, 3, 0), angular_velocity=(0, 2, 0))
    actor.push((1e4, 0, 0))
    pin = actor.pin(left)
    before = np.array(actor.positions[pin.particles])
    run(world, 2)
    assert np.array_equal(actor.positions[pin.particles], before)
    assert not actor.velocities[pin.particles].any()
    pin.release()
    run(world, 0.2)
    assert np.abs(actor.positions[pin.particles] - before).max() > 0.01


def test_a_pinned_bar_comes_to_rest() -> None:
    world = World()
    actor = world.add(worlds.bar(), pliant.ShapeMatching())
    actor.pin(left)
    run(world, 19)
    fastest = 0.0
    for _ in range(60):
        world.step()
        fastest = max(fastest, speed(actor))
    assert fastest < 0.01


def test_pins_follow_a_path_that_begins_when_they_are_set() -> None:
    world = World(gravity=(0, 0, 0), precision="double")
    actor = world.add(worlds.bar(), pliant.ShapeMatching(stiffness=1))
    run(world, 0.5)
    path = pliant.Path([0, 1, 2], [(0, 0, 0), (0, 1, 0), (0, 1, 0)], [(0, 0, 0), (np.pi / 2, 0, 0), (np.pi / 2, 0, 0)])
    pin = actor.pin(left, path)
    start = np.array(actor.positions[pin.particles])
    world.step(0.5)
    assert np.allclose(actor.positions[pin.particles].mean(axis=0), start.mean(axis=0) + np.array([0, 0.5, 0]))
    run(world, 8)
    # turned by a right angle about x, and the rest of the bar has come along
    turned = (start - start.mean(axis=0)) @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    assert np.allclose(actor.positions[pin.particles], start.mean(axis=0) + np.array([0, 1, 0]) + turned, atol=1e-12)
    assert actor.centre[1] == pytest.approx(1, abs=0.01)


def test_two_pins_on_one_particle() -> None:
    world = World()
    actor = world.add(worlds.cube(), pliant.ShapeMatching())
    first, second = actor.pin([0, 1]), actor.pin([1, 2])
    second.release()
    second.release()
    where = np.array(actor.positions[:3])
    run(world, 0.5)
    assert np.array_equal(actor.positions[:2], where[:2])
    assert not np.array_equal(actor.positions[2], where[2])
    first.release()


@pytest.mark.parametrize("stiffness", [2e3, 2e4, 1e6])
@pytest.mark.parametrize("where", ["particle", "skin"])
@pytest.mark.parametrize("substeps", [1, 3])
def test_a_hanging_body_stretches_its_handle_by_its_weight(stiffness: float, where: str, substeps: int) -> None:
    world = World(precision="double")
    actor = world.add(worlds.cube(), pliant.ShapeMatching(stiffness=1, damping=10, drag=2))
    if where == "particle":
        handle = actor.grab(int(np.argmax(actor.body.rest[:, 1])), stiffness=stiffness)
    else:
        handle = actor.grab(skin=int(np.argmax(actor.body.skin.vertices[:, 1])), stiffness=stiffness)
    run(world, 15, substeps)
    stretch = handle.target - handle.position
    assert speed(actor) < 1e-3
    assert stretch == pytest.approx([0, actor.mass * 9.81 / stiffness, 0], rel=0.03, abs=1e-5)


@pytest.mark.parametrize("stiffness", [1e-3, 1.0, 1e5, 1e9])
@pytest.mark.parametrize("precision", ["single", "double"])
def test_no_stiffness_explodes(stiffness: float, precision: str) -> None:
    world = World(precision=precision)
    actor = world.add(worlds.cube(), pliant.ShapeMatching())
    handles = [actor.grab(i, stiffness=stiffness) for i in (0, 0, 5)] + [actor.grab(skin=3, stiffness=stiffness)]
    for i, handle in enumerate(handles):
        handle.move_to((0.3 * i, 0.5, 0))
    run(world, 3)
    assert np.abs(actor.velocities).max() < 40
    if stiffness >= 1e5:
        assert np.abs(actor.centre).max() < 2


def test_a_handle_pulls_and_lets_go() -> None:
    world = World(gravity=(0, 0, 0))
    actor = world.add(worlds.ball(), pliant.ShapeMatching())
    handle = actor.grab(0)
    handle.move_to(handle.position + np.array([2, 0, 0]))
    run(world, 0.3)
    assert actor.centre[0] > 0.05
    assert abs(actor.centre[1]) < 0.2 * actor.centre[0]
    run(world, 12)
    assert handle.position == pytest.approx(handle.target, abs=0.05)
    handle.release()
    handle.release()
    before, _ = worlds.momentum(actor)
    run(world, 1)
    assert worlds.momentum(actor)[0] == pytest.approx(before, abs=1e-3 * actor.mass)


def test_a_handle_follows_its_path() -> None:
    world = World(gravity=(0, 0, 0))
    actor = world.add(worlds.cube(), pliant.ShapeMatching(stiffness=1, drag=3))
    run(world, 0.25)
    handle = actor.grab(13, path=pliant.Path([0, 1], [(0, 0, 0), (0, 3, 0)]))
    run(world, 0.5)
    assert handle.target[1] == pytest.approx(1.5, abs=1e-6)
    run(world, 5)
    assert actor.centre[1] == pytest.approx(3, abs=0.02)
    handle.move_to((1, 1, 1))
    assert handle.path is None
    run(world, 5)
    assert actor.centre == pytest.approx([1, 1, 1], abs=0.02)


def test_a_uniform_force_accelerates_as_force_by_mass() -> None:
    world = World(gravity=(0, 0, 0), precision="double")
    actor = world.add(worlds.bar(), pliant.ShapeMatching())
    actor.push((actor.mass, 0, -2 * actor.mass))
    run(world, 1)
    velocity = worlds.momentum(actor)[0] / actor.mass
    assert velocity == pytest.approx([1, 0, -2], rel=1e-9)
    actor.push(None)
    run(world, 0.5)
    assert worlds.momentum(actor)[0] / actor.mass == pytest.approx(velocity, rel=1e-9)


def test_forces_on_particles_and_as_a_function() -> None:
    world = World(gravity=(0, 0, 0), precision="double")
    one = world.add(worlds.cube(), pliant.ShapeMatching(), name="one")
    two = world.add(worlds.cube(), pliant.ShapeMatching(), name="two", position=(3, 0, 0))
    forces = np.zeros((27, 3))
    forces[4] = (5, 0, 0)
    one.push(forces)
    forces[:] = np.nan  # what was given is copied
    two.push(lambda actor: -10 * actor.mass * (actor.centre - (2, 0, 0)))
    run(world, 0.5)
    assert worlds.momentum(one)[0] == pytest.approx([2.5, 0, 0], rel=1e-6)
    assert two.centre[0] == pytest.approx(2 + np.cos(np.sqrt(10) * 0.5), abs=0.05)


def test_wind_on_one_actor_leaves_the_other_alone() -> None:
    def centre(pushed: bool) -> np.ndarray:
        world = World()
        one = world.add(worlds.cube(), pliant.ShapeMatching())
        two = world.add(worlds.cube(), pliant.ShapeMatching(), position=(4, 0, 0))
        if pushed:
            one.push((1e3, 0, 0))
        run(world, 0.5)
        return np.array(two.positions)

    assert np.array_equal(centre(True), centre(False))
