"""Actors that come and go, views, snapshots, settings in mid-flight, and threads."""

import gc
from typing import Any

import numpy as np
import pytest

import pliant
import worlds
from pliant.world import World
from pliant.world.paths import rotation
from worlds import run, same


def busy_world(precision: str = "single") -> World:
    """Two bodies with pins, handles on paths, forces, a bouncing floor and a moving obstacle."""
    floor = pliant.Plane(restitution=0.5)
    hammer = pliant.Sphere(centre=(0, 1, -2), radius=0.4, path=lambda t: (0, 0, 2 * np.sin(2 * t)))
    world = World(colliders=[floor, hammer], precision=precision)
    one = world.add(worlds.twist_bar(), pliant.ShapeMatching(), name="one", position=(0, 2, 0))
    two = world.add(worlds.cube(), pliant.ShapeMatching(stiffness=0.2), name="two", position=(3, 1.5, 0))
    one.pin([0, 1, 2], pliant.Path([0, 5], [(0, 0, 0), (1, 1, 0)]))
    two.grab(5, path=lambda t: (np.sin(t), 0, 0))
    two.grab(skin=0).move_to((3, 2, 1))
    one.push((100, 0, 0))
    two.push(lambda actor: actor.mass * np.sin(actor.world.time) * np.ones(3))
    return world


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("substeps", [1, 3])
def test_restored_worlds_go_on_bit_for_bit(precision: str, substeps: int) -> None:
    world = busy_world(precision)
    run(world, 0.8, substeps)
    snapshot = world.snapshot()
    run(world, 0.7, substeps)
    end = world.snapshot()
    # whatever is done in between is undone
    world["one"].settings = pliant.ShapeMatching(stiffness=1, examples="regions", damping=9)
    world["two"].push(None)
    world["two"].grab(1)
    for handle in list(world._inputs.handles)[:2]:
        handle.move_to((9, 9, 9))
    world._inputs.pins[0].release()
    world.colliders.clear()
    world.gravity = (0, 5, 0)
    run(world, 0.3)
    world.restore(snapshot)
    assert same(world.snapshot(), snapshot)
    run(world, 0.7, substeps)
    assert same(world.snapshot(), end)


def test_a_snapshot_knows_who_is_who_after_they_have_changed_places() -> None:
    """A new layout puts actors in the order of their places, which may be another one than it was."""
    world = World(gravity=(0, 0, 0))
    one = world.add(worlds.cube(), pliant.ShapeMatching(), position=(0, 0, 0), velocity=(5, 0, 0))
    two = world.add(worlds.cube(), pliant.ShapeMatching(), position=(3, 5, 0), velocity=(-5, 0, 0))
    world.step()
    snapshot, before = world.snapshot(), np.concatenate([one.positions, two.positions])
    run(world, 1)
    world.remove(world.add(worlds.ball(), pliant.ShapeMatching(), position=(0, 50, 0)))
    run(world, 0.1)
    assert one._place > two._place
    world.restore(snapshot)
    assert np.array_equal(np.concatenate([one.positions, two.positions]), before)
    run(world, 1)


def test_a_snapshot_is_for_the_same_actors() -> None:
    world = busy_world()
    snapshot = world.snapshot()
    world.remove(world["two"])
    with pytest.raises(pliant.SettingsError, match="come or gone"):
        world.restore(snapshot)


def test_others_do_not_notice_who_comes_and_goes() -> None:
    def play(disturbed: bool) -> tuple[Any, Any, Any]:
        world = World(colliders=[pliant.Plane()], precision="double")
        actor = world.add(worlds.twist_bar(), pliant.ShapeMatching(), name="star", position=(0, 1.5, 0))
        guest = world.add(worlds.cube(), pliant.ShapeMatching(), position=(9, 1, 0)) if disturbed else None
        run(world, 0.6)
        if disturbed:
            before = [np.array(a) for a in (actor.positions, actor.velocities, actor.weights)]
            other = world.add(worlds.ball(), pliant.ShapeMatching(rotation="paper"), position=(-9, 3, 0))
            assert guest is not None
            world.remove(guest)
            after = [np.array(a) for a in (actor.positions, actor.velocities, actor.weights)]
            for a, b in zip(before, after, strict=True):
                assert np.array_equal(a, b)
            run(world, 0.3)
            world.remove(other)
        else:
            run(world, 0.3)
        run(world, 0.3)
        return np.array(actor.positions), np.array(actor.velocities), actor.weights

    for a, b in zip(play(False), play(True), strict=True):
        assert a == pytest.approx(b, abs=1e-7)


