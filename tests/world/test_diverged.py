"""A step that would yield NaN or infinity raises, names the actor, and leaves everything as it was."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pliant
import worlds
from pliant.world import Actor, World
from worlds import run, same


def scene(precision: str = "single") -> tuple[World, Actor]:
    world = World(colliders=[pliant.Plane(restitution=0.3)], precision=precision)
    world.add(worlds.cube(), pliant.ShapeMatching(), name="bystander", position=(5, 1, 0))
    actor = world.add(worlds.twist_bar(), pliant.ShapeMatching(), name="victim", position=(0, 1, 0))
    world.add(worlds.cube(), pliant.ShapeMatching(), name="other", position=(-5, 1, 0))
    run(world, 0.5)
    return world, actor


def write(name: str, value: float) -> Callable[[Actor], Callable[[], None]]:
    def spoil(actor: Actor) -> Callable[[], None]:
        rows = getattr(actor, name)
        before = rows[7, 1].copy()
        rows[7, 1] = value
        return lambda: rows.__setitem__((7, 1), before)

    return spoil


def push(force: object) -> Callable[[Actor], Callable[[], None]]:
    def spoil(actor: Actor) -> Callable[[], None]:
        actor.push(force)  # type: ignore[arg-type]
        return lambda: actor.push(None)

    return spoil


CAUSES = {
    "force nan": push((0, np.nan, 0)),
    "force inf": push(lambda actor: (np.inf, 0, 0)),
    "force huge": push((1e300, 0, 0)),
    "position nan": write("positions", np.nan),
    "position inf": write("positions", np.inf),
    "position huge": write("positions", 1e20),
    "velocity nan": write("velocities", np.nan),
    "velocity huge": write("velocities", 1e30),
}


@pytest.mark.parametrize("cause", CAUSES.values(), ids=CAUSES)
@pytest.mark.parametrize("precision", ["single", "double"])
def test_it_names_the_actor_changes_nothing_and_goes_on(
    cause: Callable[[Actor], Callable[[], None]], precision: str
) -> None:
    world, actor = scene(precision)
    repair = cause(actor)
    before = world.snapshot()
    for _ in range(2):
        with pytest.raises(pliant.Diverged, match=r'"victim" diverged at 0\.5'):
            world.step()
        assert same(world.snapshot(), before)
    repair()
    run(world, 0.3)
    assert np.isfinite(actor.positions).all()


def test_only_the_last_good_sub_step_counts() -> None:
    world, actor = scene()
    twin, twin_actor = scene()
    actor.push(lambda a: (np.nan, 0, 0) if a.world.time > 0.51 else (0, 0, 0))
    twin_actor.push((0, 0, 0))
    twin.step(1 / 120)
    with pytest.raises(pliant.Diverged):
        world.step(1 / 30, substeps=4)
    twin.step(1 / 120)
    assert world.time == pytest.approx(0.5 + 2 / 120)
    assert same(world.snapshot(), twin.snapshot())


@given(
    st.lists(st.floats(-9.5, 9.5), min_size=6, max_size=6),
    st.floats(1e-6, 10),
    st.booleans(),
    st.integers(0, 26),
)
@settings(max_examples=60)
def test_wild_places_either_work_or_change_nothing(
    powers: list[float], scale: float, many: bool, particle: int
) -> None:
    """Finite places so far out that a model's products overflow."""
    world = World(colliders=[pliant.Plane()])
    body = worlds.cube().with_pose("squash", worlds.cube().rest * (1.2, 0.5, 1.2))
    actor = world.add(body, pliant.ShapeMatching(examples="regions"), scale=scale)
    world.step()
    rows = slice(None, None, 3) if many else slice(particle, particle + 1)
    actor.positions[rows] = np.sign(powers[:3]) * 10.0 ** np.abs(powers[:3])
    actor.velocities[rows] = np.sign(powers[3:]) * 10.0 ** np.abs(powers[3:])
    for _ in range(4):
        before = world.snapshot()
        try:
            world.step()
        except pliant.Diverged:
            assert same(world.snapshot(), before)
            break
        assert np.isfinite(actor.positions).all()
        assert np.isfinite(actor.velocities).all()
        assert np.isfinite(actor.weights).all()


@pytest.mark.parametrize("bad", [(np.nan, 0, 0), (0, 1e30, 0), "up", ((0, 0, 0), np.zeros((3, 3))), (0, 0)])
def test_a_path_that_gives_nonsense_changes_nothing(bad: object) -> None:
    def path(time: float) -> object:
        return (0, 0, 0) if time < 0.2 else bad

    for attach in (
        lambda world, actor: actor.pin([0], path),
        lambda world, actor: actor.grab(0, path=path),
        lambda world, actor: world.colliders.append(pliant.Sphere(centre=(0, -9, 0), path=lambda t: path(t - 0.5))),
    ):
        world, actor = scene()
        attach(world, actor)
        run(world, 0.15)
        with pytest.raises(pliant.SettingsError, match="path gave"):
            run(world, 1)
        before = world.snapshot()
        with pytest.raises(pliant.SettingsError, match="path gave"):
            world.step()
        assert same(world.snapshot(), before)


def test_a_force_function_that_raises_changes_nothing() -> None:
    world, actor = scene()
    actor.push(lambda a: 1 / 0)
    before = world.snapshot()
    with pytest.raises(ZeroDivisionError):
        world.step()
    assert same(world.snapshot(), before)


def test_bodies_crushed_flat_or_inside_out_recover() -> None:
    for shape in ((0, 0, 0), (1, 0, 1), (1, 1, -1)):
        world = World(gravity=(0, 0, 0))
        actor = world.add(worlds.bar(), pliant.ShapeMatching(damping=5))
        actor.positions[:] *= shape
        run(world, 15)
        lengths = np.linalg.norm(actor.positions[:, None] - actor.positions[None], axis=2)
        rest = np.linalg.norm(actor.body.rest[:, None] - actor.body.rest[None], axis=2)
        assert np.abs(lengths - rest).max() < 0.05
