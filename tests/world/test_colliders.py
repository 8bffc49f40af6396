"""Contact: nothing gets in, restitution, moving obstacles, and bodies that start inside one."""

import numpy as np
import pytest

import pliant
import worlds
from pliant.world import Collider, World
from pliant.world.paths import rotation
from worlds import run


def distances(collider: Collider, time: float, points: np.ndarray) -> np.ndarray:
    """Signed distances, written from the shapes' definitions."""
    turn, centre = collider.placed(time)
    q = (points - centre) @ turn
    match collider:
        case pliant.Plane():
            return q[:, 1]
        case pliant.Sphere():
            return np.linalg.norm(q, axis=1) - collider.radius
        case pliant.Box():
            return (np.abs(q) - collider.half_size).max(axis=1)
        case pliant.Capsule():
            half = np.linalg.norm(np.subtract(collider.end, collider.start)) / 2
            q[:, 1] -= np.clip(q[:, 1], -half, half)
            return np.linalg.norm(q, axis=1) - collider.radius
    raise TypeError(collider)


OBSTACLES = {
    "sphere": pliant.Sphere(centre=(0.1, 0, 0), radius=0.6),
    "box": pliant.Box(half_size=(0.5, 0.2, 0.6), rotation=rotation((0.2, 0.3, 0.1))),
    "wall": pliant.Box(half_size=(1, 0.01, 1)),
    "capsule": pliant.Capsule(start=(-0.6, 0, 0.1), end=(0.6, 0.2, 0), radius=0.3),
}


@pytest.mark.parametrize("obstacle", OBSTACLES.values(), ids=OBSTACLES)
@pytest.mark.parametrize("body", [worlds.bar, worlds.ball, worlds.sheet, worlds.rope])
def test_nothing_is_inside_after_a_step(obstacle: Collider, body: worlds.Maker) -> None:
    world = World(colliders=[pliant.Plane(point=(0, -0.8, 0)), obstacle])
    actor = world.add(body(), pliant.ShapeMatching(), position=(0, 1.6, 0), velocity=(0.3, -2, 0))
    for _ in range(180):
        world.step()
        points = np.asarray(actor.positions, np.float64)
        assert min(distances(c, world.time, points).min() for c in world.colliders) > -2e-6


@pytest.mark.parametrize("velocity", [10, 40, 200])
def test_a_thin_wall_stops_a_fast_body(velocity: float) -> None:
    world = World(gravity=(0, 0, 0), colliders=[pliant.Box(half_size=(0.01, 3, 3))])
    actor = world.add(worlds.cube(), pliant.ShapeMatching(), position=(2, 0, 0), velocity=(-velocity, 0, 0))
    run(world, 0.5)
    assert actor.positions[:, 0].min() >= 0.01 - 1e-6


@pytest.mark.parametrize("kind", ["sphere", "box", "capsule"])
@pytest.mark.parametrize("velocity", [2.0, 30.0])
def test_a_moving_obstacle_pushes_however_fast(kind: str, velocity: float) -> None:
    def path(time: float) -> tuple[float, float, float]:
        return (velocity * min(time, 6 / velocity), 0, 0)

    hammer: Collider = {
        "sphere": pliant.Sphere(centre=(-3, 0, 0), radius=0.3, path=path),
        "box": pliant.Box(centre=(-3, 0, 0), half_size=(0.1, 1, 1), path=path),
        "capsule": pliant.Capsule(start=(-3, -1, 0), end=(-3, 1, 0), radius=0.2, path=path),
    }[kind]
    world = World(gravity=(0, 0, 0), colliders=[hammer], precision="double")
    actor = world.add(worlds.cube(), pliant.ShapeMatching(stiffness=1), position=(0, 0, 0))
    for _ in range(round(6 / velocity * 60) + 2):
        world.step()
        assert distances(hammer, world.time, np.array(actor.positions)).min() > -1e-9
    assert actor.centre[0] > 2.5
    assert (actor.body.masses @ actor.velocities / actor.mass)[0] > 0.3 * velocity


def test_a_conveyor_carries_a_body_along() -> None:
    belt = pliant.Plane(path=lambda time: (0.5 * time, 0, 0))
    world = World(colliders=[belt])
    actor = world.add(worlds.bar(), pliant.ShapeMatching(), position=(0, 0.5, 0))
    run(world, 6)
    start = actor.centre
    run(world, 2)
    assert (actor.centre - start)[0] == pytest.approx(1.0, rel=0.01)


def test_a_slow_start_of_the_conveyor_is_slip_then_grip() -> None:
    belt = pliant.Plane(path=lambda time: (3.0 * time, 0, 0), friction=0.3)
    world = World(colliders=[belt])
    actor = world.add(worlds.bar(), pliant.ShapeMatching(stiffness=1), position=(0, 0.5, 0))
    run(world, 0.5)
    velocity = actor.body.masses @ actor.velocities / actor.mass
    assert velocity[0] == pytest.approx(0.3 * 9.81 * 0.5, rel=0.1)


