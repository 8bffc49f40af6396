"""Threads go through whole sub-steps without Python where nothing needs it; the result is that of one by one."""

import importlib
from typing import Any

import numpy as np
import pytest

import pliant
from pliant.bench.contact import crowd
from pliant.world import World
from pliant.world.contact_system import ContactSystem
from worlds import same

steps: Any = importlib.import_module("pliant.world.step")


def world_of(count: int = 60) -> World:
    """Balls that touch; one of them is held by a pin."""
    world = crowd(count)
    list(world.actors)[1].pin([0, 1])
    return world


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which way each sub-step went."""
    gone: list[str] = []
    plain, through = steps._one_by_one, ContactSystem.go_through

    def one_by_one(*arguments: Any) -> int:
        gone.append("one by one")
        return int(plain(*arguments))

    def go_through(*arguments: Any) -> tuple[int, int]:
        done, bad = through(*arguments)
        gone.extend(["at once"] * done)
        return done, bad

    monkeypatch.setattr(steps, "_one_by_one", one_by_one)
    monkeypatch.setattr(ContactSystem, "go_through", go_through)
    return gone


def test_the_same_as_one_by_one(ways: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when some have fallen asleep on the way: task lists of models are others then."""
    one, other = world_of(), world_of()
    for step in range(10):
        if step == 5:
            for world in (one, other):
                world._registry.state.sleep_timers[10:30] = -1.0
                contact_system = world._registry.contact_system
                assert contact_system is not None
                contact_system._lie_down()
        ways.clear()
        one.step(1 / 60, 3)
        assert ways == ["at once"] * 3
        with monkeypatch.context() as patch:
            patch.setattr(steps, "_of_models", lambda *_: [])
            ways.clear()
            other.step(1 / 60, 3)
        assert ways == ["one by one"] * 3
        assert same(one.snapshot(), other.snapshot())
    assert len(one.contacts.depths) > 30


def test_a_model_without_task_lists_is_done_one_by_one(ways: list[str]) -> None:
    world = world_of()
    soft = world.add(pliant.shapes.cuboid(), pliant.Fem(), position=(0, 9, 0))
    ways.clear()
    world.step(1 / 60)
    world.remove(soft)
    world.step(1 / 60)
    assert ways == ["one by one", "at once"]


def test_what_is_far_out_is_stepped_with_care(ways: list[str]) -> None:
    """From where models may fail, what they write is copied before."""
    world = world_of()
    world.step(1 / 60)
    list(world.actors)[-1].positions[:] += 2e4
    ways.clear()
    world.step(1 / 60)
    assert ways == ["one by one"]


@pytest.mark.parametrize("velocity", [np.nan, np.inf, 1e30])
def test_what_leaves_the_finite_world_stops_it(velocity: float, ways: list[str]) -> None:
    world = world_of()
    world.step(1 / 60)
    actor = list(world.actors)[30]
    kept, before = actor.velocities[3].copy(), world.snapshot()
    actor.velocities[3] = velocity
    with pytest.raises(pliant.Diverged, match=actor.name):
        world.step(1 / 60)
    actor.velocities[3] = kept
    assert same(before, world.snapshot())
    ways.clear()
    world.step(1 / 60)
    assert set(ways) == {"at once"}  # as many as it was to be with that speed
