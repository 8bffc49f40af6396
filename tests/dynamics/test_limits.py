"""Fast bodies, bodies inside one another, many on one spot, threads, and worlds as they were."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pliant
from meetings import block, momenta, pebble, thrown
from pliant.runtime import thread_pool, waiting
from pliant.runtime.thread_pool import Worker
from pliant.world import Actor, World, contact_system
from worlds import run, same, sheet, speed


@pytest.mark.parametrize("aside", [(0, 0), (0.05, 0.03)], ids=["on a particle", "between"])
@pytest.mark.parametrize(
    ("model", "fast"),
    [
        (pliant.Rigid(), 20),
        (pliant.OrientedParticles(particles=12), 20),
        (pliant.ShapeMatching(stiffness=1.0), 8),
        (pliant.ShapeMatching(), 8),
        (pliant.Fem(), 10),
    ],
    ids=["rigid", "ellipsoids", "soft", "softer", "elements"],
)
def test_a_net_throws_back_what_flies_into_it(model: Any, fast: float, aside: tuple[float, float]) -> None:
    """Solids of tets only when they are slower: docs/contact.md."""
    world = World(gravity=(0, 0, 0))
    net = world.add(sheet(), pliant.ShapeMatching(stiffness=1.0), name="net", rotation=(0.7071068, 0, 0, 0.7071068))
    net.pin(np.flatnonzero(np.abs(net.body.rest).max(axis=1) > 0.49))
    ball = world.add(pebble(), model, name="ball", position=(*aside, 0.2), velocity=(0, 0, -fast))
    deepest = 0.0
    for _ in range(60):
        world.step(1 / 60)
        assert ball.centre[2] > net.positions[:, 2].min()  # the net gives way, and stays before it
        deepest = min(deepest, ball.centre[2])
    assert deepest < -0.05  # it went into the net
    assert ball.velocities[:, 2].mean() > 0.2  # and was thrown back


def test_blocks_do_not_pass_through_each_other_at_twenty_metres_a_second() -> None:
    world = World(gravity=(0, 0, 0))
    for name, side in (("left", -1), ("right", 1)):
        settings = pliant.ShapeMatching(stiffness=1.0)
        world.add(block(), settings, name=name, position=(side * 1.0, 0, 0), velocity=(-side * 10, 0, 0))
    for _ in range(30):
        world.step(1 / 60)
        assert world["left"].centre[0] < world["right"].centre[0]


MODELS = {
    "shape matching": pliant.ShapeMatching(),
    "oriented particles": pliant.OrientedParticles(particles=12),
    "elements": pliant.Fem(),
    "rigid": pliant.Rigid(),
}


@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_contact_changes_no_bit_of_one_that_touches_nobody(settings: Any) -> None:
    """Whether it is alone or another one is near or far; other bits if it is hit."""

    def fallen(contact: bool, away: float | None) -> NDArray[Any]:
        world = World(colliders=[pliant.Plane(restitution=0.3)], contact=contact)
        actor = world.add(block(), settings, position=(0, 0.5, 0), velocity=(1, 0, 0), may_sleep=False)
        if away is not None:
            world.add(block(), settings, position=(away, 0.6, 0.1), may_sleep=False)
        run(world, 1)
        return np.array(actor.positions)

    for away in (None, 3.0, 50.0):
        np.testing.assert_array_equal(fallen(True, away), fallen(False, away))
    assert np.abs(fallen(True, 0.6) - fallen(False, 0.6)).max() > 0.01


def crowd(threads: int) -> World:
    world = World(colliders=[pliant.Plane()], threads=threads)
    for number in range(12):
        settings: Any = pliant.ShapeMatching() if number % 2 else pliant.OrientedParticles(particles=8, iterations=2)
        body = block() if number % 3 else pebble()
        world.add(body, settings, name=f"{number}", position=(0.1 * (number % 2), 0.4 + 0.6 * number, 0.05 * number))
    return world


@pytest.mark.parametrize("moment", ["before a worker is asked", "while it is", "after that"])
def test_interrupted_while_threads_wait_for_one_another(moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that was asked waits for the others: so they all do their part before the caller hears of it."""
    monkeypatch.setattr(thread_pool, "CORES", 2)
    monkeypatch.setattr(contact_system, "WORTH_SHARING", 0)
    world = crowd(2)
    run(world, 0.5, substeps=2)
    call, make = Worker.call, waiting.make_calls
    once = iter([True])

    def interrupted_call(worker: Worker, calls: NDArray[np.int64]) -> None:
        interrupts = len(calls) > 0 and next(once, False)
        if not interrupts or moment == "while it is":
            call(worker, calls)
        if interrupts:
            raise KeyboardInterrupt

    def interrupted_make(*arguments: Any) -> None:
        if next(once, False):
            raise KeyboardInterrupt
        make(*arguments)

    workers = len(thread_pool._idle)
    with monkeypatch.context() as patch:
        if moment == "after that":
            patch.setattr(waiting, "make_calls", interrupted_make)
        else:
            patch.setattr(Worker, "call", interrupted_call)
        with pytest.raises(KeyboardInterrupt):
            world.step(1 / 60)
    assert len(thread_pool._idle) == workers  # no worker is lost, or waits for ever
    before = world.time
    run(world, 0.2, substeps=2)
    assert world.time == pytest.approx(before + 0.2)
    assert len(world.contacts.depths) and np.isfinite(world.snapshot().kept.x).all()


