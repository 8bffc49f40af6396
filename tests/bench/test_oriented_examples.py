"""Example poses on the twin of the oriented particles: weights are the best convex ones, poses are kept."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from oriented_bodies import random_particles, scramble
from pliant.bench.oriented_twin import OrientedTwin

H = 1 / 30
GROUPS = ["global", "regions", {"few": [0, 2], "others": [1, 3, 4]}]


@given(seed=st.integers(0, 2**32 - 1), poses=st.integers(1, 3), which=st.sampled_from(range(3)))
@settings(max_examples=20, deadline=None)
def test_no_other_convex_weights_have_less_energy(seed, poses, which):
    rng = np.random.default_rng(seed)
    twin = OrientedTwin(random_particles(rng, 5, poses), k=1e6, examples=GROUPS[which])
    scramble(twin, rng, amount=0.3)
    weights = twin.examples.weights(twin.x, twin.R)
    assert weights.min() > -1e-9 and weights.sum(axis=1) == pytest.approx(1)
    twin.D, twin.Q = twin.examples.blend(weights)
    lowest = twin.deformation_energy()
    for _ in range(20):
        others = rng.dirichlet(np.full(1 + poses, 0.5), size=len(weights))
        twin.D, twin.Q = twin.examples.blend(weights + rng.uniform() ** 3 * (others - weights))
        assert twin.deformation_energy() > lowest * (1 - 1e-9)


@pytest.mark.parametrize("examples", GROUPS, ids=["global", "regions", "groups"])
def test_a_pose_is_kept_wherever_the_body_is(examples):
    rng = np.random.default_rng(4)
    particles = random_particles(rng, 5, poses=2)
    twin = OrientedTwin(particles, k=1e7, gravity=(0, 0, 0), examples=examples)
    turn = Rotation.random(rng=rng).as_matrix()
    twin.x = particles.centres[1] @ turn.T + rng.normal(size=3)
    twin.R = turn @ particles.turns[1]
    before = twin.x.copy()
    for _ in range(5):
        twin.step(H)
    np.testing.assert_allclose(twin.weights, np.tile([0, 0, 1], (len(twin.weights), 1)), atol=1e-6)
    np.testing.assert_allclose(twin.x, before, atol=1e-6)


def test_below_full_strength_the_rest_pose_takes_what_is_left():
    particles = random_particles(np.random.default_rng(4), 5, poses=1)
    twin = OrientedTwin(particles, k=1e7, example_strength=0.75)
    twin.x, twin.R = particles.centres[0].copy(), particles.turns[0].copy()
    twin.begin(H)
    np.testing.assert_allclose(twin.weights, [[0.25, 0.75]], atol=1e-6)
    rest, pose = twin.examples.offsets
    np.testing.assert_allclose(twin.D, 0.25 * rest + 0.75 * pose, atol=1e-6)


def test_who_is_in_no_group_stays_with_rest():
    particles = random_particles(np.random.default_rng(4), 5, poses=1)
    twin = OrientedTwin(particles, k=1e7, examples={"first": [0]})
    twin.x, twin.R = particles.centres[0].copy(), particles.turns[0].copy()
    twin.begin(H)
    mine = twin.owner == 0
    np.testing.assert_allclose(twin.D[mine], twin.examples.offsets[1][mine], atol=1e-6)
    np.testing.assert_array_equal(twin.D[~mine], twin.examples.offsets[0][~mine])


def test_two_equal_poses_share_and_a_pose_like_rest_does_no_harm():
    rng = np.random.default_rng(5)
    one = random_particles(rng, 4, poses=1)
    rest = one.rest[None], np.eye(3) + np.zeros((1, 4, 3, 3))
    centres, turns = np.concatenate([one.centres] * 2 + [rest[0]]), np.concatenate([one.turns] * 2 + [rest[1]])
    particles = type(one)(one.rest, one.edges, one.volumes, one.moments, one.density, centres, turns)
    twin = OrientedTwin(particles, k=1e7)
    twin.x, twin.R = one.centres[0].copy(), one.turns[0].copy()
    twin.begin(H)
    assert twin.weights[0, 1] + twin.weights[0, 2] == pytest.approx(1, abs=1e-4)
    assert np.isfinite(twin.weights).all()
