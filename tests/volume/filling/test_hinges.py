"""The edges of a skin: what they say about poses, and what they must not say."""

import numpy as np
import pytest

import meshes
from pliant.body import Skin
from pliant.volume.filling import fill
from pliant.volume.filling.hinges import hinge_jumps, hinges


def test_open_edges_and_those_of_three_triangles_are_no_hinges():
    fan = np.array([[0, 1, 2], [1, 0, 3], [0, 1, 4], [1, 2, 5]])
    pairs, ends = hinges(fan)
    assert pairs.tolist() == [[0, 3]] and ends.tolist() == [[1, 2]]
    nothing = np.empty((0, 3), np.int32)
    assert hinge_jumps(np.zeros((4, 3)), nothing, 1.0).shape == (0, 4)


def test_the_jump_is_the_angle_of_a_fold():
    """Two triangles, one of them folded up by a little."""
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    angle = 1e-3
    up = np.zeros((4, 3))
    up[1, 2] = angle * np.sqrt(0.5)  # half a diagonal from the edge
    jumps = hinge_jumps(square, np.array([[0, 1, 2], [0, 2, 3]]), 1.0) @ up
    assert np.linalg.norm(jumps) == pytest.approx(angle)


def test_what_is_flat_or_a_point_has_no_say():
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0]])
    jumps = hinge_jumps(square, np.array([[0, 1, 2], [0, 2, 3], [0, 4, 2], [1, 1, 1]]), 1.0)
    assert np.isfinite(jumps.data).all() and abs(jumps).sum() > 0


@pytest.mark.parametrize("height", [1e-3, 1e-6, 1e-9])
def test_a_sliver_does_not_bend_the_body(height):
    """A point that sits a hair from an edge, and in the pose a hundredth beside it, is one point among others."""
    rest, tets = meshes.box_arrays((1.0, 1.0, 1.0), (3, 3, 3))
    skin = Skin.of_elements(rest, tets, "solid")
    a, b, c = skin.faces[0]
    mixed = np.array([0.5 - height / 2, 0.5 - height / 2, height])  # within the triangle, next to the edge a b
    slots = np.concatenate([skin.indices, np.repeat(skin.indices[a, :1], skin.indices.shape[1])[None]])
    weights = np.concatenate([skin.weights, np.zeros((1, skin.weights.shape[1]))])
    strongest = [skin.indices[each, np.abs(skin.weights[each]).argmax()] for each in (a, b, c)]
    slots[-1, :3], weights[-1, :3] = strongest, mixed
    new = len(skin.vertices)
    faces = np.concatenate([skin.faces[1:], [[a, b, new], [b, c, new], [c, a, new]]])
    points = np.concatenate([skin.vertices, [mixed @ skin.vertices[[a, b, c]]]])
    target = 1.5 * points
    wanted = 1.5 * rest
    target[new] += 0.01
    (filled,) = fill(rest, tets, slots, weights, np.ones(len(points)), faces, [target])
    assert np.abs(filled.positions - wanted).max() < 0.01
