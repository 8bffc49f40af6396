"""Skins stay smooth in poses: a few shapes of the benchmark, and what it counts."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import pliant
from pliant.gallery import gummy_bears
from pliant.gallery.car_crash import poses

FILE = Path(__file__).parents[2] / "benchmarks" / "skin_smoothness.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("skin_smoothness", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["skin_smoothness"] = module  # its dataclasses look for it there
    spec.loader.exec_module(module)
    return module


def test_sharp_edges_are_counted_once(bench: ModuleType) -> None:
    """Two triangles, folded by 90 degrees; the edge between them is split, as at a seam."""
    flat = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.0]])
    skin = pliant.Skin(flat, [[0, 1, 2], [3, 5, 4]], np.zeros((6, 4), int), np.zeros((6, 4)))
    folded = flat + np.outer(np.arange(6) == 5, [-0.5, -0.5, np.sqrt(0.5)])
    assert bench.count(bench.Case("fold", skin, folded)) == bench.Count(1, 0, 0, 1, 1)
    assert bench.count(bench.Case("fold", skin, folded, folded)) == bench.Count(1, 0, 1, 0, 0)


def test_few_edges_of_a_coarse_car_are_new(bench: ModuleType) -> None:
    """With one tet for each vertex 123 of them were, in one of these poses."""
    car = pliant.shapes.car()
    drawn = poses(bench.surface(car))
    for name, pose in poses(car).items():
        found = bench.count(bench.Case(name, car.skin, car.skin.deform(pose), drawn[name]))
        assert found.edges > 20_000 and 1000 * found.new < found.edges


def test_few_edges_of_a_bear_of_forty_oriented_particles_are_new(bench: ModuleType) -> None:
    """With the four nearest particles a vertex 43 of them were."""
    bear = gummy_bears.bear()
    drawn = gummy_bears.flop(np.asarray(bear.skin.vertices))
    found = bench.count(bench.Case("flop", bear.skin, bear.surface("flop"), drawn))
    assert found.edges > 20_000 and 2000 * found.new < found.edges


def test_few_edges_of_shapes_are_new(bench: ModuleType) -> None:
    found = [bench.count(case) for case in bench.shapes(["teddy", "cuboid"])]
    assert len(found) >= 10
    assert all(1000 * each.new < each.edges for each in found)
