"""The factor of an earlier matrix, kept: what it solves, when it gives up, and that a step of finite elements is the
same with it."""

import numpy as np
import pytest
from scipy.sparse import triu

import meshes
import pliant
from pliant.elastic import ready
from pliant.elastic.assembly import make_pattern
from pliant.elastic.elements import make_elements
from pliant.elastic.factor import Factor
from pliant.elastic.lagging import Lagging
from pliant.elastic.materials import material_kernel
from pliant.elastic.objective import HESSIAN, Potential

H = 1 / 50


@pytest.fixture(scope="module", autouse=True)
def kernels():
    ready("green")


def matrices():
    """A mesh's pattern; its numbers at rest, a little deformed, and with a thousandfold stiffness in half of it."""
    elements = make_elements(*meshes.box_arrays((1.0, 1.0, 1.0), (3, 3, 3)))
    pattern = make_pattern(elements)
    moduli = np.ones((len(elements.tets), 2))
    found = []
    for bent, hard in ((0.0, 1.0), (0.02, 1.0), (0.0, 1000.0)):
        each = moduli.copy()
        each[::2] *= hard
        p = Potential(elements, material_kernel("green"), each)
        p.evaluate((elements.rest + bent * np.sin(5 * elements.rest[:, ::-1])).reshape(-1), HESSIAN)
        values = pattern.values()
        pattern.add_tets(elements, p.blocks, values)
        pattern.add_diagonal(np.full(elements.count, 0.1), values)
        found.append(values)
    return pattern, found


def dense(pattern, values):
    upper = pattern.matrix(values)
    return (upper + triu(upper, 1).T).toarray()


@pytest.mark.parametrize("small", [0, 10**9], ids=["fronts", "columns"])
@pytest.mark.parametrize("columns", [None, 3])
def test_an_old_factor_solves_what_is_near(small, columns):
    pattern, (rest, bent, _) = matrices()
    lagging = Lagging(pattern, Factor(pattern, small), enough=1e-8, rounds=20)
    lagging.take(rest, new=True)
    lagging.take(bent, new=False)
    right = np.random.default_rng(1).normal(size=(pattern.size,) if columns is None else (pattern.size, columns))
    np.testing.assert_allclose(lagging.solve(right), np.linalg.solve(dense(pattern, bent), right), rtol=0, atol=1e-6)
    assert lagging.made == 1 and lagging.spent > 1


def test_a_new_factor_solves_what_is_far():
    pattern, (rest, _, hard) = matrices()
    lagging = Lagging(pattern, Factor(pattern, 0), enough=1e-8, rounds=6)
    lagging.take(rest, new=True)
    lagging.take(hard, new=False)
    right = np.random.default_rng(1).normal(size=pattern.size)
    np.testing.assert_allclose(lagging.solve(right), np.linalg.solve(dense(pattern, hard), right), atol=1e-8)
    assert lagging.made == 2 and lagging.spent <= 3


def test_where_factors_are_cheap_one_is_made_each_time():
    pattern, (rest, bent, _) = matrices()
    lagging = Lagging(pattern, Factor(pattern, 0), enough=1e-8)
    for values in (rest, bent, rest):
        lagging.take(values, new=False)
    assert lagging.made == 3 and lagging.rounds == 0


def pressed(manifold, restored=False):
    """A bar with an example that falls flat; restored: in the middle of it, after a detour."""
    body = pliant.shapes.cuboid(size=(1, 2, 1), cells=(2, 4, 2))
    body = body.with_pose("twist", pliant.poses.twist(body, degrees=60, axis="y", shorten=0.3))
    world = pliant.World(colliders=[pliant.Plane()], precision="double")
    actor = world.add(body, pliant.Fem(manifold=manifold, tolerance=1e-9), position=(0, 1.05, 0), velocity=(0, -3, 0))
    for frame in range(8):
        if restored and frame == 4:
            kept = world.snapshot()
            world.step(H)
            world.restore(kept)
        world.step(H)
    return actor.positions.copy(), actor.weights.copy()


@pytest.mark.slow
@pytest.mark.parametrize("manifold", ["strain", "realised"])
def test_a_step_is_the_same_with_a_kept_factor(manifold, monkeypatch):
    plain = pressed(manifold)
    assert plain[1][0, 1] > 0.1  # the example is at work
    monkeypatch.setattr(Factor, "worth", lambda self: 12)
    kept, made = [], Lagging.__init__
    monkeypatch.setattr(Lagging, "__init__", lambda self, *a, **k: (made(self, *a, **k), kept.append(self))[0])
    for found, expected in zip(pressed(manifold), plain, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)
    assert sum(each.spent for each in kept) > 10
    for once, again in zip(pressed(manifold), pressed(manifold, restored=True), strict=True):
        np.testing.assert_array_equal(once, again)
