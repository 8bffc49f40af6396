import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meshes
from pliant import poses
from pliant.geometry.measures import lengths, volumes
from pliant.runtime.errors import SettingsError

BAR = meshes.box(cells=(4, 4, 8), name="bar")
GENTLE = {
    "twist": {"degrees": 180, "shorten": 0.3},
    "bend": {"degrees": 150},
    "s_curve": {"degrees": 70},
    "shear": {"amount": 1.0},
    "squash": {"amount": 0.5},
    "stretch": {"amount": 1.0},
    "bulge": {"amount": 0.8},
    "buckle": {"depth": 0.3, "waves": 3, "rows": 3},
    "dent": {"centre": (0, 0.5, 0), "radius": 0.8, "depth": 0.4},
}
NOTHING = {
    "twist": {"degrees": 0},
    "bend": {"degrees": 0},
    "s_curve": {"degrees": 0},
    "shear": {"amount": 0},
    "squash": {"amount": 0},
    "stretch": {"amount": 0},
    "bulge": {"amount": 0},
    "buckle": {"depth": 0, "shorten": 0},
    "dent": {"centre": (0, 0.5, 0), "radius": 0.8, "depth": 0},
}


def ratios(positions, body=BAR):
    return volumes(positions, body.tets) / volumes(body.rest, body.tets)


@pytest.mark.parametrize("name", poses.FORMULAS)
def test_no_pose_turns_a_tet_inside_out(name):
    positions = getattr(poses, name)(BAR, **GENTLE[name])
    assert positions.shape == BAR.rest.shape and positions.dtype == np.float64
    assert ratios(positions).min() > 0.05
    assert BAR.with_pose(name, positions).pose_names == (name,)


@pytest.mark.parametrize("name", [name for name in poses.FORMULAS if name != "dent"])
def test_defaults_do_something_sound(name):
    positions = getattr(poses, name)(BAR)
    assert ratios(positions).min() > 0.2
    assert np.abs(positions - BAR.rest).max() > 0.05


@pytest.mark.parametrize("name", poses.FORMULAS)
def test_none_of_it_is_the_rest_shape(name):
    np.testing.assert_allclose(getattr(poses, name)(BAR, **NOTHING[name]), BAR.rest, atol=1e-12)


@pytest.mark.parametrize("name", [name for name in poses.FORMULAS if name != "dent"])
def test_a_turned_body_with_a_turned_axis_takes_the_turned_pose(name):
    turn = meshes.rotation(7)
    moved = BAR._with(rest=BAR.rest @ turn.T + 2, skin=None)
    options = dict(GENTLE[name])
    bent = "toward" in getattr(poses, name).__kwdefaults__
    here = getattr(poses, name)(BAR, axis="z", **options, **({"toward": "x"} if bent else {}))
    there = getattr(poses, name)(
        moved, axis=turn[:, 2], **options, **({"toward": turn[:, 0]} if bent else {})
    )
    if name == "buckle":  # where round the tube its diamonds begin is the frame's choice
        assert ratios(there, moved).mean() == pytest.approx(ratios(here).mean(), rel=0.1)
    else:
        np.testing.assert_allclose(there, here @ turn.T + 2, atol=1e-9)


@pytest.mark.parametrize("name", ["squash", "stretch"])
def test_squash_and_stretch_keep_the_volume(name):
    np.testing.assert_allclose(ratios(getattr(poses, name)(BAR, 0.4)), 1)
    thin = getattr(poses, name)(BAR, 0.4, keep_volume=False)
    np.testing.assert_allclose(thin[:, :2], BAR.rest[:, :2])


def test_the_default_axis_is_the_longest():
    np.testing.assert_allclose(poses.squash(BAR, 0.3), poses.squash(BAR, 0.3, axis="z"))
    np.testing.assert_allclose(poses.twist(BAR), poses.twist(BAR, axis=(0, 0, 2)))
    np.testing.assert_allclose(poses.twist(BAR), poses.twist(BAR, axis="-z"))  # a screw has no front


