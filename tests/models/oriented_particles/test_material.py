"""Young's modulus of oriented particles: the same material for every number of them."""

import numpy as np
import pytest

import pliant
from pliant.bench.material import DENSITY, FREE_FREE, LENGTH, SIDE, YOUNG, Case, bar, frequency, way
from pliant.body import Body
from pliant.graph import Graph, graph_of
from pliant.models.oriented_particles.material import modulus_of_one

STRETCH = DENSITY * 9.81 * LENGTH**2 / (2 * YOUNG)
SAG = DENSITY * 0.2 * LENGTH**2 / YOUNG * (12 * LENGTH**2 / (8 * SIDE**2) + 1.2)  # of Timoshenko's beam, G = E / 2


def case(across: int, count: int, seed: int = 0) -> Case:
    def settings(**more: float) -> pliant.OrientedParticles:
        return pliant.OrientedParticles(young=YOUNG, particles=count, seed=seed, **more)

    return Case("", "", bar(across), settings)


@pytest.mark.parametrize(("across", "count", "seed"), [(4, 20, 0), (4, 60, 0), (4, 100, 1), (6, 200, 0), (4, 200, 0)])
def test_a_bar_hangs_and_sags_as_its_material_says(across: int, count: int, seed: int) -> None:
    assert way(case(across, count, seed), "stretch") == pytest.approx(STRETCH, rel=0.1)
    assert way(case(across, count, seed), "bending") == pytest.approx(SAG, rel=0.15)


@pytest.mark.parametrize("count", [60, 200])
def test_a_bar_swings_as_its_material_says(count: int) -> None:
    thin = FREE_FREE**2 / (2 * np.pi) * np.sqrt(YOUNG * SIDE**2 / 12 / (DENSITY * LENGTH**4))
    # shear and the inertia of turning sections make a bar that is four times as long as thick slower by an eighth
    assert frequency(case(4, count)) == pytest.approx(0.88 * thin, rel=0.05)


def hung(body: Body, settings: pliant.OrientedParticles) -> tuple[pliant.World, pliant.Actor]:
    world = pliant.World(gravity=(0, -9.81, 0), precision="double", contact=False)
    actor = world.add(body, settings, may_sleep=False)  # it creeps
    height = np.array(actor.positions[:, 1])
    actor.pin(np.flatnonzero(height > height.max() - 1e-6))
    return world, actor


def longer(world: pliant.World, actor: pliant.Actor) -> float:
    """The last particle's way, as a part of what theory says of one so far from the pins."""
    for _ in range(120):
        world.step(1 / 60)
    rest = actor.body.rest[:, 1]
    low, length = int(rest.argmin()), float(np.ptp(rest))
    below = rest.min() - float(actor.given.rest[:, 1].min())  # hangs below it
    way = rest[low] - float(actor.positions[low, 1])
    return way / (DENSITY * 9.81 * (length**2 / 2 + below * length) / YOUNG)


def by_hand(graph: Graph) -> Graph:
    return Graph(graph.rest, edges=graph.edges, ellipsoids=graph.ellipsoids)


def test_ropes() -> None:
    """Made by hand, curved ones have the modulus of straight ones."""
    heights = np.linspace(0, 2, 33)
    rest = np.stack([0 * heights, heights, 0 * heights], axis=1)
    links = np.stack([np.arange(32), np.arange(1, 33)], axis=1)
    rope = Body(rest, segments=links, density=DENSITY, thickness=0.1)
    settings = pliant.OrientedParticles(young=YOUNG, particles=12, drag=20, damping=0)
    assert longer(*hung(rope, settings)) == pytest.approx(1.0, rel=0.02)
    angle = heights * 1.5
    ring = Body(np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1), segments=links, thickness=0.1)
    straight, curved = (by_hand(graph_of(body, 12, 0)) for body in (rope, ring))
    lengths = [np.linalg.norm(np.diff(graph.rest, axis=0), axis=1).mean() for graph in (straight, curved)]
    assert modulus_of_one(straight) / lengths[0] ** 2 == pytest.approx(2.0, rel=0.1)
    assert modulus_of_one(curved) / lengths[1] ** 2 == pytest.approx(2.0, rel=0.1)


