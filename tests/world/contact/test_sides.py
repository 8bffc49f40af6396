"""A crowd cut in two, so that two threads can part it together."""

import numpy as np
import pytest

import pliant
from pliant.world import World
from pliant.world.contact import layout as at
from pliant.world.contact import side_kernels as sides
from pliant.world.contact.arena import Arena


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


def arena_of(world: World) -> Arena:
    assert world._cast.arena is not None
    return world._cast.arena


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_half_of_the_particles_are_on_either_side(axis: int) -> None:
    world = crowd(axis)
    world.step(1 / 60)
    places = np.array([actor.centre[axis] for actor in world._cast.order])
    side = arena_of(world).sides
    assert abs(int(side.sum()) - 20) <= 1
    assert places[side == 0].max() < places[side == 1].min()


def test_contacts_are_in_three_parts() -> None:
    world = crowd(0)
    world.step(1 / 60)
    arena = arena_of(world)
    rows, total = arena.contacts.reshape(-1, at.CONTACT), 0
    for part in range(sides.PARTS):
        first, last = arena.bounds[sides.ROWS + 2 * part : sides.ROWS + 2 * part + 2]
        spheres = rows[first:last, [at.ONE, at.OTHER]].astype(int)
        assert (arena.sides[arena.owners[spheres]].sum(axis=1) == part).all()
        assert last > first
        total += last - first
    assert total == arena.count == len(arena.rows)
    assert (arena.rows[:, at.PUSH] > 0.0).sum() == len(world.contacts.depths)


def test_those_from_left_to_right_follow_one_another_in_memory() -> None:
    world = crowd(0)
    world.step(1 / 60)
    assert (np.diff([actor.centre[0] for actor in world._cast.order]) > 0).all()


def test_one_that_sleeps_does_not_weigh() -> None:
    world = crowd(0)
    world.step(1 / 60)
    arena = arena_of(world)
    world._cast.state.naps[:20] = -1.0
    arena.recall()
    arena.lookout.haste((0, 0, 0), 1 / 60, 1.0)
    assert (arena.sides[:20] == 0).all() and abs(int(arena.sides.sum()) - 10) <= 1
