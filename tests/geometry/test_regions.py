import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import sqrtm

import meshes
from pliant.geometry.regions import proper_rotations, regions

BODIES = {"solid": meshes.box(), "shell": meshes.sheet(), "rod": meshes.rope()}
seeds = st.integers(0, 100_000)


def regions_of(body):
    return regions(body.rest, body.masses, body.elements, body.kind)


def is_proper(rotations):
    np.testing.assert_allclose(
        rotations @ np.swapaxes(rotations, 1, 2), np.tile(np.eye(3), (len(rotations), 1, 1)), atol=1e-9
    )
    np.testing.assert_allclose(np.linalg.det(rotations), 1)


def affine(rng, limit=0.6):
    matrix = np.eye(3) + rng.uniform(-limit, limit, (3, 3))
    return matrix if np.linalg.det(matrix) > 0.1 else affine(rng, limit)


@pytest.mark.parametrize("kind", BODIES)
def test_masses_and_centres(kind):
    body = BODIES[kind]
    r = regions_of(body)
    assert r.masses.sum() == pytest.approx(
        body.mass
    )  # every particle spreads its mass over the regions it is in
    for i in range(len(body.rest)):
        row = slice(r.starts[i], r.starts[i + 1])
        share = body.masses[r.members[row]] / np.diff(r.starts)[r.members[row]]
        np.testing.assert_allclose(r.centres[i], share @ body.rest[r.members[row]] / share.sum(), atol=1e-12)
        np.testing.assert_allclose(share @ r.offsets[row], 0, atol=1e-9)
        np.testing.assert_allclose(
            r.moments[i], np.einsum("n,ni,nj->ij", share, r.offsets[row], r.offsets[row]), atol=1e-9
        )


@pytest.mark.parametrize("kind", BODIES)
def test_gradients_are_the_paper_s_formula(kind):
    body = BODIES[kind]
    r = regions_of(body)
    x = body.rest + np.random.default_rng(5).normal(size=body.rest.shape) * 0.2
    for i, gradient in enumerate(r.gradients(x)):
        row = slice(r.starts[i], r.starts[i + 1])
        share = r.effective[r.members[row]]
        p = x[r.members[row]] - share @ x[r.members[row]] / share.sum()
        expected = np.einsum("n,ni,nj->ij", share, p, r.offsets[row]) @ r.inverses[i]
        np.testing.assert_allclose(gradient, expected, atol=1e-10)


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("seed", range(4))
def test_rest_however_placed_is_the_identity(kind, seed):
    body = BODIES[kind]
    turn = meshes.rotation(seed)
    rotations, stretches = regions_of(body).polar(body.rest @ turn.T + 1000.0)
    np.testing.assert_allclose(stretches, np.tile(np.eye(3), (len(body.rest), 1, 1)), atol=1e-9)
    is_proper(rotations)
    if kind != "rod":  # the spin of a straight region about itself is not defined
        np.testing.assert_allclose(rotations, np.tile(turn, (len(body.rest), 1, 1)), atol=1e-9)


@pytest.mark.parametrize("kind", BODIES)
def test_missing_axes(kind):
    body = BODIES[kind]
    missing = regions_of(body).missing
    np.testing.assert_allclose(missing @ missing, missing, atol=1e-12)
    lost = {"solid": np.zeros((3, 3)), "shell": np.diag([0, 1, 0]), "rod": np.diag([0, 1, 1])}[kind]
    np.testing.assert_allclose(missing, np.tile(lost, (len(missing), 1, 1)), atol=1e-12)


@given(seeds)
def test_affine_maps_of_a_solid_have_their_polar_factor(seed):
    body, matrix = BODIES["solid"], affine(np.random.default_rng(seed))
    expected = sqrtm(matrix.T @ matrix).real
    rotations, stretches = regions_of(body).polar(body.rest @ matrix.T)
    np.testing.assert_allclose(stretches, np.tile(expected, (len(body.rest), 1, 1)), atol=1e-8)
    np.testing.assert_allclose(rotations @ stretches, np.tile(matrix, (len(body.rest), 1, 1)), atol=1e-8)


