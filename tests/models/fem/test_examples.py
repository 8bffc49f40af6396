"""Finite elements with examples: the twist angles of METHODS, local examples, remote coupling, the forms compared."""

from functools import cache

import numpy as np
import pytest

import pliant
import twist_bars
from pliant.elastic.elements import elements_of
from pliant.models.fem.equilibrium import equilibrium

GRAVITY = (0.0, -9.81, 0.0)


@cache
def squashed(stiffness, form="realised"):
    """Twist (degrees) and weight of the bar pressed together by a fifth."""
    bar = twist_bars.twisted()
    start, fixed = twist_bars.squashed(bar)
    settings = pliant.Fem(young=1e5, poisson=0.3, example_stiffness=stiffness, manifold=form)
    found = equilibrium(bar, settings, start=start, fixed=fixed)
    assert found.outcome.converged
    assert all(b <= a for a, b in zip(found.outcome.energies, found.outcome.energies[1:], strict=False))
    assert found.weights.sum() == pytest.approx(1) and found.weights.min() >= 0
    return -twist_bars.angle(bar, found.positions), found.weights[0, 1]


@cache
def standing(stiffness, form="realised"):
    """Twist (degrees) of the bar standing under its weight."""
    bar = twist_bars.twisted()
    settings = pliant.Fem(young=1e5, poisson=0.3, example_stiffness=stiffness, manifold=form)
    found = equilibrium(bar, settings, fixed=twist_bars.ends(bar)[0], gravity=GRAVITY)
    assert found.outcome.converged
    return -twist_bars.angle(bar, found.positions)


@pytest.mark.parametrize(("stiffness", "degrees", "weight"), [(1, 45.6, 0.79), (10, 83.4, 0.97), (40, 88.3, 0.99)])
def test_a_squashed_bar_twists(stiffness, degrees, weight):
    angle, w = squashed(stiffness)
    assert angle == pytest.approx(degrees, rel=0.02)
    assert w == pytest.approx(weight, rel=0.02)


@pytest.mark.parametrize(("stiffness", "degrees"), [(1, 4.0), (10, 7.1), (40, 7.5)])
def test_a_standing_bar_twists_under_its_weight(stiffness, degrees):
    assert standing(stiffness) == pytest.approx(degrees, rel=0.02)


@pytest.mark.parametrize("stiffness", [1, 10, 40])
def test_the_fast_sibling_follows(stiffness):
    assert squashed(stiffness, "strain")[0] == pytest.approx(squashed(stiffness)[0], rel=0.03)
    assert standing(stiffness, "strain") == pytest.approx(standing(stiffness), rel=0.03)


@pytest.mark.slow
def test_a_strict_penalty_is_the_realised_form():
    assert squashed(40, "penalty")[0] == pytest.approx(squashed(40)[0], rel=0.003)
    assert standing(10, "penalty") == pytest.approx(standing(10), rel=0.003)


def test_a_twist_that_keeps_its_length_does_nothing_under_compression():
    plain = twist_bars.plain((4, 8, 4))
    bar = plain.with_pose("twist", pliant.poses.twist(plain, 90, axis="y"))
    assert [finding.kind for finding in bar.report().findings] == ["length-kept"]
    start, fixed = twist_bars.squashed(bar, 0.05)
    found = equilibrium(bar, pliant.Fem(example_stiffness=10), start=start, fixed=fixed)
    assert abs(twist_bars.angle(bar, found.positions)) < 1


@pytest.mark.parametrize("form", ["realised", "strain"])
def test_poses_in_different_parts_act_by_themselves(form):
    plain = twist_bars.plain((2, 12, 2))
    height = plain.rest[:, 1]

    def bulged(low, high):
        """A part that is wider and shorter in all its height."""
        inside = np.clip((height - low) / (high - low), 0, 1)
        wide = 1 + 0.25 * np.sin(np.pi * inside) ** 2
        shape = plain.rest * np.stack([wide, np.ones_like(wide), wide], axis=1)
        shape[:, 1] -= 0.1 * (high - low) * inside
        return shape

    body = plain.with_pose("low", bulged(-1.5, -0.5)).with_pose("high", bulged(0.5, 1.5))
    bottom, top = twist_bars.ends(body)
    start, fixed = body.rest.copy(), bottom | top
    middle = (height > 0.2) & (height < 0.3)
    assert middle.any()
    # the upper part alone is pressed: from the middle on, the lower one is held as it is
    start[height > 0.3, 1] -= 0.1 * np.clip((start[height > 0.3, 1] - 0.5) / 1.0, 0, 1)
    found = equilibrium(body, pliant.Fem(manifold=form), start=start, fixed=fixed | (height < 0.3))
    low, high = found.weights
    assert low == pytest.approx([1, 0, 0], abs=1e-3)
    assert high[2] > 0.5 and high.sum() == pytest.approx(1)


@pytest.mark.parametrize("form", ["realised", "strain"])
def test_a_local_example_acts_only_in_its_part(form):
    plain = twist_bars.plain((2, 12, 2))
    body = plain.with_pose("wide", plain.rest * (1.3, 1, 1.3))
    upper = {"upper": body.rest[:, 1] > -0.01}
    settings = pliant.Fem(examples=upper, forced={"wide": 1.0}, manifold=form)
    found = equilibrium(body, settings, fixed=twist_bars.ends(body)[0])
    assert found.weights.tolist() == [[0.0, 1.0]]
    strains = np.linalg.norm(elements_of(body).strains(found.positions), axis=(1, 2))
    heights = body.rest[elements_of(body).tets].mean(axis=1)[:, 1]
    wanted = np.sqrt(2) * (1.3**2 - 1) / 2
    assert strains[heights > 0.5] == pytest.approx(wanted, rel=0.1)
    assert strains[heights < -1].max() < 0.03


@pytest.mark.parametrize("form", ["realised", "strain"])
def test_a_nose_that_is_pressed_inflates_the_ears(form):
    plain = twist_bars.plain((2, 12, 2))
    nose, ears = plain.rest[:, 1] < -0.99, plain.rest[:, 1] > 0.99
    pose = plain.rest.copy()
    pose[nose] *= (0.8, 1, 0.8)
    pose[ears] *= (1.3, 1, 1.3)
    body = plain.with_pose("blown", pose)
    start = body.rest.copy()
    start[nose] = pose[nose]
    fixed = np.zeros(body.rest.shape, bool)
    fixed[nose] = True
    found = equilibrium(body, pliant.Fem(manifold=form, example_stiffness=100), start=start, fixed=fixed)
    without = equilibrium(body, pliant.Fem(example_stiffness=0), start=start, fixed=fixed)
    top = twist_bars.ends(body)[1]
    assert np.ptp(without.positions[top, 0]) == pytest.approx(1, abs=0.01)
    assert np.ptp(found.positions[top, 0]) > 1.2
    assert found.weights[0, 1] > 0.8


@pytest.mark.parametrize("form", ["realised", "penalty", "strain"])
def test_a_bar_in_a_world_twists_as_it_sags(form):
    bar = twist_bars.twisted((2, 6, 2))
    world = pliant.World(gravity=GRAVITY, precision="double")
    settings = pliant.Fem(young=3e4, example_stiffness=40, manifold=form, damping=4)
    actor = world.add(bar, settings, name="bar")
    actor.pin(np.flatnonzero(twist_bars.ends(bar)[0]))
    for _ in range(40):
        world.step(0.02)
        assert actor.weights.sum() == pytest.approx(1) and actor.weights.min() >= 0
        assert actor.solver.converged
    assert -twist_bars.angle(bar, actor.positions) > 8
    assert actor.weights[0, 1] > 0.1
