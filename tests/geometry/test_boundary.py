import numpy as np
import pytest

import meshes
from pliant.geometry.boundary import boundary_faces, boundary_triangles
from pliant.geometry.measures import areas


def enclosed(vertices, faces):
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return np.einsum("ij,ij->i", np.cross(a, b), c).sum() / 6


def test_the_boundary_of_a_box_is_closed_and_outward():
    rest, tets = meshes.box_arrays((1, 2, 3), (2, 3, 4))
    faces, owners = boundary_faces(tets)
    assert areas(rest, faces).sum() == pytest.approx(2 * (2 + 3 + 6))
    assert enclosed(rest, faces) == pytest.approx(6)
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    there, back = ({tuple(e) for e in es.tolist()} for es in (edges, edges[:, ::-1]))
    assert there == back and len(there) == len(edges)  # every edge once each way: watertight
    assert all(set(face) < set(tets[owner]) for face, owner in zip(faces.tolist(), owners, strict=True))


def test_inner_faces_are_left_out():
    two = np.array([[0, 1, 2, 3], [1, 2, 3, 4]], dtype=np.int32)
    faces = boundary_triangles(two)
    assert len(faces) == 6
    assert [1, 2, 3] not in np.sort(faces, axis=1).tolist()
