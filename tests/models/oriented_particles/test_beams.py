"""Edges as beams: held against theory and against finite elements, on shapes of every kind."""

from functools import cache

import numpy as np
import pytest

import beam_statics as statics
import pliant
from pliant import shapes
from pliant.body import Body
from pliant.graph import Graph, graph_of
from pliant.models.oriented_particles.beams import balanced, beams_of
from pliant.models.oriented_particles.layout import BOTH


def turned(body: Body) -> Body:
    axes = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    return Body(body.rest @ (axes * np.linalg.det(axes)), tets=body.elements)


@cache
def made(name: str) -> Body:
    ball = shapes.ball(particles=500)
    upright = shapes.cuboid(size=(1, 4, 1), cells=(4, 16, 4))
    wedge = upright.rest * np.where([True, False, True], 1 + upright.rest[:, 1:2] / 8, 1.0)
    return {
        "bar": upright,
        "bar that stands askew": turned(shapes.cuboid(size=(1, 4, 1), cells=(4, 16, 4))),
        "wedge": Body(wedge, tets=upright.elements),
        "plate": shapes.cuboid(size=(3, 0.8, 2), cells=(12, 4, 8)),
        "cylinder": shapes.cylinder(radius=0.5, height=3.0, particles=500),
        "squashed ball": Body(ball.rest * (2.0, 1.0, 0.7), tets=ball.elements),
        "ring": shapes.torus(particles=600),
    }[name]


SHAPES = ["bar", "bar that stands askew", "wedge", "plate", "cylinder", "squashed ball", "ring"]


@pytest.mark.slow
@pytest.mark.parametrize("count", [60, 170])
@pytest.mark.parametrize("name", SHAPES)
def test_a_graph_gives_way_as_finite_elements_do(name: str, count: int) -> None:
    found = statics.gives_way(made(name), graph_of(made(name), count, seed=count))
    for test, value in found.items():
        assert value == pytest.approx(1.0, abs=0.15 if test == "stretch" else 0.3), test


@pytest.mark.parametrize("count", [8, 20, 60])
def test_a_rope_has_the_section_of_a_round_bar(count: int) -> None:
    graph = graph_of(shapes.rope(length=2.0, particles=41, radius=0.03), count)
    area, second = np.pi * 0.03**2, np.pi * 0.03**4 / 4
    along = graph.rest[:, 0]
    end, held = int(along.argmin()), along == along.max()
    length = np.ptp(along)
    expected = {0: length / area, 1: length**3 / (3 * second), 3: length / (0.5 * 2 * second)}  # pull, bend and twist
    for kind, value in expected.items():
        loads = np.zeros((count, 6))
        loads[end, kind] = 1.0
        assert statics.tip(graph, held, loads)[end, kind] == pytest.approx(value, rel=0.01)


@pytest.mark.parametrize("count", [25, 64, 97, 200])
def test_a_sheet_has_the_thickness_it_was_given(count: int) -> None:
    body = shapes.sheet(size=(1.0, 2.0), cells=(24, 48), thickness=0.02)
    graph = graph_of(body, count)
    normal, across, along = np.argsort(np.ptp(graph.rest, axis=0))
    height = graph.rest[:, along]
    row = 0.4 * float(np.sqrt(2.0 / count))
    held, low = height > height.max() - row, height < height.min() + row
    whole = height[held].min() - body.rest[:, along].min()
    part = height[held].min() - height[low].mean()
    beam = part**2 * (6 * whole**2 - 4 * whole * part + part**2) / 24
    shear = 1.2 * 2 * (whole * part - part**2 / 2)
    expected = {along: whole * part - part**2 / 2, normal: beam * 12 / 0.02**2, across: beam * 12 + shear}
    for axis, value in expected.items():
        loads = np.zeros((count, 6))
        loads[:, axis] = graph.ellipsoids.volumes
        assert statics.tip(graph, held, loads)[low, axis].mean() == pytest.approx(value, rel=0.1), axis


@pytest.mark.slow
@pytest.mark.parametrize("cells", [4, 6])
def test_layers_that_stand_askew_hold_together(cells: int) -> None:
    """With 200 particles each share of these bars meets four of the next layer, none of them in a large side."""
    body = shapes.cuboid(size=(1, 4, 1), cells=(cells, 4 * cells, cells))
    graph = graph_of(body, 200)
    i, j = graph.edges.T
    height = graph.rest[:, 1]
    assert graph.sides is not None
    for level in np.linspace(-1.5, 1.5, 16):
        crosses = (height[i] < level) != (height[j] < level)
        upwards = np.sign(height[j] - height[i])[crosses]
        assert (upwards * graph.sides.areas[crosses, 1]).sum() > 0.75  # of a section of 1 m^2
    found = statics.gives_way(body, graph)
    assert found["stretch"] == pytest.approx(1.0, abs=0.1)


def test_shares_are_in_balance_under_any_strain() -> None:
    graph = graph_of(made("bar"), 150)
    sides = graph.sides
    assert sides is not None
    i, j = graph.edges.T.astype(np.int64)
    offsets = graph.rest[j] - graph.rest[i]
    plain = np.linalg.norm(sides.areas, axis=1) / np.linalg.norm(offsets, axis=1)

    def missing(alpha: np.ndarray) -> float:
        pulls = np.zeros((150, 3))
        np.add.at(pulls, i, alpha[:, None] * offsets)
        np.add.at(pulls, j, -alpha[:, None] * offsets)
        return float(np.abs(pulls - sides.inwards).max())

    found = balanced(i, j, offsets, plain, sides.inwards)
    assert (found > 0).all() and missing(found) < 0.15 * missing(plain)
    net = beams_of(graph)
    np.testing.assert_allclose(net.edges[net.owners < net.neighbours, BOTH], found)


def test_sides_are_closed_and_grow_with_the_body() -> None:
    body = made("squashed ball")
    graph = graph_of(body, 100)
    sides, twice = graph.sides, graph.scaled(2.0).sides
    assert sides is not None and twice is not None
    # what the sides of a share do not close is the surface of the body, and the surface is closed
    np.testing.assert_allclose(sides.inwards.sum(axis=0), 0.0, atol=1e-12)
    inner = np.linalg.norm(graph.rest / (2.0, 1.0, 0.7), axis=1) < 0.2
    assert inner.any() and np.abs(sides.inwards[inner]).max() < 1e-12
    small, large = (statics.stiffness(each).diagonal()[:3] for each in (graph, graph.scaled(2.0)))
    np.testing.assert_allclose(large, 2 * small)
    np.testing.assert_allclose(twice.moments, 16 * sides.moments)


def test_a_graph_made_by_hand_has_no_sides(tmp_path: object) -> None:
    graph = graph_of(made("bar"), 20)
    by_hand = Graph(graph.rest, edges=graph.edges, ellipsoids=graph.ellipsoids)
    assert by_hand.sides is None
    world = pliant.World(gravity=(0, 0, 0))
    actor = world.add(by_hand, pliant.OrientedParticles(young=1e5))
    world.step(1 / 60)
    assert np.isfinite(actor.positions).all()
