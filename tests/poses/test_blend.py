"""Shapes between poses."""

import numpy as np
import pytest

import pliant
import twist_bars
from pliant.body.examples import aligned


@pytest.mark.parametrize(("weight", "degrees"), [(0.25, 22.5), (0.5, 45.2), (0.75, 67.7)])
def test_between_rest_and_a_twist_there_is_less_of_a_twist(weight, degrees):
    bar = twist_bars.twisted()
    shape = pliant.poses.blend(bar, {"twist": weight})
    assert -twist_bars.angle(bar, shape) == pytest.approx(degrees, rel=0.02)
    height = np.ptp(shape[:, 1]) / 3
    assert 0.8 < height < 1 and height == pytest.approx(1 - 0.2 * weight, abs=0.02)


def test_no_weight_is_rest_and_all_of_it_the_pose():
    bar = twist_bars.twisted((2, 4, 2))
    assert np.allclose(pliant.poses.blend(bar, {}), bar.rest, atol=1e-9)
    assert np.allclose(pliant.poses.blend(bar, {"twist": 1.0}), bar.poses["twist"], atol=1e-9)


def test_a_turn_of_more_than_half_is_turned_not_shrunk():
    plain = twist_bars.plain()
    bar = plain.with_pose("far", pliant.poses.twist(plain, 300, axis="y"))
    shape = pliant.poses.blend(bar, {"far": 0.5})
    widths = np.linalg.norm(shape[:, [0, 2]] - shape[:, [0, 2]].mean(axis=0), axis=1)
    at_rest = np.linalg.norm(plain.rest[:, [0, 2]], axis=1)
    assert widths[at_rest > 0.7].min() > 0.6  # a mean of positions would have 0 in the middle


def test_blends_of_two_poses_have_something_of_both():
    plain = twist_bars.plain((2, 6, 2))
    bar = plain.with_pose("wide", plain.rest * (1.4, 1, 1)).with_pose("deep", plain.rest * (1, 1, 1.4))
    shape = pliant.poses.blend(bar, {"wide": 0.5, "deep": 0.5})
    # the strain of a stretch s is (s^2 - 1)/2, half of it stretches by sqrt((1 + s^2)/2)
    assert np.allclose(np.ptp(shape, axis=0), np.array([1, 3, 1]) * (1.2166, 1, 1.2166), atol=1e-3)


def test_groups_have_weights_of_their_own():
    plain = twist_bars.plain((2, 12, 2))
    bar = plain.with_pose("wide", plain.rest * (1.3, 1, 1.3))
    halves = {"low": plain.rest[:, 1] < -0.01, "high": plain.rest[:, 1] > 0.01}
    shape = pliant.poses.blend(bar, {"high": {"wide": 1.0}}, halves)
    bottom, top = twist_bars.ends(plain)
    assert np.ptp(shape[top, 0]) == pytest.approx(1.3, abs=0.02)
    assert np.ptp(shape[bottom, 0]) == pytest.approx(1.0, abs=0.02)


def test_the_blend_stands_where_the_poses_stand():
    plain = twist_bars.plain((2, 4, 2))
    turned = plain.rest[:, [1, 2, 0]] * (1.2, 1, 1) + (5, 0, 0)  # a rotation and a stretch, elsewhere
    bar = plain.with_pose("away", turned)
    shape = pliant.poses.blend(bar, {"away": 0.9})
    mean = 0.1 * plain.rest + 0.9 * turned
    assert np.allclose(aligned(shape, mean, bar.masses), shape, atol=1e-9)


@pytest.mark.parametrize(
    ("weights", "groups", "said"),
    [
        ({"smile": 1.0}, None, 'body "bar" has no pose "smile" (it has twist, bend)'),
        ({"twist": -0.1}, None, 'the weight of "twist" is -0.1'),
        ({"twist": float("nan")}, None, 'the weight of "twist" is nan'),
        ({"twist": 0.7, "bend": 0.7}, None, "the weights add up to 1.4"),
        ({"left": {"twist": 1}}, {"right": [0, 1, 2]}, 'there is no group "left" (there are right)'),
        ({"right": 0.5}, {"right": [0, 1, 2]}, 'group "right" has 0.5'),
    ],
)
def test_what_cannot_be_blended_is_refused(weights, groups, said):
    bar = twist_bars.twisted((2, 4, 2))
    bar = bar.with_pose("bend", pliant.poses.bend(bar, 60))
    with pytest.raises(pliant.PliantError) as error:
        pliant.poses.blend(bar, weights, groups)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_only_solids_with_poses_are_blended():
    with pytest.raises(pliant.PliantError, match="is a rod; only solids"):
        pliant.poses.blend(pliant.shapes.rope(), {})
    with pytest.raises(pliant.PliantError, match="has no poses"):
        pliant.poses.blend(twist_bars.plain(), {"twist": 1})
