"""Young's modulus of oriented particles: the same material for every number of them."""

import numpy as np
import pytest

import pliant
from pliant.bench.material import DENSITY, LENGTH, YOUNG, Case, bar, way
from pliant.body import Body
from pliant.graph import graph_of
from pliant.models.oriented_particles.material import modulus_of_one


@pytest.mark.parametrize("count", [20, 60, 100])
def test_a_bar_that_hangs_is_as_long_as_its_material_says(count: int) -> None:
    case = Case("", "", bar(4), lambda **more: pliant.OrientedParticles(young=YOUNG, particles=count, **more))
    assert way(case, "stretch") == pytest.approx(DENSITY * 9.81 * LENGTH**2 / (2 * YOUNG), rel=0.15)


def hung(body: Body, settings: pliant.OrientedParticles) -> tuple[pliant.World, pliant.Actor]:
    world = pliant.World(gravity=(0, -9.81, 0), precision="double", contact=False)
    actor = world.add(body, settings)
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


def test_ropes_and_sheets() -> None:
    """Curved ones have the modulus of straight ones."""
    heights = np.linspace(0, 2, 33)
    rest = np.stack([0 * heights, heights, 0 * heights], axis=1)
    links = np.stack([np.arange(32), np.arange(1, 33)], axis=1)
    rope = Body(rest, segments=links, density=DENSITY, thickness=0.1)
    settings = pliant.OrientedParticles(young=YOUNG, particles=12, drag=20, damping=0)
    assert longer(*hung(rope, settings)) == pytest.approx(1.0, rel=0.12)
    angle = heights * 1.5
    ring = Body(np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1), segments=links, thickness=0.1)
    straight, curved = (graph_of(body, 12, 0) for body in (rope, ring))
    lengths = [np.linalg.norm(np.diff(graph.rest, axis=0), axis=1).mean() for graph in (straight, curved)]
    assert modulus_of_one(straight) / lengths[0] ** 2 == pytest.approx(2.0, rel=0.1)
    assert modulus_of_one(curved) / lengths[1] ** 2 == pytest.approx(2.0, rel=0.1)


def test_another_modulus_acts_while_it_hangs() -> None:
    world, actor = hung(bar(3), pliant.OrientedParticles(young=YOUNG, particles=40, drag=15, damping=0))
    first = longer(world, actor)
    actor.settings = actor.settings.changed(young=YOUNG / 2)
    assert longer(world, actor) == pytest.approx(2 * first, rel=0.05)
