"""Contacts as rows between nodes: towers, friction, bounces, momentum and sleep, whatever the size of the world."""

from functools import cache

import numpy as np
import pytest

import pliant
from pliant.body import Body
from pliant.gallery.touching import lowest
from pliant.world import Actor, World

RIGID, SOFT = pliant.Rigid(), pliant.ShapeMatching(stiffness=4)


@cache
def crate(density: float = 500.0) -> Body:
    return pliant.shapes.cuboid(size=(0.5, 0.5, 0.5), cells=(2, 2, 2), density=density, name="crate")


EARTH = (0.0, -9.81, 0.0)


def floor(friction: float = 0.5, restitution: float = 0.0, gravity: tuple[float, float, float] = EARTH) -> World:
    return World(gravity=gravity, colliders=[pliant.Plane(friction=friction, restitution=restitution)])


def play(world: World, seconds: float, substeps: int = 4) -> None:
    for _ in range(round(60 * seconds)):
        world.step(1 / 60, substeps=substeps)


def momenta(world: World) -> np.ndarray:
    """Momentum and angular momentum of all, by the masses and velocities of the particles."""
    total = np.zeros(6)
    for actor in world.actors:
        x, v = np.asarray(actor.positions, np.float64), np.asarray(actor.velocities, np.float64)
        mv = actor.body.masses[:, None] * v
        total += np.concatenate([mv.sum(axis=0), np.cross(x, mv).sum(axis=0)])
    return total


@pytest.mark.parametrize("size", [0.02, 1.0, 50.0])
def test_a_tower_stands_and_sleeps_at_any_size(size: float) -> None:
    """Lengths and gravity scaled together give the same motion."""
    world = floor(gravity=(0, -9.81 * size, 0))
    for k in range(5):
        world.add(crate(), RIGID, scale=size, position=(0, size * (0.25 + 0.5 * k), 0))
    play(world, 2.0)
    assert all(actor.asleep for actor in world.actors)
    places = np.array([actor.centre / size for actor in world.actors])
    wanted = np.array([(0, 0.25 + 0.5 * k, 0) for k in range(5)])
    assert np.abs(places - wanted).max() < 0.01 * 0.5


def test_a_crate_ten_times_as_heavy_stands_on_a_light_one() -> None:
    world = floor()
    world.add(crate(), RIGID, position=(0, 0.25, 0))
    world.add(crate(5000.0), RIGID, position=(0, 0.75, 0))
    play(world, 3.0)
    assert all(actor.asleep for actor in world.actors)
    assert world.actors[1].centre == pytest.approx([0, 0.75, 0], abs=0.01)


@pytest.mark.parametrize("settings", [RIGID, SOFT], ids=["rigid", "soft"])
def test_a_body_that_is_alone_sleeps_where_it_lies(settings: pliant.models.settings.Settings) -> None:
    world = floor()
    actor = world.add(crate(), settings, position=(0, 0.3, 0))
    play(world, 4.0)
    assert actor.asleep
    diagonal = float(np.linalg.norm(np.ptp(actor.body.rest, axis=0)))
    assert -0.003 * diagonal < actor.surface[:, 1].min() < 0.003 * diagonal


@pytest.mark.parametrize("shape", ["torus", "dinosaur", "teddy"])
def test_what_is_drawn_is_what_touches(shape: str) -> None:
    """The skin, not the particles, lies on the ground; and a soft body on its soles comes to rest."""
    body = getattr(pliant.shapes, shape)()
    assert body.skin is not None and len(body.rest) >= 600
    diagonal = float(np.linalg.norm(np.ptp(body.skin.vertices, axis=0)))
    world = floor()
    height = -float(body.skin.vertices[:, 1].min()) + 0.02 * diagonal
    actor = world.add(body, pliant.ShapeMatching(stiffness=16), position=(0, height, 0))
    lowest = 0.0
    for _ in range(330):
        world.step(1 / 60, substeps=4)
        lowest = min(lowest, float(actor.surface[:, 1].min()))
        if actor.asleep:
            break
    assert actor.asleep
    assert lowest > -0.01 * diagonal
    assert actor.surface[:, 1].min() > -0.003 * diagonal


def test_oriented_particles_lie_on_their_ellipsoids() -> None:
    body = pliant.shapes.dinosaur()
    diagonal = float(np.linalg.norm(np.ptp(body.skin.vertices, axis=0)))
    world = floor()
    height = -float(body.skin.vertices[:, 1].min()) + 0.1 * diagonal
    actor = world.add(body, pliant.OrientedParticles(), position=(0, height, 0))
    play(world, 8.0)
    assert actor.asleep
    assert abs(lowest({actor.name: actor.body}, world.frame())) < 0.003 * diagonal


