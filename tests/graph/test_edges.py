import numpy as np
import pytest

import graph_forms as forms
from pliant import shapes
from pliant.graph import graph_of


@pytest.mark.parametrize("cells", [(2, 2, 20), (3, 3, 30), (4, 4, 40)])
def test_a_long_bar_is_a_chain(cells):
    graph = graph_of(shapes.cuboid((1, 1, 10), cells), 20)
    np.testing.assert_array_equal(graph.edges, [[i, i + 1] for i in range(19)])
    np.testing.assert_allclose(graph.rest[:, 2], np.linspace(-4.75, 4.75, 20), atol=0.03)
    np.testing.assert_allclose(graph.rest[:, :2], 0, atol=0.03)


def test_a_long_cylinder_is_a_chain_and_a_torus_a_ring():
    rod = graph_of(shapes.cylinder(radius=0.3, height=5.0), 14)
    np.testing.assert_array_equal(rod.edges, [[i, i + 1] for i in range(13)])
    ring = graph_of(shapes.torus(), 12)
    np.testing.assert_array_equal(np.bincount(ring.edges.ravel()), 2)
    np.testing.assert_allclose(np.hypot(ring.rest[:, 0], ring.rest[:, 2]), 0.52, atol=0.05)


def test_a_square_sheet_is_the_grid_of_the_paper():
    graph = graph_of(shapes.sheet(), 256)
    assert len(graph.edges) == 480
    lengths = np.linalg.norm(graph.rest[graph.edges[:, 0]] - graph.rest[graph.edges[:, 1]], axis=1)
    np.testing.assert_allclose(lengths, 1 / 16, rtol=0.05)


def test_any_sheet_has_all_round_neighbours():
    graph = graph_of(shapes.sheet(), 97)
    degrees = np.bincount(graph.edges.ravel())
    assert degrees.min() >= 2 and 4 < degrees.mean() < 6


def test_a_rope_is_numbered_along_it():
    body = shapes.rope(particles=57)
    graph = graph_of(body, 23)
    np.testing.assert_array_equal(graph.edges, [[i, i + 1] for i in range(22)])
    np.testing.assert_allclose(np.diff(graph.rest[:, 0]), 2 / 23, rtol=1e-2)


@pytest.mark.parametrize("count", [16, 24, 40])
def test_prongs_that_nearly_touch_have_no_edge_between_them(count):
    graph = graph_of(forms.fork(), count)
    a, b = graph.rest[graph.edges[:, 0]], graph.rest[graph.edges[:, 1]]
    on_prongs = np.minimum(a[:, 2], b[:, 2]) > -0.4  # beyond the hand by more than half a share
    assert on_prongs.sum() >= 4
    assert (a[on_prongs, 0] * b[on_prongs, 0] > 0).all()
    assert (np.abs(graph.rest[graph.rest[:, 2] > -0.4, 0]) > 0.1).all()  # no share reaches across the gap
    assert forms.is_connected(graph.edges, count)


def test_what_meets_in_a_corner_only_is_joined_by_one_edge():
    graph = graph_of(forms.two_boxes(shared=True), 16)
    upper = graph.rest.sum(axis=1) > 1.5
    assert upper.sum() == 8
    assert (upper[graph.edges[:, 0]] != upper[graph.edges[:, 1]]).sum() == 1


def test_edges_are_where_shares_are_neighbours():
    """Every edge of a ball's graph joins neighbours, and near particles are joined."""
    graph = graph_of(shapes.ball(), 60)
    lengths = np.linalg.norm(graph.rest[graph.edges[:, 0]] - graph.rest[graph.edges[:, 1]], axis=1)
    gaps = forms.spacing(graph.rest)
    assert lengths.max() < 2.2 * gaps.mean()
    joined = {tuple(edge) for edge in graph.edges.tolist()}
    away = np.linalg.norm(graph.rest[:, None] - graph.rest, axis=2)
    near = np.argwhere(np.triu(away < 1.02 * gaps[:, None], 1))
    assert {tuple(pair) for pair in near.tolist()} <= joined
