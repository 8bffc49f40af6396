"""Bodies that land come to rest, and bodies at rest stay there."""

import numpy as np
import pytest

import pliant
import worlds
from pliant.world.paths import rotation
from worlds import run, speed

FALLING = {
    "bar": worlds.bar,
    "twist": worlds.twist_bar,
    "ball": worlds.ball,
    "bear": worlds.bear,
    "sheet": worlds.sheet,
    "rope": worlds.rope,
}
CASES = [(0.1, "single", 1), (0.5, "single", 4), (0.5, "double", 2), (1.0, "single", 1), (1.0, "double", 3)]


@pytest.mark.slow
@pytest.mark.parametrize("name", FALLING)
@pytest.mark.parametrize(("stiffness", "precision", "substeps"), CASES)
def test_a_dropped_body_comes_to_rest_and_stays(name: str, stiffness: float, precision: str, substeps: int) -> None:
    world = pliant.World(colliders=[pliant.Plane()], precision=precision)
    actor = world.add(
        FALLING[name](),
        pliant.ShapeMatching(stiffness=stiffness),
        position=(0, 2, 0),
        rotation=rotation((0.3, 0.2, 0.4)),
    )
    run(world, 15, substeps)
    where = np.array(actor.positions, np.float64)
    fastest = 0.0
    for _ in range(5 * 60):
        world.step(1 / 60, substeps=substeps)
        fastest = max(fastest, speed(actor))
    assert fastest < 0.002
    assert np.abs(actor.positions - where).max() < 5e-4
    assert actor.positions[:, 1].min() > -1e-6


def test_a_soft_body_wobbles_for_a_second_or_two() -> None:
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(worlds.ball(), pliant.ShapeMatching())
    actor.velocities[:] = actor.positions * (1, -0.5, -0.5)
    speeds = []
    for _ in range(300):
        world.step()
        speeds.append(speed(actor))
    first, second, late = max(speeds[:30]), max(speeds[60:90]), max(speeds[-30:])
    assert 0.15 * first < second < 0.7 * first
    assert late < 0.05 * first


def on_slope(
    body: pliant.Body, degrees: float, friction: float, stiffness: float, precision: str = "single"
) -> tuple[pliant.World, pliant.Actor, np.ndarray]:
    """A body laid on a slope that goes down along +x, and the direction downhill."""
    turn = rotation((0, 0, -np.radians(degrees)))
    normal = turn @ [0.0, 1.0, 0.0]
    world = pliant.World(colliders=[pliant.Plane(normal=normal, friction=friction)], precision=precision)
    lift = 0.002 - body.rest[:, 1].min()
    actor = world.add(body, pliant.ShapeMatching(stiffness=stiffness), position=normal * lift, rotation=turn)
    return world, actor, turn @ [1.0, 0.0, 0.0]


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize(
    ("body", "degrees", "stiffness"),
    [
        (worlds.bar, 20, 0.5),
        (worlds.bar, 20, 1.0),
        (worlds.sheet, 20, 0.1),
        (worlds.bear, 5, 0.3),
        (worlds.twist_bar, 20, 0.5),
        (worlds.ball, 10, 0.1),  # so soft that it lies on its belly; a stiff ball would roll
    ],
)
def test_nothing_creeps_below_the_friction_angle(
    body: worlds.Maker, degrees: float, stiffness: float, substeps: int, precision: str
) -> None:
    world, actor, _ = on_slope(body(), degrees, 0.5, stiffness, precision)
    run(world, 12, substeps)
    where = np.array(actor.positions, np.float64)
    run(world, 20, substeps)
    assert np.abs(actor.positions - where).max() < 1e-3


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("stiffness", [0.5, 1.0])
@pytest.mark.parametrize(("degrees", "friction"), [(20, 0.1), (35, 0.5), (30, 0.0)])
def test_above_the_friction_angle_it_slides(degrees: float, friction: float, stiffness: float, substeps: int) -> None:
    world, actor, downhill = on_slope(worlds.bar(), degrees, friction, stiffness)
    run(world, 0.5, substeps)
    times, ways = [], []
    for _ in range(90):
        world.step(1 / 60, substeps=substeps)
        times.append(world.time)
        ways.append(actor.centre @ downhill)
    angle = np.radians(degrees)
    expected = 9.81 * (np.sin(angle) - friction * np.cos(angle))
    assert 2 * np.polyfit(times, ways, 2)[0] == pytest.approx(expected, rel=0.1)
