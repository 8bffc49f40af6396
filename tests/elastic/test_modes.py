"""The lowest modes of bodies: against the theory of beams, and against a dense solution."""

import numpy as np
import pytest
from scipy.linalg import eigh

import pliant
from pliant.elastic.elements import elements_of
from pliant.elastic.modes import lowest_modes, modes_of, ring_stiffness, solid_stiffness


def rigid_motions(rest):
    turns = [np.cross(axis, rest) for axis in np.eye(3)]
    return [np.tile(axis, (len(rest), 1)) for axis in np.eye(3)] + turns


BODIES = {
    "solid": pliant.shapes.cuboid(size=(1, 1, 3), cells=(3, 3, 9)),
    "shell": pliant.shapes.sheet(size=(1.0, 1.6), cells=(8, 12)),
    "rod": pliant.shapes.rope(length=2.0, particles=41),
}


@pytest.mark.parametrize("kind", BODIES)
def test_modes_are_free_of_rigid_motion_and_at_right_angles(kind):
    body = BODIES[kind]
    modes = lowest_modes(body, 5)
    assert len(modes.shapes) == 5
    flat = modes.shapes.reshape(5, -1) * np.sqrt(np.repeat(body.masses, 3))
    assert flat @ flat.T == pytest.approx(np.eye(5), abs=1e-8)
    for motion in rigid_motions(body.rest - body.rest.mean(axis=0)):
        unit = motion.ravel() * np.sqrt(np.repeat(body.masses, 3))
        assert np.abs(flat @ (unit / max(np.linalg.norm(unit), 1e-9))).max() < 1e-6
    assert (np.diff(modes.frequencies) >= -1e-9 * modes.frequencies[-1]).all() and modes.frequencies[0] > 0


@pytest.mark.parametrize("kind", BODIES)
def test_rest_and_rigid_motions_cost_nothing(kind):
    body = BODIES[kind]
    stiffness = solid_stiffness(elements_of(body), 1e5, 0.3) if kind == "solid" else ring_stiffness(body)
    assert abs(stiffness - stiffness.T).max() <= 1e-12 * abs(stiffness).max()
    for motion in rigid_motions(body.rest):
        assert np.abs(stiffness @ motion.ravel()).max() <= 1e-10 * abs(stiffness).max() * np.abs(motion).max()


def test_sparse_modes_are_those_of_a_dense_solver():
    body = pliant.shapes.cuboid(size=(1, 1, 3), cells=(2, 2, 5))
    stiffness = solid_stiffness(elements_of(body), 1e5, 0.3)
    values = eigh(stiffness.toarray(), np.diag(np.repeat(body.masses, 3)), eigvals_only=True)
    found = modes_of(stiffness, body.masses, 8)
    assert found.frequencies == pytest.approx(np.sqrt(values[6:14]) / (2 * np.pi), rel=1e-8)


def test_a_long_bar_rings_as_a_beam_does():
    """Stretching along a free bar of length L: f = sqrt(E / rho) / (2 L); linear tets come to it from above."""
    body = pliant.shapes.cuboid(size=(0.2, 0.2, 4), cells=(2, 2, 24))
    modes = lowest_modes(body, 12, young=1e6, poisson=0.0)
    along = [np.square(shape[:, 2]).sum() / np.square(shape).sum() for shape in modes.shapes]
    pitch = modes.frequencies[int(np.argmax(along))]
    assert pitch == pytest.approx(np.sqrt(1e6 / body.density) / 8, rel=0.01)


def test_a_rod_bends_before_it_stretches():
    body = BODIES["rod"]
    shapes = lowest_modes(body, 4).shapes
    axis = int(np.argmax(body.size))
    assert all(np.abs(shape[:, axis]).max() < 0.05 * np.abs(shape).max() for shape in shapes)


def test_a_mode_of_a_body_in_two_pieces_moves_neither_as_a_whole():
    one = pliant.shapes.cuboid(size=(1, 1, 1), cells=(2, 2, 2))
    both = pliant.Body(
        np.concatenate([one.rest, one.rest + np.array([3.0, 0, 0])]),
        tets=np.concatenate([one.tets, one.tets + len(one.rest)]),
    )
    assert lowest_modes(both, 2).frequencies == pytest.approx(lowest_modes(one, 1).frequencies[[0, 0]], rel=1e-6)
