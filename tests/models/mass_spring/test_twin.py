"""The kernels against the same in plain NumPy, and gradients against differences."""

import numpy as np
import pytest

import pliant
from pliant.bench.springs import in_numpy
from pliant.examples import convex_weights
from pliant.models.mass_spring.potential import Potential
from pliant.models.mass_spring.prepare import arrays, described
from pliant.models.mass_spring.system import laplacian, system_of

BODIES = {
    "solid": lambda: pliant.shapes.cuboid(cells=(2, 2, 3)),
    "sheet": lambda: pliant.shapes.sheet(cells=(4, 5), thickness=0.1),
    "rope": lambda: pliant.shapes.rope(particles=9, radius=0.1),
}
every_body = pytest.mark.parametrize("kind", list(BODIES))


def player_of(kind, **settings):
    body = BODIES[kind]()
    noise = np.random.default_rng(1).uniform(-0.1, 0.1, (2, *body.rest.shape))
    body = body.with_pose("one", body.rest * (1.2, 1, 0.9) + noise[0]).with_pose("two", body.rest * 0.9 + noise[1])
    world = pliant.World(precision="double")
    world.add(body, pliant.MassSpring(**settings))
    world.step(1e-9)
    return world._registry.packs["mass_spring"].players[0]


def shaken(player, seed=5):
    rest = player.role.body.rest
    return (rest + np.random.default_rng(seed).uniform(-0.08, 0.08, rest.shape)).reshape(-1)


def twin_descriptor(network, x):
    x = x.reshape(-1, 3)
    found = [np.linalg.norm(x[network.edges[:, 1]] - x[network.edges[:, 0]], axis=1)]
    found.append(np.linalg.norm(np.einsum("bk,bki->bi", network.coefficients, x[network.bows]), axis=1))
    a, b, c, d = (x[network.hinges[:, i]] for i in range(4))
    n, m = np.cross(b - a, c - a), np.cross(d - a, b - a)
    along = (b - a) / np.linalg.norm(b - a, axis=1, keepdims=True)
    sine = np.einsum("hi,hi->h", np.cross(n, m), along)
    found.append(np.arctan2(sine, np.einsum("hi,hi->h", n, m)))
    return np.concatenate(found)


def twin_energy(player, x):
    """J, in the words of METHODS: least over convex weights of the distance to the blend."""
    values, examples = twin_descriptor(player.network, x), player.examples
    k, change = player.stiffness, examples.change
    wish = (k * (values - player.rest)) @ change.T
    beta = player.settings.example_strength
    w = convex_weights(examples.grams[0], wish, beta)
    off = values - player.rest - w @ change
    return 0.5 * float(k @ off**2) + 0.5 * (1 / beta - 1) * float(w @ examples.grams[0] @ w), w


@every_body
def test_descriptor_energy_and_weights(kind):
    player = player_of(kind)
    x = shaken(player)
    np.testing.assert_allclose(described(player.network, x.reshape(-1, 3))[0], twin_descriptor(player.network, x))
    weights = np.zeros(player.weight_count)
    energy, _ = Potential(player, weights, 0.0, x).evaluate(x)
    expected, w = twin_energy(player, x)
    assert energy == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(weights, w, atol=1e-8)


@every_body
def test_energy_and_gradient_are_those_of_the_twin(kind):
    player = player_of(kind)
    x = shaken(player)
    energy, gradient = Potential(player, np.zeros(player.weight_count), 0.0, x).evaluate(x)
    expected, theirs = in_numpy(player, x)
    assert energy == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(gradient, theirs, atol=1e-7 * np.abs(theirs).max())


@every_body
def test_the_force_is_a_gradient(kind):
    """Weights are eliminated, so what is left is the gradient of one energy, dampers among it."""
    player = player_of(kind)
    begin, x = shaken(player, 6), shaken(player)
    potential = Potential(player, np.zeros(player.weight_count), 0.3, begin)
    _, gradient = potential.evaluate(x)
    for way in np.random.default_rng(3).normal(size=(4, len(x))):
        ahead, behind = (potential.evaluate(x + s * 1e-6 * way)[0] for s in (1, -1))
        assert (ahead - behind) / 2e-6 == pytest.approx(gradient @ way, rel=1e-5, abs=1e-6 * np.abs(gradient).max())


@every_body
def test_the_hessian_of_stretched_springs(kind):
    """With all springs longer than at rest nothing is clamped, and without bending the product is exact."""
    player = player_of(kind, example_strength=0.0, bending=0.0)
    x = 1.3 * player.role.body.rest.reshape(-1) + 0.1 * (shaken(player) - player.role.body.rest.reshape(-1))
    potential = Potential(player, np.zeros(player.weight_count), 0.0, x)
    way = np.random.default_rng(3).normal(size=len(x))
    ahead, behind = (potential.evaluate(x + s * 1e-6 * way)[1] for s in (1, -1))
    potential.evaluate(x)
    product = potential.product(way, bends=True)
    np.testing.assert_allclose(product, (ahead - behind) / 2e-6, rtol=1e-4, atol=1e-4 * np.abs(product).max())


@every_body
def test_the_kept_factor_solves_its_system(kind):
    player = player_of(kind)
    count = player.count
    springs = laplacian(player.network, player.stiffness, count, 0.2)
    pinned = np.array([0, 3])
    inertia = player.role.body.masses * 3600
    system = system_of(springs, inertia, player.held, pinned)
    matrix = springs.toarray() + np.diag(inertia)
    matrix[pinned] = 0.0
    matrix[:, pinned] = 0.0
    matrix[pinned, pinned] = inertia.mean()
    right = np.random.default_rng(0).normal(size=(count, 3))
    np.testing.assert_allclose(system.solve(right.reshape(-1)).reshape(-1, 3), np.linalg.solve(matrix, right))


def test_arrays_are_flat():
    player = player_of("sheet")
    assert all(each.ndim == 1 for each in arrays(player.network))
