import json

import numpy as np
import pytest

import meshes
from pliant import poses

BAR = meshes.box(cells=(4, 4, 8), name="bar")


def kinds(body):
    return [(finding.kind, finding.pose) for finding in body.report().findings]


def test_a_good_set_has_nothing_to_mend():
    body = BAR.with_pose("twist", poses.twist(BAR, shorten=0.2)).with_pose("bend", poses.bend(BAR, 60))
    report = body.report()
    assert report.findings == ()
    assert 1 <= report.condition < 100
    assert "nothing to mend" in str(report)
    assert [pose.name for pose in report.poses] == ["twist", "bend"]


def test_without_poses():
    report = BAR.report()
    assert report.poses == () and report.condition is None
    assert "no poses yet" in str(report)
    json.dumps(report.to_dict())


def test_the_numbers_of_a_squash():
    pose = BAR.with_pose("squash", lambda rest: rest * (1, 1, 0.5)).report().poses[0]
    assert pose.largest == pytest.approx(0.5)
    assert pose.largest_percent == pytest.approx(100 * 0.5 / np.sqrt(6))
    assert pose.strain == pytest.approx(0.5)
    assert pose.stretch == pytest.approx((0.5, 1.0))
    assert pose.size == pytest.approx((0.5, 0.5))


def test_rigid_motion_does_not_count():
    turn = meshes.rotation(3)
    still = BAR.with_pose("bend", poses.bend(BAR)).report().poses[0]
    moved = BAR.with_pose("bend", poses.bend(BAR) @ turn.T + 5).report().poses[0]
    assert moved.rms == pytest.approx(still.rms) and moved.strain == pytest.approx(still.strain)


def test_the_rest_shape_as_a_pose():
    assert kinds(BAR.with_pose("again", lambda rest: rest @ meshes.rotation(1).T)) == [("rest-like", "again")]


def test_a_bent_rope_has_no_stretch_to_see():
    rope = meshes.rope(count=30)
    assert kinds(rope.with_pose("bow", poses.bend(rope, 90))) == [("unstretched", "bow")]


def test_inverted_tets_are_named_and_placed():
    moved = BAR.rest.copy()
    corner = int(np.argmax(moved @ [1, 1, 1]))
    moved[corner] -= 0.9
    finding = BAR.with_pose("poked", moved).report().findings[0]
    assert finding.kind == "inverted"
    assert "top right front" in finding.text
    (inverted,) = {pose.inverted for pose in BAR.with_pose("poked", moved).report().poses}
    assert all(corner in BAR.tets[tet] for tet in inverted)
    assert str(inverted[0]) in finding.text


def test_mirrored_and_crushed():
    assert kinds(BAR.with_pose("mirror", lambda rest: rest * (-1, 1, 1))) == [("mirrored", "mirror")]
    assert kinds(BAR.with_pose("flat", lambda rest: rest * (1, 0.01, 1))) == [("crushed", "flat")]
    sheet = meshes.sheet()
    assert kinds(sheet.with_pose("thin", lambda rest: rest * (0.02, 1, 1))) == [("crushed", "thin")]


def test_poses_alike_or_blended():
    body = BAR.with_pose("a", poses.squash(BAR, 0.3)).with_pose("b", poses.squash(BAR, 0.28))
    assert kinds(body) == [("alike", "b")]
    scales = {"a": (1.1, 1, 1), "b": (1, 1.1, 1), "c": (1.05, 1.05, 1)}
    for name, scale in scales.items():
        body = (BAR if name == "a" else body).with_pose(name, BAR.rest * scale)
    report = body.report()
    assert [(f.kind, f.pose) for f in report.findings] == [("dependent", "c")]
    assert '0.5 "a" + 0.5 "b"' in report.findings[0].text
    assert report.condition == float("inf")
    assert report.to_dict()["condition"] is None


def test_opposite_poses_are_no_blend_to_leave_out():
    body = BAR.with_pose("in", lambda rest: rest * 0.8).with_pose("out", lambda rest: rest * 1.2)
    (finding,) = body.report().findings
    assert finding.kind == "dependent" and "not unique" in finding.advice


@pytest.mark.parametrize(
    ("degrees", "axis"), [(-90, "z"), (45, "z"), (90, "z"), (270, "z"), (-45, "x"), (90, "y")]
)
def test_a_twist_that_keeps_its_length_is_told(degrees, axis):
    twisted = BAR.with_pose("twist", poses.twist(BAR, degrees, axis=axis))
    assert ("length-kept", "twist") in kinds(twisted)
    assert "shorten" in twisted.report().findings[0].advice


def test_other_poses_are_not_taken_for_twists():
    body = BAR
    for name in ("bend", "s_curve", "shear", "squash", "stretch", "bulge", "buckle"):
        body = body.with_pose(name, getattr(poses, name)(BAR))
    assert "length-kept" not in {kind for kind, _ in kinds(body)}


def test_the_dictionary_is_json():
    body = BAR.with_pose("twist", poses.twist(BAR)).with_pose("flat", lambda rest: rest * (1, 0.01, 1))
    plain = json.loads(json.dumps(body.report().to_dict()))
    assert plain["body"] == "bar" and plain["poses"][0]["name"] == "twist"
    assert {finding["kind"] for finding in plain["findings"]} == {"length-kept", "crushed"}
