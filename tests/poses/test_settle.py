"""Poses by physics: what is held stays, the rest is at rest."""

import numpy as np
import pytest

import meshes
import pliant
from pliant.elastic.elements import elements_of
from pliant.runtime.errors import SettingsError


def low(rest):
    return rest[:, 2] < -1.49


def high(rest):
    return rest[:, 2] > 1.49


def turned(degrees, drop=0.0):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return lambda x: x @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T - (0, 0, drop)


@pytest.fixture(scope="module")
def bar():
    return pliant.shapes.cuboid(size=(1, 1, 3), cells=(2, 2, 6))


def angle(body, pose, chosen):
    r, q = body.rest[chosen][:, :2], pose[chosen][:, :2]
    return np.degrees(np.arctan2((r[:, 0] * q[:, 1] - r[:, 1] * q[:, 0]).sum(), (r * q).sum()))


@pytest.mark.parametrize("degrees", [40, 90, 170])
def test_a_twisted_bar_is_twisted_evenly(bar, degrees):
    pose = pliant.poses.settle(bar, [(low, None), (high, turned(degrees, 0.3))])
    chosen = high(bar.rest)
    np.testing.assert_allclose(pose[chosen], turned(degrees, 0.3)(bar.rest[chosen]), atol=1e-12)
    np.testing.assert_array_equal(pose[low(bar.rest)], bar.rest[low(bar.rest)])
    assert angle(bar, pose, np.abs(bar.rest[:, 2]) < 1e-6) == pytest.approx(degrees / 2, abs=0.5)
    assert np.linalg.det(elements_of(bar).deformation(pose)).min() > 0.3


def test_handles_give_a_little(bar):
    chosen = high(bar.rest)
    wanted = bar.rest[chosen] + (0, 1.0, 0)
    firm = pliant.poses.settle(bar, low, [(high, wanted)])
    loose = pliant.poses.settle(bar, low, [(high, wanted)], grip=0.1)
    assert np.abs(firm[chosen] - wanted).max() < 0.01
    assert 0.02 < np.abs(loose[chosen] - wanted).max() < 0.9


def test_names_of_groups_and_single_particles(bar):
    body = bar.with_group("foot", low)
    by_name = pliant.poses.settle(body, "foot", {7: body.rest[7] + (0, 0.2, 0)})
    by_function = pliant.poses.settle(body, low, [([7], body.rest[7] + (0, 0.2, 0))])
    np.testing.assert_array_equal(by_name, by_function)


def test_a_shape_that_carries_the_sculpted_skin_is_found(bar):
    """The skin of a known pose, turned and moved away: particles below the skin come to where they were."""
    turn, shift = meshes.rotation(2), np.array([3.0, -1.0, 2.0])
    twist = pliant.poses.twist(bar, 60, shorten=0.1) @ turn.T + shift
    target = bar.skin.deform(twist)
    pose = pliant.poses.settle(bar, surface=target)
    assert np.abs(bar.skin.deform(pose) - target).max() < 0.005
    assert np.abs(pose - twist).max() < 0.05
    assert np.linalg.det(elements_of(bar).deformation(pose)).min() > 0.3


def test_weight_bends_a_held_bar(bar):
    sags = [pliant.poses.settle(bar, low, gravity=(0, -9.81, 0), young=young)[:, 1].min() for young in (1e6, 2e6)]
    assert sags[0] < sags[1] < -0.5
    # twice as hard, half as much
    assert (sags[0] + 0.5) / (sags[1] + 0.5) == pytest.approx(2, rel=0.1)


def test_a_settled_pose_becomes_an_example(bar):
    pose = pliant.poses.settle(bar, [(low, None), (high, turned(60, 0.3))])
    assert "twist" in bar.with_pose("twist", pose).poses


def test_mistakes_are_told_in_one_line(bar):
    with pytest.raises(SettingsError, match="nothing holds the body"):
        pliant.poses.settle(bar)
    with pytest.raises(SettingsError, match='has no group "feet"'):
        pliant.poses.settle(bar, "feet")
    with pytest.raises(SettingsError, match=r"places have shape \(2, 3\)"):
        pliant.poses.settle(bar, {3: np.zeros((2, 3))})
    with pytest.raises(SettingsError, match="surface has shape"):
        pliant.poses.settle(bar, surface=np.zeros((4, 3)))
    with pytest.raises(SettingsError, match="only solids settle"):
        pliant.poses.settle(meshes.sheet(), [0])
    with pytest.raises(SettingsError, match="material"):
        pliant.poses.settle(bar, low, material="wood")
    with pytest.raises(SettingsError, match="not at rest after 1 iteration"):
        pliant.poses.settle(bar, [(low, None), (high, turned(90))], iterations=1)


def test_places_belong_to_particles_in_the_order_given() -> None:
    bar = pliant.shapes.cuboid(size=(1, 1, 3), cells=(2, 2, 6))
    ends = np.flatnonzero(np.abs(bar.rest[:, 2]) > 1.49)
    mixed = np.random.default_rng(0).permutation(ends)
    there = bar.rest * (1.0, 1.0, 1.1)
    pinned = pliant.poses.settle(bar, {tuple(mixed.tolist()): there[mixed]})
    np.testing.assert_allclose(pinned[mixed], there[mixed], atol=1e-12)
    held = pliant.poses.settle(bar, handles=[(mixed, there[mixed])])
    np.testing.assert_allclose(held[mixed], there[mixed], atol=0.02)
