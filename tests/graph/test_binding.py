import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import graph_forms as forms
from pliant import shapes
from pliant.graph import graph_of
from pliant.graph.binding import web_of

GRAPH = graph_of(shapes.ball(), 40)
WEB = web_of(GRAPH.rest, GRAPH.edges)


def nearest(points):
    return np.argmin(np.linalg.norm(points[:, None] - GRAPH.rest, axis=2), axis=1)


@given(st.integers(0, 100_000))
def test_weights_are_convex_and_favour_the_nearest(seed):
    points = np.random.default_rng(seed).normal(size=(40, 3)) * 0.5
    slots, weights = WEB.weights(points, nearest(points))
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_array_equal(slots[:, 0], nearest(points))
    assert (np.diff(weights, axis=1) <= 0).all()


def table(line):
    slots, weights = WEB.weights(line, nearest(line))
    rows = np.zeros((len(line), 40))
    np.add.at(rows, (np.arange(len(line))[:, None], slots), weights)
    return rows


def between(start, end, steps):
    return start + np.linspace(0, 1, steps + 1)[:, None] * (end - start)


@given(st.integers(0, 100_000))
def test_weights_have_no_jumps_along_a_line(seed):
    line = between(*np.random.default_rng(seed).uniform(-0.45, 0.45, size=(2, 3)), 1000)
    for _ in range(3):  # where they change most a closer look shows a smaller change
        changes = np.abs(np.diff(table(line), axis=0)).max(axis=1)
        worst = int(np.argmax(changes))
        line = between(line[worst], line[worst + 1], 50)
    assert changes.max() < 0.005


def test_a_prong_does_not_move_the_skin_of_the_other():
    graph = graph_of(forms.fork(), 30)
    far = graph.skin.vertices[:, 2] > 0.0
    side = np.sign(graph.skin.vertices[far, 0])
    across = np.sign(graph.rest[graph.skin.indices[far], 0]) != side[:, None]
    assert (graph.skin.weights[far] * across).max() == 0


def test_as_few_particles_as_there_may_be():
    for count in (1, 2, 3, 4, 5):
        skin = graph_of(shapes.ball(), count).skin
        np.testing.assert_allclose(skin.weights.sum(axis=1), 1)
        assert ((skin.weights > 1e-6).sum(axis=1) == count).mean() > 0.9


def test_five_at_the_same_distance():
    ring = np.stack([np.cos(np.arange(5) * 1.2566370614), np.sin(np.arange(5) * 1.2566370614), np.zeros(5)], axis=1)
    web = web_of(ring, np.array([[0, 1], [1, 2], [2, 3], [3, 4], [0, 4]]))
    _, weights = web.weights(np.zeros((1, 3)), np.array([0]))
    assert np.isfinite(weights).all()
    np.testing.assert_allclose(weights.sum(), 1)
