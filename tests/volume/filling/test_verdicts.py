import numpy as np
import pytest

import meshes
from pliant.body import Skin
from pliant.volume.filling import Fit, fill

VERDICTS = ("reached", "coarse", "strained", "crushed", "folded", "mirrored")


def noise(case, size, seed=0):
    return case.skin + size * case.diagonal * np.random.default_rng(seed).normal(size=case.skin.shape)


def test_details_finer_than_the_particles_are_coarse(cylinder):
    fit = cylinder.fill(noise(cylinder, 0.004)).fit
    assert fit.verdict == "coarse" and fit.usable and fit.inverted == 0
    assert fit.mean > 0.003 * fit.diagonal
    advice = int(fit.remedy.split("give about ")[1].split()[0])
    assert 1.5 * len(cylinder.rest) <= advice <= 11 * len(cylinder.rest)


def test_a_small_pose_that_gets_lost_is_coarse(cylinder):
    """Its mean and percentile over the whole surface are far below the bounds; yet nothing of it is there."""
    at = np.abs(cylinder.skin[:, 1]) < 0.1
    fit = cylinder.fill(np.where(at[:, None], noise(cylinder, 0.002), cylinder.skin)).fit
    assert fit.mean < 0.001 * fit.diagonal and fit.high < 0.006 * fit.diagonal
    assert fit.verdict == "coarse"


def test_a_pose_that_moves_nothing_is_reached(cylinder):
    fit = cylinder.fill(noise(cylinder, 1e-5)).fit
    assert fit.verdict == "reached"


@pytest.mark.parametrize(("height", "verdict"), [(0.15, "reached"), (0.25, "strained")])
def test_what_only_flat_tets_could_reach_is_strained(height, verdict):
    """A zigzag from particle to particle: they could take it exactly. At 0.25 tets would lose all their volume."""
    rest, tets = meshes.box_arrays((1.0, 1.0, 1.0), (2, 2, 2))
    skin = Skin.of_elements(rest, tets, "solid")
    sign = (-1.0) ** np.rint(2 * (skin.vertices + 0.5)).sum(axis=1)
    target = skin.vertices + np.outer(height * sign, [1.0, 0.0, 0.0])
    fit = fill(rest, tets, skin.indices, skin.weights, np.ones(len(target)), skin.faces, [target])[0].fit
    assert fit.verdict == verdict and fit.usable
    if verdict == "reached":
        assert fit.mean < 0.001 * fit.diagonal and fit.smallest_j > 0.3
    else:
        assert fit.mean > 0.004 * fit.diagonal and fit.smallest_j > 0.05 and "soften" in fit.remedy


def test_pressed_to_nothing_is_crushed(cylinder):
    fit = cylinder.fill(cylinder.skin * (1, 1, 0.03)).fit
    assert fit.verdict == "crushed" and fit.usable
    assert fit.smallest_j == pytest.approx(0.03, abs=1e-6) and "3 %" in fit.remedy
    assert fit.largest < 1e-6


def test_smaller_as_a_whole_is_not_crushed(cylinder):
    fit = cylinder.fill(0.3 * cylinder.skin).fit
    assert fit.verdict == "reached" and fit.smallest_j == pytest.approx(0.027, abs=1e-6)


@pytest.mark.parametrize("case", ["bar", "cylinder", "teddy"], indirect=True)
@pytest.mark.parametrize("mirror", [(-1, 1, 1), (1, 1, -1), (-1, -1, -1)])
def test_a_mirror_image_fits_and_is_refused(case, mirror):
    fit = case.fill(case.skin * mirror).fit
    assert fit.largest < 1e-6 * fit.diagonal
    assert fit.verdict == "mirrored" and not fit.usable
    assert fit.inverted == len(case.tets) and fit.smallest_j == pytest.approx(-1, abs=1e-6)
    assert "negative scale" in fit.remedy


@pytest.mark.parametrize("case", ["bar", "cylinder", "teddy"], indirect=True)
def test_crumpled_noise_is_refused(case):
    fit = case.fill(noise(case, 0.05)).fit
    assert fit.verdict == "folded" and not fit.usable


@pytest.mark.parametrize("case", ["bar", "cylinder"], indirect=True)
def test_a_half_folded_onto_the_other_is_refused(case):
    """It is as long as wide a half: nowhere is the skin torn, but one half is inside out."""
    axis = int(np.argmax(np.ptp(case.skin, axis=0)))
    target = case.skin.copy()
    target[:, axis] = -np.abs(target[:, axis])
    fit = case.fill(target).fit
    assert fit.verdict == "folded" and not fit.usable
    assert fit.inverted > 0.3 * len(case.tets) and str(fit.inverted) in fit.remedy


def test_collapsed_to_a_point_or_a_plane_is_refused(bar):
    for target in (np.zeros_like(bar.skin), bar.skin * (1, 1, 0)):
        assert not bar.fill(target).fit.usable


def test_vertices_in_another_order_are_refused(bar):
    order = np.random.default_rng(0).permutation(len(bar.skin))
    assert not bar.fill(bar.skin[order]).fit.usable


@pytest.mark.parametrize("verdict", VERDICTS)
def test_only_inside_out_is_unusable(verdict):
    assert Fit("pose", 0, 0, 0, 1, 1, 0, verdict).usable == (verdict not in ("folded", "mirrored"))
