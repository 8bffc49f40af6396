"""Sparse matrices of a mesh against dense ones, and both ways of solving with them."""

import numpy as np
import pytest
from scipy.sparse import triu

import meshes
from pliant.elastic import ready
from pliant.elastic.assembly import make_pattern
from pliant.elastic.conjugate import Conjugate
from pliant.elastic.elements import elements_of, make_elements
from pliant.elastic.factor import Factor
from pliant.elastic.materials import material_kernel
from pliant.elastic.materials.lame import lame
from pliant.elastic.objective import HESSIAN, Direct, Objective, Potential
from pliant.elastic.springs import Springs
from pliant.runtime.errors import BodyError
from pliant.runtime.thread_pool import ThreadPool


@pytest.fixture(scope="module", autouse=True)
def kernels():
    ready("green")


def body_mesh(cells=(2, 3, 2)):
    return make_elements(*meshes.box_arrays((1.0, 1.2, 0.9), cells))


def strained(elements, seed=1):
    p = Potential(elements, material_kernel("green"), np.tile(lame(1e4, 0.3), (len(elements.tets), 1)))
    x = elements.rest + 0.05 * np.random.default_rng(seed).normal(size=elements.rest.shape)
    p.evaluate(x.reshape(-1), HESSIAN)
    return p, x.reshape(-1)


def springs(elements, seed=2):
    """On points that ride on particles of no common tet, one of them twice in a point."""
    rng = np.random.default_rng(seed)
    particles = np.array([[0, 5, 9, elements.count - 1], [3, 3, 3, 3], [7, 2, 7, 1]])
    weights = np.array([[0.1, 0.2, 0.3, 0.4], [1, 0, 0, 0], [0.25, 0.25, 0.25, 0.25]])
    return Springs(particles, weights, np.array([300.0, 1e4, 50.0]), rng.normal(size=(3, 3)))


def dense_of_tets(elements, blocks):
    """Every block of every tet, corner by corner."""
    whole = np.zeros((3 * elements.count, 3 * elements.count))
    pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    for tet, values in zip(elements.tets, blocks.reshape(-1, 6, 3, 3), strict=True):
        edges = np.zeros((9, 9))
        for (m, s), block in zip(pairs, values, strict=True):
            edges[3 * m : 3 * m + 3, 3 * s : 3 * s + 3] = block
            edges[3 * s : 3 * s + 3, 3 * m : 3 * m + 3] = block.T
        to_edges = np.concatenate([-np.tile(np.eye(3), (3, 1)), np.eye(9)], axis=1)
        rows = (3 * tet[:, None] + np.arange(3)).ravel()
        whole[np.ix_(rows, rows)] += to_edges.T @ edges @ to_edges
    return whole


def whole_of(pattern, values):
    upper = pattern.matrix(values)
    return (upper + triu(upper, 1).T).toarray()


def objective_of(elements, solver, fixed=None):
    p, x = strained(elements)
    held = springs(elements)
    pattern = make_pattern(elements, [held.particles])
    linear = Direct(pattern, Factor(pattern)) if solver == "direct" else Conjugate(pattern, 1e-12)
    inertia = np.linspace(10.0, 50.0, elements.count)
    return Objective(p, linear, inertia=inertia, goal=x + 0.01, springs=held, fixed=fixed), x


def test_blocks_of_tets_end_up_where_they_belong():
    elements = body_mesh()
    p, _ = strained(elements)
    pattern = make_pattern(elements)
    values = pattern.values()
    pattern.add_tets(elements, p.blocks, values)
    np.testing.assert_allclose(whole_of(pattern, values), dense_of_tets(elements, p.blocks), atol=1e-9)


def test_the_order_of_corners_does_not_matter():
    rest, tets = meshes.box_arrays((1.0, 1.2, 0.9), (2, 2, 2))
    turned = tets[:, [1, 2, 0, 3]]  # the same tets, as positive as before
    one, two = make_elements(rest, tets), make_elements(rest, turned)
    x = rest @ (np.eye(3) + 0.1)
    np.testing.assert_allclose(one.deformation(x), two.deformation(x), atol=1e-13)
    np.testing.assert_allclose(one.deformation(x), np.broadcast_to(np.eye(3) + 0.1, (len(tets), 3, 3)), atol=1e-12)


