"""Statics: beams, patches, and that Newton's method only ever goes downhill."""

import numpy as np
import pytest

import meshes
from pliant.elastic import ready
from pliant.elastic.carrying import carried
from pliant.elastic.elements import make_elements
from pliant.elastic.materials import MATERIALS, material_kernel
from pliant.elastic.materials.lame import lame
from pliant.elastic.objective import Potential
from pliant.elastic.springs import Springs
from pliant.elastic.statics import settle_statically
from pliant.geometry.boundary import boundary_triangles

every_material = pytest.mark.parametrize("name", MATERIALS)
YOUNG, POISSON = 1e6, 0.3


@pytest.fixture(scope="module", autouse=True)
def kernels():
    ready(*MATERIALS)


def potential(rest, tets, name="green"):
    moduli = np.tile(lame(YOUNG, POISSON), (len(tets), 1))
    return Potential(make_elements(rest, tets), material_kernel(name), moduli)


def fixed_where(mask):
    return np.repeat(mask, 3).astype(np.int64)


def traction(rest, tets, chosen, force):
    """A force (3,) spread over the outer faces among chosen particles, by area: (3 V,)."""
    faces = boundary_triangles(tets)
    faces = faces[chosen[faces].all(axis=1)]
    a, b, c = (rest[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    share = np.bincount(faces.ravel(), np.repeat(area / 3, 3), len(rest))
    return (share[:, None] / share.sum() * np.asarray(force)).reshape(-1)


def cantilever(cells, length=1.0, height=0.1):
    """Tip deflection over that of beam theory, shear included; a small load, so that theory holds."""
    rest, tets = meshes.box_arrays((height, height, length), (cells, cells, 10 * cells))
    p = potential(rest, tets)
    tip = rest[:, 2] > length / 2 - 1e-9
    load = 1e-4 * YOUNG * height**4 / length**2
    outcome = settle_statically(
        p,
        rest.reshape(-1),
        fixed=fixed_where(rest[:, 2] < -length / 2 + 1e-9),
        force=traction(rest, tets, tip, (0.0, -load, 0.0)),
    )
    assert outcome.converged
    deflection = -(outcome.x.reshape(-1, 3) - rest)[tip, 1].mean()
    shear = YOUNG / (2 * (1 + POISSON))
    theory = load * length**3 / (3 * YOUNG * height**4 / 12) + load * length / (5 / 6 * shear * height**2)
    return deflection / theory


@pytest.mark.slow
def test_a_cantilever_bends_as_beam_theory_says():
    """Tets that are linear inside bend too stiffly; halving them must quarter the error, and fine ones be right."""
    errors = [1 - cantilever(cells) for cells in (2, 4, 8)]
    assert errors[0] > 2.5 * errors[1] > 2.5**2 * errors[2] > 0
    assert errors[2] < 0.05


@every_material
def test_patch(name):
    """Held all around as an affine map would have it, the inside takes part in it exactly."""
    rest, tets = meshes.box_arrays((1.0, 1.0, 1.2), (3, 3, 3))
    rng = np.random.default_rng(0)
    outer = np.zeros(len(rest), bool)
    outer[boundary_triangles(tets)] = True
    rest = rest + np.where(outer[:, None], 0.0, rng.uniform(-0.08, 0.08, rest.shape))
    matrix = np.eye(3) + rng.uniform(-0.15, 0.15, (3, 3))
    wanted = rest @ matrix.T + (0.3, 0.1, -0.2)
    start = np.where(outer[:, None], wanted, rest)
    outcome = settle_statically(potential(rest, tets, name), start.reshape(-1), fixed=fixed_where(outer))
    assert outcome.converged
    np.testing.assert_allclose(outcome.x.reshape(-1, 3), wanted, atol=1e-9)


@every_material
def test_a_pulled_bar_narrows(name):
    """A bar drawn by its ends is drawn by the stress of its law times its area, everywhere alike."""
    rest, tets = meshes.box_arrays((0.4, 0.4, 2.0), (2, 2, 6))
    p = potential(rest, tets, name)
    low, high = rest[:, 2] < -0.99, rest[:, 2] > 0.99
    # ends slide in their planes; the middle of one end stays, and one more particle keeps it from spinning
    fixed = np.zeros((len(rest), 3), np.int64)
    fixed[low | high, 2] = 1
    middle = np.flatnonzero(low & (np.abs(rest[:, :2]) < 1e-9).all(axis=1))
    fixed[middle] = 1
    fixed[np.flatnonzero(low & (np.abs(rest[:, 1]) < 1e-9)), 1] = 1
    start = rest * (1, 1, 1.2)
    outcome = settle_statically(p, start.reshape(-1), fixed=fixed.reshape(-1))
    assert outcome.converged
    f = p.elements.deformation(outcome.x)
    np.testing.assert_allclose(f, np.broadcast_to(f[0], f.shape), atol=1e-7)
    assert 0.9 < f[0, 0, 0] < 1 and f[0, 0, 0] == pytest.approx(f[0, 1, 1], abs=1e-7)
    p.evaluate(outcome.x, 1)
    across = p.gradient() @ (rest * (1, 0, 0)).reshape(-1)
    along = p.gradient() @ (rest * (0, 0, 1)).reshape(-1)
    assert abs(across) < 1e-6 * along


@every_material
@pytest.mark.parametrize("seed", range(3))
def test_the_energy_never_rises(name, seed):
    rest, tets = meshes.box_arrays((1.0, 1.0, 2.0), (2, 2, 4))
    rng = np.random.default_rng(seed)
    start = rest + 0.3 * rng.normal(size=rest.shape)  # most tets are inside out
    force = 2e3 * rng.normal(size=3 * len(rest))
    held = Springs(np.array([[9, 9, 9, 9]]), np.eye(1, 4), np.array([1e5]), np.array([[1.0, 1.0, 1.0]]))
    outcome = settle_statically(
        potential(rest, tets, name),
        start.reshape(-1),
        fixed=fixed_where(rest[:, 2] < -0.99),
        springs=held,
        force=force,
        most_iterations=60,
    )
    assert len(outcome.energies) > 3
    assert (np.diff(outcome.energies) <= 0).all()


@pytest.mark.parametrize("name", ["green", "neo_hookean"])
@pytest.mark.parametrize("start", ["mirrored", "flat", "scrambled"])
def test_inverted_bodies_recover(name, start):
    rest, tets = meshes.box_arrays((1.0, 1.0, 2.0), (2, 2, 4))
    p = potential(rest, tets, name)
    rng = np.random.default_rng(1)
    inner = rest[:, 2] > -0.99
    shapes = {
        "mirrored": np.where(rest[:, 2:] > 0.4, rest * (1, 1, -0.5) + 0.01 * rng.normal(size=rest.shape), rest),
        "flat": rest * (1, 1, 1e-3) + 0.001 * rng.normal(size=rest.shape),
        "scrambled": rest + 0.4 * rng.normal(size=rest.shape),
    }
    begin = np.where(inner[:, None], shapes[start], rest).reshape(-1)
    assert np.linalg.det(p.elements.deformation(begin)).min() < 0.01
    outcome = settle_statically(p, begin, fixed=fixed_where(~inner), most_iterations=300)
    assert outcome.converged
    np.testing.assert_allclose(outcome.x.reshape(-1, 3), rest, atol=1e-6)


def test_what_hangs_weighs_what_it_weighs():
    """The springs that carry a body together pull with its weight."""
    rest, tets = meshes.box_arrays((1.0, 1.0, 2.0), (2, 2, 4))
    top = np.flatnonzero(rest[:, 2] > 0.99)
    held = Springs(
        np.repeat(top[:, None], 4, axis=1), np.tile(np.eye(1, 4), (len(top), 1)), np.full(len(top), 1e4), rest[top]
    )
    force = np.zeros((len(rest), 3))
    force[:, 2] = -3.0
    outcome = settle_statically(potential(rest, tets), rest.reshape(-1), springs=held, force=force.reshape(-1))
    assert outcome.converged
    pulls = -(held.stiffness[:, None] * held.reach(outcome.x)).sum(axis=0)
    np.testing.assert_allclose(pulls, (0, 0, 3.0 * len(rest)), atol=1e-3)


def test_carried_particles_follow_an_affine_map():
    rest, tets = meshes.box_arrays((1.0, 1.0, 1.0), (3, 3, 3))
    outer = np.unique(boundary_triangles(tets))
    matrix = np.eye(3) + 0.3
    moved = carried(make_elements(rest, tets), rest, outer.astype(np.int64), rest[outer] @ matrix.T)
    np.testing.assert_allclose(moved, rest @ matrix.T, atol=1e-9)