def test_a_twist_turns_the_ends_and_shortens():
    positions = poses.twist(BAR, 90, shorten=0.2, keep_volume=False)
    top = BAR.rest[:, 2] == 1
    turn = np.radians(45)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    np.testing.assert_allclose(positions[top, 2], 0.8)
    np.testing.assert_allclose(positions[top, :2], BAR.rest[top, :2] @ matrix.T, atol=1e-12)
    wide = poses.twist(BAR, 0, shorten=0.2)
    np.testing.assert_allclose(ratios(wide), 1)


def test_a_bend_leans_both_ends_towards():
    positions = poses.bend(BAR, 90, axis="z", toward="x")
    line = (BAR.rest[:, 0] == 0) & (BAR.rest[:, 1] == 0)
    radius = 2 / np.radians(90)
    np.testing.assert_allclose(np.linalg.norm(positions[line] - [radius, 0, 0], axis=1), radius)
    assert positions[np.abs(BAR.rest[:, 2]) == 1, 0].mean() > 0.3
    away = poses.bend(BAR, 90, axis="z", toward="-x")
    np.testing.assert_allclose(away[line], positions[line] * (-1, 1, 1), atol=1e-12)


def test_an_s_keeps_its_length_and_its_ends_upright():
    rope = meshes.rope(count=200)
    positions = poses.s_curve(rope, 60, toward="y")
    np.testing.assert_allclose(
        lengths(positions, rope.segments), lengths(rope.rest, rope.segments), rtol=1e-3
    )
    ends = positions[[1, -1]] - positions[[0, -2]]
    np.testing.assert_allclose(ends[:, 1] / ends[:, 0], 0, atol=1e-3)
    np.testing.assert_allclose(positions + positions[::-1], np.tile([3.0, 0, 0], (200, 1)), atol=1e-12)


def test_a_bulge_is_widest_at_its_centre():
    positions = poses.bulge(BAR, 0.5, centre=(9, 9, 0.5))
    scale = np.linalg.norm(positions[:, :2], axis=1) / np.maximum(
        np.linalg.norm(BAR.rest[:, :2], axis=1), 1e-9
    )
    outside = np.linalg.norm(BAR.rest[:, :2], axis=1) > 0
    np.testing.assert_allclose(scale[outside & (BAR.rest[:, 2] == 0.5)], 1.5)
    np.testing.assert_allclose(scale[outside & (BAR.rest[:, 2] <= 0)], 1)


def test_a_buckled_tube_has_staggered_diamonds_and_round_ends():
    angle, height = np.meshgrid(np.linspace(0, 2 * np.pi, 96, endpoint=False), np.linspace(0, 4, 65))
    wall = np.stack([np.cos(angle), height, np.sin(angle)], axis=-1)
    flat = np.arange(wall[..., 0].size).reshape(angle.shape)
    right = np.roll(flat, -1, axis=1)
    lower = np.stack([flat[:-1], flat[1:], right[:-1]], axis=-1).reshape(-1, 3)
    upper = np.stack([right[:-1], flat[1:], right[1:]], axis=-1).reshape(-1, 3)
    tube = type(BAR)(wall.reshape(-1, 3), triangles=np.concatenate([lower, upper]))
    options = {"waves": 4, "rows": 4, "depth": 0.2, "shorten": 0.25}
    shape = poses.buckle(tube, **options, keep_volume=False).reshape(wall.shape)
    radius = np.hypot(shape[..., 0], shape[..., 2])
    np.testing.assert_allclose(radius[[0, -1]], 1)
    assert np.ptp(shape[..., 1]) == pytest.approx(3)
    assert radius.min() == pytest.approx(0.8) and radius.max() == pytest.approx(1.05)
    middles = radius[8::16]  # one ring through the middle of each row
    dents = [set(np.flatnonzero(np.isclose(ring, 0.8)).tolist()) for ring in middles]
    assert [len(dent) for dent in dents] == [4, 4, 4, 4]
    assert dents[0] == dents[2] and dents[1] == dents[3] and not dents[0] & dents[1]
    kept = poses.buckle(tube, **options).reshape(wall.shape)
    turning = np.mean(kept[..., 0] ** 2 + kept[..., 2] ** 2, axis=1)
    assert np.trapezoid(turning, kept[:, 0, 1]) == pytest.approx(4, rel=0.01)


