import json

import numpy as np
import pytest

import meshes
import pliant
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


def bowed(body):
    """Rolled on a cylinder by 60 degrees along its longest side, without any stretch but that of its chords."""
    along = int(np.argmax(body.size))
    up = (along + 1) % 3 if body.size[(along + 1) % 3] == body.size.min() else (along + 2) % 3
    radius, place = body.size[along] / np.radians(60), body.rest[:, along] / (body.size[along] / np.radians(60))
    moved = body.rest.copy()
    moved[:, along] = radius * np.sin(place)
    moved[:, up] += radius * (1 - np.cos(place))
    return body.with_pose("bow", moved)


BENT = {"rope": bowed(meshes.rope(count=30)), "sheet": bowed(meshes.sheet(cells=(24, 4)))}


@pytest.mark.parametrize("body", BENT.values(), ids=BENT)
def test_what_only_bends_is_judged_by_what_a_model_sees(body):
    """Shapes of rings and turned edges show a bend, stretches do not."""
    assert kinds(body) == [("unstretched", "bow")]
    assert body.report(pliant.ShapeMatching()).findings == ()
    assert body.report(pliant.OrientedParticles(particles=20)).findings == ()
    for blind in (pliant.ShapeMatching(goals="paper"), pliant.ShapeMatching(weights="paper")):
        (finding,) = body.report(pliant.OrientedParticles(particles=20), blind).findings
        assert (finding.kind, finding.pose) == ("unseen", "bow")
        assert "ShapeMatching" in finding.text and "OrientedParticles" not in finding.text


@pytest.mark.parametrize("settings", [{}, {"goals": "paper"}, {"weights": "paper"}], ids=str)
def test_what_is_said_to_be_seen_gets_a_weight_and_nothing_else_does(settings):
    """In the pose itself, of a sheet that is bent without being stretched."""
    sheet, matter = BENT["sheet"], pliant.ShapeMatching(**settings)
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(sheet, matter)
    actor.positions[:] = sheet.poses["bow"]
    world.step(1 / 240)
    weight = actor.weights[0, 1]
    if matter.sees(sheet)["bow"]:
        assert weight > 0.8
    else:
        assert weight == 0.0


def test_two_bends_of_a_rope_are_alike():
    rope = meshes.rope(count=30)
    body = rope.with_pose("a", poses.bend(rope, 60)).with_pose("b", poses.bend(rope, 58))
    assert ("alike", "b") in kinds(body)


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
