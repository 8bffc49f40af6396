"""The graph as a body: what it checks, how poses are added, what copies keep."""

import numpy as np
import pytest

import graph_forms as forms
import meshes
from pliant.body import Body
from pliant.geometry.turning import quaternions, rotation_matrices
from pliant.graph import Ellipsoids, Graph, graph_of
from pliant.runtime.errors import BodyError


def chain(count=6, **options):
    """Balls along x, made by hand."""
    rest = np.stack([np.arange(count), np.zeros(count), np.zeros(count)], axis=1)
    balls = Ellipsoids(np.tile(np.eye(3), (count, 1, 1)), np.tile([0.5, 0.3, 0.3], (count, 1)))
    edges = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
    return Graph(rest, edges=edges, ellipsoids=balls, **options)


def test_a_graph_is_a_body():
    graph = graph_of(meshes.box(density=500.0, name="brick"), 12)
    assert isinstance(graph, Body)
    assert graph.tets is None and graph.triangles is None and graph.segments is None
    assert graph.thickness is None and graph.density == 500.0
    assert repr(graph) == f'Graph "brick": 12 particles, {len(graph.edges)} edges, 1000 kg, poses: none'
    assert repr(chain(2)).startswith('Graph "graph": 2 particles, 1 edge, ')
    for array in (graph.rest, graph.elements, graph.masses, graph.ellipsoids.radii):
        assert not array.flags.writeable


def test_edges_are_sorted_and_each_there_once():
    graph = Graph(
        np.eye(3), edges=[[2, 1], [1, 0], [1, 2]], ellipsoids=Ellipsoids([np.eye(3)] * 3, np.ones((3, 3)) / 3)
    )
    np.testing.assert_array_equal(graph.edges, [[0, 1], [1, 2]])


def test_the_plain_skin_shows_the_ellipsoids():
    graph = chain(3)
    moved = graph.skin.deform(graph.rest + np.array([0, 1, 0]), forms.still(3))
    np.testing.assert_allclose(moved, graph.skin.vertices + np.array([0, 1, 0]), atol=1e-12)
    assert graph.skin.vertices[:, 0].max() > 2.4


def test_poses_of_the_source_are_gathered_and_those_of_particles_kept():
    graph = graph_of(meshes.box(), 12)
    fine = graph.source.rest @ meshes.rotation(3).T
    posed = graph.with_pose("fine", fine).with_pose("coarse", graph.rest * 2, turns=forms.still(12) * 3)
    assert posed.pose_names == ("fine", "coarse") and tuple(posed.turns) == ("fine", "coarse")
    np.testing.assert_allclose(posed.poses["fine"], graph.rest @ meshes.rotation(3).T, atol=1e-12)
    np.testing.assert_allclose(rotation_matrices(posed.turns["fine"])[4], meshes.rotation(3), atol=1e-9)
    np.testing.assert_array_equal(posed.turns["coarse"], forms.still(12))
    left = posed.without_pose("fine")
    assert left.pose_names == ("coarse",) and tuple(left.turns) == ("coarse",)
    np.testing.assert_allclose(posed.surface("fine"), graph.skin.vertices @ meshes.rotation(3).T, atol=1e-9)
    with pytest.raises(BodyError, match='no pose "sad"; it has "fine", "coarse"'):
        posed.without_pose("sad")


def test_turns_are_fitted_from_the_neighbours_where_nobody_gives_them():
    graph = graph_of(meshes.box(), 12)
    turn = meshes.rotation(8)
    fitted = graph.with_pose("turned", lambda rest: rest @ turn.T).turns["turned"]
    np.testing.assert_allclose(rotation_matrices(fitted), np.tile(turn, (12, 1, 1)), atol=1e-7)
    np.testing.assert_allclose(
        graph.with_pose("long", graph.rest * (1, 1, 2)).turns["long"], forms.still(12), atol=1e-3
    )


def test_a_chain_that_is_wound_up_turns_along():
    count = 24
    graph = chain(count)
    angle = np.radians(30) * np.arange(count)  # two turns
    circle = np.stack([np.sin(angle), 1 - np.cos(angle), 0.05 * angle], axis=1) * 1.93
    found = rotation_matrices(graph.with_pose("wound", circle).turns["wound"])
    along = np.stack([np.cos(angle), np.sin(angle), np.full(count, 0.05)], axis=1) / np.hypot(1, 0.05)
    assert np.einsum("nj,nj->n", found[1:-1, :, 0], along[1:-1]).min() > 0.98
    change = quaternions(found[1:] @ np.swapaxes(found[:-1], 1, 2))
    degrees = np.degrees(2 * np.arccos(change[:, 3]))
    assert degrees.max() < 45  # no jump where the second turn begins