def test_a_dent_goes_in_where_it_is_told():
    positions = poses.dent(BAR, centre=(0, 0.5, 0), radius=0.6, depth=0.2)
    hit = np.flatnonzero((BAR.rest == (0, 0.5, 0)).all(axis=1))[0]
    np.testing.assert_allclose(positions[hit], [0, 0.3, 0], atol=1e-12)
    far = np.linalg.norm(BAR.rest - (0, 0.5, 0), axis=1) >= 0.6
    np.testing.assert_array_equal(positions[far], BAR.rest[far])
    sideways = poses.dent(BAR, centre=(0, 0.5, 0), radius=0.6, depth=0.2, direction="x")
    np.testing.assert_allclose(sideways[hit], [0.2, 0.5, 0], atol=1e-12)


@given(st.floats(-60, 60), st.floats(0, 0.6), st.sampled_from(["x", "y", "z", (1, 2, 3)]))
def test_a_moderate_twist_keeps_the_volume_however_short(degrees, shorten, axis):
    np.testing.assert_allclose(ratios(poses.twist(BAR, degrees, axis=axis, shorten=shorten)), 1, atol=0.1)


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("twist", {"degrees": "much"}, "pose twist: degrees is 'much'"),
        ("twist", {"degrees": np.nan}, "degrees is nan"),
        ("twist", {"shorten": 1.0}, "shorten is 1.0; give a number at least 0 and below 1"),
        ("twist", {"axis": "w"}, 'axis is "w"; give "x", "y", "z"'),
        ("twist", {"axis": (0, 0, 0)}, "points somewhere"),
        ("twist", {"axis": (1, 2)}, "three finite numbers"),
        ("bend", {"degrees": 400}, "the inner side folds; give less than 2"),
        ("bend", {"axis": "z", "toward": "z"}, "toward runs along the axis"),
        ("s_curve", {"degrees": 170}, "the inner side folds"),
        ("squash", {"amount": 1}, "below 1"),
        ("stretch", {"amount": -0.1}, "at least 0"),
        ("bulge", {"amount": -1}, "above -1"),
        ("bulge", {"width": 0}, "width is 0; give a number above 0"),
        ("buckle", {"waves": 1}, "waves is 1; give a whole number, 2 or more"),
        ("buckle", {"rows": 2.5}, "whole number"),
        ("buckle", {"depth": 0.5}, "below 0.5"),
        ("dent", {"centre": (0, 0.5, 0), "radius": 0.1, "depth": 0.1}, "give a radius above 0.154"),
        ("dent", {"centre": (9, 9, 9), "radius": 1, "depth": 0.1}, "no particle .* the nearest is"),
        ("dent", {"centre": (0, 0, 0), "radius": 1, "depth": 0.1}, "say where to push"),
        ("dent", {"centre": (0, np.inf, 0), "radius": 1, "depth": 0.1}, "three finite numbers"),
    ],
)
def test_bad_parameters_are_named(name, options, says):
    with pytest.raises(SettingsError, match=says) as error:
        getattr(poses, name)(BAR, **options)
    assert str(error.value).startswith(f"pose {name}: ") and "\n" not in str(error.value)


def test_a_sheet_is_flat_along_its_normal():
    with pytest.raises(SettingsError, match="is flat along y; choose another axis"):
        poses.squash(meshes.sheet(), axis="y")
