"""What contacts remember: in snapshots, across layouts, after a failure; and that nobody else has a part in it."""

from typing import Any

import numpy as np
import pytest

import pliant
import worlds
from pliant.models.settings import Settings
from pliant.world import Actor, World

MODELS = {"rigid": pliant.Rigid(), "fem": pliant.Fem(), "particles": pliant.OrientedParticles(particles=40)}


def heap(settings: Settings, world: World | None = None) -> tuple[World, list[Actor]]:
    """Three that fall on one another; the first to come is not the first from the left."""
    world = World(colliders=[pliant.Plane(restitution=0.3)]) if world is None else world
    places = ((0.4, 2.1, 0.2), (0, 0.8, 0), (0.2, 3.4, 0.1))
    return world, [world.add(worlds.cube(), settings, position=place) for place in places]


def where(actors: list[Actor]) -> Any:
    return np.concatenate([np.asarray(actor.positions) for actor in actors])


@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_who_is_far_away_changes_no_bit(settings: Settings) -> None:
    """Others are there first, of another model too; some come, and all go while the heap is in contact."""
    alone, heap_alone = heap(settings)
    crowded = World(colliders=[pliant.Plane(restitution=0.3)])
    guests = [crowded.add(worlds.ball(), pliant.ShapeMatching(), position=(50, 1.5, 0))]
    _, heap_crowded = heap(settings, crowded)
    touched = 0
    for frame in range(120):
        if frame == 50:
            guests.append(crowded.add(worlds.cube(), settings, position=(-60, 1.2, 0)))
        if frame == 80:
            for guest in guests:
                crowded.remove(guest)
        alone.step(1 / 60, substeps=2)
        crowded.step(1 / 60, substeps=2)
        touched += len(alone.contacts.depths) > 0
        assert np.array_equal(where(heap_alone), where(heap_crowded)), frame
    assert touched > 10


def test_who_sleeps_does_not_notice_who_comes_and_goes_far_away() -> None:
    world = World(colliders=[pliant.Plane()])
    lower = world.add(worlds.cube(), pliant.Rigid(), position=(0, 0.25, 0))
    upper = world.add(worlds.cube(), pliant.Rigid(), position=(0, 0.75, 0))
    guest = world.add(worlds.cube(), pliant.Rigid(), position=(40, 3, 0))
    for _ in range(300):
        world.step()
    assert lower.asleep and upper.asleep
    before = where([lower, upper])
    world.remove(guest)
    world.add(worlds.ball(), pliant.ShapeMatching(), position=(-40, 3, 0))
    world.step()
    assert lower.asleep and upper.asleep
    assert np.array_equal(where([lower, upper]), before)
    world.remove(lower)
    assert upper.centre[1] > 0.7
    for _ in range(30):
        world.step()
    assert upper.centre[1] < 0.3


@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_a_heap_goes_on_from_a_snapshot_whatever_came_between(settings: Settings) -> None:
    world, actors = heap(settings)
    for _ in range(60):
        world.step()
    moment = world.snapshot()
    assert len(moment.kept.contacts[0])  # there are contacts
    for _ in range(40):
        world.step()
    after = where(actors)
    for actor in actors:
        actor.positions[:] += (0, 3, 0)
    world.contact = False
    world.step()
    world.contact = True
    world._registry.contact_system._make_room_for_pairs()
    world.restore(moment)
    assert len(world.contacts.depths) == 0  # those of another moment are not told
    for a, b in zip(world.snapshot().kept.contacts, moment.kept.contacts, strict=True):
        assert np.array_equal(a, b)
    for _ in range(40):
        world.step()
    assert np.array_equal(where(actors), after)


@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_a_failure_leaves_what_contacts_remember(settings: Settings) -> None:
    world, actors = heap(settings)
    for _ in range(60):
        world.step()
    kept = world.snapshot().kept
    before = actors[0].velocities[0, 1].copy()
    actors[0].velocities[0, 1] = 1e30
    with pytest.raises(pliant.Diverged, match=actors[0].name):
        world.step()
    actors[0].velocities[0, 1] = before
    after = world.snapshot().kept
    for a, b in zip((*kept.contacts, *kept.turning), (*after.contacts, *after.turning), strict=True):
        assert np.array_equal(a, b)
    assert np.array_equal(kept.x, after.x)


def test_bodies_meet_only_where_contact_is_on() -> None:
    world, actors = heap(pliant.Rigid())
    world.contact = False
    for _ in range(90):
        world.step()
    assert max(actor.centre[1] for actor in actors) < 0.6
    assert len(world.contacts.depths) == 0


def test_one_that_sleeps_has_no_velocity_wherever_it_lies() -> None:
    world = World(colliders=[pliant.Plane()])
    sleeper = world.add(worlds.cube(), pliant.ShapeMatching(), position=(64, 0.5, -64))
    world.add(worlds.ball(), pliant.ShapeMatching(), position=(64, 300, -64))
    for _ in range(300):
        world.step()
    assert sleeper.asleep
    velocities = world._registry.contact_system.nodes.u.reshape(-1, 4)[sleeper._first :][: len(sleeper.body.rest)]
    assert not velocities.any()
