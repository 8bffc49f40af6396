"""Surfaces as shells: even triangles that hang together as the surface does."""


import numpy as np
import pytest

from made_assets import asset, ball_at, bar, bent, sheet, together, two_legs
from pliant.geometry.measures import areas
from pliant.geometry.surfaces import ringed
from pliant.runtime.errors import FileError
from pliant.volume import embody
from pliant.volume.mending import edges_of
from surface_checks import is_closed_manifold, pieces, triangle_quality


def euler(faces) -> int:
    used, compact = np.unique(faces, return_inverse=True)
    edges = edges_of(compact.reshape(-1, 3).astype(np.int32), len(used))
    return len(used) - len(edges.ends) + len(faces)


def torus():
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ring = np.stack([1 + 0.3 * np.cos(turn), 0.3 * np.sin(turn)], axis=1)
    rings = [np.stack([ring[:, 0] * np.cos(a), ring[:, 1], ring[:, 0] * np.sin(a)], axis=1) for a in turn]
    return ringed(np.array(rings), closed=True)


@pytest.mark.parametrize("surface", [bar, two_legs, torus, lambda: ball_at((0, 0, 0), 0.5, 0.03)])
@pytest.mark.parametrize("particles", [60, 300])
def test_closed_surfaces_stay_closed(surface, particles: int) -> None:
    vertices, faces = surface()
    body = embody(asset(vertices, faces), kind="shell", particles=particles).body
    assert body.kind == "shell" and particles * 0.85 < len(body.rest) < particles * 1.6
    assert is_closed_manifold(body.rest, body.triangles)
    assert euler(body.triangles) == euler(faces)
    assert triangle_quality(body.rest, body.triangles).mean() > 0.75
    np.testing.assert_allclose(body.skin.deform(body.rest), vertices, atol=1e-9)


def test_a_sheet_keeps_its_border_and_corners() -> None:
    vertices, faces = sheet(60)
    body = embody(asset(vertices, faces), kind="shell", particles=200).body
    assert pieces(body.triangles, len(body.rest)) == 1 and euler(body.triangles) == 1
    place = body.rest[:, [0, 2]]
    for corner in ((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)):
        assert np.abs(place - corner).sum(axis=1).min() < 1e-12
    assert areas(body.rest, body.triangles).sum() == pytest.approx(1.0, rel=1e-9)
    up = np.array([0.0, 1, 0])
    np.testing.assert_allclose(body.skin.deform(body.rest + up), vertices + up, atol=1e-12)


def test_a_surface_of_about_the_right_number_is_taken_as_it_is() -> None:
    vertices, faces = sheet(20)
    body = embody(asset(vertices, faces), kind="shell", particles=400).body
    np.testing.assert_array_equal(body.rest, vertices)
    np.testing.assert_array_equal(body.triangles, faces)


def test_a_coarse_surface_is_cut_finer() -> None:
    body = embody(asset(*sheet(1)), kind="shell", particles=300).body
    assert len(body.rest) == pytest.approx(300, rel=0.25)
    assert euler(body.triangles) == 1


def test_poses_follow_the_surface() -> None:
    vertices, faces = bar()
    pose = bent(vertices, 120)
    made = embody(asset(vertices, faces, poses={"bend": pose}), kind="shell", particles=300)
    (fit,) = made.fits
    assert fit.verdict == "reached" and fit.mean < 0.003 * fit.diagonal
    gap = np.linalg.norm(made.body.skin.deform(made.body.poses["bend"]) - pose, axis=1)
    assert gap.max() == pytest.approx(fit.largest)


def test_both_sides_of_a_thin_gap_move_by_themselves() -> None:
    """Two sheets 1 mm apart, joined at one side: a point of one never rides on the other."""
    top, faces = sheet(30)
    lower = top - (0, 0.001, 0)
    rim = np.flatnonzero(top[:, 0] == -0.5)
    a, b = rim[:-1], rim[1:]
    wall = np.concatenate([np.stack([a, b, b + len(top)], axis=1), np.stack([a, b + len(top), a + len(top)], axis=1)])
    vertices = np.concatenate([top, lower])
    given = asset(vertices, np.concatenate([faces, faces[:, ::-1] + len(top), wall]))
    body = embody(given, kind="shell", particles=300).body
    opened = body.rest.copy()
    far = body.rest[:, 0] > -0.3
    opened[far & (body.rest[:, 1] > -0.0005), 1] += 1.0
    moved = body.skin.deform(opened)
    upper = np.flatnonzero(vertices[:, 1] > -0.0005)
    assert np.abs(moved[len(top) :] - lower).max() < 0.02
    assert moved[upper[vertices[upper, 0] > -0.1], 1].min() > 0.9


def test_small_pieces_ride_on_large_ones() -> None:
    button = ball_at((0.52, 0, 0), 0.01, 0.01)
    body = embody(asset(*together(ball_at((0, 0, 0)), button)), kind="shell", particles=150).body
    assert pieces(body.triangles, len(body.rest)) == 1
    away = np.array([1.0, 2, 3])
    np.testing.assert_allclose(body.skin.deform(body.rest + away), body.skin.vertices + away, atol=1e-9)


def test_thickness_and_the_same_again() -> None:
    given = asset(*ball_at((0, 0, 0)))
    first = embody(given, kind="shell", particles=150, thickness=0.007)
    second = embody(given, kind="shell", particles=150)
    assert first.body.thickness == 0.007
    assert second.cached and not first.cached
    np.testing.assert_array_equal(first.body.rest, second.body.rest)
    assert second.body.thickness == pytest.approx(0.01 * np.linalg.norm(first.body.size))
    fresh = embody(given, kind="shell", particles=150, cache=False)
    np.testing.assert_array_equal(first.body.rest, fresh.body.rest)
    np.testing.assert_array_equal(first.body.skin.weights, fresh.body.skin.weights)


def test_a_surface_without_area_is_refused() -> None:
    with pytest.raises(FileError, match="no surface to follow"):
        embody(asset([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]]), kind="shell")
