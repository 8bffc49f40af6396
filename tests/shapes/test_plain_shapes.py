"""The numbers of the shapes that have a formula."""

import numpy as np
import pytest

from pliant import shapes
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.surfaces import enclosed_volume


def test_the_papers_bar() -> None:
    bar = shapes.cuboid()
    assert (len(bar.rest), len(bar.tets)) == (225, 640)
    np.testing.assert_allclose(bar.size, (1, 1, 2))
    assert bar.volume == pytest.approx(2)
    # Grid numbering, z fastest.
    np.testing.assert_allclose(bar.rest[0], (-0.5, -0.5, -1))
    np.testing.assert_allclose(bar.rest[1], (-0.5, -0.5, -0.75))


def test_faces_of_neighbouring_cells_match() -> None:
    """A crack would add boundary triangles inside."""
    for body, outer in ((shapes.cuboid(), 2 * 2 * (16 + 32 + 32)), (shapes.ball(), 6 * 36 * 2)):
        assert len(boundary_triangles(body.tets)) == outer


@pytest.mark.slow
def test_large_cuboids_are_numbered_in_the_order_of_a_sweep() -> None:
    """Corners of a tet lie within two layers of 16 x 16 particles of each other, along whatever axis is the longest."""
    for cells in ((15, 15, 30), (30, 15, 15)):
        big = shapes.cuboid(size=cells, cells=cells)
        assert np.ptp(big.elements, axis=1).max() <= 2 * 16 * 16


def test_the_papers_cylinder() -> None:
    tube = shapes.cylinder()
    assert len(tube.rest) == 2025
    assert tube.volume == pytest.approx(np.pi * 0.25 * 2, rel=0.01)
    np.testing.assert_allclose(tube.size, (1, 2, 1), atol=1e-12)
    # A tube whose wall is an eighth of the radius, and the same solid drawn whole.
    assert enclosed_volume(tube.skin.vertices, tube.skin.faces) == pytest.approx(
        np.pi * (0.5**2 - 0.4375**2) * 2, rel=0.03
    )
    whole = shapes.cylinder(skin="solid")
    assert enclosed_volume(whole.skin.vertices, whole.skin.faces) == pytest.approx(whole.volume, rel=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("particles", [100, 500, 2025, 8000])
def test_cylinders_and_rings_come_near_the_wanted_number(particles: int) -> None:
    assert len(shapes.cylinder(particles=particles).rest) == pytest.approx(particles, rel=0.1)
    assert len(shapes.torus(particles=particles).rest) == pytest.approx(particles, rel=0.1)


def test_ball_and_torus_have_their_volume() -> None:
    assert shapes.ball(particles=1331).volume == pytest.approx(np.pi / 6, rel=0.02)
    assert shapes.torus().volume == pytest.approx(2 * np.pi**2 * 0.5 * 0.2**2, rel=0.04)


def test_sheet_is_flat_and_its_plate_has_the_thickness() -> None:
    cloth = shapes.sheet(size=(2, 1), cells=(8, 4), thickness=0.03)
    assert cloth.kind == "shell"
    assert np.ptp(cloth.rest[:, 1]) == 0
    assert np.ptp(cloth.skin.vertices[:, 1]) == pytest.approx(0.03)
    assert cloth.masses.sum() == pytest.approx(1000 * 2 * 1 * 0.03)


def test_plate_keeps_its_thickness_on_a_cylinder() -> None:
    cloth = shapes.sheet()
    angle = cloth.rest[:, 0] * np.pi
    rolled = np.stack([np.sin(angle) / np.pi, 1 - np.cos(angle) / np.pi, cloth.rest[:, 2]], axis=1)
    skin = cloth.skin.deform(rolled)
    radius = np.linalg.norm(skin[:, :2] - (0, 1), axis=1)
    inner = np.abs(cloth.skin.vertices[:, 0]) < 0.45
    sides = np.abs(radius[inner] - 1 / np.pi)
    assert sides.max() < 0.011
    assert np.median(sides) == pytest.approx(0.01, abs=3e-4)


def test_rope_is_round_and_smooth_on_a_curve() -> None:
    line = shapes.rope(length=np.pi, particles=41, radius=0.02)
    assert line.masses.sum() == pytest.approx(1000 * np.pi * np.pi * 0.02**2)
    angle = line.rest[:, 0]
    bow = np.stack([np.sin(angle), np.cos(angle), 0 * angle], axis=1)
    skin = line.skin.deform(bow)
    wall = np.abs(line.skin.vertices[:, 0]) < 1.5
    across = np.hypot(np.linalg.norm(skin[wall, :2], axis=1) - 1, skin[wall, 2])
    np.testing.assert_allclose(across, 0.02, atol=1e-3)
