"""The contrast in the benchmark is a sound method, too: what it shows is the method's doing."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from oriented_bodies import random_particles, scramble
from pliant.bench.oriented_arrays import serial_bar
from pliant.bench.oriented_droop import settle
from pliant.bench.position_based import PositionBased

H = 1 / 30


def clamped(iterations: int) -> PositionBased:
    bar = serial_bar(8)
    body = PositionBased(bar, iterations=iterations)
    body.pins = {0: (bar.rest[0], np.eye(3))}
    return body


def test_a_turned_body_stays_as_it_is():
    rng = np.random.default_rng(1)
    particles = random_particles(rng, 6)
    body = PositionBased(particles, gravity=(0, 0, 0))
    turn = Rotation.random(rng=rng).as_matrix()
    body.x, body.R = particles.rest @ turn.T, np.tile(turn, (6, 1, 1))
    before = body.x.copy()
    body.step(H)
    np.testing.assert_allclose(body.x, before, atol=1e-12)
    np.testing.assert_allclose(body.R, np.tile(turn, (6, 1, 1)), atol=1e-12)


@pytest.mark.parametrize("stiffness", [1.0, 0.3])
def test_a_crumpled_body_comes_back_and_keeps_its_momentum(stiffness):
    rng = np.random.default_rng(2)
    body = PositionBased(random_particles(rng, 6), gravity=(0, 0, 0), stiffness=stiffness)
    scramble(body, rng, amount=0.3)
    momentum = body.m @ body.v
    for _ in range(30):
        body.step(H)
    np.testing.assert_allclose(body.m @ body.v, momentum, rtol=1e-9)
    edges = [(i, j) for i, group in enumerate(body.groups) for j in group]
    lengths = [np.linalg.norm(body.x[i] - body.x[j]) - np.linalg.norm(body.X[i] - body.X[j]) for i, j in edges]
    assert np.abs(lengths).max() < 0.02


def test_more_iterations_make_it_stiffer():
    few, many = settle(clamped(4), H), settle(clamped(20), H)
    assert few > 2 * many > 0


def test_smaller_steps_make_it_stiffer():
    large, small = settle(clamped(5), H), settle(clamped(5), H / 2)
    assert large > 1.5 * small > 0
