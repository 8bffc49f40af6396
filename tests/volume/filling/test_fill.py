import sys

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant.volume.filling
from pliant.runtime.errors import BodyError
from pliant.volume.filling import fill

EVERY = pytest.mark.parametrize("case", ["bar", "cylinder", "torus", "teddy", "dinosaur"], indirect=True)
LONG = pytest.mark.parametrize("case", ["bar", "cylinder"], indirect=True)
TURN = Rotation.from_rotvec([2.0, -1.0, 0.7]).as_matrix()
AFFINE = {
    "at rest": (np.eye(3), (0, 0, 0)),
    "far and turned": (TURN, (3e3, -200.0, 40.0)),
    "twice as large": (2 * np.eye(3), (0, 1, 0)),
    "sheared and squashed": (TURN @ [[1.0, 0.8, 0], [0, 0.5, 0.2], [0, 0, 1.6]], (1, 2, 3)),
}


def check_fit(case, filled, target):
    """What a fit says must be what can be measured."""
    fit = filled.fit
    distance = np.linalg.norm(case.reached(filled.positions) - target, axis=1)
    volumes = case.volumes(filled.positions)
    assert fit.largest == pytest.approx(distance.max(), abs=1e-9 * case.diagonal)
    assert fit.mean == pytest.approx(np.average(distance, weights=case.areas), abs=1e-4 * case.diagonal)
    assert fit.mean <= fit.largest and fit.high <= fit.largest
    assert fit.smallest_j == pytest.approx(volumes.min(), abs=1e-6)
    assert fit.inverted == (volumes <= 0).sum()
    assert fit.diagonal == pytest.approx(case.diagonal)


@pytest.mark.slow
@EVERY
def test_affine_maps_are_met_to_rounding(case):
    targets = [case.skin @ np.transpose(matrix) + shift for matrix, shift in AFFINE.values()]
    for filled, (matrix, shift) in zip(case.fill(*targets), AFFINE.values(), strict=True):
        wanted = case.rest @ np.transpose(matrix) + shift
        np.testing.assert_allclose(filled.positions, wanted, atol=1e-8 * case.diagonal)
        assert filled.fit.verdict == "reached" and filled.fit.remedy == ""


@LONG
@pytest.mark.parametrize(("pose", "degrees"), [("twisted", 90), ("twisted", 360), ("bent", 90), ("bent", 200)])
def test_far_twists_and_bends_come_through(case, pose, degrees):
    target = getattr(case, pose)(degrees)
    filled = case.fill(target)
    assert case.volumes(filled.positions).min() > 0.05
    assert filled.fit.verdict == "reached"
    assert filled.fit.mean < (0.0025 if degrees == 360 else 0.001) * case.diagonal
    check_fit(case, filled, target)


def test_a_turn_and_a_half_does_not_wrap(bar):
    """Each cross-section is turned by its own angle, not by that less a whole turn."""
    filled = bar.fill(bar.twisted(540))
    assert filled.fit.inverted == 0
    axis, layers = 2, np.unique(bar.rest[:, 2].round(6))
    angles = []
    for z in layers:
        layer = np.abs(bar.rest[:, axis] - z) < 1e-5
        rest, posed = bar.rest[layer][:, :2], filled.positions[layer][:, :2]
        turned = (rest[:, 0] + 1j * rest[:, 1]).conj() @ (posed[:, 0] + 1j * posed[:, 1])
        angles.append(np.angle(turned))
    steps = np.angle(np.exp(1j * np.diff(angles)))
    assert np.degrees(steps.sum()) == pytest.approx(540 * np.ptp(layers) / np.ptp(bar.skin[:, 2]), abs=3)
    assert steps.min() > 0.2 * steps.max()


@EVERY
def test_where_a_pose_stands_makes_no_difference(case):
    target = case.twisted(70)
    here, there = case.fill(target, target @ TURN.T + (50.0, -7.0, 12.0))
    moved = here.positions @ TURN.T + (50.0, -7.0, 12.0)
    np.testing.assert_allclose(there.positions, moved, atol=1e-8 * case.diagonal)
    assert there.fit.verdict == here.fit.verdict
    assert there.fit.mean == pytest.approx(here.fit.mean, abs=1e-9 * case.diagonal)


