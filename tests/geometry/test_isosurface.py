import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.geometry import distance as d
from pliant.geometry.isosurface import isosurface
from pliant.geometry.surfaces import enclosed_volume
from pliant.runtime.errors import BodyError
from surface_checks import is_closed_manifold, is_mirror_image, triangle_quality

SHAPES = {
    "sphere": (d.sphere((0, 0, 0), 0.8), 4 / 3 * np.pi * 0.8**3),
    "ellipsoid": (d.ellipsoid((0, 0.1, 0), (0.9, 0.5, 0.4)), 4 / 3 * np.pi * 0.9 * 0.5 * 0.4),
    "capsule": (d.capsule((-0.5, 0, 0), (0.5, 0, 0), 0.3), np.pi * 0.09 * (1 + 0.4)),
    "torus": (d.torus((0, 0, 0), 0.6, 0.25, (1, 1, 0)), 2 * np.pi**2 * 0.6 * 0.25**2),
    "tube": (d.tube([(-0.6, 0, 0), (0, 0, 0), (0.6, 0, 0)], 0.3), np.pi * 0.09 * (1.2 + 0.4)),
    "two balls": (d.mirror(d.sphere((0.5, 0, 0), 0.4)), 8 / 3 * np.pi * 0.4**3),
}


@pytest.mark.parametrize("name", SHAPES)
def test_surface_is_closed_outward_even_and_on_the_level(name: str) -> None:
    field, volume = SHAPES[name]
    vertices, faces = isosurface(field, (-1, -1, -1), (1, 1, 1), 0.06)
    assert is_closed_manifold(vertices, faces)
    assert enclosed_volume(vertices, faces) == pytest.approx(volume, rel=0.02)
    assert np.abs(field(vertices)).max() < 1e-6
    assert triangle_quality(vertices, faces).min() > 0.3


@given(
    st.lists(st.tuples(*[st.floats(-0.5, 0.5)] * 3, st.floats(0.2, 0.4)), min_size=1, max_size=5),
    st.floats(0.0, 0.2),
)
def test_any_pile_of_balls_has_a_closed_surface(balls: list[tuple[float, ...]], blend: float) -> None:
    field = d.union(*(d.sphere(ball[:3], ball[3]) for ball in balls), blend=blend)
    vertices, faces = isosurface(field, (-1, -1, -1), (1, 1, 1), 0.1)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all()
    assert enclosed_volume(vertices, faces) > 0


def test_symmetric_solids_have_symmetric_surfaces() -> None:
    field = d.mirror(d.ellipsoid((0.4, 0, 0), (0.3, 0.5, 0.2)))
    vertices, _ = isosurface(field, (-1, -1, -1), (1, 1, 1), 0.07)
    assert is_mirror_image(vertices, axis=0, tolerance=1e-5)


def test_nothing_inside_and_a_box_too_small_are_refused() -> None:
    with pytest.raises(BodyError, match="nowhere negative"):
        isosurface(d.sphere((5, 0, 0), 0.1), (-1, -1, -1), (1, 1, 1), 0.1)
    with pytest.raises(BodyError, match="widen the box"):
        isosurface(d.sphere((0, 0, 0), 2), (-1, -1, -1), (1, 1, 1), 0.1)


def test_rounded_cone_is_the_hull_of_its_balls() -> None:
    field = d.rounded_cone((0, 0, 0), (1, 0, 0), 0.5, 0.2)
    t = np.linspace(0, 1, 2001)[:, None]
    points = np.random.default_rng(3).uniform(-1.5, 2, size=(200, 3))
    gaps = np.linalg.norm(points[:, None] - t[None] * (1, 0, 0), axis=2) - (0.5 - 0.3 * t[:, 0])
    np.testing.assert_allclose(field(points), gaps.min(axis=1), atol=1e-3)
    assert d.rounded_cone((0, 0, 0), (0.1, 0, 0), 0.5, 0.2)(np.zeros((1, 3)))[0] == -0.5


def test_blends_only_add_and_rounded_cuts_only_take_away() -> None:
    points = np.random.default_rng(4).uniform(-1, 1, size=(500, 3))
    a, b = d.sphere((-0.2, 0, 0), 0.5), d.rounded_box((0.3, 0, 0), (0.4, 0.3, 0.2), 0.1)
    assert (d.union(a, b, blend=0.2)(points) <= d.union(a, b)(points)).all()
    assert (d.subtract(a, b, blend=0.2)(points) >= d.subtract(a, b)(points)).all()
