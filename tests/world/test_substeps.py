"""How many sub-steps a step takes: more for bodies that would pass through one another, and not by fits and starts."""

import numpy as np

import pliant
from pliant.gallery import slope
from pliant.world import World
from pliant.world.substepping import FACTOR_HOLD_TIME, MOST_CONTACT_SUBSTEPS


def meeting_at(speed: float) -> World:
    """Two balls, near enough to meet within a step."""
    world = World(gravity=(0, 0, 0))
    ball = pliant.shapes.ball()
    for side in (-1.0, 1.0):
        world.add(ball, pliant.Rigid(), position=(0.6 * side, 0, 0), velocity=(-speed * side, 0, 0))
    return world


def taken(world: World, asked: int = 1) -> int:
    """How many sub-steps the next step takes."""
    world.step(1 / 60, asked)
    return int(world._registry.state.substep_factor[0]) * asked


def test_the_faster_the_more() -> None:
    counts = [taken(meeting_at(speed)) for speed in (0.0, 5.0, 20.0, 40.0, 300.0)]
    assert counts == sorted(counts) and counts[0] == 1
    assert 1 < counts[2] <= MOST_CONTACT_SUBSTEPS and counts[-1] == MOST_CONTACT_SUBSTEPS


def test_as_asked_at_least() -> None:
    assert taken(meeting_at(0.0), 3) == 3
    assert taken(meeting_at(300.0), 3) == 12  # no more than there may be
    assert taken(meeting_at(300.0), 20) == 20


def test_fewer_only_after_a_while_and_step_by_step() -> None:
    world = meeting_at(0.0)
    world._ready().substep_factor[:] = 8.0, 0.0
    counts = [taken(world) for _ in range(round(3.5 * FACTOR_HOLD_TIME * 60))]
    assert counts[0] == 8 and counts[-1] == 1
    steps = np.flatnonzero(np.diff(counts))
    assert [counts[i] for i in steps] == [8, 4, 2]
    np.testing.assert_allclose(np.diff(steps), FACTOR_HOLD_TIME * 60, atol=1)


def test_other_sub_steps_asked_for() -> None:
    world = meeting_at(0.0)
    world._ready().substep_factor[:] = 16.0, 0.0
    assert taken(world, 4) == 16


def test_it_comes_back_with_a_snapshot() -> None:
    world = meeting_at(0.0)
    world._ready().substep_factor[:] = 8.0, 0.25
    kept = world.snapshot()
    first = [taken(world) for _ in range(40)]
    world.restore(kept)
    assert [taken(world) for _ in range(40)] == first


def test_bodies_that_vibrate_are_not_swung_up() -> None:
    """Bars that lie about and wobble: with steps that got shorter whenever they were fast, they reached 17 m/s."""
    world = slope.build()
    random = np.random.default_rng(2)
    for actor in world.actors:
        actor.positions[:] += 0.003 * random.normal(size=3)
    for _ in range(300):
        world.step(1 / 60, 2)
    fastest = max(float(np.sqrt((actor.velocities**2).sum(axis=1).mean())) for actor in world.actors)
    assert fastest < 2.0
