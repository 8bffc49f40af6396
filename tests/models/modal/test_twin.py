"""Kernels of modes against plain NumPy."""

import numpy as np
import pytest
from scipy.linalg import expm

import pliant
from pliant.elastic import ready
from pliant.elastic.elements import elements_of
from pliant.elastic.materials import material_kernel
from pliant.elastic.materials.lame import lame
from pliant.elastic.objective import GRADIENT, Potential
from pliant.models.modal.basis import basis_of
from pliant.models.modal.eigenmodes import eigenmodes
from pliant.models.modal.elements import stiffness_matrix, strain_metric
from pliant.models.modal.oscillators import responses
from pliant.models.modal.respond import reduced_force
from pliant.models.modal.settings import Modal
from pliant.models.modal.unrolling import particle_turns, unrolled, warps
from pliant.models.modal.warp import shape, turned

BAR = pliant.shapes.cuboid(size=(0.3, 1.2, 0.3), cells=(2, 6, 2))


def basis(**values):
    return basis_of(BAR, Modal(**{"modes": 12, **values}), np.zeros(0, bool), [])


def cross(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def test_modes_are_orthonormal_and_diagonal():
    values, phi = eigenmodes(BAR, 12, 0.3)
    matrix = stiffness_matrix(elements_of(BAR), 0.3)
    np.testing.assert_allclose(phi.T @ (np.repeat(BAR.masses, 3)[:, None] * phi), np.eye(12), atol=1e-10)
    np.testing.assert_allclose(phi.T @ (matrix @ phi), np.diag(values), atol=1e-8 * values[-1])
    metric = strain_metric(elements_of(BAR), 0.3, phi, phi, np.ones(len(BAR.tets), bool))
    np.testing.assert_allclose(metric, np.diag(values), atol=1e-8 * values[-1])


def test_few_modes_of_many_unknowns_are_those_of_all():
    """Shift-invert Lanczos against the dense solution."""
    fine = pliant.shapes.cuboid(size=(0.3, 1.2, 0.3), cells=(3, 8, 3))
    few, _ = eigenmodes(fine, 8, 0.3)
    every, _ = eigenmodes(fine, 3 * len(fine.rest) // 2, 0.3)
    np.testing.assert_allclose(few, every[:8], rtol=1e-7)


def test_the_shape_is_the_integral_of_turns():
    made = basis()
    q = 0.02 * np.random.default_rng(1).standard_normal(made.modes)
    count = len(made.rest)
    turns, out = np.zeros(3 * count), np.zeros(3 * count)
    shape(
        made.rest.reshape(-1), made.masses, made.phi.reshape(-1), made.psi.reshape(-1), q, count, made.modes, True,
        turns, out,
    )  # fmt: skip
    moved, vectors = (made.phi @ q).reshape(-1, 3), (made.psi @ q).reshape(-1, 3)
    places, weights = np.polynomial.legendre.leggauss(12)
    ends = made.rest.copy()
    for i, (u, w) in enumerate(zip(moved, vectors, strict=True)):
        ends[i] += sum(0.5 * c * expm(0.5 * (s + 1.0) * cross(w)) @ u for s, c in zip(places, weights, strict=True))
    ends -= made.masses @ ends / made.masses.sum()
    np.testing.assert_allclose(out.reshape(-1, 3), ends, atol=1e-12)
    np.testing.assert_allclose(turns.reshape(-1, 3), vectors, atol=1e-12)
    np.testing.assert_allclose(turned(*vectors[3], *moved[3]), expm(cross(vectors[3])) @ moved[3], atol=1e-14)


@pytest.mark.parametrize("h", [1e-3, 0.02, 0.4])
def test_oscillators_are_exact(h):
    """Where a step shows them, the matrix exponential; everywhere, the answer to a constant force in the end."""
    values, damping = np.array([4.0, 90.0, 2500.0, 1e6]), np.array([0.0, 3.0, 200.0, 1.0])
    made = responses(values, damping, h)
    for j in range(4):
        if np.sqrt(values[j]) * h <= 1.0:
            exact = expm(h * np.array([[0.0, 1.0], [-values[j], -damping[j]]]))
            np.testing.assert_allclose(made[:4, j], exact.reshape(-1), atol=1e-10 * max(1.0, values[j]))
        matrix = made[:4, j].reshape(2, 2)
        assert np.abs(np.linalg.eigvals(matrix)).max() <= 1.0 + 1e-12


def test_a_pose_is_unrolled_and_rolled_again():
    rest = BAR.rest - BAR.masses @ BAR.rest / BAR.masses.sum()
    pose = pliant.poses.twist(BAR, degrees=300, axis="y")
    turns = particle_turns(elements_of(BAR), pose)
    u = unrolled(pose - rest, turns)
    np.testing.assert_allclose(rest + (warps(turns) @ u[:, :, None])[:, :, 0], pose, atol=1e-9)
    # it is the linear torsion, or nearly, for it was turned by up to 150 degrees at each end
    linear = np.cross(np.outer(np.radians(300) * rest[:, 1] / 1.2, (0, 1, 0)), rest)
    assert np.abs(u - linear).max() < 0.3 * np.abs(linear).max()


def test_the_nonlinear_force_is_that_of_all_tets():
    """Cubic polynomials against St. Venant-Kirchhoff's forces on the particles, and their derivatives."""
    ready("st_venant_kirchhoff")
    made = basis(shapes="nonlinear", modes=8)
    q = 0.05 * np.random.default_rng(2).standard_normal(made.modes)
    elements = elements_of(BAR)
    moduli = np.tile(lame(1.0, 0.3), (len(elements.tets), 1))
    potential = Potential(elements, material_kernel("st_venant_kirchhoff"), moduli)

    def all_tets(q):
        potential.evaluate(BAR.rest.reshape(-1) + made.phi @ q, GRADIENT)
        return made.phi.T @ potential.gradient()

    out, tangent = np.zeros(made.modes), np.zeros(made.modes**2)
    reduced_force(q, made.values, made.squares, made.cubes, made.modes, out, tangent)
    np.testing.assert_allclose(out, all_tets(q), rtol=1e-9, atol=1e-12 * np.abs(out).max())
    e = 1e-5
    for k in range(made.modes):
        step = e * np.eye(made.modes)[k]
        slope = (all_tets(q + step) - all_tets(q - step)) / (2 * e)
        np.testing.assert_allclose(
            tangent.reshape(-1, made.modes)[:, k], slope, atol=1e-6 * np.abs(tangent).max()
        )