def test_pins_handles_and_forces_move_with_their_actor() -> None:
    world = World()
    first = world.add(worlds.twist_bar(), pliant.ShapeMatching(), position=(5, 0, 0))
    star = world.add(worlds.cube(), pliant.ShapeMatching(), name="star")
    star.pin([0, 1])
    star.grab(26).move_to((0, 1, 0))
    star.push((0, 0, 50))
    run(world, 0.5)
    where = np.array(star.positions[:2])
    world.remove(first)
    world.add(worlds.sheet(), pliant.ShapeMatching(), position=(-5, 0, 0))
    run(world, 0.5)
    assert np.array_equal(star.positions[:2], where)
    assert star.positions[26, 1] > 0.3


def test_an_actor_that_left_says_so() -> None:
    world = busy_world()
    one = world["one"]
    world.step()
    world.remove(one)
    for use in (
        lambda: one.positions,
        lambda: one.weights,
        lambda: one.pin([0]),
        lambda: one.grab(0),
        lambda: one.push((0, 0, 0)),
        lambda: world.remove(one),
        lambda: setattr(one, "settings", pliant.ShapeMatching()),
    ):
        with pytest.raises(pliant.SettingsError, match='"one"'):
            use()
    run(world, 0.2)
    assert [actor.name for actor in world.actors] == ["two"]
    assert not world._inputs.pins


def test_names() -> None:
    world = World()
    names = [world.add(worlds.cube(), pliant.ShapeMatching()).name for _ in range(3)]
    assert names == ["cube", "cube 2", "cube 3"]
    assert world["cube 2"] is world.actors[1]
    with pytest.raises(pliant.SettingsError, match='"cube"'):
        world.add(worlds.cube(), pliant.ShapeMatching(), name="cube")
    with pytest.raises(pliant.SettingsError, match='no actor "dog"; there are: cube, cube 2, cube 3'):
        world["dog"]
    world.remove(world["cube 2"])
    assert world.add(worlds.cube(), pliant.ShapeMatching(), name="cube 2").name == "cube 2"


def test_views_write_through() -> None:
    world = World(gravity=(0, 0, 0))
    world.add(worlds.twist_bar(), pliant.ShapeMatching())
    actor = world.add(worlds.cube(), pliant.ShapeMatching(), position=(0, 1, 0))
    view = actor.positions
    view[:] += (0, 5, 0)
    actor.velocities[:] = (1, 0, 0)
    world.step(0.1)
    assert actor.centre == pytest.approx([0.1, 6, 0], abs=1e-5)
    assert view[:, 1].mean() == pytest.approx(6, abs=1e-5)  # the same memory still


def test_placing_scaling_turning_and_throwing() -> None:
    world = World(gravity=(0, 0, 0), precision="double")
    turn = rotation((0, 0, np.pi / 2))
    actor = world.add(
        worlds.bar(),
        pliant.ShapeMatching(),
        position=(1, 2, 3),
        rotation=turn,
        scale=2,
        angular_velocity=(0, 0, 1),
    )
    assert np.ptp(actor.positions, axis=0) == pytest.approx([2, 4, 2])
    assert actor.centre == pytest.approx([1, 2, 3])
    assert actor.mass == pytest.approx(8 * worlds.bar().mass)
    assert actor.velocities == pytest.approx(np.cross((0, 0, 1), actor.positions - actor.centre))
    by_quaternion = world.add(
        worlds.bar(),
        pliant.ShapeMatching(),
        position=(1, 2, 3),
        scale=2,
        rotation=(0, 0, np.sqrt(0.5), np.sqrt(0.5)),
    )
    assert by_quaternion.positions == pytest.approx(np.array(actor.positions))


