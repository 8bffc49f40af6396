import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import meshes
from pliant.body import Body
from pliant.geometry.turning import rotation_matrices
from pliant.graph import graph_of
from pliant.graph.rods import carried_rotations

SEGMENTS = np.stack([np.arange(60), np.arange(1, 61)], axis=1).astype(np.int32)
STRAIGHT = np.stack([np.linspace(0, 6, 61), np.zeros(61), np.zeros(61)], axis=1)


def helix(turns=3.0, rise=1.0, count=61):
    s = np.linspace(0, 1, count)
    return np.stack([np.cos(2 * np.pi * turns * s), rise * s, np.sin(2 * np.pi * turns * s)], axis=1)


def tangents(x, segments=SEGMENTS):
    along = x[segments[:, 1]] - x[segments[:, 0]]
    return along / np.linalg.norm(along, axis=1, keepdims=True)


@given(st.integers(0, 100_000))
def test_a_curved_rod_turns_as_a_whole(seed):
    turn = meshes.rotation(seed)
    found = carried_rotations(helix(), helix() @ turn.T + 1, SEGMENTS)
    np.testing.assert_allclose(found, np.tile(turn, (60, 1, 1)), atol=1e-8)


@given(st.integers(0, 100_000))
def test_the_tangents_turn_along_and_nothing_twists(seed):
    rng = np.random.default_rng(seed)
    posed = np.cumsum(rng.normal(size=(61, 3)) * 0.3 + [0, 0, 1], axis=0)
    found = carried_rotations(STRAIGHT, posed, SEGMENTS)
    np.testing.assert_allclose(found[:, :, 0], tangents(posed), atol=1e-8)
    change = found[1:] @ np.swapaxes(found[:-1], 1, 2)
    spin = np.stack(
        [change[:, 2, 1] - change[:, 1, 2], change[:, 0, 2] - change[:, 2, 0], change[:, 1, 0] - change[:, 0, 1]], 1
    )
    between = tangents(posed)[1:] + tangents(posed)[:-1]
    np.testing.assert_allclose(np.einsum("ej,ej->e", spin, between), 0, atol=1e-8)


def test_a_straight_rod_turns_no_more_than_it_must():
    found = carried_rotations(STRAIGHT, STRAIGHT[:, [1, 0, 2]], SEGMENTS)
    np.testing.assert_allclose(found, np.tile([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]], (60, 1, 1)), atol=1e-12)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000))
def test_the_graph_of_a_coil_is_moved_as_a_whole(seed):
    turn = meshes.rotation(seed)
    centres, turns = GRAPH.gather(helix() @ turn.T)
    np.testing.assert_allclose(centres, GRAPH.rest @ turn.T, atol=1e-9)
    np.testing.assert_allclose(rotation_matrices(turns), np.tile(turn, (15, 1, 1)), atol=1e-7)


GRAPH = graph_of(Body(helix(), segments=SEGMENTS, thickness=0.1), 15)


def test_a_coil_of_a_straight_rod_winds_evenly():
    graph = graph_of(Body(STRAIGHT, segments=SEGMENTS, thickness=0.1, poses={"coil": helix()}), 30)
    matrices = rotation_matrices(graph.turns["coil"])
    along = np.gradient(graph.poses["coil"], axis=0)[1:-1]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    assert np.einsum("nj,nj->n", matrices[1:-1, :, 0], along).min() > 0.99
    change = matrices[1:] @ np.swapaxes(matrices[:-1], 1, 2)
    degrees = np.degrees(np.arccos((np.trace(change, axis1=1, axis2=2) - 1) / 2))
    np.testing.assert_allclose(degrees, degrees.mean(), rtol=0.1)


def test_the_twist_that_closes_a_loop_is_spread_over_it():
    angle = np.arange(60) * 2 * np.pi / 60
    ring = np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)
    # A saddle curve has a writhe of its own, so that the frame carried round it does not come back.
    buckled = ring + np.stack([0 * angle, 0.9 * np.sin(2 * angle), 0.3 * np.cos(3 * angle)], axis=1)
    segments = np.stack([np.arange(60), np.roll(np.arange(60), -1)], axis=1).astype(np.int32)
    found = carried_rotations(ring, buckled, segments)
    np.testing.assert_allclose(
        found @ tangents(ring, segments)[:, :, None], tangents(buckled, segments)[:, :, None], atol=1e-9
    )
    change = np.roll(found, -1, axis=0) @ np.swapaxes(found, 1, 2)
    degrees = np.degrees(np.arccos(np.clip((np.trace(change, axis1=1, axis2=2) - 1) / 2, -1, 1)))
    along = tangents(buckled, segments)
    bends = np.degrees(np.arccos(np.einsum("ej,ej->e", along, np.roll(along, -1, axis=0))))
    assert degrees.max() < bends.max() + 8  # 95 against 32, if all the twist were where the walk ends


def test_branches_rings_and_pieces():
    star = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [0, 2, 0], [0, 0, 1], [0, 0, 2.0]])
    arms = np.array([[0, 1], [1, 2], [0, 3], [3, 4], [0, 5], [5, 6]], np.int32)
    turn = meshes.rotation(9)
    np.testing.assert_allclose(carried_rotations(star, star @ turn.T, arms), np.tile(turn, (6, 1, 1)), atol=1e-8)
    ring = helix(turns=1, rise=0)[:-1]
    round_it = np.stack([np.arange(60), np.roll(np.arange(60), -1)], axis=1).astype(np.int32)
    both = np.concatenate([star, ring + 5])
    lines = np.concatenate([arms, round_it + 7])
    found = carried_rotations(both, both @ turn.T, lines)
    np.testing.assert_allclose(found, np.tile(turn, (66, 1, 1)), atol=1e-8)
    graph = graph_of(Body(both, segments=lines, thickness=0.1), 30)
    degrees = np.bincount(graph.edges.ravel(), minlength=30)
    on_ring = graph.rest[:, 0] > 3
    assert (degrees[on_ring] == 2).all()
    assert sorted(degrees[~on_ring])[:3] == [1, 1, 1]
    for graph_again in (graph, graph.scaled(2.0)):
        matrices = rotation_matrices(graph_again.gather(graph_again.source.rest @ turn.T)[1])
        np.testing.assert_allclose(matrices, np.tile(turn, (30, 1, 1)), atol=1e-7)
