import numpy as np
import pytest

from pliant.geometry.tubes import chains, tube


def enclosed(vertices, faces):
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return np.einsum("ij,ij->i", np.cross(a, b), c).sum() / 6


def polygon_area(radius, sides):
    return sides / 2 * np.sin(2 * np.pi / sides) * radius**2


def test_a_straight_tube_is_a_closed_prism():
    rest = np.stack([np.zeros(5), np.linspace(0, 2, 5), np.zeros(5)], axis=1)
    hull = tube(rest, np.array([[1, 0], [1, 2], [3, 2], [3, 4]]), 0.1, sides=12)
    assert enclosed(hull.vertices, hull.faces) == pytest.approx(2 * polygon_area(0.1, 12))
    edges = np.concatenate([hull.faces[:, [0, 1]], hull.faces[:, [1, 2]], hull.faces[:, [2, 0]]]).tolist()
    assert {tuple(e) for e in edges} == {(b, a) for a, b in edges}


def test_a_knotted_loop_closes_without_a_kink():
    angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    rest = np.stack([np.cos(angle), np.sin(angle), 0.5 * np.sin(2 * angle)], axis=1)
    segments = np.stack([np.arange(60), (np.arange(60) + 1) % 60], axis=1)
    hull = tube(rest, segments, 0.05)
    lengths = np.linalg.norm(rest - np.roll(rest, 1, axis=0), axis=1)
    assert enclosed(hull.vertices, hull.faces) == pytest.approx(
        lengths.sum() * polygon_area(0.05, 8), rel=0.01
    )
    edge = hull.vertices[hull.faces[:, 1]] - hull.vertices[hull.faces[:, 0]]
    assert np.linalg.norm(edge, axis=1).max() < lengths.max() + 0.04  # a side of the octagon


def test_a_fork_and_a_loop_are_walked_once():
    star = np.array([[0, 1], [0, 2], [0, 3], [3, 4], [5, 6], [6, 7], [7, 5]])
    found = chains(star, 8)
    assert sum(len(path) - (not closed) for path, closed in found) == len(star)
    assert ([5, 6, 7], True) in found