@given(seeds)
def test_affine_maps_of_a_sheet_stretch_it_in_its_plane(seed):
    body, matrix = BODIES["shell"], affine(np.random.default_rng(seed))
    plane = matrix[:, [0, 2]]
    expected = np.eye(3)
    expected[np.ix_([0, 2], [0, 2])] = sqrtm(plane.T @ plane).real
    rotations, stretches = regions_of(body).polar(body.rest @ matrix.T)
    is_proper(rotations)
    np.testing.assert_allclose(stretches, np.tile(expected, (len(body.rest), 1, 1)), atol=1e-8)
    normal = np.cross(plane[:, 1], plane[:, 0])
    np.testing.assert_allclose(
        rotations[:, :, 1], np.tile(normal / np.linalg.norm(normal), (len(body.rest), 1)), atol=1e-8
    )


@given(seeds)
def test_affine_maps_of_a_rope_stretch_it_along(seed):
    body, matrix = BODIES["rod"], affine(np.random.default_rng(seed))
    rotations, stretches = regions_of(body).polar(body.rest @ matrix.T)
    is_proper(rotations)
    length = np.linalg.norm(matrix[:, 0])
    np.testing.assert_allclose(stretches, np.tile(np.diag([length, 1, 1]), (len(body.rest), 1, 1)), atol=1e-8)
    np.testing.assert_allclose(
        rotations[:, :, 0], np.tile(matrix[:, 0] / length, (len(body.rest), 1)), atol=1e-8
    )
    np.testing.assert_allclose(
        np.trace(rotations, axis1=1, axis2=2), 1 + 2 * matrix[0, 0] / length, atol=1e-8
    )


@given(seeds, st.sampled_from(sorted(BODIES)))
def test_stretches_do_not_see_rigid_motion(seed, kind):
    body, rng = BODIES[kind], np.random.default_rng(seed)
    x = body.rest + rng.normal(size=body.rest.shape) * 0.1
    r = regions_of(body)
    turn = meshes.rotation(seed)
    np.testing.assert_allclose(r.stretches(x @ turn.T + rng.normal(size=3)), r.stretches(x), atol=1e-7)


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize(
    "scale", [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1), (-1, 1, 1), (-1, -1, -1), (-2, 0, 1)]
)
def test_squashed_flat_to_a_line_to_a_point_or_mirrored(kind, scale):
    body = BODIES[kind]
    r = regions_of(body)
    rotations, stretches = r.polar(body.rest * scale)
    is_proper(rotations)
    assert np.isfinite(stretches).all()
    np.testing.assert_allclose(stretches, np.swapaxes(stretches, 1, 2))
    np.testing.assert_allclose(rotations @ (stretches - r.missing), r.gradients(body.rest * scale), atol=1e-9)


def test_a_mirrored_solid_gives_up_its_smallest_stretch():
    body = BODIES["solid"]
    stretches = regions_of(body).stretches(body.rest * (3, -0.5, 2))
    np.testing.assert_allclose(stretches, np.tile(np.diag([3, -0.5, 2]), (len(body.rest), 1, 1)), atol=1e-9)


@given(seeds)
def test_proper_rotations_are_the_nearest(seed):
    rng = np.random.default_rng(seed)
    matrices = rng.normal(size=(6, 3, 3))
    best = proper_rotations(matrices)
    is_proper(best)
    products = np.swapaxes(best, 1, 2) @ matrices
    np.testing.assert_allclose(products, np.swapaxes(products, 1, 2), atol=1e-9)
    for other in (meshes.rotation(seed + k) for k in range(20)):
        assert (
            np.sum((matrices - best) ** 2, axis=(1, 2)) <= np.sum((matrices - other) ** 2, axis=(1, 2)) + 1e-9
        ).all()


def test_a_gently_curved_sheet_counts_as_flat_a_tight_one_not():
    rest, triangles = meshes.sheet_arrays((2, 1), (10, 5))
    masses = np.ones(len(rest))
    for radius, count in ((5.0, 1), (0.15, 0)):
        angle = rest[:, 0] / radius
        curved = np.stack([radius * np.sin(angle), radius * np.cos(angle), rest[:, 2]], axis=1)
        missing = regions(curved, masses, triangles, "shell").missing
        assert np.trace(missing[30]) == pytest.approx(count)
