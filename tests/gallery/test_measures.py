"""The numbers that the checks are made of."""

import numpy as np
import pytest

import pliant
from pliant.gallery.measures import chain_twist, height, layer_turns, likeness, mismatch, speed, twist
from pliant.gallery.paint import APRICOT, BLUE, banded, chequered, chequered_sheet, painted, striped
from pliant.geometry.turning import quaternions
from pliant.graph import graph_of
from pliant.world.paths import rotation

BAR = pliant.shapes.cuboid(size=(1, 2, 1), cells=(2, 4, 2))
TURN = np.array([[0.6, 0, 0.8], [0, 1, 0], [-0.8, 0, 0.6]])


@pytest.mark.parametrize("degrees", [-120, 0, 45, 300])
def test_twist(degrees: float) -> None:
    positions = pliant.poses.twist(BAR, degrees, axis="y", shorten=0.2) @ TURN.T + (3, 2, 1)
    assert twist(BAR, positions) == pytest.approx(degrees)
    assert np.diff(layer_turns(BAR, positions)) == pytest.approx(np.full(4, degrees / 4))


def test_twist_about_another_axis() -> None:
    bar = pliant.shapes.cuboid(size=(1, 1, 2), cells=(2, 2, 4))
    assert twist(bar, pliant.poses.twist(bar, 70, axis="z"), axis=2) == pytest.approx(70)


@pytest.mark.parametrize("degrees", [-100, 0, 720, 2000])
def test_twist_of_a_chain(degrees: float) -> None:
    chain = graph_of(pliant.shapes.cuboid(size=(3, 0.3, 0.3), cells=(30, 3, 3)), 20)
    share = (chain.rest[:, 0] - chain.rest[:, 0].min()) / np.ptp(chain.rest[:, 0])
    turns = np.array([TURN @ rotation((np.radians(degrees) * each, 0, 0)) for each in share])
    assert chain_twist(chain, quaternions(turns)) == pytest.approx(degrees, abs=1e-6)


def test_mismatch_does_not_see_rigid_motion() -> None:
    assert mismatch(BAR, BAR.rest @ TURN.T + 5, BAR.rest) < 1e-12
    assert mismatch(BAR, BAR.rest * (1, 1.1, 1), BAR.rest) > 0.05


def test_a_mirror_image_is_not_a_rotation() -> None:
    lopsided = BAR.rest + np.outer(BAR.rest[:, 0] * BAR.rest[:, 1] * BAR.rest[:, 2], (1, 0, 0))
    assert mismatch(BAR, lopsided * (-1, 1, 1), lopsided) > 0.01


def test_likeness() -> None:
    body = BAR.with_pose("flat", pliant.poses.squash(BAR, 0.4, axis="y"))
    assert likeness(body, body.poses["flat"] @ TURN.T, "flat") == pytest.approx(1)
    assert likeness(body, body.rest, "flat") == pytest.approx(0)
    assert likeness(body, body.rest * (1, 2, 1), "flat") < 0


def test_speed_and_height() -> None:
    assert speed(BAR, np.full((len(BAR.rest), 3), 2.0)) == pytest.approx(np.sqrt(12))
    assert height(BAR.rest + 7) == pytest.approx(2)


def test_chequers() -> None:
    skin = chequered(BAR, APRICOT, 0.25).skin
    assert skin.colours is not None and len(np.unique(skin.colours, axis=0)) == 2
    assert np.ptp(skin.vertices, axis=0) == pytest.approx([1, 2, 1])
    dark = (skin.colours == APRICOT).all(axis=1)
    assert 0.4 < dark.mean() < 0.6


def test_stripes_run_along_the_body() -> None:
    tube = pliant.shapes.cylinder(particles=200)
    colours = striped(tube, BLUE, 10).skin.colours
    assert colours is not None
    angle = np.arctan2(tube.skin.vertices[:, 2], tube.skin.vertices[:, 0])
    front = colours[np.abs(angle - np.pi / 40) < 0.01]
    assert len(front) > 10 and len(np.unique(front, axis=0)) == 1
    assert (painted(tube, BLUE).skin.colours == BLUE).all()


def test_squares_and_bands() -> None:
    sheet = chequered_sheet(pliant.shapes.sheet(size=(1, 1), cells=(20, 20)), BLUE, 0.25)
    rope = banded(pliant.shapes.rope(length=2, particles=41), BLUE, 0.5)
    for body, places in ((sheet, ([0.1, 0.1], [0.4, 0.1], [0.4, 0.4])), (rope, ([0.25], [0.75], [-0.75]))):
        assert body.skin.colours is not None
        axes = [0, 2] if body is sheet else [0]
        near = [np.linalg.norm(body.skin.vertices[:, axes] - place, axis=1).argmin() for place in places]
        dark = [(body.skin.colours[vertex] == BLUE).all() for vertex in near]
        assert dark == [True, False, True]
