"""Poses from modes, and poses on the other side."""

import numpy as np
import pytest

import pliant
from pliant import poses
from pliant.body.examples import deformations
from pliant.geometry.measures import diagonal, element_volumes
from pliant.poses.fields import RingFields
from pliant.poses.mirror import mirrored_name
from pliant.runtime.errors import SettingsError

BAR = pliant.shapes.cuboid(size=(0.8, 0.6, 3), cells=(3, 2, 10))
SHEET = pliant.shapes.sheet(size=(1.0, 1.6), cells=(6, 9))
ROPE = pliant.shapes.rope(particles=31)


@pytest.mark.parametrize("body", [BAR, SHEET, ROPE], ids=["solid", "shell", "rod"])
def test_modes_invert_nothing_and_go_as_far_as_they_may(body):
    found = poses.modes(body, 4, amplitude=0.2, least=0.5)
    at_rest = element_volumes(body.rest, body.elements, body.thickness)
    for shape in found.values():
        assert (element_volumes(shape, body.elements, body.thickness) >= 0.5 * at_rest).all()
        moved = np.linalg.norm(shape - body.rest, axis=1).max() / diagonal(body.rest)
        assert 0.05 < moved <= 0.2002
    for name, shape in found.items():
        body = body.with_pose(name, shape)
    cosines = poses_cosines(body)
    assert np.abs(cosines - np.eye(4)).max() < 0.9  # a model can tell them apart


def poses_cosines(body):
    from pliant.body.examples import cosines, descriptors

    return cosines(descriptors(deformations(body)[1]))


def test_the_first_modes_of_a_bar_are_bends_that_keep_its_length():
    bend = poses.modes(BAR, 1, amplitude=0.3)["mode 1"]
    middle = [bend[np.abs(BAR.rest[:, 2] - z) < 0.01].mean(axis=0) for z in np.unique(BAR.rest[:, 2].round(6))]
    length = np.linalg.norm(np.diff(middle, axis=0), axis=1).sum()
    assert length == pytest.approx(3, rel=0.03)
    assert np.linalg.norm(middle[-1] - middle[0]) < 2.95  # and it is bent


def test_rings_give_back_the_shape_that_they_were_asked_of():
    twisted = poses.twist(BAR, degrees=80)
    fields = RingFields(BAR)
    again = fields.shape(fields.parts.gradients(twisted))
    turn, shift = _onto(again, twisted)
    assert np.abs(again @ turn.T + shift - twisted).max() < 0.01 * diagonal(BAR.rest)
    np.testing.assert_allclose(fields.shape(np.tile(np.eye(3), (len(BAR.rest), 1, 1))), BAR.rest, atol=1e-9)


def _onto(here, there):
    from pliant.volume.filling.rotations import rigid_motion

    return rigid_motion(here, there, np.ones(len(here)))


def test_a_mirror_image_of_a_mirror_image_is_the_pose():
    bent = poses.bend(BAR, degrees=70, axis="z", toward="x")
    there = poses.mirror(BAR, bent, "z")
    np.testing.assert_allclose(poses.mirror(BAR, there, "z"), bent, atol=1e-9)
    np.testing.assert_allclose(poses.mirror(BAR, BAR.rest, "x"), BAR.rest, atol=1e-9)
    aside = poses.mirror(BAR, bent, "x")
    assert np.abs(aside - bent).max() > 0.5
    np.testing.assert_allclose(aside.min(axis=0)[0], -bent.max(axis=0)[0], atol=1e-9)


def test_one_arm_of_two_goes_to_the_other_side():
    table = pliant.shapes.cuboid(size=(4, 0.5, 0.5), cells=(16, 2, 2)).with_group("left", lambda x: x[:, 0] < -0.1)
    both = table.with_pose("wings", lambda x: x + (0, 0.5, 0) * np.maximum(np.abs(x[:, :1]) - 0.5, 0))
    right = poses.mirror(both, "wings", only="left")
    ends = [right[np.abs(table.rest[:, 0] - x) < 1e-9, 1].mean() for x in (-2, 0, 2)]
    assert ends[2] - ends[1] > 0.5 and abs(ends[0] - ends[1]) < 0.1 * (ends[2] - ends[1])
    assert both.with_pose("right", right).report().poses[1].inverted == ()


@pytest.mark.parametrize("name", ["L", "arm.R raised", "left", "upper_l"])
def test_names_go_there_and_back(name):
    if name == "L":
        assert mirrored_name(name) == "L mirrored"
    else:
        assert mirrored_name(name) != name and mirrored_name(mirrored_name(name)) == name


def test_what_cannot_be_mirrored_says_why():
    wedge = BAR.rest * np.where(BAR.rest[:, :1] > 0, [1, 3, 1], [1, 1, 1])
    one_sided = pliant.Body(wedge, tets=BAR.tets, name="wedge")
    with pytest.raises(SettingsError, match="not the same on both sides"):
        poses.mirror(one_sided, one_sided.rest, "x")
    with pytest.raises(SettingsError, match='no pose "wave"'):
        poses.mirror(BAR, "wave")
    with pytest.raises(SettingsError, match='no group "left"'):
        poses.mirror(BAR, BAR.rest, only="left")