def test_a_heavy_soft_bar_of_elements_does_not_sink_in() -> None:
    """A push acts on one particle: none of those below is left free to go under the floor."""
    bar = pliant.shapes.cuboid(size=(0.9, 2.7, 0.9), cells=(3, 9, 3))
    world = floor()
    actor = world.add(bar, pliant.Fem(young=6e4, damping=6), position=(0, 1.35, 0))
    play(world, 3.0, substeps=1)
    assert np.abs(actor.velocities).max() < 0.02
    assert actor.surface[:, 1].min() > -0.003 * 2.98


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.8])
def test_a_rigid_body_comes_back_to_e_squared_of_its_height(restitution: float) -> None:
    world = floor(restitution=restitution)
    actor = world.add(crate(), RIGID, position=(0, 1.25, 0))
    heights = []
    for _ in range(150):
        world.step(1 / 60, substeps=4)
        heights.append(actor.centre[1] - 0.25)
    lowest = next(k for k in range(1, 150) if heights[k] > heights[k - 1])
    top = next(k for k in range(lowest + 1, 150) if heights[k] < heights[k - 1])
    assert heights[top - 1] == pytest.approx(restitution**2, rel=0.05)


def on_slope(ratio: float, settings: pliant.models.settings.Settings, friction: float = 0.5) -> tuple[World, Actor]:
    """A crate on a slope of a part of the angle of friction, told by gravity."""
    angle = np.arctan(friction * ratio)
    world = floor(friction, gravity=(9.81 * np.sin(angle), -9.81 * np.cos(angle), 0))
    return world, world.add(crate(), settings, position=(0, 0.25, 0), may_sleep=False)


def test_a_box_holds_below_the_angle_of_friction_and_slides_above() -> None:
    world, actor = on_slope(0.95, RIGID)
    play(world, 3.0)
    assert abs(actor.centre[0]) < 1e-3
    world, actor = on_slope(1.05, RIGID)
    play(world, 3.0)
    angle = np.arctan(0.5 * 1.05)
    assert actor.centre[0] == pytest.approx(4.5 * 9.81 * (np.sin(angle) - 0.5 * np.cos(angle)), rel=0.05)


def test_a_soft_box_comes_to_rest_below_the_angle_of_friction() -> None:
    """It slips while it still swings; then it holds."""
    world, actor = on_slope(0.95, SOFT)
    play(world, 3.0)
    before = actor.centre[0]
    play(world, 2.0)
    assert abs(actor.centre[0] - before) < 2e-3


@pytest.mark.parametrize("settings", [RIGID, SOFT], ids=["rigid", "soft"])
def test_sliding_stops_where_friction_has_used_up_the_motion(settings: pliant.models.settings.Settings) -> None:
    world = floor()
    actor = world.add(crate(), settings, position=(0, 0.25, 0), velocity=(3, 0, 0))
    play(world, 3.0)
    assert actor.centre[0] == pytest.approx(9 / (2 * 0.5 * 9.81), rel=0.03)


CALM = pliant.ShapeMatching(damping=0)


# In single precision: what rounding leaves in the velocities of a rigid body, and in those of a model.
@pytest.mark.parametrize(("one", "other", "limit"), [(RIGID, RIGID, 1e-6), (RIGID, CALM, 3e-5), (CALM, CALM, 3e-5)])
def test_an_oblique_impact_keeps_momentum_and_angular_momentum(
    one: pliant.models.settings.Settings, other: pliant.models.settings.Settings, limit: float
) -> None:
    world = World(gravity=(0, 0, 0))
    first = world.add(crate(), one, position=(-0.6, 0.2, 0.1), velocity=(5, 0, 0))
    second = world.add(crate(), other, position=(0.3, 0, 0))
    before = momenta(world)
    met = False
    for _ in range(60):  # to the end of the impact: what comes after is the model's rounding, not contact's
        play(world, 1 / 60)
        if met and not len(world.contacts.pushes):
            break
        met = met or len(world.contacts.pushes) > 0
    after = momenta(world)
    assert np.asarray(second.velocities).mean(axis=0)[0] > 1.0 and np.asarray(first.velocities).mean(axis=0)[0] < 4.0
    assert np.abs(after - before)[:3].max() < limit * np.linalg.norm(before[:3])
    assert np.abs(after - before)[3:].max() < limit * np.linalg.norm(before[3:])


def test_contacts_are_told_and_carry_the_weight() -> None:
    world = floor()
    for k in range(2):
        world.add(crate(), RIGID, position=(0, 0.25 + 0.5 * k, 0), may_sleep=False)
    play(world, 2.0)
    contacts = world.contacts
    assert len(contacts.pushes) and (contacts.actors.sum(axis=1) == 1).all()
    upwards = np.where(contacts.actors[:, 0] == 1, 1.0, -1.0) * contacts.normals[:, 1]
    weight = crate().mass * 9.81 / 240
    assert (upwards * contacts.pushes).sum() == pytest.approx(weight, rel=0.02)
    assert contacts.points[:, 1] == pytest.approx(0.5, abs=0.01)


def test_a_world_that_goes_back_goes_on_with_the_same_bits() -> None:
    world = floor()
    world.add(crate(), SOFT, position=(0, 0.3, 0))
    world.add(crate(), RIGID, position=(0.1, 0.9, 0.05))
    play(world, 0.5)
    kept = world.snapshot()
    play(world, 0.5)
    once = [np.array(actor.positions) for actor in world.actors]
    world.restore(kept)
    play(world, 0.5)
    assert all((np.asarray(actor.positions) == was).all() for actor, was in zip(world.actors, once, strict=True))