def test_one_particle_and_none_that_touch():
    lonely = Graph([[1, 2, 3]], edges=[], ellipsoids=Ellipsoids([np.eye(3)], [[1, 1, 1]]))
    assert len(lonely.edges) == 0
    np.testing.assert_array_equal(lonely.with_pose("off", [[3, 2, 1]]).turns["off"], [[0, 0, 0, 1]])


def test_scaled_in_every_part():
    graph = graph_of(meshes.box(poses={"long": lambda rest: rest * (1, 1, 2)}), 12)
    large = graph.scaled(3.0)
    assert large.mass == pytest.approx(27 * graph.mass) == large.source.mass
    np.testing.assert_allclose(large.rest, 3 * graph.rest)
    np.testing.assert_allclose(large.poses["long"], 3 * graph.poses["long"])
    np.testing.assert_array_equal(large.turns["long"], graph.turns["long"])
    np.testing.assert_allclose(large.ellipsoids.radii, 3 * graph.ellipsoids.radii)
    np.testing.assert_allclose(large.skin.deform(large.rest, forms.still(12)), 3 * graph.skin.vertices, atol=1e-12)
    np.testing.assert_allclose(large.gather(large.source.poses["long"])[0], large.poses["long"], atol=1e-12)
    np.testing.assert_allclose(large.shares.covariances, 9 * graph.shares.covariances, atol=1e-12)
    back = large.spread(large.rest, forms.still(12))
    np.testing.assert_allclose(back, 3 * graph.source.rest, atol=1e-12)
    with pytest.raises(BodyError, match="the scale is 0"):
        graph.scaled(0)


def test_groups_and_skins_are_added():
    graph = chain(4).with_group("ends", [0, 3])
    np.testing.assert_array_equal(graph.groups["ends"], [0, 3])
    other = graph.with_skin(chain(4).skin)
    np.testing.assert_array_equal(other.groups["ends"], [0, 3])
    with pytest.raises(BodyError, match='kind "solid"'):
        graph.with_skin(meshes.box().skin)
    with pytest.raises(BodyError, match="with 4 pivots"):
        graph.with_skin(chain(3).skin)


def test_the_report_shows_the_source_and_added_poses():
    graph = graph_of(meshes.box(poses={"flat": lambda rest: rest * (1, 0.5, 1)}), 12)
    report = graph.with_pose("long", graph.rest * (1, 1, 2)).report()
    assert [pose.name for pose in report.poses] == ["flat", "long"]
    assert report.poses[0].stretch[0] == pytest.approx(0.5)
    by_hand = chain(4).with_pose("long", lambda rest: rest * 2).report()
    assert by_hand.poses[0].size == pytest.approx((2, 2))
    with pytest.raises(BodyError, match="without an edge"):
        Graph([[0, 0, 0]], edges=[], ellipsoids=Ellipsoids([np.eye(3)], [[1, 1, 1]])).report()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"edges": [[0, 9]]}, "edges: row 0"),
        ({"edges": [[1, 1]]}, "joins particle 1 to itself"),
        ({"ellipsoids": Ellipsoids([np.eye(3)], [[1, 1, 1]])}, "1 ellipsoids for 6 particles"),
        ({"poses": {"a": np.zeros((5, 3))}}, 'pose "a" has 5 positions, the graph 6 particles'),
        ({"turns": {"b": forms.still(6)}}, 'turns for a pose "b"'),
        ({"poses": {"a": np.zeros((6, 3))}, "turns": {"a": np.zeros((6, 4))}}, "6 unit quaternions"),
        ({"density": -1}, "density"),
        ({"name": ""}, "name"),
    ],
)
def test_bad_graphs_are_named(changes, says):
    given = {"rest": chain().rest, "edges": chain().edges, "ellipsoids": chain().ellipsoids}
    with pytest.raises(BodyError, match=says):
        Graph(**(given | changes))


def test_made_by_hand_it_has_no_source():
    with pytest.raises(BodyError, match="made by hand"):
        chain().gather(np.zeros((6, 3)))
    with pytest.raises(BodyError, match="made by hand"):
        chain().spread(chain().rest, forms.still(6))
