"""Threads go through a whole sub-step without Python where nothing needs it; the result is that of one by one."""

import importlib
from typing import Any

import numpy as np
import pytest

import pliant
from pliant.bench.contact import crowd
from pliant.runtime import thread_pool
from pliant.runtime.thread_pool import ThreadPool
from pliant.world import World

steps: Any = importlib.import_module("pliant.world.step")


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads wait for one another only if each has a processor; here they do so all the same."""
    monkeypatch.setattr(thread_pool, "CORES", 2)


def world_of(threads: int, count: int = 200) -> World:
    """2,400 particles that touch; one ball is held by a pin."""
    world = crowd(count)
    world._pool = ThreadPool(threads)
    list(world.actors)[1].pin([0, 1])
    return world


def state_of(world: World) -> list[Any]:
    s = world._registry.state
    return [array.copy() for array in (s.x, s.v, s.q, s.w, s.hulls, s.pushes)]


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which way each sub-step went."""
    gone: list[str] = []
    plain, at_once = steps._one_by_one, steps._all_at_once

    def one_by_one(*arguments: Any) -> int:
        gone.append("one by one")
        return int(plain(*arguments))

    def all_at_once(*arguments: Any) -> tuple[int, int]:
        done, bad = at_once(*arguments)
        gone.extend(["at once"] * done)
        return done, bad

    monkeypatch.setattr(steps, "_one_by_one", one_by_one)
    monkeypatch.setattr(steps, "_all_at_once", all_at_once)
    return gone


@pytest.mark.slow
@pytest.mark.parametrize("held", [False, True])
def test_the_same_as_one_by_one(held: bool, ways: list[str]) -> None:
    worlds = [world_of(threads) for threads in (1, 2)]
    if held:
        for world in worlds:
            list(world.actors)[2].grab(particle=3, path=lambda t: (0.1 * np.sin(9 * t), 0.0, 0.0))
    for _ in range(10):
        for world, way in zip(worlds, ("one by one", "at once"), strict=True):
            ways.clear()
            world.step(1 / 60, 3)
            assert ways == [way] * 3
    for one, other in zip(*map(state_of, worlds), strict=True):
        np.testing.assert_array_equal(one, other)
    assert len(worlds[0].contacts.depths) > 200


def test_a_path_that_turns_needs_python(ways: list[str]) -> None:
    worlds = [world_of(threads) for threads in (1, 2)]
    for world in worlds:
        ways.clear()
        pin = next(iter(world.actors)).pin([0], path=lambda t: (0.1 * np.sin(9 * t), 0.0, 0.0))
        for _ in range(5):
            world.step(1 / 60, 2)
        assert ways == ["one by one"] * 10
        pin.release()
        world.step(1 / 60)
    assert ways[-1] == "at once"
    for one, other in zip(*map(state_of, worlds), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_model_that_hands_out_no_jobs_needs_python(ways: list[str]) -> None:
    world = world_of(2)
    world.step(1 / 60)
    assert ways == ["at once"]
    soft = world.add(pliant.shapes.cuboid(), pliant.Fem(), position=(0, 9, 0))
    world.step(1 / 60)
    world.remove(soft)
    world.step(1 / 60)
    assert ways[1:] == ["one by one", "at once"]


def test_somebody_far_out_is_stepped_with_care(ways: list[str]) -> None:
    """From where models may fail, what they write is copied before."""
    worlds = [world_of(threads) for threads in (1, 2)]
    for world in worlds:
        world.step(1 / 60)
        list(world.actors)[-1].positions[:] += 2e4
        ways.clear()
        world.step(1 / 60)
        assert ways == ["one by one"]
    for one, other in zip(*map(state_of, worlds), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("velocity", [np.nan, np.inf, 1e30])
def test_who_leaves_the_finite_world_stops_it(velocity: float, ways: list[str]) -> None:
    world = world_of(2)
    world.step(1 / 60)
    actor = list(world.actors)[100]
    kept = actor.velocities[3].copy()
    before = state_of(world)
    actor.velocities[3] = velocity
    with pytest.raises(pliant.Diverged, match=actor.name):
        world.step(1 / 60)
    contact_system = world._registry.contact_system
    assert contact_system is not None and contact_system.broad_phase.stale  # candidates may have had no finite place
    actor.velocities[3] = kept
    for one, other in zip(before, state_of(world), strict=True):
        np.testing.assert_array_equal(one, other)
    ways.clear()
    world.step(1 / 60)
    assert set(ways) == {"at once"}  # as many as it was to be with that speed


def test_bodies_that_fall_asleep_on_the_way() -> None:
    """Task lists of models are others when some sleep."""
    worlds = [world_of(threads) for threads in (1, 2)]
    for world in worlds:
        for step in range(4):
            world.step(1 / 60, 2)
            contact_system = world._registry.contact_system
            assert contact_system is not None
            if step == 1:
                world._registry.state.sleep_timers[40:90] = -1.0
                contact_system._put_to_sleep(range(40, 90))
    assert (worlds[1]._registry.state.sleep_timers < 0).sum() > 10
    for one, other in zip(*map(state_of, worlds), strict=True):
        np.testing.assert_array_equal(one, other)
