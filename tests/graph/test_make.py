"""Promises of graph_of, over solids, shells and rods."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graph_forms as forms
import meshes
from pliant import shapes
from pliant.body import Body
from pliant.graph import graph_of, sampling
from pliant.runtime.errors import BodyError

MAKERS = {
    "teddy": (shapes.teddy, 30),
    "dinosaur": (shapes.dinosaur, 100),
    "torus": (shapes.torus, 12),
    "ball": (shapes.ball, 50),
    "cylinder": (shapes.cylinder, 24),
    "sheet": (shapes.sheet, 90),
    "rope": (shapes.rope, 40),
    "fork": (forms.fork, 24),
    "hinged": (lambda: forms.two_boxes(shared=True), 8),
}


@pytest.fixture(params=sorted(MAKERS))
def pair(request):
    maker, count = MAKERS[request.param]
    body = maker()
    return body, graph_of(body, count)


def test_exactly_as_many_as_wanted_with_all_the_mass_and_the_same_centre(pair):
    body, graph = pair
    count = MAKERS[body.name][1]
    assert graph.rest.shape == (count, 3)
    assert graph.kind == "graph" and graph.name == body.name and graph.source is body
    assert graph.mass == pytest.approx(body.mass, rel=1e-12)
    assert graph.volume == pytest.approx(body.volume, rel=1e-12)
    np.testing.assert_allclose(graph.masses, graph.density * graph.ellipsoids.volumes)
    whole = body.masses @ body.rest / body.mass
    np.testing.assert_allclose(graph.masses @ graph.rest / graph.mass, whole, atol=1e-10)


def test_particles_are_well_spread_and_shares_compact(pair):
    body, graph = pair
    gaps = forms.spacing(graph.rest)
    assert gaps.min() > 0.55 * gaps.mean()
    volumes = graph.ellipsoids.volumes
    assert volumes.min() > 0.25 * volumes.mean() and volumes.max() < 2.5 * volumes.mean()
    # Ellipsoids lie where the body is: at most 3 of the body's particles out of 100 are far from all of them.
    local = np.einsum("nji,vnj->vni", graph.ellipsoids.axes, body.rest[:, None] - graph.rest)
    depth = np.linalg.norm(local / graph.ellipsoids.radii, axis=2).min(axis=1)
    assert np.quantile(depth, 0.97) < 1.8


def test_connected_where_the_body_is(pair):
    _, graph = pair
    assert forms.is_connected(graph.edges, len(graph.rest))
    assert (graph.edges[:, 0] < graph.edges[:, 1]).all()
    np.testing.assert_array_equal(graph.edges, np.unique(graph.edges, axis=0))


def test_the_skin_rests_where_it_was_and_moves_with_the_body(pair):
    body, graph = pair
    assert graph.skin.kind == "oriented"
    np.testing.assert_array_equal(graph.skin.faces, body.skin.faces)
    count = len(graph.rest)
    np.testing.assert_allclose(graph.skin.deform(graph.rest, forms.still(count)), body.skin.vertices, atol=1e-12)
    turn = meshes.rotation(5)
    moved = graph.skin.deform(graph.rest @ turn.T + 2, np.tile(forms.quaternion(turn), (count, 1)))
    np.testing.assert_allclose(moved, body.skin.vertices @ turn.T + 2, atol=1e-12)


def test_the_same_seed_gives_the_same_graph():
    body = shapes.dinosaur()
    first = graph_of(meshless(body), 60, 3)
    sampling.FOUND_SHARES.clear()
    again, other = (graph_of(meshless(body), 60, seed) for seed in (3, 4))
    np.testing.assert_array_equal(first.rest, again.rest)
    np.testing.assert_array_equal(first.edges, again.edges)
    np.testing.assert_array_equal(first.skin.weights, again.skin.weights)
    np.testing.assert_array_equal(first.ellipsoids.axes, again.ellipsoids.axes)
    assert not np.array_equal(first.rest, other.rest)


def meshless(body):
    """Another body of the same arrays, of which nothing is remembered."""
    return Body(body.rest, tets=body.tets, skin=body.skin)


def test_remembered_as_long_as_the_body_lives():
    body = meshes.box()
    graph = graph_of(body, 8)
    assert graph_of(body, 8) is graph
    assert graph_of(body, 8, seed=1) is not graph
    alive = weakref.ref(body)
    del body, graph
    gc.collect()
    assert alive() is None


def test_another_pose_leaves_the_particles_where_they_are():
    body = meshes.box()
    posed = graph_of(body.with_pose("long", lambda rest: rest * (1, 1, 2)), 7)
    np.testing.assert_array_equal(posed.rest, graph_of(body, 7).rest)
    assert posed.pose_names == ("long",)
    other = graph_of(meshes.box((1, 1, 3)), 7)
    assert not np.array_equal(posed.rest, other.rest)


def test_neighbours_are_near_in_memory():
    graph = graph_of(shapes.dinosaur(), 100)
    assert np.mean(graph.edges[:, 1] - graph.edges[:, 0]) < 15  # 33 in any order


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 60), st.integers(0, 1000), st.sampled_from(["solid", "shell", "rod"]))
def test_any_number_of_particles(count, seed, kind):
    maker = {"solid": meshes.box, "shell": meshes.sheet, "rod": meshes.rope}[kind]
    body = maker()
    graph = graph_of(body, count, seed)
    assert len(graph.rest) == count
    assert graph.mass == pytest.approx(body.mass)
    assert forms.is_connected(graph.edges, count)
    assert (graph.ellipsoids.volumes > 0).all()


def test_every_piece_gets_a_particle_and_pieces_stay_apart():
    graph = graph_of(forms.two_boxes(), 2)
    assert sorted(graph.rest[:, 0].round(6).tolist()) == [0.0, 2.0] and len(graph.edges) == 0
    graph = graph_of(forms.two_boxes(apart=0.05), 16)
    right = graph.rest[:, 0] > 0.5
    assert right.sum() == 8
    assert (right[graph.edges[:, 0]] == right[graph.edges[:, 1]]).all()
    on_right = graph.skin.vertices[:, 0] > 0.5
    assert (graph.skin.weights[on_right] * ~right[graph.skin.indices[on_right]]).sum() == 0


def test_poses_and_groups_come_along():
    body = meshes.box(poses={"long": lambda rest: rest * (1, 1, 1.5)}, groups={"top": lambda rest: rest[:, 2] > 0.6})
    graph = graph_of(body, 12)
    np.testing.assert_allclose(graph.poses["long"], graph.rest * (1, 1, 1.5), atol=1e-12)
    np.testing.assert_allclose(graph.turns["long"], forms.still(12), atol=1e-9)
    top = graph.groups["top"]
    assert 0 < len(top) < 12 and graph.rest[top, 2].min() > np.delete(graph.rest[:, 2], top).max() - 1e-9
    assert graph_of(body.with_group("one", [0]), 12).groups["one"].shape == (1,)


def test_uv_colours_and_the_rest_of_the_looks_are_kept():
    from dataclasses import replace

    body = meshes.box()
    count = len(body.skin.vertices)
    skin = replace(body.skin, uv=np.random.default_rng(1).random((count, 2)), colours=np.full((count, 3), 0.5))
    graph = graph_of(body.with_skin(skin), 5)
    np.testing.assert_array_equal(graph.skin.uv, skin.uv)
    np.testing.assert_array_equal(graph.skin.colours, skin.colours)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda graph: pickle.loads(pickle.dumps(graph))])
def test_copies_are_as_good(copied):
    graph = graph_of(shapes.rope().with_pose("bent", lambda rest: rest[:, [1, 0, 2]]), 10)
    other = copied(graph)
    for name in ("rest", "elements", "masses"):
        np.testing.assert_array_equal(getattr(other, name), getattr(graph, name))
    np.testing.assert_array_equal(other.turns["bent"], graph.turns["bent"])
    np.testing.assert_array_equal(other.gather(graph.source.poses["bent"])[1], graph.turns["bent"])
    with pytest.raises(ValueError, match="read-only"):
        other.rest[0] = 0


@pytest.mark.parametrize("wanted", [0, -1, 2.5, 10_000_000, True, "ten", None])
def test_strange_numbers_are_refused(wanted):
    with pytest.raises(BodyError, match="particles wanted; give a whole number from 1"):
        graph_of(meshes.box(), wanted)


def test_a_strange_seed_is_refused():
    with pytest.raises(BodyError, match="the seed is -1; give a whole number from 0"):
        graph_of(meshes.box(), 3, seed=-1)


def test_too_few_for_the_pieces_and_graphs_of_graphs_are_refused():
    with pytest.raises(BodyError, match="is in 2 pieces and 1 particles are wanted"):
        graph_of(forms.two_boxes(), 1)
    with pytest.raises(BodyError, match="is one already"):
        graph_of(graph_of(meshes.box(), 3), 2)
