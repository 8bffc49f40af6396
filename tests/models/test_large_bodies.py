"""Bodies that no cache holds take another way through the kernels, which must lead to the same place."""

from importlib import import_module
from itertools import product

import numpy as np
import pytest

import pliant

# by name: the package has functions of the same names
prepare = import_module("pliant.models.shape_matching.prepare")
solve = import_module("pliant.models.shape_matching.solve")

LONG = pliant.shapes.cuboid(size=(12, 0.3, 0.3), cells=(80, 2, 2), name="pole")
LONG = LONG.with_pose("twist", pliant.poses.twist(LONG, 400, axis="x"))
LONG = LONG.with_pose("bend", pliant.poses.bend(LONG, 60))
MODES = [
    {"examples": "global"},
    {"examples": "regions"},
    {"examples": "regions", "weights": "paper"},
    {"examples": {"low": lambda x: x[:, 0] < 0}, "rotation": "paper"},
    {"forced": {"twist": 0.3}},
    {"forced": {"twist": 0.3, "bend": 0.2}, "goals": "held"},
]


def play(settings, precision="double", threads=1, body=LONG):
    world = pliant.World(precision=precision, threads=threads, colliders=[pliant.Plane()])
    actors = [world.add(body, settings, name=f"pole {i}", position=(0, 0.2, i)) for i in range(2)]
    actors[0].velocities[:] = np.sin(3 * body.rest)
    actors[1].positions[:] += 0.02 * np.sin(5 * body.rest)
    for _ in range(12):
        world.step(1 / 60)
    assert [cohort.far for cohort in world._registry.packs["shape_matching"].cohorts] == [prepare.FAR < 1000]
    return np.concatenate([np.array(actor.positions) for actor in actors])


@pytest.mark.parametrize("mode", MODES, ids=range(len(MODES)))
def test_both_ways_lead_to_the_same_place(mode, monkeypatch):
    settings = pliant.ShapeMatching(stiffness=0.7, **mode)
    near = play(settings)
    monkeypatch.setattr(prepare, "FAR", 0)
    np.testing.assert_allclose(play(settings), near, atol=1e-9)


def test_a_body_without_poses(monkeypatch):
    plain = LONG.without_pose("twist").without_pose("bend")
    settings = pliant.ShapeMatching(stiffness=0.7)
    near = play(settings, body=plain)
    monkeypatch.setattr(prepare, "FAR", 0)
    np.testing.assert_allclose(play(settings, body=plain), near, atol=1e-9)


@pytest.mark.parametrize(("precision", "threads"), [*product(["single", "double"], [2, 3, 7])])
def test_the_number_of_threads_changes_no_bit(precision, threads, monkeypatch):
    monkeypatch.setattr(prepare, "FAR", 0)
    monkeypatch.setattr(solve, "WORTH_SHARING", 0)
    settings = pliant.ShapeMatching(stiffness=0.7, examples="regions")
    np.testing.assert_array_equal(play(settings, precision, threads), play(settings, precision))


def test_rest_stays_at_rest(monkeypatch):
    monkeypatch.setattr(prepare, "FAR", 0)
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(LONG, pliant.ShapeMatching(stiffness=0.7))
    for _ in range(200):
        world.step(1 / 60)
    assert np.abs(actor.positions - LONG.rest).max() < 2e-4  # of 12 m, in single precision