def test_another_modulus_acts_while_it_hangs() -> None:
    world, actor = hung(bar(3), pliant.OrientedParticles(young=YOUNG, particles=40, drag=15, damping=0))
    first = longer(world, actor)
    actor.settings = actor.settings.changed(young=YOUNG / 2)
    assert longer(world, actor) == pytest.approx(2 * first, rel=0.05)


def test_stiffness_and_modulus_take_turns() -> None:
    """The edges are others under each of them."""
    world, actor = hung(bar(3), pliant.OrientedParticles(young=YOUNG, particles=40, drag=15, damping=0))
    first = [longer(world, actor) for _ in range(8)][-1]
    actor.settings = actor.settings.changed(stiffness=YOUNG)
    paper = [longer(world, actor) for _ in range(8)][-1]
    other = hung(bar(3), pliant.OrientedParticles(stiffness=YOUNG, particles=40, drag=15, damping=0))
    assert paper == pytest.approx([longer(*other) for _ in range(8)][-1], rel=1e-3)
    assert abs(paper / first - 1) > 0.1
    actor.settings = actor.settings.changed(young=YOUNG)
    assert [longer(world, actor) for _ in range(8)][-1] == pytest.approx(first, rel=1e-3)


@pytest.mark.slow
def test_momentum_is_kept() -> None:
    body = pliant.shapes.teddy()
    world = pliant.World(gravity=(0, 0, 0), precision="double", contact=False)
    actor = world.add(body, pliant.OrientedParticles(young=1e4, particles=60, damping=0))
    chance = np.random.default_rng(1)
    actor.velocities[:] = chance.normal(scale=0.3, size=actor.positions.shape)
    masses = actor.body.masses[:, None]
    before = (masses * actor.velocities).sum(axis=0)
    for _ in range(60):
        world.step(1 / 60)
    momentum = masses * actor.velocities
    assert np.abs(momentum.sum(axis=0) - before).max() < 1e-10 * np.abs(momentum).sum()


def bent_rope() -> Body:
    rope = pliant.shapes.rope(length=2.0)
    angle = rope.rest[:, 0] * np.pi / 2
    return rope.with_pose("bent", np.stack([np.sin(angle), 1 - np.cos(angle), 0 * angle], axis=1) * 2 / np.pi)


def test_a_pose_is_a_rest_of_its_own() -> None:
    """A rope that is told to be bent is bent as its pose is, and nothing pulls at it any more."""
    world = pliant.World(gravity=(0, 0, 0), precision="double", contact=False)
    settings = pliant.OrientedParticles(young=1e6, particles=16, drag=8, forced={"bent": 1.0})
    actor = world.add(bent_rope(), settings)
    for _ in range(240):
        world.step(1 / 60)
    graph = actor.body
    pose, now = graph.poses["bent"], np.array(actor.positions)
    apart = [np.linalg.norm(each[:, None] - each[None], axis=2) for each in (pose, now)]
    assert np.abs(apart[1] - apart[0]).max() < 0.01 and np.abs(apart[0]).max() < 1.35


def test_examples_do_not_make_a_free_body_faster() -> None:
    world = pliant.World(gravity=(0, 0, 0), precision="double", contact=False)
    actor = world.add(bent_rope(), pliant.OrientedParticles(young=1e5, particles=16, damping=0, example_strength=1.0))
    actor.velocities[:, 1] = 2 * actor.positions[:, 0] ** 2
    masses = actor.body.masses

    def motion() -> float:
        return float(masses @ np.square(actor.velocities).sum(axis=1))

    first, most = motion(), []
    for _ in range(300):
        world.step(1 / 240)
        most.append(motion())
    assert max(most) < first and max(most[150:]) < max(most[:150])
