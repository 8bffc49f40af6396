"""Smooth weights: exact for affine motions, smooth from vertex to vertex, and never across a gap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pliant
from pliant.body import Skin
from pliant.geometry import binding
from pliant.geometry.binding import SLOTS, bind
from pliant.geometry.embedding import locate
from pliant.geometry.grid import five_tets, grid_cells
from pliant.geometry.surfaces import ball

NONE = np.empty((0, 3), np.int32)


def block(cells: tuple[int, int, int] = (4, 4, 4)) -> tuple[np.ndarray, np.ndarray]:
    points, corners, places = grid_cells(cells)
    return np.asarray(points, dtype=np.float64), five_tets(corners, places)


def bound(points: np.ndarray, rest: np.ndarray, tets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return bind(points, NONE, rest, tets, locate(points, rest, tets).elements)


@given(seed=st.integers(0, 10**6), far=st.floats(-100, 100), scale=st.sampled_from([1e-3, 1.0, 1e3]))
def test_affine_motions_are_exact_and_weights_sum_to_one(seed: int, far: float, scale: float) -> None:
    rng = np.random.default_rng(seed)
    rest, tets = block()
    rest = scale * (rest + 0.1 * rng.normal(size=rest.shape) + far)
    points = scale * (rng.uniform(-0.5, 4.5, size=(40, 3)) + far)
    slots, weights = bound(points, rest, tets)
    matrix, shift = rng.normal(size=(3, 3)), scale * rng.normal(size=3)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-9)
    moved = np.einsum("nk,nkx->nx", weights, (rest @ matrix.T + shift)[slots])
    np.testing.assert_allclose(moved, points @ matrix.T + shift, atol=1e-9 * scale * (100 + abs(far)))


def test_a_step_of_a_point_is_a_step_of_its_weights() -> None:
    """In a body that is whole no weight jumps, inside the tets or outside: half the step, half the change."""
    rest, tets = block()
    for steps in (200, 400, 800):
        path = np.linspace([0.3, 4.2, 0.6], [3.8, 4.1, 3.1], steps)
        slots, weights = bound(path, rest, tets)
        rows = np.zeros((steps, len(rest)))
        np.add.at(rows, (np.arange(steps)[:, None], slots), weights)
        assert np.abs(np.diff(rows, axis=0)).max() < 3 / steps


def kinks(rest: np.ndarray, tets: np.ndarray, steps: int) -> float:
    """The largest change of a slope of the weights, from one step of a point to the next. Paths cross the body, inside
    and outside, so particles come into reach and leave it hundreds of times."""
    worst = 0.0
    for first, last in (([0.3, 4.2, 0.6], [3.8, 4.1, 3.1]), ([0.1, 0.4, 0.2], [3.7, 3.9, 3.2])):
        path = np.linspace(first, last, steps)
        slots, weights = bound(path, rest, tets)
        rows = np.zeros((steps, len(rest)))
        np.add.at(rows, (np.arange(steps)[:, None], slots), weights)
        step = float(np.linalg.norm(path[1] - path[0]))
        comings = (np.diff((rows != 0).astype(int), axis=0) != 0).sum()
        assert comings > 40
        worst = max(worst, float(np.abs(np.diff(rows, n=2, axis=0)).max()) / step)
    return worst


@pytest.mark.slow
def test_slopes_of_the_weights_have_no_kinks() -> None:
    """The weights are C1 in the place of a point, whatever particles come into reach: half the step, half the change of
    the slope. Where slopes had kinks, these would stay as large as they are, however small the steps."""
    rest, tets = block()
    rest = rest + 0.1 * np.random.default_rng(5).normal(size=rest.shape)
    coarse, fine, finest = (kinks(rest, tets, steps) for steps in (1000, 4000, 16000))
    assert fine < 0.35 * coarse and finest < 0.35 * fine
    assert finest < 0.01  # of a weight of 1, an edge of a tet away


@pytest.mark.parametrize("shape", ["ball", "cylinder", "torus", "cuboid"])
def test_a_body_that_is_whole_trusts_all_its_particles(shape: str) -> None:
    """Else the walk along edges, which jumps from tet to tet, would be seen in the skin."""
    body = getattr(pliant.shapes, shape)()
    points = body.skin.vertices[::7]
    corners = body.tets[locate(points, body.rest, body.tets).elements]
    air, near = binding._candidates(points, body.rest, corners)
    trust = binding._trust(air, near, points, body.rest, body.tets, corners)
    reach = binding.reach_of(np.sort(air, axis=1))
    assert trust[air < reach[:, None]].min() == 1.0


def test_no_reach_across_a_slit() -> None:
    """Two halves of a block, a hair apart and joined at the far end: a fork."""
    points, corners, places = grid_cells((4, 2, 10))
    rest = np.asarray(points, dtype=np.float64)
    tets = five_tets(corners, places)
    tets = tets[~((rest[tets].mean(axis=1)[:, 0] > 1.9) & (rest[tets].mean(axis=1)[:, 0] < 2.0))]
    # Particles in the plane x = 2 below z = 7 are there twice, one for either side.
    twice = np.flatnonzero((rest[:, 0] == 2) & (rest[:, 2] < 7))
    number = np.arange(len(rest))
    number[twice] = len(rest) + np.arange(len(twice))
    right = rest[tets].mean(axis=1)[:, 0] > 2
    tets[right] = number[tets[right]]
    rest = np.concatenate([rest, rest[twice] + (0.02, 0, 0)])
    of_right = (rest[:, 0] > 2) | (np.arange(len(rest)) >= len(number))
    vertices, faces = [], []
    for x in (1.99, 2.01):  # the two walls of the slit
        y, z = np.meshgrid(np.linspace(0, 2, 9), np.linspace(0, 7, 29), indexing="ij")
        quads = np.arange(9 * 29).reshape(9, 29)
        a, b, c, d = quads[:-1, :-1], quads[1:, :-1], quads[1:, 1:], quads[:-1, 1:]
        both = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
        faces.append(both + quads.size * len(faces))
        vertices.append(np.stack([np.full_like(y, x), y, z], axis=-1).reshape(-1, 3))
    walls = np.concatenate(vertices)
    carriers = np.empty(len(walls), np.int32)
    for side in (False, True):
        mine = np.flatnonzero(right == side)
        on = (walls[:, 0] > 2) == side
        carriers[on] = mine[locate(walls[on], rest, tets[mine]).elements]
    slots, weights = bind(walls, np.concatenate(faces).astype(np.int32), rest, tets, carriers)
    np.testing.assert_allclose(np.einsum("nk,nkx->nx", weights, rest[slots]), walls, atol=1e-9)
    low = walls[:, 2] < 4.5
    across = of_right[slots] != (walls[:, 0] > 2)[:, None]
    assert low.sum() > 200
    assert np.abs(weights * across)[low].max() == 0


def test_few_particles_and_flat_rows() -> None:
    rest, tets = np.eye(4, 3, -1), np.array([[0, 1, 2, 3]])
    point = np.array([[0.3, -0.4, 2.0]])
    slots, weights = bound(point, rest, tets)
    assert slots.shape == (1, 4)
    np.testing.assert_allclose(weights @ rest[slots[0]], point, atol=1e-12)
    assert bound(np.empty((0, 3)), rest, tets)[0].shape == (0, 4)
    # All near particles in a plane: the corners of the carrier carry the point alone.
    plane = np.stack(np.meshgrid(np.arange(12.0), np.arange(12.0), [0.0]), axis=-1).reshape(-1, 3)
    rest = np.concatenate([plane, [[5.5, 5.5, 40.0]]])
    tets = np.array([[i, i + 1, i + 12, 144] for i in range(131) if i % 12 != 11])
    slots, weights = bound(np.array([[5.2, 5.3, 0.1]]), rest, tets)
    np.testing.assert_allclose(weights[0] @ rest[slots[0]], [5.2, 5.3, 0.1], atol=1e-9)


def test_twins_of_a_seam_are_bound_alike() -> None:
    rest, tets = block()
    vertices, faces = ball(2.2, 0.4)
    vertices = vertices + 2.0
    split = Skin.bind(vertices[faces.ravel()], np.arange(faces.size).reshape(-1, 3), rest, tets, "solid")
    whole = Skin.bind(vertices, faces, rest, tets, "solid")
    assert 12 <= whole.indices.shape[1] <= SLOTS
    np.testing.assert_array_equal(split.indices, whole.indices[faces.ravel()])
    np.testing.assert_array_equal(split.weights, whole.weights[faces.ravel()])


@pytest.mark.parametrize("columns", [3, 5, 28])
def test_a_skin_has_rows_of_four(columns: int) -> None:
    from pliant.runtime.errors import BodyError

    with pytest.raises(BodyError, match="4 indices a row"):
        Skin(np.eye(3), [[0, 1, 2]], np.zeros((3, columns), int), np.zeros((3, columns)))
