import numpy as np
import pytest

import meshes
from pliant.body import Skin
from pliant.runtime.errors import BodyError
from pliant.volume.filling.rotations import nearest_rotations, rigid_motion
from pliant.volume.filling.system import BEND, assemble


@pytest.fixture(scope="module")
def box():
    """Rest, tets and the pieces of a system, small enough to sum up by hand."""
    rest, tets = meshes.box_arrays((1.0, 1.2, 0.8), (2, 2, 1))
    skin = Skin.of_elements(rest, tets, "solid")
    share = np.linspace(1, 2, len(skin.vertices))
    return rest, tets, skin, share, assemble(rest, tets, skin.indices, skin.weights, share, skin.faces)


def test_the_matrices_are_the_energies_written_out(box):
    rest, tets, skin, share, system = box
    x = rest + 0.1 * np.random.default_rng(0).normal(size=rest.shape)
    surface = skin.vertices * 1.1

    def frames(positions):
        return np.swapaxes(positions[tets][:, 1:] - positions[tets][:, :1], 1, 2)

    inverse = np.linalg.inv(frames(rest))
    gradients = frames(x) @ inverse
    np.testing.assert_allclose(system.deformation(x), gradients, atol=1e-12)
    size = np.abs(np.linalg.det(frames(rest))) / 6
    pairs = {tuple(sorted(pair)) for tet in tets for pair in ((a, b) for a in tet for b in tet if a != b)}
    h = np.mean([np.linalg.norm(rest[a] - rest[b]) for a, b in pairs])
    assert system.h == pytest.approx(h)

    jumps = 0.0
    for a in range(len(tets)):
        for b in range(a):
            face = sorted(set(tets[a]) & set(tets[b]))
            if len(face) == 3:
                p, q, r = rest[face]
                area = np.linalg.norm(np.cross(q - p, r - p)) / 2
                apart = np.linalg.norm(rest[tets[a]].mean(axis=0) - rest[tets[b]].mean(axis=0))
                jumps += h**2 * area / (apart * size.sum()) * ((gradients[a] - gradients[b]) ** 2).sum()
    assert np.sum(x * (system.jumping @ x)) == pytest.approx(jumps)

    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    away = np.sum(size / size.sum() * ((gradients - turn) ** 2).sum(axis=(1, 2)))
    side = system.turning_side(np.broadcast_to(turn, gradients.shape))
    assert np.sum(x * (system.turning @ x)) - 2 * np.sum(x * side) + 3 == pytest.approx(away)

    off = skin.deform(x) - surface
    drawn = 7.0 * np.sum(share / share.sum() * (off**2).sum(axis=1)) / h**2 + 7.0 * BEND * bent(skin, off)
    side, constant = system.drawing_side(7.0, surface), system.drawing_constant(7.0, surface)
    assert np.sum(x * (system.drawing(7.0) @ x)) - 2 * np.sum(x * side) + constant == pytest.approx(drawn)


def bent(skin, off):
    """The mean squared jump of the gradient of `off` (N, 3) from a triangle of a skin to the next."""

    def gradient(face):
        p, q, r = skin.vertices[face]
        frame = np.linalg.inv([q - p, r - p, np.cross(q - p, r - p)])
        return frame @ [off[face[1]] - off[face[0]], off[face[2]] - off[face[0]], np.zeros(3)]

    faces = [list(face) for face in skin.faces]
    pairs = [(a, b) for a in faces for b in faces if a < b and len(set(a) & set(b)) == 2]
    return np.mean([np.sum((gradient(a) - gradient(b)) ** 2) for a, b in pairs])


def test_size_and_place_of_the_mesh_do_not_enter(box):
    rest, tets, skin, share, system = box
    other = assemble(1000 * rest + 5.0, tets, skin.indices, skin.weights, share, skin.faces)
    for name in ("fitting", "bending", "jumping", "turning"):
        one, two = getattr(system, name).toarray(), 1e6 * getattr(other, name).toarray()
        np.testing.assert_allclose(one, two, atol=1e-9 * np.abs(one).max())


def test_the_whole_is_positive_definite(box):
    system = box[-1]
    assert np.linalg.eigvalsh(system.matrix(3e3, 0.01).toarray()).min() > 0


def test_a_flat_tet_is_named():
    rest, tets = meshes.box_arrays()
    rest[tets[7, 3]] = rest[tets[7, :3]].mean(axis=0)
    skin = Skin.of_elements(rest, tets, "solid")
    with pytest.raises(BodyError, match="tet 7 is flat"):
        assemble(rest, tets, skin.indices, skin.weights, np.ones(len(skin.vertices)), skin.faces)


def test_nearest_rotations_of_rotated_stretches():
    rng = np.random.default_rng(2)
    turns = nearest_rotations(rng.normal(size=(20, 3, 3)))
    np.testing.assert_allclose(np.linalg.det(turns), 1)
    stretch = rng.normal(size=(20, 3, 3))
    stretch = stretch @ np.swapaxes(stretch, 1, 2) + 0.1 * np.eye(3)
    np.testing.assert_allclose(nearest_rotations(turns @ stretch), turns, atol=1e-9)
    mirror = np.diag([1.0, 1.0, -1.0])
    np.testing.assert_allclose(np.linalg.det(nearest_rotations(turns @ mirror)), 1)


def test_a_rigid_motion_is_found_from_points_in_a_plane():
    rng = np.random.default_rng(3)
    points = rng.normal(size=(10, 3)) * (1, 1, 0)
    turn = nearest_rotations(rng.normal(size=(1, 3, 3)))[0]
    rotation, shift = rigid_motion(points, points @ turn.T + (1, 2, 3), rng.uniform(1, 2, 10))
    np.testing.assert_allclose(rotation, turn, atol=1e-9)
    np.testing.assert_allclose(shift, (1, 2, 3), atol=1e-9)
