"""Distances on a grid are those of the surface, near enough for contact."""

import numpy as np
import pytest

import obstacles
from pliant.geometry.surfaces import ball
from pliant.runtime.errors import SettingsError
from pliant.volume.obstacle import obstacle_grid


def near_surface(points, distance, within):
    return points[np.abs(distance(points)) < within]


def cloud(size, count=20_000):
    return np.random.default_rng(0).uniform(-size, size, (count, 3))


def of_box(half):
    def distance(points):
        beyond = np.abs(points) - half
        return np.linalg.norm(np.maximum(beyond, 0), axis=1) + np.minimum(beyond.max(axis=1), 0)

    return distance


def test_a_ball():
    grid = obstacle_grid(*ball(1.0, 0.1), cells=40, cache=False)
    points = cloud(1.3)
    exact = np.linalg.norm(points, axis=1) - 1
    found, normals = grid.at(points)
    near = np.abs(exact) < 0.06
    assert np.abs(found - exact)[near].max() < 0.006
    outward = points[near] / np.linalg.norm(points[near], axis=1, keepdims=True)
    assert np.einsum("ij,ij->i", normals[near], outward).min() > 0.99
    inside = np.linalg.norm(points, axis=1) < 0.95
    assert (found[inside] < 0).all()
    # never so much too far that a stride would lead through the wall
    assert (found - exact)[exact < 0.2].max() < 0.02
    assert (found - exact).max() < 0.04


@pytest.mark.parametrize("flip", [False, True], ids=["outward", "inward"])
def test_a_box_is_flat_where_it_is_flat(flip):
    half = np.array([0.5, 0.3, 0.2])
    corners, faces = obstacles.box(half)
    grid = obstacle_grid(corners, faces[:, ::-1] if flip else faces, cells=32, cache=False)
    exact = of_box(half)
    points = cloud(0.7)
    found, normals = grid.at(points)
    depths = np.abs(points) - half
    # away from the edges the interpolation of a plane is the plane itself
    flat = (np.sort(depths, axis=1)[:, 1] < -3 * grid.spacing) & (np.abs(exact(points)) < 0.5 * grid.spacing)
    assert flat.sum() > 100
    assert np.abs(found - exact(points))[flat].max() < 1e-6
    face = (np.arange(flat.sum()), depths[flat].argmax(axis=1))
    assert (normals[flat][face] * np.sign(points[flat][face])).min() > 0.9999
    near = np.abs(exact(points)) < 2 * grid.spacing
    assert np.abs(found - exact(points))[near].max() < grid.spacing
    assert np.abs(found - exact(points)).max() < 0.1


def test_a_sheet_has_two_sides():
    grid = obstacle_grid(*obstacles.sheet(), cells=40, thickness=0.2, cache=False)
    heights = np.linspace(0.06, 0.19, 20)
    for side in (1, -1):
        points = np.column_stack([np.full(20, 0.1), side * heights, np.full(20, -0.2)])
        found, normals = grid.at(points)
        np.testing.assert_allclose(found, heights - 0.1, atol=1e-6)
        np.testing.assert_allclose(normals[:, 1], side, atol=1e-6)


def test_a_sheet_is_never_thinner_than_the_grid_can_hold():
    grid = obstacle_grid(*obstacles.sheet(), cells=20, thickness=1e-4, cache=False)
    points = np.column_stack([np.linspace(-0.9, 0.9, 200), np.zeros(200), np.linspace(-0.8, 0.9, 200)])
    assert grid.at(points)[0].max() < 0


@pytest.mark.slow
def test_thin_walls_ask_for_more_cells():
    """The walls of the cup are 6 cm thick and it is 1.4 m wide: 64 cells will do; a third of that will not."""
    vertices, faces = obstacles.cup()
    wide = obstacle_grid(vertices, faces, cache=False)
    assert max(wide.values.shape) <= 64 + 6
    thin = obstacle_grid(vertices * (1, 1, 1), faces, cells=12, cache=False)
    assert thin.accuracy > wide.accuracy


def test_what_is_open_and_what_is_closed_may_be_one_mesh():
    corners, faces = obstacles.box((0.2, 0.2, 0.2))
    flat, triangles = obstacles.sheet()
    vertices = np.concatenate([corners, np.add(flat, (0, 1, 0))])
    grid = obstacle_grid(vertices, np.concatenate([faces, triangles + len(corners)]), cells=40, cache=False)
    found, _ = grid.at(np.array([[0.0, 0, 0], [0.5, 0.5, 0], [0.5, 1.0, 0]]))
    assert found[0] == pytest.approx(-0.2, abs=0.01)
    assert found[1] > 0.3
    assert found[2] < 0


def test_what_is_open_can_be_taken_for_solid():
    corners, faces = obstacles.box()
    open_box = faces[:-2]  # one side is missing
    assert obstacle_grid(corners, open_box, cells=32, cache=False).at(np.zeros((1, 3)))[0][0] > 0.3
    solid = obstacle_grid(corners, open_box, cells=32, solid=True, cache=False)
    assert solid.at(np.zeros((1, 3)))[0][0] < -0.4


def test_the_second_time_it_is_read_from_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("pliant.volume.store.cache_folder", lambda *names: tmp_path)
    corners, faces = obstacles.box()
    first = obstacle_grid(corners, faces, cells=16)
    monkeypatch.setattr("pliant.volume.obstacle._make", None)  # would raise
    again = obstacle_grid(corners, faces, cells=16)
    np.testing.assert_array_equal(first.values, again.values)
    assert first.spacing == again.spacing


def test_a_surface_without_area_is_refused():
    with pytest.raises(SettingsError, match="no surface to collide with"):
        obstacle_grid(np.zeros((3, 3)), np.array([[0, 1, 2]]), cache=False)
