"""The broad phase finds all actors that come near each other, whatever their sizes, and each pair once."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pliant
from meetings import pebble
from pliant.world import World
from pliant.world.contact import body_pair_kernels as kernels
from pliant.world.contact import layout as at
from pliant.world.contact.cell_kernels import GROUP, GROUP_ROW


def found(low: np.ndarray, high: np.ndarray, awake: np.ndarray, many: bool) -> list[tuple[int, int]]:
    count = len(low)
    rows = np.zeros((count, at.AABB))
    rows[:, :3], rows[:, 3:6] = low, high
    table = np.zeros((1 << max(1, (4 * count - 1).bit_length())) + 1, np.int64)
    entries, keys = np.zeros(count, np.int64), np.zeros(count, np.int64)
    body_pairs, scratch = np.zeros((2, 2 + count * (count + 1)), np.int64)
    materials = np.zeros((count, at.MATERIAL))
    materials[::3, at.SELF] = 1.0
    if many:
        kernels.pair_many(rows.reshape(-1), materials.reshape(-1), awake, table, entries, keys, body_pairs)
        kernels.sort_body_pairs(body_pairs, count, table, scratch)
    else:
        lanes = np.zeros(GROUP_ROW * (count // GROUP + 1), np.float32)
        kernels.pair_few(rows.reshape(-1), materials.reshape(-1), awake, lanes, body_pairs)
    assert body_pairs[1] == 0
    return [(int(a), int(b)) for a, b in body_pairs[2 : 2 + 2 * body_pairs[0]].reshape(-1, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("many", [False, True])
@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 60), st.sampled_from([0.0, 1.0, 3.0]), st.sampled_from([1.0, 3e4]))
def test_all_that_meet_and_no_others(many: bool, seed: int, count: int, spread: float, away: float) -> None:
    random = np.random.default_rng(seed)
    middles = random.uniform(-2, 2, (count, 3)) + away * random.integers(-1, 2, (count, 1))
    halves = 0.1 * np.exp(spread * random.uniform(0, 1, (count, 3)))
    low, high = middles - halves, middles + halves
    awake = (random.uniform(size=count) > 0.3).astype(np.uint32)
    expected = [
        (a, b)
        for a, b in combinations_with_replacement(range(count), 2)
        if (awake[a] or awake[b]) and (a % 3 == 0 if a == b else ((low[a] <= high[b]) & (low[b] <= high[a])).all())
    ]
    assert found(low, high, awake, many) == expected


@pytest.mark.parametrize("many", [False, True])
def test_those_that_just_touch_meet(many: bool) -> None:
    """What is told in single precision is told again in double precision."""
    low = np.array([[0.0, 0, 0], [1, 0, 0], [2 + 1e-12, 0, 0], [2 - 1e-12, 0, 0], [1e6, 1e6, 1e6]])
    awake = np.ones(5, np.uint32)
    assert found(low, low + 1.0, awake, many) == [(0, 0), (0, 1), (1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("many", [False, True])
def test_somebody_everywhere_does_not_hide_the_others(many: bool) -> None:
    """A body that is about to diverge may reach from one end of the world to the other."""
    low = np.array([[0.0, 0, 0], [0.5, 0, 0], [-np.inf, -np.inf, -np.inf], [5, 0, 0]])
    high = np.where(np.isinf(low), np.inf, low + 1.0)
    assert found(low, high, np.ones(4, np.uint32), many) == [(0, 0), (0, 1), (0, 2), (1, 2), (2, 3), (3, 3)]


@pytest.mark.parametrize("speed", [0.5, 8.0])
def test_what_leaves_its_fat_box_is_found(speed: float) -> None:
    """Body pairs last as long as no body leaves its fat AABB; one that comes from far away is met all the same."""
    world = World(gravity=(0, 0, 0))
    model = pliant.OrientedParticles(particles=12, iterations=2)
    world.add(pebble(), model, name="one")
    world.add(pebble(), model, name="two", position=(1.5, 0, 0), velocity=(-speed, 0, 0))
    contact_system, made, met = world._registry.contact_system, 0, False
    for frame in range(round(1.6 / speed * 60)):
        world.step(1 / 60, substeps=4)
        contact_system = world._registry.contact_system
        assert contact_system is not None
        made += contact_system.broad_phase.body_pairs[0] > 0
        met = met or contact_system.count > 0
        if frame == 0:
            assert contact_system.broad_phase.body_pairs[0] == 0  # they are far apart
    assert met and made > 0
    assert world["one"].centre[0] < -0.01  # it was pushed away


def test_body_pairs_last_over_steps() -> None:
    """Bodies that move little are not sorted anew in every step."""
    world = World(gravity=(0, 0, 0))
    model = pliant.OrientedParticles(particles=12, iterations=2)
    for number in range(6):
        world.add(pebble(), model, position=(0.22 * number, 0, 0), velocity=(0, 0.05 * (number % 2), 0))
    world.step(1 / 60)
    contact_system, sorted_anew = world._registry.contact_system, []
    assert contact_system is not None
    find = contact_system.broad_phase.find_body_pairs

    def count() -> None:
        sorted_anew.append(world.time)
        find()

    contact_system.broad_phase.find_body_pairs = count  # type: ignore[method-assign]
    for _ in range(16):
        world.step(1 / 60, substeps=3)
    assert contact_system.broad_phase.body_pairs[0] >= 5
    assert 1 <= len(sorted_anew) <= 4


def pairs_far_apart() -> World:
    """Six times two bodies that touch, ten metres from one pair to the next, far from the origin."""
    world = World(gravity=(0, 0, 0))
    model = pliant.OrientedParticles(particles=12, iterations=2)
    for number in range(12):
        place = (100 + 10 * (number // 2) + 0.19 * (number % 2), 0, 50)
        world.add(pebble(), model, position=place, velocity=(2, 0, 0), may_sleep=False)
    return world


def most_couples(world: World, steps: int) -> int:
    """That there were after any of so many steps."""
    most = 0
    for _ in range(steps):
        world.step(1 / 60, substeps=2)
        assert world._registry.contact_system is not None
        most = max(most, int(world._registry.contact_system.broad_phase.body_pairs[0]))
    return most


def test_who_is_seen_at_another_moment_has_not_come_from_afar() -> None:
    """How fast a body goes is told from where it was before; not if the world has gone back meanwhile."""
    world = pairs_far_apart()
    assert most_couples(world, 30) == 6
    early = world.snapshot()
    assert most_couples(world, 60) == 6
    world.restore(early)
    assert most_couples(world, 30) == 6