def smooth_poses(case):
    """Poses of all kinds that a surface can take, none of them used to choose a constant."""
    skin, size = case.skin, np.ptp(case.skin, axis=0)
    low = skin.min(axis=0)
    u = (skin - low) / size
    yield "wave", skin + 0.04 * size * np.sin(2 * np.pi * u[:, [1, 2, 0]] + 0.4)
    yield "taper", skin * np.stack([1 - 0.6 * u[:, 1], np.ones(len(u)), 1 - 0.6 * u[:, 1]], axis=1)
    yield "twist 110", case.twisted(110)
    yield "bend 70", case.bent(70)
    peak = skin[np.argmax(skin[:, 1])]
    near = np.exp(-np.sum((skin - peak) ** 2, axis=1) / (0.12 * case.diagonal) ** 2)
    yield "pull", skin + 0.1 * case.diagonal * near[:, None] * (0.3, 1.0, 0.2)
    yield "lean", skin + np.outer(u[:, 1] ** 2, 0.3 * case.diagonal * np.array([0.6, 0.0, 0.8]))


@EVERY
def test_held_out_poses_are_reached(case):
    poses = dict(smooth_poses(case))
    for name, filled in zip(poses, case.fill(*poses.values()), strict=True):
        assert filled.fit.verdict == "reached", name
        assert filled.fit.mean < 0.002 * case.diagonal, name
        check_fit(case, filled, poses[name])


def test_the_inside_is_smooth(bar):
    """Inside a bent bar the particles lie where the same bend takes them."""
    filled = bar.fill(bar.bent(120))
    radius = np.ptp(bar.skin[:, 2]) / np.radians(120)
    x, y, z = bar.rest.T
    wanted = np.stack([radius - (radius - x) * np.cos(z / radius), y, (radius - x) * np.sin(z / radius)], axis=1)
    off = np.linalg.norm(filled.positions - wanted, axis=1)
    assert off.mean() < 0.001 * bar.diagonal and off.max() < 0.01 * bar.diagonal


def test_the_same_again(bar):
    first, again = (bar.fill(bar.twisted(400)) for _ in range(2))
    assert np.array_equal(first.positions, again.positions)
    assert first.fit == again.fit


def test_one_pose_does_not_touch_another(bar):
    alone = bar.fill(bar.bent(80))
    among = fill(*bar.bound, [bar.twisted(400), bar.bent(80), bar.skin * (-1, 1, 1)])[1]
    assert np.array_equal(alone.positions, among.positions)


def test_one_factorisation_serves_all_poses(bar, monkeypatch):
    module = sys.modules["pliant.volume.filling.system"]
    calls = []
    factored = module.factored
    monkeypatch.setattr(module, "factored", lambda matrix: calls.append(matrix.shape) or factored(matrix))
    told = []
    targets = [bar.bent(degrees) for degrees in range(10, 110, 10)]
    filled = fill(*bar.bound, targets, lambda done, every: told.append((done, every)))
    assert len(filled) == 10 and all(each.fit.verdict == "reached" for each in filled)
    assert calls == [(len(bar.rest), len(bar.rest))]
    assert told == [(done, 10) for done in range(11)]


def test_names_and_nothing_to_fill(bar):
    assert fill(*bar.bound, []) == []
    assert [each.fit.name for each in fill(*bar.bound, [bar.skin, bar.skin], names=["a", "b"])] == ["a", "b"]
    assert pliant.volume.filling.Fit is type(bar.fill(bar.skin).fit)


def test_a_pose_that_is_no_surface_is_named(bar):
    holed = bar.skin.copy()
    holed[3, 1] = np.nan
    for wrong in (holed, bar.skin[:-1]):
        with pytest.raises(BodyError, match='pose "grin": give one finite point for each of the'):
            fill(*bar.bound, [bar.skin, wrong], names=["rest", "grin"])
