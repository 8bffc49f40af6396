import numpy as np

import meshes
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.normals import face_normals, unit, vertex_normals


def test_a_flat_sheet_looks_up():
    rest, triangles = meshes.sheet_arrays()
    np.testing.assert_allclose(face_normals(rest, triangles), np.tile([0, 1, 0], (len(triangles), 1)))
    np.testing.assert_allclose(vertex_normals(rest, triangles), np.tile([0, 1, 0], (len(rest), 1)))


def test_normals_of_a_box_point_away_and_turn_with_it():
    rest, tets = meshes.box_arrays()
    faces = boundary_triangles(tets)
    used = np.unique(faces)
    normals = vertex_normals(rest, faces)
    assert (np.einsum("ij,ij->i", normals, rest)[used] > 0).all()
    turn = meshes.rotation(1)
    np.testing.assert_allclose(vertex_normals(rest @ turn.T, faces)[used], normals[used] @ turn.T, atol=1e-12)


def test_nothing_defined_is_still_a_unit_vector():
    vertices = np.zeros((4, 3))
    np.testing.assert_array_equal(vertex_normals(vertices, np.array([[0, 1, 2]])), np.tile([0, 1, 0], (4, 1)))
    np.testing.assert_array_equal(unit(np.zeros((1, 3)), np.array([1.0, 0, 0])), [[1, 0, 0]])
