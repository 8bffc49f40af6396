"""Which drawn vertices are one point: what a file splits is joined again, what the artist has twice stays two."""

import numpy as np
import pytest

from pliant.body import Skin
from pliant.files.drawn import points_of


def skin_of(vertices, faces):
    """All vertices on one particle each place, so that equal places ride alike."""
    vertices = np.asarray(vertices, dtype=float)
    _, place = np.unique(vertices, axis=0, return_inverse=True)
    slots = np.repeat(place.reshape(-1, 1), 4, axis=1).astype(np.int32)
    weights = np.tile([1.0, 0, 0, 0], (len(vertices), 1))
    return Skin(vertices, np.asarray(faces, dtype=np.int32), slots, weights, kind="solid")


def soup_of(points, faces):
    """Every face with corners of its own, in the order of their points: as exporters split a mesh with hard edges."""
    corners = np.asarray(faces).ravel()
    order = np.argsort(corners, kind="stable")
    place = np.argsort(order)
    return np.asarray(points)[corners[order]], place.reshape(-1, 3)


# Two tents whose tips touch: point 0 and point 5 are in the same place, and have no side of a face in common.
TENTS = np.array([[0, 0, 0], [1, 0, 1], [-1, 1, 1], [-1, -1, 1], [9, 9, 9], [0, 0, 0], [1, 0, -1], [-1, 1, -1]])
TENTS = np.concatenate([TENTS, [[-1, -1, -1]]])
FACES = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [5, 7, 6], [5, 8, 7], [5, 6, 8]]


@pytest.mark.parametrize("split", [False, True], ids=["smooth", "hard edges"])
def test_points_that_touch_stay_two_however_they_are_split(split):
    vertices, faces = soup_of(TENTS, FACES) if split else (TENTS, FACES)
    firsts, numbers = points_of(skin_of(vertices, faces))
    used = [0, 1, 2, 3, 5, 6, 7, 8]
    assert np.asarray(vertices)[firsts].tolist() == TENTS[used].tolist()  # in the artist's order
    kept = np.asarray(used)[numbers[np.asarray(faces)]]
    assert kept.tolist() == FACES


def test_vertices_without_a_face_are_no_points():
    _, numbers = points_of(skin_of(TENTS, FACES))
    assert numbers[4] == -1 and (np.delete(numbers, 4) >= 0).all()


def test_a_seam_is_closed_in_whatever_order_it_was_split():
    """Copies at the end of the list, as other exporters have them: their faces meet at an edge."""
    square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [1, 1, 0]]
    firsts, numbers = points_of(skin_of(square, [[0, 1, 2], [4, 5, 3]]))
    assert firsts.tolist() == [0, 1, 2, 3]
    assert numbers.tolist() == [0, 1, 2, 3, 0, 2]


def test_a_pinched_point_that_was_split_in_a_row_is_one():
    """One vertex of the artist with two fans round it that have no edge in common."""
    points = np.delete(TENTS, 5, axis=0)
    faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [0, 6, 5], [0, 7, 6], [0, 5, 7]]
    vertices, corners = soup_of(points, faces)
    firsts, _ = points_of(skin_of(vertices, corners))
    assert len(firsts) == 7
