"""Nested dissection and sparse factors on meshes of all kinds, against dense matrices."""

import numpy as np
import pytest
from scipy.sparse import triu

import meshes
from pliant.elastic import ready
from pliant.elastic.assembly import make_pattern
from pliant.elastic.dissection import dissect
from pliant.elastic.elements import make_elements
from pliant.elastic.factor import Factor
from pliant.elastic.materials import material_kernel
from pliant.elastic.objective import HESSIAN, Potential
from random_bodies import random_body


@pytest.fixture(scope="module", autouse=True)
def kernels():
    ready("green")


def two_boxes():
    rest, tets = meshes.box_arrays((1.0, 1.0, 1.0), (2, 2, 2))
    return np.concatenate([rest, rest + np.array([3.0, 0, 0])]), np.concatenate([tets, tets + len(rest)])


def random_mesh():
    body = random_body("delaunay", 3, detail=2)
    return body.rest, body.tets


MESHES = {
    "tet": lambda: (np.eye(4, 3, -1), np.array([[0, 1, 2, 3]])),
    "beam": lambda: meshes.box_arrays((0.2, 0.2, 3.0), (1, 1, 25)),
    "lump": lambda: meshes.box_arrays((1.0, 1.0, 1.0), (4, 4, 4)),
    "large": lambda: meshes.box_arrays((1.0, 1.0, 1.5), (6, 6, 9)),  # fronts of several blocks of columns, and more
    "apart": two_boxes,
    "random": random_mesh,
}
every_mesh = pytest.mark.parametrize("kind", MESHES)


def made(kind):
    elements = make_elements(*MESHES[kind]())
    # a coupling across the whole mesh, such as a handle makes
    return elements, make_pattern(elements, [np.array([0, elements.count - 1])])


def filled(elements, pattern, seed):
    p = Potential(elements, material_kernel("green"), np.full((len(elements.tets), 2), 1.0 + seed))
    x = elements.rest + 0.02 * np.random.default_rng(seed).normal(size=elements.rest.shape)
    p.evaluate(x.reshape(-1), HESSIAN)
    values = pattern.values()
    pattern.add_tets(elements, p.blocks, values)
    pattern.add_diagonal(np.full(elements.count, 0.1), values)
    pattern.add_units(np.array([0.05]), np.array([0]), np.array([elements.count - 1]), values)
    return values


@every_mesh
def test_pieces_part_the_mesh(kind):
    """Every particle is eliminated once; once it is, only its piece's border knows of it."""
    elements, pattern = made(kind)
    a, b = pattern.keys // pattern.count, pattern.keys % pattern.count
    pieces = dissect(elements.rest, a, b)
    order = np.concatenate([piece.own for piece in pieces])
    np.testing.assert_array_equal(np.sort(order), np.arange(elements.count))
    number = np.empty(elements.count, int)
    for n, piece in enumerate(pieces):
        number[piece.own] = n
    fronts = [set(piece.own.tolist()) | set(piece.border.tolist()) for piece in pieces]
    for i, j in zip(a.tolist(), b.tolist(), strict=True):
        assert {i, j} <= fronts[min(number[i], number[j])]
    for piece in pieces:
        for child in piece.children:
            assert set(pieces[child].border.tolist()) <= set(piece.own.tolist()) | set(piece.border.tolist())


@every_mesh
@pytest.mark.parametrize("small", [0, 10**9], ids=["fronts", "columns"])
def test_factors_solve_as_dense_matrices_do(kind, small):
    elements, pattern = made(kind)
    factor = Factor(pattern, small)
    right = np.random.default_rng(1).normal(size=(pattern.size, 2))
    for seed in (0, 1):  # the second time with the structure that is there
        values = filled(elements, pattern, seed)
        upper = pattern.matrix(values)
        whole = (upper + triu(upper, 1).T).toarray()
        factor.refactor(values)
        assert factor.is_positive()
        np.testing.assert_allclose(factor.solve(right), np.linalg.solve(whole, right), atol=1e-8)
        np.testing.assert_allclose(factor.solve(right[:, 0]), np.linalg.solve(whole, right[:, 0]), atol=1e-8)


def test_large_lumps_stay_exact():
    elements = make_elements(*meshes.box_arrays((1.0, 1.0, 1.0), (9, 9, 9)))
    pattern = make_pattern(elements)
    p = Potential(elements, material_kernel("green"), np.ones((len(elements.tets), 2)))
    p.evaluate(elements.rest.reshape(-1), HESSIAN)
    values = pattern.values()
    pattern.add_tets(elements, p.blocks, values)
    pattern.add_diagonal(np.full(elements.count, 0.01), values)
    factor = Factor(pattern)
    factor.refactor(values)
    right = np.random.default_rng(0).normal(size=pattern.size)
    x = factor.solve(right)
    upper = pattern.matrix(values)
    np.testing.assert_allclose(upper @ x + triu(upper, 1).T @ x, right, atol=1e-10)
