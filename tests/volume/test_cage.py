"""Tets that carry a surface, and the binding that knows the parts."""

import numpy as np
import pytest

from made_assets import ball_at, bar, bent, together, two_legs
from made_models import MODELS, every_model
from pliant.geometry.binding import mean_edge
from pliant.geometry.lattice import carry
from pliant.geometry.measures import volumes
from pliant.geometry.surfaces import enclosed_volume
from pliant.volume.cage import cage, mirror_axis
from pliant.volume.filling.pieces import components
from surface_checks import is_mirror_image, pieces


def skin_of(made, positions):
    return np.einsum("nk,nkx->nx", made.weights, positions[made.slots])


@pytest.mark.slow
@pytest.mark.parametrize("particles", [100, 300, 1000])
def test_the_legs_move_by_themselves(particles: int) -> None:
    """A leg that moves rigidly carries its skin rigidly, and no vertex of the other leg moves: none is bound across the
    gap, which is far narrower than a tet. So it is three edges of tets below the crotch: vertices reach two edges far,
    and tets at the crotch belong to both legs."""
    points, faces = two_legs()
    made = cage(points, faces, particles)
    assert pieces(made.tets, len(made.rest)) == 1
    np.testing.assert_allclose(skin_of(made, made.rest), points, atol=1e-9)
    edge = mean_edge(made.rest, made.tets)
    below = points[:, 1] < 0.5 - 3 * edge
    left, right = below & (points[:, 0] < 0), below & (points[:, 0] > 0)
    assert left.any() and right.any()
    # A leg is what hangs together half an edge below the crotch.
    hanging = made.tets[(made.rest[made.tets, 1] < 0.5 - edge / 2).all(axis=1)]
    leg = components(hanging, len(made.rest))
    on_leg = np.isin(np.arange(len(made.rest)), hanging)
    carries = [np.unique(made.slots[side][made.weights[side] != 0]) for side in (left, right)]
    assert len(np.intersect1d(*carries)) == 0
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    mine = on_leg & (leg == leg[carries[0][0]])
    moved = np.where(mine[:, None], made.rest @ turn.T + (0.0, 0.0, 1.0), made.rest)
    assert np.abs(skin_of(made, moved)[right] - points[right]).max() < 1e-9
    assert np.abs(skin_of(made, moved)[left] - points[left] @ turn.T - (0, 0, 1)).max() < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("surface", [bar, two_legs])
def test_the_skin_is_nearly_inside(surface) -> None:
    points, faces = surface()
    made = cage(points, faces, 400)
    outside = np.maximum(-made.weights.min(axis=1), 0.0)
    assert np.percentile(outside, 99) < 0.3
    assert outside.max() < 0.6
    assert volumes(made.rest, made.tets).min() > 0
    assert volumes(made.rest, made.tets).sum() == pytest.approx(enclosed_volume(points, faces), rel=0.1)


def test_without_hugging_every_vertex_is_inside_its_tet() -> None:
    points, faces = two_legs()
    made = carry(points, faces, 300, hug=False)
    assert made.weights.min() > -1e-9
    np.testing.assert_allclose(made.weights.sum(axis=1), 1.0)
    np.testing.assert_allclose(
        np.einsum("nk,nkx->nx", made.weights, made.rest[made.tets[made.carriers]]), points, atol=1e-12
    )


@pytest.mark.slow
def test_a_symmetric_surface_gets_symmetric_tets_and_weights() -> None:
    points, faces = two_legs()
    assert mirror_axis(points, faces) == 0
    made = cage(points, faces, 300)
    assert is_mirror_image(made.rest, axis=0, tolerance=1e-9)
    # A symmetric movement of the particles moves the skin symmetrically.
    moved = skin_of(made, made.rest * (1.3, 1.0, 1.0) + np.abs(made.rest[:, :1]) * (0, 0.1, 0.2))
    assert is_mirror_image(moved, axis=0, tolerance=2e-2)


def test_a_lopsided_surface_has_no_axis() -> None:
    points, faces = bar()
    assert mirror_axis(bent(points * (1, 1, 2), 80) + 0.2 * points[:, 1:2] ** 2 * (0, 0, 1) + points * 0.3, faces) != 0
    tilted = points @ np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    tilted[:, 0] += 0.3 * tilted[:, 1] ** 2
    assert mirror_axis(tilted, faces) is None


@pytest.mark.slow
def test_the_same_again_and_far_from_the_origin() -> None:
    points, faces = bar()
    first, second, away = cage(points, faces, 200), cage(points, faces, 200), cage(points + 1000.0, faces, 200)
    for name in ("rest", "tets", "slots", "weights"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    np.testing.assert_allclose(skin_of(away, away.rest), points + 1000.0, atol=1e-8)


def test_vertices_that_no_face_uses_ride_along() -> None:
    points, faces = ball_at((0, 0, 0))
    made = cage(np.concatenate([points, [[0.7, 0, 0]]]), faces, 150)
    np.testing.assert_allclose(skin_of(made, made.rest)[-1], [0.7, 0, 0], atol=1e-9)


@pytest.mark.slow
def test_shells_that_overlap_or_nearly_touch_hold_together() -> None:
    """Eyes sit half in a head; a hat hovers a little above it; a stone lies far away."""
    head, eye, hat = ball_at((0, 0, 0)), ball_at((0.2, 0.1, 0.42), 0.1, 0.02), ball_at((0, 0.63, 0), 0.11, 0.02)
    stone = ball_at((3, 0, 0), 0.3)
    made = cage(*together(head, eye, hat), 300)
    assert pieces(made.tets, len(made.rest)) == 1
    made = cage(*together(head, eye, stone), 300)
    assert pieces(made.tets, len(made.rest)) == 2


def test_legs_drawn_as_shells_of_their_own_are_not_glued_to_each_other() -> None:
    """Each leg overlaps the hip. They nearly touch each other, more nearly than anything else does, but the hip
    holds them already."""
    hip = ball_at((0, 0.9, 0), 0.5)
    legs = [ball_at((x, 0, 0), 0.24, 0.04) for x in (-0.25, 0.25)]  # 0.02 apart
    legs = [(vertices * (1, 3, 1), faces) for vertices, faces in legs]
    points, faces = together(hip, *legs)
    made = cage(points, faces, 300)
    assert pieces(made.tets, len(made.rest)) == 1
    low = made.rest[made.tets][:, :, 1].max(axis=1) < 0.2
    used, compact = np.unique(made.tets[low], return_inverse=True)
    assert pieces(compact.reshape(-1, 4), len(used)) == 2


@pytest.mark.slow
@every_model
def test_whole_models(name: str) -> None:
    points, faces = MODELS[name]()
    made = cage(points, faces, 600)
    assert len(made.rest) == pytest.approx(600, rel=0.1)
    assert pieces(made.tets, len(made.rest)) == 1
    np.testing.assert_allclose(skin_of(made, made.rest), points, atol=1e-9 * np.ptp(points))
    outside = np.maximum(-made.weights.min(axis=1), 0.0)
    assert np.percentile(outside, 99) < 0.75
    assert outside.max() < 1.5
