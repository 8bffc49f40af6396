"""Exhibits of bodies that touch one another fail their checks when they pass through one another."""

from dataclasses import replace

import numpy as np
import pytest

import pliant
from pliant.gallery import crowd_of_52, crowd_of_180, gummy_bears, pouring, slope
from pliant.gallery.exhibit import Exhibit, Record, play
from pliant.gallery.listing import find
from pliant.gallery.touching import centres_of, lowest, overlap
from pliant.graph import graph_of


def without_contact(exhibit: Exhibit) -> Exhibit:
    def build() -> pliant.World:
        world = exhibit.build()
        world.contact = False
        return world

    return replace(exhibit, build=build)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("slope", ["contact radii that two are inside one another, at any time"]),
        ("cars-meet", ["plain and tail up: metres from middle", "squash: weight when they meet", "contact radii"]),
        ("trampoline", ["metres of the lowest part of the bear over the sheet", "contact radii that they are inside"]),
        ("crowd-of-52", ["part of the contacts that are deeper", "contact radii that any two are inside"]),
        ("crowd-of-180", ["part of the contacts that are deeper", "contact radii that any two are inside"]),
        ("gummy-bears", ["contact radii", "metres of the highest middle"]),
    ],
)
def test_checks_fail_without_contact(name: str, texts: list[str]) -> None:
    exhibit = find(name)
    record = play(replace(without_contact(exhibit), seconds=min(exhibit.seconds, 2.5)))
    if name.startswith("crowd"):  # looked at twice a second: where all are in all others, each look takes long
        record = Record(record.times[::30], record.frames[::30])
    wrong = [f"{check.text}: {check.value}" for check in exhibit.check(record) if not check.passed]
    for text in texts:
        assert any(line.startswith(text) for line in wrong), f"{text!r} passed; failed: {wrong}"


def balls(gap: float, oriented: bool) -> tuple[dict[str, pliant.Body], pliant.Frame]:
    """Two balls of radius 0.5 that are `gap` metres apart."""
    world = pliant.World()
    body = pliant.shapes.ball(radius=0.5, particles=300)
    settings = pliant.OrientedParticles(particles=1) if oriented else pliant.ShapeMatching()
    world.add(graph_of(body, 1) if oriented else body, settings, name="one")
    world.add(graph_of(body, 1) if oriented else body, settings, name="two", position=(0.6, 1 + gap - 0.2, 0))
    return {actor.name: actor.body for actor in world.actors}, world.frame()


@pytest.mark.parametrize("oriented", [False, True])
def test_overlap(oriented: bool) -> None:
    assert overlap(*balls(0.1, oriented)) == 0.0
    assert 0.2 < overlap(*balls(-0.2, oriented)) < 2.0
    assert overlap(*balls(-0.4, oriented)) > overlap(*balls(-0.2, oriented))


def test_overlap_of_ellipsoids_is_exact() -> None:
    bodies, frame = balls(-0.1, True)
    radii = [float(body.ellipsoids.radii.mean()) for body in bodies.values()]  # type: ignore[attr-defined]
    apart = np.hypot(0.6, 0.7)
    assert overlap(bodies, frame) == pytest.approx((sum(radii) - apart) / radii[0], abs=2e-3)
    assert lowest(bodies, frame) == pytest.approx(-radii[0], abs=2e-3)


def test_centres() -> None:
    bodies, frame = balls(0.3, False)
    np.testing.assert_allclose(centres_of(bodies, frame), [(0, 0, 0), (0.6, 1.1, 0)], atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("crowd", [crowd_of_52, crowd_of_180])
def test_nobody_begins_inside_another(crowd: object) -> None:
    world = crowd.build()  # type: ignore[attr-defined]
    bodies = pouring.bodies_of(world)
    toys = {name: body for name, body in bodies.items() if not name.startswith("column")}
    frame = world.frame()
    assert overlap(bodies, frame) < 0.01
    centres = centres_of(toys, frame)
    assert (np.hypot(centres[:, 0], centres[:, 2]) < pouring.COLUMN_RING - pouring.COLUMN_RADIUS).all()


@pytest.mark.slow
def test_bars_are_of_two_kinds() -> None:
    kinds = list(slope.names().values())
    assert kinds.count("twist") == kinds.count("s") == 5
    assert [list(slope.bar(kind).poses) for kind in ("twist", "s")] == [["twist"], ["s"]]


def test_the_bowl_is_solid_and_open_above() -> None:
    bowl = gummy_bears.bowl()
    inside, wall, below = (0, 1.0, 0), (0, 0.5 * gummy_bears.THICK, 0), (0, -1.0, 0)
    distances = bowl.distances([inside, wall, below])
    assert distances[0] > 0.5 and distances[1] < 0 and distances[2] > 0.5
