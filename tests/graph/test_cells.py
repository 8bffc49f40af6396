import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graph_forms as forms
import meshes
from pliant.body import Body
from pliant.graph.cells import cells_of, pieces
from pliant.graph.lloyd import middles, settled, spread, whole
from pliant.graph.regular import bricks, lengths, slices

BODIES = {"solid": meshes.box(), "shell": meshes.sheet(), "rod": meshes.rope()}


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_cuts_keep_the_volume_and_halve_the_edges(kind):
    body = BODIES[kind]
    cells = cells_of(body, 8 * len(body.elements) + 1)
    assert cells.volumes.min() > 0
    assert cells.volumes.sum() == pytest.approx(body.volume)
    np.testing.assert_allclose(cells.weights @ body.rest, cells.points)
    np.testing.assert_allclose(cells.weights.sum(axis=1), 1)
    for element in (0, len(body.elements) - 1):
        mean = np.average(cells.centres[cells.elements == element], axis=0)
        np.testing.assert_allclose(mean, body.rest[body.elements[element]].mean(axis=0), atol=1e-12)
    assert len(np.unique(cells.points.round(9), axis=0)) == len(cells.points)  # neighbours share their points


def test_cells_touch_across_whole_sides():
    cells = cells_of(BODIES["solid"], 1000)
    faces = np.sort(np.concatenate([np.delete(cells.corners, a, axis=1) for a in range(4)]), axis=1)
    _, counts = np.unique(faces, axis=0, return_counts=True)
    assert len(cells.touching) == (counts == 2).sum()
    assert cells.sides.min() > 0
    assert pieces(cells.touching, len(cells.corners)).max() == 0


def test_what_meets_in_a_corner_is_one_piece():
    cells = cells_of(forms.two_boxes(shared=True), 100)
    assert pieces(cells.touching, len(cells.corners)).max() == 0
    assert (cells.sides == 0).sum() == 1
    cells = cells_of(forms.two_boxes(), 100)
    assert pieces(cells.touching, len(cells.corners)).max() == 1


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000))
def test_shares_end_up_whole_and_none_is_empty(seed):
    cells, rng = cells_of(BODIES["solid"], 600), np.random.default_rng(seed)
    shares = whole(cells, rng.integers(0, 9, size=len(cells.corners)), 12)  # three are empty, all in pieces
    settled_shares = settled(cells, shares, 12)
    for found in (shares, settled_shares):
        assert (np.bincount(found, minlength=12) > 0).all()
        same = found[cells.touching[:, 0]] == found[cells.touching[:, 1]]
        assert pieces(cells.touching[same], len(found)).max() + 1 == 12
    assert spread(cells, settled_shares, 12) <= spread(cells, shares, 12)


def test_the_spread_is_that_of_the_definition():
    cells = cells_of(BODIES["shell"], 300)
    shares = np.arange(len(cells.corners)) % 5
    away = cells.centres - middles(cells, shares, 5)[shares]
    assert spread(cells, shares, 5) == pytest.approx(np.average((away**2).sum(axis=1), weights=cells.volumes))


def test_bricks_only_of_boxes_that_they_fill():
    cells = cells_of(BODIES["solid"], 600)
    found = bricks(cells, 16)
    np.testing.assert_allclose(np.bincount(found, cells.volumes), 2 / 16, rtol=0.2)
    assert bricks(cells_of(forms.fork(), 600), 24) is None  # three bricks abreast: the slit cuts the middle one
    assert bricks(cells_of(forms.fork(gap=0.1), 600), 16) is None


def test_a_box_may_lie_askew():
    rest, tets = meshes.box_arrays((1, 0.6, 2))
    cells = cells_of(Body(rest @ meshes.rotation(2).T, tets=tets), 2000)
    at = middles(cells, bricks(cells, 4), 4) @ meshes.rotation(2)
    np.testing.assert_allclose(np.sort(at[:, 2]), [-0.75, -0.25, 0.25, 0.75], atol=0.02)


def test_slices_only_of_what_is_long():
    bar = cells_of(meshes.box((1, 1, 8), (2, 2, 16)), 2000)
    found = slices(bar, 10)
    np.testing.assert_allclose(np.bincount(found, bar.volumes), 0.8, rtol=0.1)
    order = np.argsort(middles(bar, found, 10)[:, 2])
    assert order.tolist() in (list(range(10)), list(range(9, -1, -1)))
    assert slices(bar, 200) is None
    assert slices(cells_of(forms.two_boxes(), 300), 4) is None


def test_lengths_are_shared_out_between_ropes():
    long, short = meshes.rope(3.0, 7), meshes.rope(1.0, 3)
    both = Body(
        np.concatenate([long.rest, short.rest + np.array([0, 5, 0])]),
        segments=np.concatenate([long.elements, short.elements + 7]),
    )
    cells = cells_of(both, 2000)
    found = lengths(cells, 8)
    totals = np.bincount(found, cells.volumes) / cells.volumes.sum()
    np.testing.assert_allclose(totals, 1 / 8, atol=2e-3)
    assert len(np.unique(found[cells.centres[:, 1] > 2])) == 2
