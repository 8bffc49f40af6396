"""What blends between rest and a pose cost does not hold a body back."""

import numpy as np
import pytest

import pliant
from pliant.geometry.regions import proper_rotations, regions
from pliant.models.shape_matching.relief import _relaxed, _solver, needed, relief_of
from pliant.world import World

HALF_TURN = 180.0


def twisted(cells=(2, 4, 2), degrees=HALF_TURN):
    bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=cells)
    return bar.with_pose("twist", pliant.poses.twist(bar, degrees=degrees, axis="y"))


def gram_of(bar):
    """(1, 1, 1) kg m^2: sum m~ u . u over all rings."""
    r = regions(bar.rest, bar.masses, bar.elements, bar.kind)
    return np.reshape(r.effective[r.members] @ np.square(r.shapes(bar.poses["twist"])).sum(axis=1), (1, 1, 1))


def let_go(bar, settings, seconds=20):
    """The actor after it was let go in its pose."""
    world = World(gravity=(0, 0, 0))
    actor = world.add(bar, settings)
    actor.positions[:] = bar.poses["twist"]
    for _ in range(60 * seconds):
        world.step(1 / 60)
    return world, actor


@pytest.mark.parametrize("cells", [(1, 4, 1), (2, 4, 2), (4, 4, 4)])
def test_a_coarse_twist_by_half_a_turn_goes_back_to_rest(cells):
    """It stayed at 0.9 of it."""
    actor = let_go(twisted(cells), pliant.ShapeMatching(example_strength=0.995))[1]
    assert actor.weights[0, 1] < 0.01
    assert actor.distances[0] < 0.005


def test_at_strength_1_it_stays_in_its_pose():
    actor = let_go(twisted(), pliant.ShapeMatching(example_strength=1.0))[1]
    assert actor.weights[0, 1] > 0.999
    assert actor.distances[1] < 0.001


def test_a_strength_that_is_changed_while_it_runs_is_relieved_too():
    bar = twisted()
    world, actor = let_go(bar, pliant.ShapeMatching(forced={"twist": 1.0}, forced_time=0), seconds=1)
    actor.settings = pliant.ShapeMatching(example_strength=0.9)
    actor.settings = pliant.ShapeMatching(example_strength=0.995)
    for _ in range(20 * 60):
        world.step(1 / 60)
    assert actor.weights[0, 1] < 0.01


@pytest.mark.parametrize("degrees", [90.0, HALF_TURN])
def test_relief_is_most_of_the_residual_and_never_more(degrees):
    """With more, a body would rather be half-way. The residual is found here from the twist by a part of the angle."""
    bar = twisted((4, 4, 4), degrees)
    r = regions(bar.rest, bar.masses, bar.elements, bar.kind)
    ones = np.ones(len(bar.rest))
    shapes, solver = r.shapes(bar.poses["twist"]), _solver(r, ones)
    settings = pliant.ShapeMatching(example_strength=0.995)
    kept = np.ones((len(ones), 1), bool)
    a, b = relief_of(bar, settings, np.zeros(len(ones), int), kept, [0], ones, gram_of(bar))[0, 0]
    for w in (0.05, 0.25, 0.5, 0.75, 0.95):
        start = pliant.poses.twist(bar, degrees=w * degrees, axis="y")
        residual = _relaxed(r, r.offsets + w * shapes, ones, solver, proper_rotations(r.gradients(start))).sum()
        relief = 16 * (w * (1 - w)) ** 2 * (a * (1 - w) + b * w)
        assert 0.6 * residual < relief <= residual


def test_a_residual_that_cannot_hold_a_body_is_left_in():
    """22 degrees a cell: at 0.995 it would nearly hold it, at 0.98 it is far from that."""
    bar = twisted(degrees=90.0)
    ones = np.ones(len(bar.rest))
    one, all_of = np.zeros(len(ones), int), np.ones((len(ones), 1), bool)
    for strength, relieved in ((0.995, True), (0.98, False)):
        settings = pliant.ShapeMatching(example_strength=strength)
        assert relief_of(bar, settings, one, all_of, [0], ones, gram_of(bar)).all() == relieved


def test_it_is_sought_only_where_it_can_matter():
    bar = twisted()
    assert needed(bar, pliant.ShapeMatching(example_strength=0.98))
    for other in (
        {"example_strength": 0.9},
        {"example_strength": 0.98, "examples": "regions"},
        {"example_strength": 0.98, "goals": "paper"},
        {"example_strength": 0.98, "weights": "paper"},
        {"example_strength": 0.98, "forced": {"twist": 0.5}},
    ):
        assert not needed(bar, pliant.ShapeMatching(**other))
