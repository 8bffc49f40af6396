"""All bodies cut in two sides, so that two threads can part them together."""

import numpy as np
import pytest

import pliant
from pliant.world import World
from pliant.world.contact import layout as at
from pliant.world.contact import side_kernels as sides
from pliant.world.contact.contact_system import ContactSystem


def crowd(axis: int, count: int = 40) -> World:
    """Pebbles in a row that touch one another."""
    world = World(gravity=(0, 0, 0))
    settings = pliant.OrientedParticles(particles=8, iterations=2)
    ball = pliant.shapes.ball(radius=0.2, particles=60)
    for number in np.random.default_rng(5).permutation(count):
        place = np.zeros(3)
        place[axis] = 0.3 * number
        world.add(ball, settings, name=f"{number}", position=place)
    return world


def contact_system_of(world: World) -> ContactSystem:
    assert world._registry.contact_system is not None
    return world._registry.contact_system


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_half_of_the_particles_are_on_either_side(axis: int) -> None:
    world = crowd(axis)
    world.step(1 / 60)
    places = np.array([actor.centre[axis] for actor in world._registry.order])
    side = contact_system_of(world).sides
    assert abs(int(side.sum()) - 20) <= 1
    assert places[side == 0].max() < places[side == 1].min()


def test_contacts_are_in_three_parts() -> None:
    world = crowd(0)
    world.step(1 / 60)
    contact_system = contact_system_of(world)
    rows, total = contact_system.contacts.reshape(-1, at.CONTACT), 0
    for part in range(sides.PARTS):
        first, last = contact_system.bounds[sides.PART_ROWS + 2 * part : sides.PART_ROWS + 2 * part + 2]
        spheres = rows[first:last, [at.ONE, at.OTHER]].astype(int)
        assert (contact_system.sides[contact_system.owners[spheres]].sum(axis=1) == part).all()
        assert last > first
        total += last - first
    assert total == contact_system.count == len(contact_system.rows)
    assert (contact_system.rows[:, at.PUSH] > 0.0).sum() == len(world.contacts.depths)


def test_those_from_left_to_right_follow_one_another_in_memory() -> None:
    world = crowd(0)
    world.step(1 / 60)
    assert (np.diff([actor.centre[0] for actor in world._registry.order]) > 0).all()


def test_one_that_sleeps_does_not_weigh() -> None:
    world = crowd(0)
    world.step(1 / 60)
    contact_system = contact_system_of(world)
    world._registry.state.sleep_timers[:20] = -1.0
    contact_system.recall()
    contact_system.broad_phase.relative_motion_bound((0, 0, 0), 1 / 60, 1.0)
    assert (contact_system.sides[:20] == 0).all() and abs(int(contact_system.sides.sum()) - 10) <= 1