def test_a_turning_capsule_drags_a_sheet() -> None:
    def path(time: float) -> tuple[tuple[float, float, float], np.ndarray]:
        return (0, 0, 0), rotation((0, 0, 2.0 * time))

    roller = pliant.Capsule(start=(0, 0, -1), end=(0, 0, 1), radius=0.3, friction=0.8, path=path)
    world = World(colliders=[roller])
    actor = world.add(worlds.sheet(), pliant.ShapeMatching(stiffness=0.3), position=(0, 0.32, 0))
    run(world, 1.0)
    # the top of the roller turns towards -x at 0.6 m/s
    assert actor.centre[0] < -0.1
    assert distances(roller, world.time, np.asarray(actor.positions, np.float64)).min() > -2e-6


@pytest.mark.parametrize("restitution", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("particles", [343, 729])
def test_a_ball_leaves_the_floor_with_e_of_its_speed(restitution: float, substeps: int, particles: int) -> None:
    """At least: while it is in contact it also gets what gravity takes until it has its shape again."""
    body = pliant.shapes.ball(radius=0.25, particles=particles)
    world = World(colliders=[pliant.Plane(restitution=restitution)])
    actor = world.add(body, pliant.ShapeMatching(stiffness=1), position=(0, 1 - body.rest[:, 1].min(), 0))
    speeds = []
    for _ in range(110):
        world.step(1 / 60, substeps=substeps)
        speeds.append(body.masses @ actor.velocities[:, 1] / actor.mass)
    hit = int(np.argmin(speeds))
    assert -speeds[hit] == pytest.approx(np.sqrt(2 * 9.81), rel=0.05)
    assert restitution < max(speeds[hit:]) / -speeds[hit] < 1.15 * restitution


@pytest.mark.parametrize("body", [worlds.bar, worlds.ball, worlds.cube])
def test_an_elastic_floor_gives_back_the_height_and_no_more(body: worlds.Maker) -> None:
    world = World(colliders=[pliant.Plane(restitution=1)], precision="double")
    actor = world.add(body(), pliant.ShapeMatching(damping=0), position=(0, 1.5, 0))
    run(world, 0.6)
    heights = []
    for _ in range(120):
        world.step()
        heights.append(actor.centre[1])
    assert 1.2 < max(heights) < 1.5


def test_more_restitution_bounces_higher() -> None:
    tops = []
    for restitution in (0.25, 0.5, 0.75, 1.0):
        world = World(colliders=[pliant.Plane(restitution=restitution)])
        actor = world.add(worlds.ball(), pliant.ShapeMatching(), position=(0, 1.5, 0))
        run(world, 0.6)
        heights = []
        for _ in range(120):
            world.step()
            heights.append(actor.centre[1])
        tops.append(max(heights))
    assert tops == sorted(tops)


def test_bouncing_ends_in_rest() -> None:
    world = World(colliders=[pliant.Plane(restitution=0.8)])
    actor = world.add(worlds.bar(), pliant.ShapeMatching(), position=(0, 2, 0), rotation=rotation((0.3, 0.2, 0.4)))
    run(world, 19)
    fastest = 0.0
    for _ in range(60):
        world.step()
        fastest = max(fastest, worlds.speed(actor))
    assert fastest < 0.01


@pytest.mark.parametrize("depth", [0.1, 0.5, 1.0])
@pytest.mark.parametrize(
    "obstacle",
    [
        pliant.Plane(),
        pliant.Box(centre=(0, -3, 0), half_size=(3, 3, 3)),
        pliant.Sphere(centre=(0, -4, 0), radius=4),
    ],
    ids=["plane", "box", "sphere"],
)
def test_a_body_that_starts_inside_is_not_thrown(obstacle: Collider, depth: float) -> None:
    world = World(colliders=[obstacle])
    actor = world.add(worlds.bar(), pliant.ShapeMatching(stiffness=1), position=(0, 0.5 - depth, 0))
    fastest, highest = 0.0, -np.inf
    for _ in range(120):
        world.step()
        fastest = max(fastest, float(np.abs(actor.velocities).max()))
        highest = max(highest, actor.centre[1])
    assert distances(obstacle, 0, np.asarray(actor.positions, np.float64)).min() > -2e-6
    assert fastest < 6
    assert highest < 1.2


def test_a_particle_between_two_planes_respects_both() -> None:
    walls = [pliant.Plane(normal=(1, 1, 0)), pliant.Plane(normal=(-1, 1, 0))]
    world = World(colliders=walls)
    actor = world.add(worlds.ball(), pliant.ShapeMatching(stiffness=0.3), position=(0, 1.2, 0))
    for _ in range(240):
        world.step()
        points = np.asarray(actor.positions, np.float64)
        assert min(distances(wall, 0, points).min() for wall in walls) > -1e-4
    assert worlds.speed(actor) < 0.1


def test_colliders_can_come_and_go() -> None:
    world = World()
    actor = world.add(worlds.cube(), pliant.ShapeMatching(), position=(0, 0.3, 0))
    world.colliders.append(pliant.Plane())
    run(world, 2)
    assert actor.positions[:, 1].min() > -1e-6
    world.colliders.clear()
    run(world, 0.5)
    assert actor.centre[1] < -0.5
