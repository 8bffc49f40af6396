"""Bodies that meet faster than a push goes through them: none goes through the other, nothing is made from nothing."""

from typing import Any

import numpy as np
import pytest

import pliant
from pliant.body import Body
from pliant.world import World

SOFT = pliant.ShapeMatching()
OTHERS = {"rigid": pliant.Rigid(), "elements": pliant.Fem(), "particles": pliant.OrientedParticles(particles=20)}


def pebble() -> Body:
    return pliant.shapes.ball(particles=100, radius=0.1)


def block(density: float = 1000.0) -> Body:
    return pliant.shapes.cuboid(size=(0.4, 0.4, 0.4), cells=(4, 4, 4), density=density)


def facing(one: Body, other: Body, speed: float, model: Any = SOFT, **given: Any) -> World:
    """Two bodies that fly at each other along x, each with half of the speed."""
    world = World(gravity=(0, 0, 0), **given)
    for name, body, settings, side in (("one", one, SOFT, -1), ("other", other, model, 1)):
        away = side * (0.02 + 0.5 * float(np.ptp(body.rest[:, 0])))
        world.add(body, settings, name=name, position=(away, 0, 0), velocity=(-0.5 * side * speed, 0, 0))
    return world


def energy(world: World) -> float:
    squares = [(np.asarray(actor.velocities, np.float64) ** 2).sum(axis=1) for actor in world.actors]
    return sum(0.5 * float(actor.body.masses @ each) for actor, each in zip(world.actors, squares, strict=True))


def momentum(world: World) -> np.ndarray:
    return np.sum([a.body.masses @ np.asarray(a.velocities, np.float64) for a in world.actors], axis=0)


def bent(actor: pliant.world.Actor) -> float:
    """How far particles are from the rest shape where it fits best, in its sizes."""
    rest, now = actor.body.rest - actor.body.rest.mean(axis=0), actor.positions - actor.positions.mean(axis=0)
    left, _, right = np.linalg.svd(now.T @ rest)
    return float(np.sqrt(((now - rest @ (left @ right).T) ** 2).sum() / (rest**2).sum()))


def watch(world: World, seconds: float, substeps: int) -> None:
    before, most = momentum(world), energy(world)
    weight = sum(actor.mass for actor in world.actors)
    for _ in range(round(60 * seconds)):
        world.step(1 / 60, substeps=substeps)
        assert world["one"].centre[0] < world["other"].centre[0]
        assert energy(world) < most * (1 + 1e-6)
    # a velocity is a difference of places, and these are rounded
    assert np.abs(momentum(world) - before).max() < (3e-3 if world.precision == "single" else 1e-10) * weight


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("speed", [5, 20])
@pytest.mark.parametrize("other", [pebble, block, lambda: block(8000.0)], ids=["pebble", "block", "heavy block"])
def test_soft_bodies_do_not_go_through_each_other(other: Any, speed: float, substeps: int) -> None:
    world = facing(pebble(), other(), speed)
    watch(world, 1.0, substeps)
    caught = speed > 10 and world["other"].mass > 100 * world["one"].mass  # a light one may stay in a heavy one
    assert bent(world["one"]) < (0.5 if caught else 0.2) and bent(world["other"]) < 0.2


@pytest.mark.parametrize("model", OTHERS.values(), ids=OTHERS)
def test_nor_through_those_of_other_models(model: Any) -> None:
    watch(facing(pebble(), block(), 20, model), 0.5, 2)


def test_in_double_precision_momentum_is_kept() -> None:
    watch(facing(pebble(), pebble(), 20, precision="double"), 0.5, 2)


def test_gentle_contact_is_left_to_the_skins() -> None:
    world = facing(pebble(), pebble(), 0.2)
    for _ in range(30):
        world.step(1 / 60, substeps=4)
        assert not world._registry.contact_system.work.cored.any()


def test_bodies_that_are_fast_get_more_sub_steps() -> None:
    """And keep them for a while: see world/substepping.py."""
    world = facing(pebble(), pebble(), 20)
    for _ in range(3):
        world.step(1 / 60)
    assert world._registry.state.substep_factor[0] > 1