def test_settings_can_be_changed_while_it_runs() -> None:
    world = World(colliders=[pliant.Plane()])
    soft = pliant.ShapeMatching(stiffness=0.1)
    actor = world.add(worlds.twist_bar(), soft, position=(0, 0.5, 0))
    run(world, 4)
    low = actor.centre[1]
    actor.settings = soft.changed(stiffness=1.0)
    run(world, 4)
    assert actor.centre[1] > low + 0.05
    where = np.array(actor.positions)
    actor.settings = soft.changed(stiffness=1.0, examples="regions")
    assert np.array_equal(actor.positions, where)
    assert actor.weights.shape == (225, 2)
    world.step()
    actor.settings = soft.changed(
        stiffness=1.0, examples={"left": lambda x: x[:, 0] < 0, "right": lambda x: x[:, 0] > 0}
    )
    assert actor.group_names == ("left", "right")
    pack = world._registry.packs["shape_matching"]
    actor.settings = actor.settings.changed(example_strength=0.5)
    assert world._ready() is world._registry.state
    assert world._registry.packs["shape_matching"] is pack  # a number was changed: nothing is prepared anew
    run(world, 1)
    actor.settings = soft.changed(weights="paper", rotation="paper")
    run(world, 0.1)
    with pytest.raises(pliant.PliantError, match="left"):
        actor.settings = soft.changed(examples={"left": [999]})
    assert actor.settings.weights == "paper"
    run(world, 0.1)


def test_damping_can_be_changed_while_it_runs() -> None:
    world = World(gravity=(0, 0, 0), precision="double")
    actor = world.add(worlds.cube(), pliant.ShapeMatching(), velocity=(1, 0, 0))
    world.step(0.1)
    actor.settings = actor.settings.changed(drag=10.0)
    world.step(0.1)
    assert worlds.momentum(actor)[0][0] / actor.mass == pytest.approx(np.exp(-1), rel=1e-6)


def test_frames_are_copies_that_nobody_can_change() -> None:
    world = busy_world()
    frame = world.frame()
    before = frame.positions["one"].copy()
    world.step()
    assert np.array_equal(frame.positions["one"], before)
    with pytest.raises(ValueError, match="read-only"):
        frame.positions["one"][0] = 0
    assert list(frame.weights) == ["one", "two"]
    assert frame.weights["one"].sum(axis=1) == pytest.approx([1])


@pytest.mark.slow
@pytest.mark.parametrize("examples", ["global", "regions"])
def test_two_threads_give_the_same_bits(examples: str) -> None:
    big = pliant.shapes.cuboid(size=(4, 1, 4), cells=(36, 14, 36))
    big = big.with_pose("flat", big.rest * (1.1, 0.7, 1.1))

    def play(threads: int) -> Any:
        world = World(colliders=[pliant.Plane(), pliant.Sphere(centre=(1, 0, 0), radius=0.4)], threads=threads)
        for i in range(2):
            world.add(big, pliant.ShapeMatching(examples=examples), position=(6 * i, 0.52, 0), velocity=(1, -2, 0))
        world.add(worlds.ball(), pliant.ShapeMatching(), position=(0, 3, 0))
        assert len(world._ready()) > 40_000
        for _ in range(4):
            world.step()
        return world.snapshot()

    assert same(play(1), play(2))


def test_a_thousand_small_actors() -> None:
    world = World(colliders=[pliant.Plane()], contact=False)  # those that swing on their pin may hit a neighbour
    for i in range(1000):
        actor = world.add(worlds.cube(), pliant.ShapeMatching(), position=(i % 32, 1 + i % 3, i // 32))
        if i % 10 == 0:
            actor.pin([0])
    assert world._registry.stale  # nothing has been laid out yet, a thousand times over
    run(world, 1)
    heights = np.array([actor.positions[:, 1].min() for actor in world.actors])
    assert heights.min() > -1e-6
    assert world.actors[10].name == "cube 11"
    alone = World(colliders=[pliant.Plane()])
    twin = alone.add(worlds.cube(), pliant.ShapeMatching(), position=(999 % 32, 1 + 999 % 3, 999 // 32))
    run(alone, 1)
    assert world.actors[999].positions == pytest.approx(np.array(twin.positions), abs=1e-3)


def test_an_empty_world_lets_time_pass() -> None:
    world = World()
    world.step(0.5, substeps=2)
    assert world.time == 0.5
    assert world.frame().positions == {}
    world.restore(world.snapshot())


def test_a_removed_body_is_not_kept_alive() -> None:
    world = World()
    actor = world.add(pliant.shapes.cuboid(size=(1, 1, 1.5), cells=(2, 2, 3)), pliant.ShapeMatching())
    world.step()
    world.remove(actor)
    world.step()
    assert not any(actor in (kept if isinstance(kept, list) else ()) for kept in gc.get_referrers(actor))