def pile(threads: int) -> World:
    """Balls of ellipsoids that fall on one another, some of them thrown, and are not yet at rest."""
    world = World(colliders=[pliant.Plane()], threads=threads)
    for number in range(24):
        place = (0.19 * (number % 3), 0.15 + 0.21 * (number // 6), 0.19 * (number // 3 % 2) + 0.03 * (number % 5))
        speed = (1.5, 0, -1) if number % 7 == 0 else (0, 0, 0)
        model = pliant.OrientedParticles(particles=12, iterations=2)
        world.add(pebble(), model, name=f"{number}", position=place, velocity=speed, may_sleep=False)
    return world


def test_interrupted_after_several_sub_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What threads have done without Python is counted, and seen to."""
    monkeypatch.setattr(thread_pool, "CORES", 2)
    monkeypatch.setattr(contact_system, "WORTH_SHARING", 0)
    monkeypatch.setattr(import_module("pliant.models.oriented_particles.solve"), "EFFORT_WORTH_SHARING", 1)
    world, twin = pile(2), pile(2)
    run(world, 0.4, substeps=3)
    run(twin, 0.4, substeps=3)
    make = waiting.make_calls

    def interrupted(*arguments: Any) -> None:
        make(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(waiting, "make_calls", interrupted)
        with pytest.raises(KeyboardInterrupt):
            world.step(1 / 60, 3)
    done = round(180 * (world.time - twin.time))
    assert done > 1
    twin.step(done / 180, done)
    for _ in range(10):
        assert world.time == pytest.approx(twin.time)
        np.testing.assert_array_equal(world.snapshot().kept.x, twin.snapshot().kept.x)
        world.step(1 / 60, 3)
        twin.step(1 / 60, 3)
    assert len(world.contacts.depths)


@pytest.mark.parametrize("make", [crowd, pile])
def test_snapshot_and_restore_give_the_same_frames(make: Callable[[int], World]) -> None:
    """The same as if the world had gone on, and the same each time; whatever candidates there were before."""
    world = make(1)
    for seconds in (0.2, 0.5):
        run(world, seconds, substeps=3)
        snapshot = world.snapshot()
        run(world, 0.5, substeps=3)
        ends = [world.snapshot()]
        for _ in range(2):
            world.restore(snapshot)
            run(world, 0.5, substeps=3)
            ends.append(world.snapshot())
        assert same(ends[0], ends[1]) and same(ends[1], ends[2])


def test_bodies_made_inside_one_another_come_apart_gently() -> None:
    world = World(gravity=(0, 0, 0))
    for number in range(3):
        world.add(pebble(), pliant.ShapeMatching(), name=f"{number}", position=(0.04 * number, 0, 0))
    fastest = 0.0
    for _ in range(120):
        world.step(1 / 60)
        fastest = max(fastest, *(speed(actor) for actor in world.actors))
    assert fastest < 2.0
    assert world["2"].centre[0] - world["0"].centre[0] > 0.12


@pytest.mark.slow
@pytest.mark.parametrize("settings", [pliant.ShapeMatching(), pliant.OrientedParticles(particles=4, iterations=2)])
def test_many_on_one_spot(settings: Any) -> None:
    world = World(gravity=(0, 0, 0))
    for number in range(40):
        world.add(pebble(), settings, name=f"{number}")
    apart = []
    with pytest.warns(UserWarning, match=r"were left out.*place them farther from each other") as caught:
        for _ in range(10):
            world.step(1 / 60)
            apart.append(np.linalg.norm([actor.centre for actor in world.actors], axis=1).max())
    assert len(caught) == 1  # told once
    assert apart[-1] > apart[0]  # they come apart, and gently
    for actor in world.actors:
        assert np.isfinite(actor.positions).all() and speed(actor) < 0.5


def test_contact_can_be_switched_off() -> None:
    world = thrown(contact=False, precision="double")
    before = momenta(world)
    run(world, 1.2)
    np.testing.assert_allclose(momenta(world), before, atol=1e-9 * np.abs(before).max())
    assert world["one"].centre[0] > world["other"].centre[0]
    assert len(world.contacts.depths) == 0


FOLD = 0.15  # m: radius of the fold
SHEETS = {
    "shape matching": pliant.ShapeMatching(stiffness=0.3),
    "oriented particles": pliant.OrientedParticles(particles=60, stiffness=1e4),
}


def folded(settings: Any, self_contact: bool) -> tuple[Actor, Any]:
    """A sheet that is folded about z, its wings upright, which fly at each other; and how far along the sheet each
    particle is from the fold."""
    world = World(gravity=(0, 0, 0))
    actor = world.add(sheet(), settings, self_contact=self_contact)
    along, _, deep = np.asarray(actor.body.rest).T
    angle = np.clip(along / FOLD, -np.pi / 2, np.pi / 2)
    high = FOLD * (1 - np.cos(angle)) + np.maximum(np.abs(along) - FOLD * np.pi / 2, 0)
    actor.positions[:] = np.stack([FOLD * np.sin(angle), high, deep], axis=1)
    if actor.rotations is not None:
        actor.rotations[:] = np.stack([0 * angle, 0 * angle, np.sin(angle / 2), np.cos(angle / 2)], axis=1)
    actor.velocities[:, 0] = np.where(np.abs(along) > 0.35, -3.0 * np.sign(along), 0)
    return actor, along


@pytest.mark.parametrize("settings", SHEETS.values(), ids=SHEETS)
def test_self_contact_keeps_a_sheet_from_passing_through_itself(settings: Any) -> None:
    nearest = []
    for self_contact in (False, True):
        actor, along = folded(settings, self_contact)
        left, right = along < -0.4, along > 0.4
        gaps = []
        for _ in range(40):
            actor.world.step(1 / 60, substeps=2)
            gaps.append(actor.positions[right, 0].mean() - actor.positions[left, 0].mean())
        nearest.append(min(gaps))
    assert nearest[0] < -0.3  # the wings pass through each other
    assert nearest[1] > 0.0


@pytest.mark.parametrize(
    ("given", "said"),
    [({"friction": -1}, "friction"), ({"restitution": 2}, "restitution"), ({"self_contact": 3}, "self_contact")],
)
def test_wrong_manners_are_told(given: dict[str, Any], said: str) -> None:
    with pytest.raises(pliant.PliantError, match=said):
        World().add(block(), pliant.ShapeMatching(), **given)
