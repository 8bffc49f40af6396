"""From the source to the graph and back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graph_forms as forms
import meshes
from pliant import poses, shapes
from pliant.geometry.turning import rotation_matrices
from pliant.graph import graph_of
from pliant.runtime.errors import BodyError

SOLID, SHELL = graph_of(meshes.box(cells=(4, 4, 8)), 16), graph_of(meshes.sheet(cells=(10, 5)), 20)
CURVED = graph_of(shapes.rope().with_pose("arc", lambda rest: rest), 9)
seeds = st.integers(0, 100_000)


@settings(deadline=None, max_examples=30)
@given(seeds, st.sampled_from(["solid", "shell"]))
def test_a_rigid_motion_is_gathered_and_spread_exactly(seed, kind):
    graph = {"solid": SOLID, "shell": SHELL}[kind]
    turn, shift = meshes.rotation(seed), np.random.default_rng(seed).normal(size=3) * 10
    moved = graph.source.rest @ turn.T + shift
    centres, turns = graph.gather(moved)
    np.testing.assert_allclose(centres, graph.rest @ turn.T + shift, atol=1e-10)
    np.testing.assert_allclose(rotation_matrices(turns), np.tile(turn, (len(turns), 1, 1)), atol=1e-8)
    np.testing.assert_allclose(graph.spread(centres, turns), moved, atol=1e-8)


def test_rest_is_gathered_and_spread_exactly():
    for graph in (SOLID, SHELL, CURVED):
        centres, turns = graph.gather(graph.source.rest)
        np.testing.assert_allclose(centres, graph.rest, atol=1e-12)
        np.testing.assert_allclose(turns, forms.still(len(turns)), atol=1e-9)
        np.testing.assert_allclose(graph.spread(centres, turns), graph.source.rest, atol=1e-9)


@settings(deadline=None, max_examples=30)
@given(seeds)
def test_stretches_do_not_turn_and_every_turn_is_proper(seed):
    rng = np.random.default_rng(seed)
    stretch = meshes.rotation(seed)
    stretch = stretch * rng.uniform(0.3, 2, size=3) @ stretch.T
    turns = SOLID.gather(SOLID.source.rest @ stretch.T)[1]
    # The share's own shape counts: R is best for R applied to the share at rest, not for the stretch alone.
    assert np.degrees(2 * np.arccos(np.clip(np.abs(turns[:, 3]), 0, 1))).max() < 60
    wild = rng.normal(size=SOLID.source.rest.shape)
    matrices = rotation_matrices(SOLID.gather(wild)[1])
    np.testing.assert_allclose(np.linalg.det(matrices), 1, atol=1e-9)


@pytest.mark.parametrize("degrees", [90, 720])
def test_the_slices_of_a_twisted_bar_turn_with_the_twist(degrees):
    bar = shapes.cuboid((1, 1, 10), (2, 2, 20))
    graph = graph_of(bar.with_pose("twist", poses.twist(bar, degrees=degrees)), 20)
    x, y, z, w = graph.turns["twist"].T
    found = np.degrees(np.unwrap(2 * np.arctan2(z, w)))
    wanted = degrees * graph.rest[:, 2] / 10
    np.testing.assert_allclose(found - found.mean(), wanted - wanted.mean(), atol=2.0)
    np.testing.assert_allclose([x, y], 0, atol=0.01)
    assert np.abs(graph.spread(graph.poses["twist"], graph.turns["twist"]) - graph.source.poses["twist"]).max() < (
        0.1 if degrees == 90 else 0.6
    )


def test_a_bent_sheet_turns_with_its_slope():
    def bent(rest):
        angle = 2 * rest[:, 0]
        return np.stack([np.sin(angle) / 2, (1 - np.cos(angle)) / 2, rest[:, 2]], axis=1)

    graph = graph_of(meshes.sheet(cells=(40, 10), poses={"bent": bent}), 60)
    x, y, z, w = graph.turns["bent"].T
    np.testing.assert_allclose(np.degrees(2 * np.arctan2(z, w)) % 360, np.degrees(2 * graph.rest[:, 0]), atol=2.0)
    np.testing.assert_allclose([x, y], 0, atol=0.02)


def test_a_sheet_upside_down_is_a_turn_not_a_mirror():
    turns = SHELL.gather(SHELL.source.rest * (-1, 1, 1))[1]
    np.testing.assert_allclose(rotation_matrices(turns), np.tile(np.diag([-1.0, -1, 1]), (20, 1, 1)), atol=1e-9)


def test_shares_squeezed_to_a_line_or_a_point_still_turn_properly():
    rest = SOLID.source.rest
    for squeezed in (rest * 0, rest * (0, 0, 1), rest * (1, 0, 1)):
        matrices = rotation_matrices(SOLID.gather(squeezed)[1])
        np.testing.assert_allclose(matrices, np.tile(np.eye(3), (16, 1, 1)), atol=1e-6)


def test_owners_hold_the_particles_round_them():
    away = np.linalg.norm(SOLID.source.rest[:, None] - SOLID.rest, axis=2)
    own = away[np.arange(len(away)), SOLID.shares.owners]
    assert (own <= away.min(axis=1) + 0.2).all()


def test_wrong_numbers_are_named():
    with pytest.raises(BodyError, match="5 given, it has 225 particles"):
        SOLID.gather(np.zeros((5, 3)))
    with pytest.raises(BodyError, match=r"shape \(5, 3\); give \(16, 3\)"):
        SOLID.spread(np.zeros((5, 3)), forms.still(16))
    with pytest.raises(BodyError, match=r"rotations have shape \(5, 4\)"):
        SOLID.spread(SOLID.rest, forms.still(5))
