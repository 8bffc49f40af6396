"""Interpolation (2): its derivatives, and the shapes it finds."""

import numpy as np
import pytest

import pliant
import twist_bars
from pliant.elastic.columns import columns_of
from pliant.elastic.elements import elements_of


@pytest.fixture(scope="module")
def body():
    bar = twist_bars.twisted((2, 4, 2))
    return bar.with_pose("bend", pliant.poses.bend(bar, 60))


@pytest.fixture(scope="module")
def blending(body):
    return columns_of(body).blending()


@pytest.fixture
def shape(body):
    return (body.rest + 0.05 * np.random.default_rng(0).normal(size=body.rest.shape)).reshape(-1)


def test_gradient_and_hessian_are_derivatives(blending, shape):
    target, way, h = blending.target(np.array([0.3, 0.4])), np.random.default_rng(1).normal(size=shape.size), 1e-6
    _, gradient = blending.assemble(shape, target)
    gradient = gradient.copy()
    upper = blending.pattern.matrix(blending.values.copy())
    product = upper @ way + upper.T @ way - upper.diagonal() * way
    more, after = blending.energy(shape + h * way, target)
    after = after.copy()
    less, before = blending.energy(shape - h * way, target)
    assert (more - less) / (2 * h) == pytest.approx(gradient @ way, rel=1e-6)
    assert np.allclose((after - before) / (2 * h), product, atol=1e-6 * np.abs(product).max())


def test_the_positive_part_is_positive_and_close_by(blending, shape):
    target = blending.target(np.array([0.3, 0.4]))
    blending.assemble(shape, target, False)
    upper = blending.pattern.matrix(blending.values.copy()).toarray()
    eigenvalues = np.linalg.eigvalsh(upper + np.triu(upper, 1).T)
    assert eigenvalues[0] > -1e-12 * eigenvalues[-1]


def test_pulls_are_derivatives_by_the_weights(blending, shape):
    h, weights = 1e-6, np.array([0.3, 0.4])
    pulls = blending.pulls(shape, np.arange(2))
    for k in range(2):
        change = h * np.eye(2)[k]
        after = blending.energy(shape, blending.target(weights + change))[1].copy()
        before = blending.energy(shape, blending.target(weights - change))[1]
        assert np.allclose((before - after) / (2 * h), pulls[k], atol=1e-8)
    way = np.random.default_rng(2).normal(size=shape.size)
    assert np.allclose(blending.works(shape, way), pulls @ way, rtol=1e-10)


def test_the_blended_shape_moves_along_its_derivative(body, blending):
    weights, h = np.array([0.3, 0.4]), 1e-4
    found, arrived = blending.travel(body.rest.reshape(-1), np.zeros(2), weights)
    assert arrived
    blending.factor(found, blending.target(weights))
    moves = blending.moves(found, np.arange(2))
    for k in range(2):
        change = h * np.eye(2)[k]
        after, _ = blending.realise(found, blending.target(weights + change))
        before, _ = blending.realise(found, blending.target(weights - change))
        assert np.allclose((after - before) / (2 * h), moves[k], atol=1e-5 * np.abs(moves[k]).max())


def test_following_with_an_old_factor_ends_where_newton_does(body, blending):
    start, end = np.array([0.3, 0.3]), np.array([0.36, 0.27])
    found, _ = blending.travel(body.rest.reshape(-1), np.zeros(2), start)
    blending.factor(found, blending.target(start))
    ahead = found + (end - start) @ blending.moves(found, np.arange(2))
    followed, arrived = blending.follow(ahead, blending.target(end))
    assert arrived
    elements = elements_of(body)
    wanted, _ = blending.realise(ahead, blending.target(end))
    assert np.allclose(elements.strains(followed), elements.strains(wanted), atol=1e-8)


def test_poses_in_different_parts_do_not_compete():
    bar = twist_bars.plain((2, 8, 2))
    height = bar.rest[:, 1]

    def wide(chosen):
        return bar.rest * np.where(chosen, 1.2, 1.0)[:, None] ** (1, 0, 1)

    apart = bar.with_pose("low", wide(height < -0.9)).with_pose("high", wide(height > 0.9))
    columns = columns_of(apart)
    assert columns.groups == ("low", "high")
    assert columns.table(np.array([1.0, 0.25])).tolist() == [[0.0, 1.0, 0.0], [0.75, 0.0, 0.25]]
    touching = apart.with_pose("both", wide(np.abs(height) > 0.9))
    assert columns_of(touching).groups == ("all",)


def test_named_groups_cut_poses_to_their_tets(body):
    columns = columns_of(body, {"low": body.rest[:, 1] < -0.1, "high": body.rest[:, 1] > 0.1})
    assert columns.groups == ("low", "high") and len(columns.strains) == 4
    whole = columns_of(body)
    middles = body.rest[elements_of(body).tets].mean(axis=1)[:, 1]
    low = np.repeat(middles < -0.75, 6)
    assert np.array_equal(columns.strains[0][low], whole.strains[0][low])
    assert not columns.strains[0][np.repeat(middles > 0, 6)].any()