def test_handles_and_inertia_are_in_the_matrix():
    elements = body_mesh()
    objective, _ = objective_of(elements, "direct")
    objective.expand(objective.goal)
    values = objective.linear.pattern.values()
    objective.fill(values)
    wanted = dense_of_tets(elements, objective.potential.blocks)
    wanted += np.diag(np.repeat(objective.inertia, 3))
    held = objective.springs
    for particles, weights, k in zip(held.particles, held.weights, held.stiffness, strict=True):
        row = np.zeros(elements.count)
        np.add.at(row, particles, weights)
        wanted += k * np.kron(np.outer(row, row), np.eye(3))
    np.testing.assert_allclose(whole_of(objective.linear.pattern, values), wanted, atol=1e-8)


@pytest.mark.parametrize("solver", ["direct", "conjugate"])
def test_the_gradient_is_that_of_the_energy(solver):
    objective, x = objective_of(body_mesh(), solver)
    energy, gradient = objective.expand(x)
    assert energy == pytest.approx(objective.energy(x))
    d = np.random.default_rng(3).normal(size=x.shape)
    h = 1e-6
    slope = (objective.energy(x + h * d) - objective.energy(x - h * d)) / (2 * h)
    assert slope == pytest.approx(gradient @ d, rel=1e-6)


@pytest.mark.parametrize("pinned", [(), (0, 4, 7)])
def test_both_solvers_solve_what_a_dense_one_does(pinned):
    elements = body_mesh()
    fixed = np.zeros((elements.count, 3), np.int64)
    fixed[list(pinned)] = 1
    fixed = fixed.reshape(-1)
    free = np.flatnonzero(fixed == 0)
    answers = []
    for solver in ("direct", "conjugate"):
        objective, x = objective_of(elements, solver, fixed)
        _, gradient = objective.expand(x)
        step, slope = objective.direction(gradient)
        values = objective.linear.pattern.values()
        objective.fill(values)
        whole = whole_of(objective.linear.pattern, values)
        wanted = np.zeros_like(step)
        wanted[free] = -np.linalg.solve(whole[np.ix_(free, free)], gradient[free])
        np.testing.assert_allclose(step, wanted, atol=1e-9 * np.abs(wanted).max())
        assert slope < 0 and (step[fixed != 0] == 0).all()
        two = objective.system.solve(np.stack([gradient, 2 * gradient], axis=1))
        np.testing.assert_allclose(two[:, 1], -2 * wanted, atol=1e-8 * np.abs(wanted).max())
        answers.append(step)
    np.testing.assert_allclose(*answers, atol=1e-9)


def test_threads_do_not_change_a_bit_of_conjugate_gradients():
    elements = body_mesh((6, 6, 6))
    answers = []
    for threads in (1, 2, 3):
        p, x = strained(elements)
        pattern = make_pattern(elements)
        linear = Conjugate(pattern, 1e-6).using(ThreadPool(threads))
        objective = Objective(p, linear, inertia=np.ones(elements.count), goal=x)
        _, gradient = objective.expand(x)
        answers.append(objective.direction(gradient)[0])
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_array_equal(answers[0], answers[2])


@pytest.mark.parametrize("small", [0, 10**9], ids=["fronts", "columns"])
def test_a_factor_takes_other_numbers_and_knows_what_is_positive(small):
    elements = body_mesh()
    p, _ = strained(elements)
    pattern = make_pattern(elements)
    factor = Factor(pattern, small)
    right = np.random.default_rng(0).normal(size=pattern.size)
    for shift, positive in ((1e3, True), (7.0, True), (-1e3, False)):
        values = pattern.values()
        pattern.add_tets(elements, p.blocks, values)
        pattern.add_diagonal(np.full(elements.count, shift), values)
        factor.refactor(values)
        np.testing.assert_allclose(whole_of(pattern, values) @ factor.solve(right), right, atol=1e-7)
        assert factor.is_positive() == positive


def test_bad_meshes_are_refused_by_name():
    rest, tets = meshes.box_arrays((1.0, 1.0, 1.0), (1, 1, 1))
    with pytest.raises(BodyError, match=r"box: tet 2 .* is inside out"):
        wrong = tets.copy()
        wrong[2] = wrong[2][[0, 2, 1, 3]]
        make_elements(rest, wrong, "box")
    with pytest.raises(BodyError, match="is flat"):
        flat = rest.copy()
        flat[:, 1] = 0.0
        make_elements(flat, tets)
    with pytest.raises(BodyError, match="no finite place"):
        make_elements(rest * np.nan, tets)
    with pytest.raises(BodyError, match="a shell without tets"):
        elements_of(meshes.sheet(name="cloth"))
