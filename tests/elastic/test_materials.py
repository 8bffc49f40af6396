"""Energies, gradients and Hessians of every material against finite differences, rotations and Hooke's law."""

import numpy as np
import pytest
from scipy.sparse import triu

import meshes
from pliant.elastic import ready
from pliant.elastic.assembly import make_pattern
from pliant.elastic.elements import make_elements
from pliant.elastic.materials import MATERIALS, material_kernel
from pliant.elastic.materials.lame import lame
from pliant.elastic.objective import ENERGY, EXACT, GRADIENT, HESSIAN, Potential

every_material = pytest.mark.parametrize("name", MATERIALS)
MU, LAM = lame(1.0, 0.3)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    ready(*MATERIALS)


def mesh(seed=0):
    rest, tets = meshes.box_arrays((1.0, 0.8, 1.2), (2, 2, 2))
    rng = np.random.default_rng(seed)
    return make_elements(rest + rng.uniform(-0.05, 0.05, rest.shape), tets)


def potential(name, elements, moduli=(MU, LAM)):
    return Potential(elements, material_kernel(name), np.tile(moduli, (len(elements.tets), 1)))


def state(kind, elements, seed=0):
    """Places of the particles, flat."""
    rng = np.random.default_rng(seed)
    noise = 0.08 * rng.normal(size=elements.rest.shape)
    shapes = {
        "rest": elements.rest,
        "random": elements.rest + noise,
        "turned": elements.rest @ meshes.rotation(seed).T + noise,
        "inverted": elements.rest * (1.1, -0.7, 0.9) + noise / 2,
        "mixed": elements.rest + 4 * noise,  # some tets inside out, some not
        "flat": elements.rest * (1.1, 0.9, 0.0),
        "large": 3.0 * elements.rest + noise,
    }
    return shapes[kind].reshape(-1)


def gradient(p, x):
    p.evaluate(x, GRADIENT)
    return p.gradient()


def hessian(p, x, level):
    pattern = make_pattern(p.elements)
    p.evaluate(x, level)
    values = pattern.values()
    pattern.add_tets(p.elements, p.blocks, values)
    upper = pattern.matrix(values)
    return (upper + triu(upper, 1).T).toarray()


@every_material
@pytest.mark.parametrize("kind", ["rest", "random", "turned", "inverted", "mixed", "flat", "large"])
def test_derivatives_are_those_of_the_energy(name, kind):
    p = potential(name, mesh())
    x = state(kind, p.elements)
    h = 1e-5
    scale = np.abs(hessian(p, x, EXACT)).max()
    for seed in range(3):
        d = np.random.default_rng(10 + seed).normal(size=x.shape)
        d /= np.linalg.norm(d)
        slope = (p.evaluate(x + h * d, ENERGY) - p.evaluate(x - h * d, ENERGY)) / (2 * h)
        assert abs(slope - gradient(p, x) @ d) < 1e-6 * scale
        # where a singular value changes its sign against another, the corotated force turns quickly: a finer step
        fine = h if name != "corotated" else h / 10
        change = (gradient(p, x + fine * d) - gradient(p, x - fine * d)) / (2 * fine)
        assert np.abs(change - hessian(p, x, EXACT) @ d).max() < 1e-6 * scale


@every_material
@pytest.mark.parametrize("kind", ["rest", "random", "inverted", "mixed", "flat", "large"])
def test_the_positive_version_is_positive(name, kind):
    p = potential(name, mesh())
    values = np.linalg.eigvalsh(hessian(p, state(kind, p.elements), HESSIAN))
    assert values[0] > -1e-12 * values[-1]


@pytest.mark.parametrize(
    ("name", "size"), [*((name, 1.0) for name in MATERIALS), ("st_venant_kirchhoff", 1.2), ("corotated", 1.2)]
)
def test_where_nothing_is_negative_both_versions_are_the_same(name, size):
    """At rest, and for some laws in a body that is pulled in all directions."""
    p = potential(name, mesh())
    x = (size * p.elements.rest).reshape(-1)
    exact, positive = hessian(p, x, EXACT), hessian(p, x, HESSIAN)
    np.testing.assert_allclose(positive, exact, atol=1e-12 * np.abs(exact).max())


