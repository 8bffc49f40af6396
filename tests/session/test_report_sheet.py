"""The report as a picture: what models see of each pose, and the advice."""

import numpy as np
import pytest

import pliant
from films import small_sheets
from pliant.session.render import film
from pliant.session.render.report_sheet import heat_colours, report_sheet, ring_changes


def half_stretched() -> pliant.Body:
    """A bar of which one end is stretched by a fifth and the other is carried along."""
    bar = pliant.shapes.cuboid(size=(0.5, 0.5, 3), cells=(1, 1, 6))
    return bar.with_pose("long", lambda x: x * (1, 1, 1) + (0, 0, 0.2) * np.maximum(x[:, 2:], 0))


def test_what_is_carried_along_changes_nothing_that_a_model_sees() -> None:
    body = half_stretched()
    changes = ring_changes(body)["long"]
    assert changes[body.rest[:, 2] < -0.4].max() < 1e-9
    assert changes[body.rest[:, 2] > 0.6].min() > 0.05
    moved = body.with_pose("away", lambda x: x + np.array([5.0, 0, 0]))
    assert ring_changes(moved)["away"].max() < 1e-9


def test_colours_go_from_grey_to_red() -> None:
    colours = heat_colours(np.array([0.0, 1e-3, 0.02, 0.1, 0.4, 5.0]))
    assert np.ptp(colours[:2]) < 0.1 and np.array_equal(colours[0], colours[1])
    assert np.array_equal(colours[-1], colours[-2]) and colours[-1, 0] > 3 * colours[-1, 1]
    assert (np.diff(colours[2:5, 1]) < 0).all()  # less and less green


@pytest.mark.slow
def test_the_sheet_has_the_poses_their_heat_and_the_advice() -> None:
    body = half_stretched()
    with small_sheets():
        poses = film.pose_sheet(body, height=80)
        sheet = report_sheet(body, body.report(), height=80)
        plain = report_sheet(body.without_pose("long"), body.without_pose("long").report(), height=80)
    assert sheet.shape[1] == poses.shape[1] and sheet.shape[0] > 2.2 * poses.shape[0]
    assert np.array_equal(sheet[: len(poses)], poses)
    heat = sheet[len(poses) : 2 * len(poses)].astype(int)
    coloured = (np.ptp(heat, axis=2) > 60).any(axis=0)
    half = len(coloured) // 2
    assert not coloured[: half - 8].any() and coloured[half:].any()  # rest is grey, the pose is not
    assert (sheet[2 * len(poses) :] < 128).any()  # the letters
    assert plain.shape[0] == poses.shape[0]
