"""The kernels against the same in plain NumPy, and gradients against differences."""

import numpy as np
import pytest

import pliant
from pliant.bench.grids import descriptor, in_numpy, vectors_of
from pliant.models.finite_differences.potential import Potential

BODIES = {
    "solid": lambda: pliant.shapes.cuboid(cells=(2, 2, 3)),
    "sheet": lambda: pliant.shapes.sheet(cells=(4, 5), thickness=0.1),
    "rope": lambda: pliant.shapes.rope(particles=9, radius=0.1),
}
every_body = pytest.mark.parametrize("kind", list(BODIES))


def potential_of(kind, poses=True, **settings):
    body = BODIES[kind]()
    noise = np.random.default_rng(1).uniform(-0.1, 0.1, (2, *body.rest.shape))
    if poses:
        body = body.with_pose("one", body.rest * (1.2, 1, 0.9) + noise[0]).with_pose("two", body.rest * 0.9 + noise[1])
    world = pliant.World(precision="double")
    world.add(body, pliant.FiniteDifferences(**settings))
    world.step(1e-9)
    player = world._registry.packs["finite_differences"].players[0]
    return Potential(player, np.zeros(player.weight_count))


def shaken(potential, seed=5):
    rest = potential.player.role.body.rest
    return (rest + np.random.default_rng(seed).uniform(-0.08, 0.08, rest.shape)).reshape(-1)


@every_body
def test_energy_and_gradient_are_those_of_the_twin(kind):
    potential = potential_of(kind)
    x = shaken(potential)
    energy, gradient = potential.evaluate(x)
    expected, theirs = in_numpy(potential.player, x)
    assert energy == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(gradient, theirs, atol=1e-7 * np.abs(theirs).max())
    u = vectors_of(potential.player, x.reshape(-1, 3))
    np.testing.assert_allclose(potential.values, descriptor(potential.player, u))


@every_body
def test_the_force_is_a_gradient(kind):
    """Weights are eliminated, so what is left is the gradient of one energy."""
    potential = potential_of(kind)
    x = shaken(potential)
    _, gradient = potential.evaluate(x)
    assert potential.weights.max() > 0.01
    for way in np.random.default_rng(3).normal(size=(4, len(x))):
        ahead, behind = (potential.evaluate(x + s * 1e-6 * way)[0] for s in (1, -1))
        assert (ahead - behind) / 2e-6 == pytest.approx(gradient @ way, rel=1e-5, abs=1e-6 * np.abs(gradient).max())


@pytest.mark.parametrize(("kind", "poses"), [("solid", False), ("rope", False)])
def test_the_product_is_that_of_the_hessian_where_all_is_stretched(kind, poses):
    """Nothing is clamped then, and without shear the product is exact."""
    potential = potential_of(kind, poses, bending=0.0, poisson=0.0)
    x = potential.player.role.body.rest.reshape(-1) * np.tile((1.3, 1.2, 1.4), potential.player.count)
    way = np.random.default_rng(3).normal(size=len(x))
    ahead, behind = (potential.evaluate(x + s * 1e-6 * way)[1] for s in (1, -1))
    potential.evaluate(x)
    product = np.zeros(len(x))
    potential.add_product(way, product)
    np.testing.assert_allclose(product, (ahead - behind) / 2e-6, rtol=1e-4, atol=1e-4 * np.abs(product).max())


def test_weights_follow_as_the_product_says():
    """On the way of a pose, whose weight is within its bounds, the force grows as the strength leaves it: hardly."""
    potential = potential_of("solid", example_strength=0.9)
    body = potential.player.role.body
    x = (body.rest + 0.5 * (body.poses["one"] - body.rest)).reshape(-1)
    way = (body.poses["one"] - body.rest).reshape(-1)
    ahead, behind = (potential.evaluate(x + s * 1e-5 * way)[1] @ way for s in (1, -1))
    potential.evaluate(x)
    assert potential.weights[0] > 0.1
    product = np.zeros(len(x))
    potential.add_product(way, product)
    assert way @ product == pytest.approx((ahead - behind) / 2e-5, rel=0.35)


@every_body
def test_only_rigid_motions_cost_nothing(kind):
    """No pattern that alternates from cell to cell goes unseen: the matrix at rest has six zeros, five where the
    body is a line."""
    potential = potential_of(kind, poses=False)
    x = potential.player.role.body.rest.reshape(-1).copy()
    potential.evaluate(x)
    matrix = np.zeros((len(x), len(x)))
    for column, out in zip(np.eye(len(x)), matrix, strict=True):
        potential.add_product(column, out)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-12 * np.abs(matrix).max())
    values = np.linalg.eigvalsh(matrix)
    rigid = 5 if kind == "rope" else 6
    assert np.abs(values[:rigid]).max() < 1e-12 * values[-1]
    assert values[rigid] > 1e-6 * values[-1]
