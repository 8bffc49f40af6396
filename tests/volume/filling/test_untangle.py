import sys

import numpy as np
import pytest

import meshes
from pliant.body import Skin
from pliant.volume.filling.system import PULL, assemble
from pliant.volume.filling.untangle import Goal, untangle


@pytest.fixture(scope="module")
def box():
    """A system of a box with its skin, and positions with tets inside out within."""
    rest, tets = meshes.box_arrays((1.0, 1.0, 2.0), (4, 4, 8))
    skin = Skin.of_elements(rest, tets, "solid")
    system = assemble(rest, tets, skin.indices, skin.weights, np.ones(len(skin.vertices)), skin.faces)
    inside = np.setdiff1d(np.arange(len(rest)), skin.indices)
    x = system.rest.copy()
    x[inside] += 0.15 * np.random.default_rng(0).normal(size=(len(inside), 3))
    return system, x


def volumes(system, x):
    return np.linalg.det(system.deformation(x))


def test_inverted_tets_are_turned_round(box):
    system, x = box
    assert (volumes(system, x) <= 0).sum() > 50
    surface = system.skin @ system.rest
    untangled = untangle(system, x, system.rest, surface, PULL, 1.0, 1.0)
    np.testing.assert_allclose(untangled, system.rest, atol=1e-3)  # where both parts of the energy are lowest


def test_the_usual_size_of_the_tets_makes_no_difference(box):
    system, x = box
    surface = system.skin @ system.rest
    twice = untangle(system, 2 * x, 2 * system.rest, 2 * surface, PULL / 4, 1.0, 2.0)
    assert volumes(system, twice).min() > 4


def test_slope_and_curvature_are_those_of_the_value(box):
    system, x = box
    matrix, side = system.matrix(PULL, 0.0), system.drawing_side(PULL, 1.1 * (system.skin @ system.rest))
    goal = Goal(system, matrix, side, constant=5.0, shape=2.0, stretch=1.2)
    slope, curvature = goal.slope_and_curvature(x, 0.3)
    rng = np.random.default_rng(1)
    for _ in range(3):
        way = rng.normal(size=x.shape)
        ahead, behind = goal.value(x + 1e-6 * way, 0.3), goal.value(x - 1e-6 * way, 0.3)
        assert (ahead - behind) / 2e-6 == pytest.approx(np.sum(slope * way), rel=1e-5)
        assert way.ravel() @ (curvature @ way.ravel()) > 0
    # At rest nothing has to be projected away but the turning modes: there the curvature is the true one.
    still = 1.2 * system.rest
    way = 1e-4 * rng.normal(size=x.shape)
    curvature = goal.slope_and_curvature(still, 1e-10)[1]
    inner = Goal(system, 0 * matrix, 0 * side, constant=0.0, shape=2.0, stretch=1.2)
    ahead, here, behind = (inner.value(still + k * way, 1e-10) for k in (1, 0, -1))
    assert way.ravel() @ (curvature @ way.ravel()) == pytest.approx(ahead - 2 * here + behind, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["dinosaur"], indirect=True)
def test_a_tangled_pose_is_put_right(case, monkeypatch):
    """A turn and a half about its length turns tets of the neck inside out; untangled it is reached all the same."""
    module = sys.modules["pliant.volume.filling.fill"]
    seen = []

    def watched(system, x, *others):
        seen.append((volumes(system, x) <= 0).sum())
        return untangle(system, x, *others)

    monkeypatch.setattr(module, "untangle", watched)
    target = case.twisted(540)
    filled = case.fill(target)
    assert seen[0] > 0
    assert case.volumes(filled.positions).min() > 0.05
    assert filled.fit.verdict == "reached" and filled.fit.mean < 0.003 * case.diagonal
    again = case.fill(target)
    assert np.array_equal(filled.positions, again.positions)
