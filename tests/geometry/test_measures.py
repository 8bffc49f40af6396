import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import meshes
from pliant.geometry.measures import areas, diagonal, element_volumes, lengths, lumped_masses, volumes


def test_a_box_has_its_volume_in_positive_tets():
    rest, tets = meshes.box_arrays((1, 2, 3), (2, 3, 2))
    assert (volumes(rest, tets) > 0).all()
    assert volumes(rest, tets).sum() == pytest.approx(6)


def test_a_swapped_tet_is_negative():
    rest, tets = meshes.box_arrays()
    np.testing.assert_allclose(volumes(rest, tets[:, [0, 2, 1, 3]]), -volumes(rest, tets))


@given(st.integers(0, 10_000))
def test_sizes_scale_and_ignore_motion(seed):
    rng = np.random.default_rng(seed)
    turn, shift = meshes.rotation(seed), rng.normal(size=3)

    def moved(x):
        return 2 * x @ turn.T + shift

    (box, tets), (flat, triangles) = meshes.box_arrays(cells=(1, 1, 2)), meshes.sheet_arrays()
    rope = meshes.rope()
    np.testing.assert_allclose(volumes(moved(box), tets), 8 * volumes(box, tets), rtol=1e-9)
    np.testing.assert_allclose(areas(moved(flat), triangles), 4 * areas(flat, triangles), rtol=1e-9)
    np.testing.assert_allclose(
        lengths(moved(rope.rest), rope.segments), 2 * lengths(rope.rest, rope.segments)
    )


def test_masses_are_density_times_volume():
    rest, tets = meshes.box_arrays()
    assert lumped_masses(rest, tets, 500.0).sum() == pytest.approx(500 * 2)
    flat, triangles = meshes.sheet_arrays()
    assert lumped_masses(flat, triangles, 500.0, 0.01).sum() == pytest.approx(500 * 2 * 0.01)
    rope = meshes.rope()
    masses = lumped_masses(rope.rest, rope.segments, 500.0, 0.02)
    assert masses.sum() == pytest.approx(500 * 3 * np.pi * 0.01**2)
    assert masses[0] == pytest.approx(masses[1] / 2)


def test_shells_and_rods_need_a_thickness():
    flat, triangles = meshes.sheet_arrays()
    with pytest.raises(TypeError, match="thickness"):
        element_volumes(flat, triangles)


def test_diagonal():
    assert diagonal(np.array([[0.0, 0, 0], [1, 2, 2]])) == 3
