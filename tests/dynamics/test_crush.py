"""Soft bodies that meet faster than sound in them: none goes through the other, and nothing is made from nothing."""

from typing import Any

import numpy as np
import pytest

import pliant
from meetings import block, momenta, pebble
from pliant.body import Body
from pliant.collision import layout as at
from pliant.collision.contacts import find_cores
from pliant.world import World
from worlds import run

SOFT = pliant.ShapeMatching()


def boulder() -> Body:
    """Eight times a pebble."""
    return pliant.shapes.ball(particles=100, radius=0.2, name="boulder")


def facing(
    one: Body, other: Body, speeds: tuple[float, float], models: tuple[Any, Any] = (SOFT, SOFT), **given: Any
) -> World:
    """Two bodies that fly at each other along x."""
    world = World(gravity=(0, 0, 0), **given)
    for name, body, model, side, speed in zip(("one", "other"), (one, other), models, (-1, 1), speeds, strict=True):
        away = side * (0.02 + 0.5 * float(np.ptp(body.rest[:, 0])))
        world.add(body, model, name=name, position=(away, 0, 0), velocity=(speed, 0, 0))
    return world


def energy(world: World) -> float:
    """Of motion, J."""
    return sum(0.5 * float(actor.body.masses @ (actor.velocities**2).sum(axis=1)) for actor in world.actors)


def bent(world: World, name: str) -> float:
    """How far particles are from the rest shape where it fits best, in its sizes."""
    actor = world[name]
    rest, now = actor.body.rest - actor.body.rest.mean(axis=0), actor.positions - actor.positions.mean(axis=0)
    left, _, right = np.linalg.svd(now.T @ rest)
    return float(np.sqrt(((now - rest @ (left @ right).T) ** 2).sum() / (rest**2).sum()))


def watch(world: World, seconds: float = 1.0, substeps: int = 1) -> None:
    """They stay on their sides, no energy comes from nowhere, and no momentum is lost."""
    before, most = momenta(world), energy(world)
    for _ in range(round(60 * seconds)):
        world.step(1 / 60, substeps=substeps)
        assert world["one"].centre[0] < world["other"].centre[0]
        assert energy(world) < most * (1 + 1e-6)
    weight = sum(actor.mass for actor in world.actors)  # a velocity is a difference of places, and these are rounded
    rounding = 3e-3 if world.precision == "single" else 1e-10
    np.testing.assert_allclose(momenta(world)[:3], before[:3], atol=rounding * weight)


@pytest.mark.parametrize(
    ("one", "other"),
    [(pebble, pebble), (pebble, boulder), (pebble, block), (block, lambda: block(8000.0))],
    ids=["balls", "1 to 8", "ball and cube", "light and heavy"],
)
@pytest.mark.parametrize("speeds", [(10, -10), (20, 0), (0, -20)])
def test_soft_bodies_do_not_go_through_each_other(one: Any, other: Any, speeds: tuple[float, float]) -> None:
    world = facing(one(), other(), speeds)
    watch(world)
    assert bent(world, "one") < 0.2 and bent(world, "other") < 0.2


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("substeps", [1, 2, 4])
@pytest.mark.parametrize("speed", [5, 10, 20])
def test_at_any_speed_and_step(speed: float, substeps: int, precision: str) -> None:
    watch(facing(pebble(), pebble(), (speed / 2, -speed / 2), precision=precision), 0.5, substeps)


OTHERS = {"rigid": pliant.Rigid(), "elements": pliant.Fem(), "particles": pliant.OrientedParticles(particles=20)}


@pytest.mark.parametrize("model", OTHERS.values(), ids=OTHERS)
def test_nor_through_those_of_other_models(model: Any) -> None:
    watch(facing(pebble(), pebble(), (10, -10), (SOFT, model)), 0.5)


