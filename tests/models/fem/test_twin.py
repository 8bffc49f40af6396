"""A step of the model against one written plainly, with NumPy and dense matrices, from the paper's (3) and (9)."""

import numpy as np
import pytest

import meshes
import pliant
from random_bodies import disturb

H = 1 / 60
YOUNG, POISSON = 2e4, 0.35


class Twin:
    """Implicit Euler of [Martin+11] (9), without examples."""

    def __init__(self, body):
        corners = body.rest[body.tets]
        self.tets, self.masses = body.tets, body.masses
        self.inverse = np.linalg.inv(np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2))
        self.volumes = 1 / np.linalg.det(self.inverse) / 6
        self.mu = YOUNG / 2 / (1 + POISSON)
        self.lam = YOUNG * POISSON / (1 + POISSON) / (1 - 2 * POISSON)

    def deformation(self, x):
        corners = x[self.tets]
        return np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2) @ self.inverse

    def elastic(self, x):
        f = self.deformation(x)
        e = (np.swapaxes(f, 1, 2) @ f - np.eye(3)) / 2
        j = np.linalg.det(f)
        return (self.volumes * (self.mu * (e**2).sum(axis=(1, 2)) + self.lam / 2 * (j - 1) ** 2)).sum()

    def elastic_gradient(self, x):
        f = self.deformation(x)
        e = (np.swapaxes(f, 1, 2) @ f - np.eye(3)) / 2
        j = np.linalg.det(f)
        a, b, c = f[:, :, 0], f[:, :, 1], f[:, :, 2]
        cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=2)
        stress = 2 * self.mu * f @ e + self.lam * (j - 1)[:, None, None] * cofactors
        by_edges = self.volumes[:, None, None] * stress @ np.swapaxes(self.inverse, 1, 2)
        out = np.zeros_like(x)
        for k in range(3):
            np.add.at(out, self.tets[:, k + 1], by_edges[:, :, k])
            np.add.at(out, self.tets[:, 0], -by_edges[:, :, k])
        return out

    def step(self, x, v, acceleration, pinned, springs):
        """New positions. springs: (particles, weights, stiffness, target)."""
        y = x + H * v + H * H * acceleration
        free = np.setdiff1d(np.arange(len(x)), pinned)
        y[pinned] = x[pinned]
        p = y.copy()

        def gradient(p):
            g = self.masses[:, None] * (p - y) / H**2 + self.elastic_gradient(p)
            for particles, weights, stiffness, target in springs:
                reach = weights @ p[particles] - target
                np.add.at(g, particles, stiffness * weights[:, None] * reach)
            return g[free].reshape(-1)

        for _ in range(12):
            base, jacobian = gradient(p), np.empty((3 * len(free), 3 * len(free)))
            for column in range(3 * len(free)):
                ahead, behind = p.copy(), p.copy()
                ahead[free[column // 3], column % 3] += 1e-6
                behind[free[column // 3], column % 3] -= 1e-6
                jacobian[:, column] = (gradient(ahead) - gradient(behind)) / 2e-6
            move = np.linalg.solve(jacobian, -base)
            p[free] += move.reshape(-1, 3)
            if np.abs(move).max() < 1e-11:
                return p
        raise AssertionError("the twin did not converge")


@pytest.mark.parametrize("seed", range(3))
def test_a_step_is_that_of_the_twin(seed):
    body = meshes.box((1.0, 1.0, 1.5), (1, 2, 2))
    world = pliant.World(gravity=(1.0, -9.81, 0.5), precision="double")
    settings = pliant.Fem(young=YOUNG, poisson=POISSON, damping=0, tolerance=1e-10, iterations=60)
    actor = world.add(body, settings)
    pinned = np.array([0, 3]) if seed else np.empty(0, int)
    if seed:
        actor.pin(pinned)
    disturb(actor, seed, moved=0.03, speed=0.5)
    if seed:
        actor.positions[pinned] = body.rest[pinned]
        handle = actor.grab(skin=5, stiffness=3e3)
        handle.move_to((1.0, 1.0, 0.0))
        springs = [(handle.particles, handle.weights, 3e3, np.array([1.0, 1.0, 0.0]))]
    else:
        springs = []
    twin = Twin(body)
    for _ in range(3):
        x, v = actor.positions.copy(), actor.velocities.copy()
        v[pinned] = 0.0
        p = twin.step(x, v, np.array([1.0, -9.81, 0.5]), pinned, springs)
        world.step(H)
        assert actor.solver.converged
        if seed:
            np.testing.assert_allclose(actor.positions, p, atol=1e-8)
            np.testing.assert_allclose(actor.velocities, (p - x) / H, atol=1e-6)
        else:  # free: the model gives back the angular momentum that implicit Euler takes away, by a rigid turn
            f, g = twin.deformation(np.asarray(actor.positions)), twin.deformation(p)
            np.testing.assert_allclose(np.swapaxes(f, 1, 2) @ f, np.swapaxes(g, 1, 2) @ g, atol=1e-4)
            assert twin.elastic(np.asarray(actor.positions)) == pytest.approx(twin.elastic(p), rel=1e-3)


def test_the_twins_forces_are_those_of_its_energy():
    body = meshes.box((1.0, 1.0, 1.0), (1, 1, 1))
    twin = Twin(body)
    rng = np.random.default_rng(0)
    x, d = body.rest + 0.1 * rng.normal(size=body.rest.shape), rng.normal(size=body.rest.shape)
    slope = (twin.elastic(x + 1e-6 * d) - twin.elastic(x - 1e-6 * d)) / 2e-6
    assert slope == pytest.approx((twin.elastic_gradient(x) * d).sum(), rel=1e-7)
