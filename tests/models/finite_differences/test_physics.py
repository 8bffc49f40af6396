"""Finite differences do what their material says, on grids of one, two and three dimensions."""

import numpy as np
import pytest

import pliant
from pliant.models.finite_differences.grid import grid_of
from pliant.models.finite_differences.metric import metric_of
from pliant.models.finite_differences.prepare import described
from pliant.runtime.errors import SettingsError

YOUNG = 1e6
POISSON = 0.3
DENSITY = 1000.0


def cost(body, x, poisson=POISSON):
    """J."""
    metric = metric_of(body, grid_of(body), YOUNG, poisson)
    off = described(metric, x) - described(metric, body.rest)
    return 0.5 * float((metric.stretch + metric.bend) @ off**2)


def grids():
    return [
        (pliant.shapes.cuboid(size=(1, 0.6, 0.4), cells=(5, 3, 2)), (1, 2)),
        (pliant.shapes.sheet(size=(1, 0.6), cells=(5, 3), thickness=0.01), (2,)),
        (pliant.shapes.rope(length=1, particles=6, radius=0.05), ()),
    ]


@pytest.mark.parametrize("number", range(3))
def test_a_gentle_pull_is_answered_with_youngs_modulus(number):
    """Pulled along x and narrowed by Poisson's ratio, energy is E e^2 / 2 per volume."""
    body, narrows = grids()[number]
    strain, scale = 1e-5, np.ones(3)
    scale[0] += strain
    scale[list(narrows)] -= POISSON * strain
    volume = body.volume if body.kind != "rod" else np.pi * 0.05**2 * 1.0
    assert cost(body, body.rest * scale) == pytest.approx(YOUNG * strain**2 / 2 * volume, rel=1e-3)
    narrower = scale.copy()
    narrower[list(narrows)] -= 0.1 * strain
    if narrows:
        assert cost(body, body.rest * narrower) > cost(body, body.rest * scale)


def still(body, pinned, gravity, **settings):
    world = pliant.World(gravity=(0, -gravity, 0), precision="double")
    actor = world.add(body, pliant.FiniteDifferences(young=YOUNG, poisson=POISSON, drag=5, damping=0, **settings))
    actor.pin(pinned.tolist())
    for _ in range(300):
        world.step(1 / 15)
    return float((body.rest - actor.positions)[np.argmax(body.rest[:, 0]), 1])


@pytest.mark.slow
def test_a_cantilever_sags_as_a_beam_does():
    """Linear tets are 33 % too hard with two across; Simpson's rule across the cells bends exactly."""
    bar = pliant.shapes.cuboid(size=(4, 0.5, 0.5), cells=(16, 2, 2), density=DENSITY)
    weight = 0.02
    load, inertia = DENSITY * weight * 0.25, 0.5**4 / 12
    sag = still(bar, np.flatnonzero(bar.rest[:, 0] < -1.999), weight)
    assert sag == pytest.approx(load * 4**4 / 8 / (YOUNG * inertia), rel=0.05)


def test_a_rope_sags_as_a_beam_does():
    rope = pliant.shapes.rope(length=1, particles=31, radius=0.02, density=DENSITY)
    weight, length = 0.02, 1 - 1 / 60  # it is held at two particles, and bends from half-way between them
    load, inertia = DENSITY * weight * np.pi * 0.02**2, np.pi * 0.02**4 / 4
    assert still(rope, np.arange(2), weight) == pytest.approx(load * length**4 / 8 / (YOUNG * inertia), rel=0.02)


def test_a_sheet_resists_being_rolled_as_a_plate_does():
    """Round a cylinder of radius R: D / (2 R^2) per area, whichever way it is rolled; a saddle and a dome differ by
    Poisson's ratio."""
    thick, radius = 0.01, 50.0
    sheet = pliant.shapes.sheet(size=(1, 1), cells=(20, 20), thickness=thick)
    rigidity = YOUNG * thick**3 / 12 / (1 - POISSON**2)
    x, z = sheet.rest[:, 0], sheet.rest[:, 2]
    found = {}
    for name, height in {"x": x**2, "z": z**2, "dome": x**2 + z**2, "saddle": x**2 - z**2, "twist": 2 * x * z}.items():
        bent = sheet.rest.copy()
        bent[:, 1] = height / (2 * radius)
        metric = metric_of(sheet, grid_of(sheet), YOUNG, POISSON)
        off = described(metric, bent) - described(metric, sheet.rest)
        found[name] = 0.5 * float(metric.bend @ off**2) / (rigidity / radius**2)
    inside = 19 / 20  # the outermost half cells of a sheet that is bent are straight
    assert found["x"] == pytest.approx(0.5 * inside, rel=0.05)
    assert found["z"] == pytest.approx(found["x"], rel=1e-9)
    assert found["dome"] == pytest.approx((1 + POISSON) * inside, rel=0.08)
    assert found["saddle"] == pytest.approx((1 - POISSON) * inside, rel=0.08)
    assert found["twist"] == pytest.approx(1 - POISSON, rel=0.01)


def test_a_body_without_a_grid_is_refused_and_told_what_would_do():
    world = pliant.World()
    bent = pliant.shapes.rope(particles=5)
    uneven = pliant.Body(bent.rest * [[1], [1], [1], [1], [1.5]], segments=bent.segments, thickness=0.1, name="uneven")
    for body, instead in (
        (pliant.shapes.ball(particles=100), "Fem or ShapeMatching"),
        (uneven, "MassSpring or OrientedParticles"),
    ):
        with pytest.raises(SettingsError, match=f"regular grid.*use {instead}"):
            world.add(body, pliant.FiniteDifferences())


def test_grids_are_found_whatever_the_order_of_the_particles():
    body = pliant.shapes.cuboid(size=(1, 2, 3), cells=(2, 3, 4))
    order = np.random.default_rng(2).permutation(len(body.rest))
    places = np.argsort(order)
    shuffled = pliant.Body(body.rest[order], tets=places[body.tets])
    grid = grid_of(shuffled)
    assert grid is not None
    assert grid.numbers.shape == (3, 4, 5)
    np.testing.assert_allclose(grid.spacing, (1 / 2, 2 / 3, 3 / 4))
    steps = np.diff(shuffled.rest[grid.numbers], axis=2)
    np.testing.assert_allclose(steps, np.broadcast_to((0, 0, 3 / 4), steps.shape), atol=1e-12)


@pytest.mark.slow
def test_one_iteration_and_many_end_in_the_same_place():
    """The semi-implicit step and implicit Euler differ on the way, not where forces are in balance."""
    sags = []
    for iterations in (1, 8):
        bar = pliant.shapes.cuboid(size=(2, 0.5, 0.5), cells=(8, 2, 2), density=DENSITY)
        sags.append(still(bar, np.flatnonzero(bar.rest[:, 0] < -0.999), 1.0, iterations=iterations))
    assert sags[0] == pytest.approx(sags[1], rel=1e-3)


def test_material_and_bending_can_be_changed_on_the_way():
    world = pliant.World(gravity=(0, 0, 0), precision="double")
    sheet = pliant.shapes.sheet(cells=(4, 4), thickness=0.1)
    actor = world.add(sheet, pliant.FiniteDifferences(poisson=0.0))
    world.step(1 / 60)
    actor.settings = actor.settings.changed(poisson=0.4, young=3e5, bending=2.0)
    world.step(1 / 60)
    changed = world._registry.packs["finite_differences"].players[0]
    fresh = metric_of(sheet, grid_of(sheet), 3e5, 0.4)
    np.testing.assert_allclose(changed.stiffness, fresh.stretch + 2.0 * fresh.bend)