@every_material
def test_turning_and_moving_costs_nothing(name):
    p = potential(name, mesh())
    x = state("random", p.elements).reshape(-1, 3)
    turn = meshes.rotation(5)
    moved = (x @ turn.T + (3.0, -2.0, 1.0)).reshape(-1)
    assert p.evaluate(moved, ENERGY) == pytest.approx(p.evaluate(x.reshape(-1), ENERGY), rel=1e-10)
    turned = (gradient(p, x.reshape(-1)).reshape(-1, 3) @ turn.T).reshape(-1)
    np.testing.assert_allclose(gradient(p, moved), turned, atol=1e-12)


@every_material
def test_forces_have_neither_sum_nor_torque(name):
    p = potential(name, mesh())
    x = state("mixed", p.elements)
    force = -gradient(p, x).reshape(-1, 3)
    size = np.abs(force).sum()
    assert np.abs(force.sum(axis=0)).max() < 1e-13 * size
    assert np.abs(np.cross(x.reshape(-1, 3), force).sum(axis=0)).max() < 1e-13 * size


@every_material
def test_small_strains_obey_hooke(name):
    """The stress of a small strain is 2 mu e + lambda tr(e)."""
    elements = mesh()
    p = potential(name, elements)
    strain = 1e-5 * np.array([[1.0, 0.3, -0.2], [0.3, -0.5, 0.4], [-0.2, 0.4, 0.8]])
    x = (elements.rest @ (np.eye(3) + strain)).reshape(-1)
    wanted = MU * (strain**2).sum() + LAM / 2 * np.trace(strain) ** 2
    assert p.evaluate(x, ENERGY) == pytest.approx(wanted * elements.volumes.sum(), rel=1e-4)


@every_material
def test_rest_has_no_energy_and_no_force(name):
    p = potential(name, mesh())
    x = p.elements.rest.reshape(-1)
    assert abs(p.evaluate(x, GRADIENT)) < 1e-15
    assert np.abs(p.gradient()).max() < 1e-15


@every_material
def test_a_point_has_finite_derivatives(name):
    p = potential(name, mesh())
    for x in (np.zeros(3 * p.elements.count), np.repeat(p.elements.rest[:, :1], 3, axis=1).reshape(-1)):
        assert np.isfinite(p.evaluate(x, HESSIAN))
        assert np.isfinite(p.forces).all() and np.isfinite(p.blocks).all()


# ---- a bar stretched by a factor, its sides free: the stress that each law gives ----------------------------


def analytic(name, a, b):
    """Nominal stresses along and across of a stretch by a along and b across."""
    e, f = (a * a - 1) / 2, (b * b - 1) / 2
    j = a * b * b
    if name == "green":
        return 2 * MU * a * e + LAM * (j - 1) * b * b, 2 * MU * b * f + LAM * (j - 1) * a * b
    if name == "st_venant_kirchhoff":
        trace = e + 2 * f
        return a * (2 * MU * e + LAM * trace), b * (2 * MU * f + LAM * trace)
    if name == "corotated":
        trace = a + 2 * b - 3
        return 2 * MU * (a - 1) + LAM * trace, 2 * MU * (b - 1) + LAM * trace
    m, lam = 4 / 3 * MU, LAM + 5 / 6 * MU
    w = m * (1 - 1 / (a * a + 2 * b * b + 1))
    q = lam * (j - 1) - 0.75 * m
    return w * a + q * b * b, w * b + q * a * b


@every_material
@pytest.mark.parametrize("stretch", [0.8, 1.3])
def test_a_stretched_bar_has_the_stress_of_its_law(name, stretch):
    from scipy.optimize import brentq

    across = brentq(lambda b: analytic(name, stretch, b)[1], 0.5, 1.5)
    along = analytic(name, stretch, across)[0]
    elements = mesh()
    p = potential(name, elements)
    x = elements.rest * (across, across, stretch)
    p.evaluate(x.reshape(-1), GRADIENT)
    # virtual work: the force against a stretch of the whole body is its stress times the volume
    pull = p.gradient() @ (elements.rest * (0, 0, 1)).reshape(-1)
    side = p.gradient() @ (elements.rest * (1, 0, 0)).reshape(-1)
    assert pull == pytest.approx(along * elements.volumes.sum(), rel=1e-10)
    assert abs(side) < 1e-10 * abs(pull)
