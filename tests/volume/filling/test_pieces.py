"""Meshes of several pieces, some of which the skin says little or nothing about."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import meshes
from pliant.volume.filling import fill
from pliant.volume.filling.pieces import components, pieces


def two_boxes(gap=0.2):
    """Two boxes side by side, all their particles bound one to one."""
    rest, tets = meshes.box_arrays((1.0, 1.0, 1.0), (2, 2, 2))
    rest = np.concatenate([rest, rest + np.array([1.0 + gap, 0, 0])])
    tets = np.concatenate([tets, tets + len(rest) // 2])
    return rest, tets


def bound_to(rest, tets, points):
    """A skin of one point on each of some particles."""
    weights = np.zeros((len(points), 4))
    weights[:, 0] = 1.0
    return rest, tets, np.repeat(points[:, None], 4, axis=1), weights, np.ones(len(points)), np.empty((0, 3), int)


def test_pieces_are_told_apart():
    rest, tets = two_boxes()
    component = components(tets, len(rest))
    half = len(rest) // 2
    assert component.tolist() == [0] * half + [1] * half
    points = np.array([0, 1, half, 2])
    found = pieces(component, rest, *bound_to(rest, tets, points)[2:4])
    assert [piece.particles.tolist() for piece in found] == [list(range(half)), list(range(half, 2 * half))]
    assert [piece.points.tolist() for piece in found] == [[0, 1, 3], [2]]


def test_each_piece_goes_its_own_way():
    """Half a turn of one piece alone is as far from the other as rotations get."""
    rest, tets = two_boxes()
    half = len(rest) // 2
    turn = Rotation.from_rotvec([0, 0, np.pi]).as_matrix()
    posed = np.concatenate([rest[:half], rest[half:] @ turn.T + (5.0, 1.0, 0.0)])
    (filled,) = fill(*bound_to(rest, tets, np.arange(2 * half)), [posed])
    np.testing.assert_allclose(filled.positions, posed, atol=1e-9)
    assert filled.fit.verdict == "reached" and filled.fit.smallest_j == pytest.approx(1)


@pytest.mark.parametrize("told", [0, 1, 2])
def test_a_piece_with_little_or_no_skin_follows_the_skin_around_it(told):
    rest, tets = two_boxes()
    half = len(rest) // 2
    points = np.concatenate([np.arange(half), half + np.arange(told)])
    turn = Rotation.from_rotvec([0.3, 1.0, 2.0]).as_matrix()
    posed = rest @ turn.T + (2.0, 0.0, -1.0)
    (filled,) = fill(*bound_to(rest, tets, points), [posed[points]])
    np.testing.assert_allclose(filled.positions, posed, atol=1e-7)


def test_an_untold_piece_stays_whole_when_the_other_is_deformed():
    rest, tets = two_boxes()
    half = len(rest) // 2
    points = np.arange(half)
    posed = rest[:half] + 0.2 * np.sin(2 * rest[:half, [1, 2, 0]])
    (filled,) = fill(*bound_to(rest, tets, points), [posed])
    before, after = rest[half:], filled.positions[half:]
    apart = np.linalg.norm(before[:, None] - before, axis=2)
    np.testing.assert_allclose(np.linalg.norm(after[:, None] - after, axis=2), apart, atol=1e-9)
    assert np.abs(after - before).max() < 0.5  # and near


def test_particles_in_no_tet_are_carried_along():
    rest, tets = meshes.box_arrays()
    rest = np.concatenate([rest, [[0.0, 0.0, 1.3]]])
    points = np.arange(len(rest) - 1)
    (filled,) = fill(*bound_to(rest, tets, points), [rest[points] + (1.0, 2.0, 3.0)])
    np.testing.assert_allclose(filled.positions - rest, np.tile([1.0, 2.0, 3.0], (len(rest), 1)), atol=1e-9)


def test_a_handful_of_points_is_enough():
    """The eight corners of a box, twisted: the inside is found from them alone."""
    rest, tets = meshes.box_arrays((1.0, 1.0, 2.0), (4, 4, 8))
    corners = np.flatnonzero((np.abs(rest) == (0.5, 0.5, 1.0)).all(axis=1))
    angle = np.pi / 4 * rest[corners, 2]
    x, y, z = rest[corners].T
    posed = np.stack([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y, z], axis=1)
    (filled,) = fill(*bound_to(rest, tets, corners), [posed])
    assert filled.fit.verdict == "reached" and filled.fit.smallest_j > 0.3
    assert filled.fit.largest < 1e-3
    middle = np.abs(rest[:, 2]) < 1e-9
    np.testing.assert_allclose(filled.positions[middle, 2], 0, atol=1e-6)


def test_a_mirrored_piece_among_others_is_seen():
    rest, tets = two_boxes()
    half = len(rest) // 2
    middle = rest[half:].mean(axis=0)
    posed = np.concatenate([rest[:half], (rest[half:] - middle) * (1, 1, -1) + middle])
    (filled,) = fill(*bound_to(rest, tets, np.arange(2 * half)), [posed])
    assert filled.fit.verdict == "mirrored" and filled.fit.inverted == len(tets) // 2