def test_one_that_is_pinned_is_not_gone_through() -> None:
    """At 12 m/s; faster ones may still get through: docs/contact.md."""
    world = facing(pebble(), pebble(), (12, 0))
    target = world["other"]
    target.pin(np.flatnonzero(target.body.rest[:, 0] > 0.08))
    for _ in range(30):
        world.step(1 / 60)
        assert world["one"].centre[0] < target.centre[0]


def test_who_is_hit_beside_the_middle_keeps_all_momenta() -> None:
    world = facing(pebble(), boulder(), (20, 0))
    world["other"].positions[:, 1] += 0.12
    before = momenta(world)
    run(world, 0.3)
    assert float(np.abs(world["other"].velocities).max()) > 0.5  # it was hit
    np.testing.assert_allclose(momenta(world), before, atol=2e-4 * np.abs(before).max())


def test_they_bounce_as_their_restitution_says() -> None:
    world = facing(pebble(), pebble(), (10, -10))
    for actor in world.actors:
        actor.restitution = 0.8
    before = energy(world)
    run(world, 0.5)
    parting = world["other"].velocities[:, 0].mean() - world["one"].velocities[:, 0].mean()
    assert parting == pytest.approx(0.8 * 20, rel=0.1)
    assert energy(world) < before


@pytest.mark.parametrize("sleeper", ["one", "other"])
def test_who_sleeps_is_an_obstacle_to_the_core_of_what_comes(sleeper: str) -> None:
    """To that of the other body, whichever came first to the world."""
    world = facing(pebble(), pebble(), (10, -10))
    system, rows = None, 0
    while rows == 0:
        world.step(1 / 960)
        system = world._registry.contact_system
        assert system is not None
        rows = int(system.work.counts[at.CORE_ROWS])
    place = world[sleeper]._place
    system.awake[place], system.work.counts[at.CORE_ROWS], system.work.cored[:] = 0, 0, 0
    find_cores(system.shapes, system.nodes, system.work, system.cores, 0, 1, True, 1 / 60)
    rows = int(system.work.counts[at.CORE_ROWS])
    assert rows > 1
    sides = system.cores.sides.reshape(-1, at.ROW_SIDES)[:rows]
    for kind, index in ((at.KIND_A, at.INDEX_A), (at.KIND_B, at.INDEX_B)):
        np.testing.assert_array_equal(sides[:, kind] == at.BY_OBSTACLE, sides[:, index] == place)


@pytest.mark.parametrize("aside", [(0, 0), (0.05, 0.03)], ids=["on a particle", "between"])
def test_a_sheet_and_what_it_stops_keep_their_momentum(aside: tuple[float, float]) -> None:
    world = World(gravity=(0, 0, 0), precision="double")
    world.add(pliant.shapes.sheet(size=(1, 1), cells=(10, 10)), pliant.ShapeMatching(stiffness=1.0), name="net")
    world.add(pebble(), SOFT, name="ball", position=(aside[0], 0.15, aside[1]), velocity=(0, -8, 0))
    before, most = momenta(world), energy(world)
    hard = 0
    for _ in range(20):
        world.step(1 / 60)
        assert energy(world) < most * (1 + 1e-9)
        hard += int(world._registry.contact_system.work.counts[at.CORE_ROWS])  # type: ignore[union-attr]
    assert hard > 0
    np.testing.assert_allclose(momenta(world), before, atol=1e-9 * np.abs(before).max())


def test_a_sheet_gives_way_to_what_hits_it() -> None:
    """It has no inside: it is not stopped as a whole."""
    world = World(gravity=(0, 0, 0))
    net = world.add(pliant.shapes.sheet(size=(1, 1), cells=(10, 10)), pliant.ShapeMatching(stiffness=1.0), name="net")
    net.pin(np.flatnonzero(np.abs(net.body.rest).max(axis=1) > 0.49))
    ball = world.add(pebble(), SOFT, name="ball", position=(0, 0.15, 0), velocity=(0, -8, 0))
    run(world, 0.05)
    assert float(ball.velocities[:, 1].mean()) < -3.0
