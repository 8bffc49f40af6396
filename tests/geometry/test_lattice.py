from functools import cache

import numpy as np
import pytest

from made_models import MODELS, every_model
from pliant.geometry import distance as d
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.embedding import locate
from pliant.geometry.isosurface import isosurface
from pliant.geometry.lattice import tetrahedralise, tetrahedralise_implicit
from pliant.geometry.measures import volumes
from pliant.geometry.surfaces import ball, enclosed_volume, rounded_box
from pliant.runtime.errors import BodyError
from surface_checks import is_mirror_image, pieces, tet_quality

FORK = d.union(
    d.rounded_box((0, 0.8, 0), (0.6, 0.25, 0.25), 0.1),
    d.mirror(d.rounded_box((0.215, -0.1, 0), (0.2, 0.8, 0.2), 0.08)),  # prongs 0.03 apart
    blend=0.03,
)


@cache
def fork() -> tuple[np.ndarray, np.ndarray]:
    return isosurface(FORK, (-0.8, -1.1, -0.5), (0.8, 1.2, 0.5), 0.015)


@pytest.mark.slow
@pytest.mark.parametrize("particles", [60, 300, 1000])
def test_particle_count_volumes_and_reach(particles: int) -> None:
    vertices, faces = ball(0.5, 0.03)
    rest, tets = tetrahedralise(vertices, faces, particles)
    assert len(rest) == pytest.approx(particles, rel=0.1)
    assert volumes(rest, tets).min() > 0
    assert tet_quality(rest, tets).min() > 0.05
    assert len(np.unique(tets)) == len(rest)
    cell = np.cbrt(6 * volumes(rest, tets).mean())
    assert locate(vertices, rest, tets).distances.max() < 0.5 * cell
    outer = np.unique(boundary_triangles(tets))
    assert np.percentile(np.abs(np.linalg.norm(rest[outer], axis=1) - 0.5), 90) < 0.3 * cell
    assert rest[:, 1].min() == pytest.approx(-0.5, abs=0.25 * cell)


def test_the_same_input_gives_the_same_tets() -> None:
    vertices, faces = rounded_box((1, 0.7, 0.4), 0.1, 0.05)
    first, second = (tetrahedralise(vertices, faces, 200) for _ in range(2))
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])


def test_a_cell_size_can_be_given() -> None:
    vertices, faces = rounded_box((1, 1, 1), 0.1, 0.1)
    rest, tets = tetrahedralise(vertices, faces, cell=0.25, hug=False)
    assert volumes(rest, tets) == pytest.approx(0.25**3 / 6)
    assert len(tets) % 6 == 0


@pytest.mark.slow
def test_without_hugging_the_cage_holds_the_surface() -> None:
    vertices, faces = fork()
    rest, tets = tetrahedralise(vertices, faces, 200, hug=False)
    assert locate(vertices, rest, tets).distances.max() < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("particles", [80, 200, 600])
@pytest.mark.parametrize("hug", [True, False])
def test_prongs_close_together_are_not_bridged(particles: int, hug: bool) -> None:
    """Cells are several times wider than the gap. Well below the crotch (at 0.55) are two pieces."""
    rest, tets = tetrahedralise(*fork(), particles, hug=hug)
    assert pieces(tets, len(rest)) == 1
    cell = np.cbrt(6 * volumes(rest, tets).mean())
    below = tets[(rest[tets][:, :, 1] < 0.5 - cell).all(axis=1)]
    used, compact = np.unique(below, return_inverse=True)
    assert pieces(compact.reshape(-1, 4), len(used)) == 2


@pytest.mark.slow
def test_mirrored_tets_are_mirror_images() -> None:
    vertices, faces = fork()
    rest, tets = tetrahedralise(vertices, faces, 300, mirror=0)
    assert volumes(rest, tets).min() > 0
    middle = (vertices[:, 0].min() + vertices[:, 0].max()) / 2
    assert is_mirror_image(rest[tets].mean(axis=1) - (middle, 0, 0), axis=0, tolerance=1e-9)


def test_implicit_solids() -> None:
    rest, tets = tetrahedralise_implicit(d.torus((0, 0, 0), 0.6, 0.2), (-1, -0.5, -1), (1, 0.5, 1), 400)
    assert len(rest) == pytest.approx(400, rel=0.1)
    assert volumes(rest, tets).sum() == pytest.approx(2 * np.pi**2 * 0.6 * 0.04, rel=0.12)


def test_inside_out_and_open_surfaces_are_filled() -> None:
    vertices, faces = ball(0.5, 0.05)
    open_faces = faces[(vertices[faces][:, :, 1] < 0.4).all(axis=1)]  # without a lid
    for surface in (faces[:, ::-1], open_faces):
        rest, tets = tetrahedralise(vertices, surface, 300)
        assert volumes(rest, tets).min() > 0
        assert volumes(rest, tets).sum() == pytest.approx(enclosed_volume(vertices, faces), rel=0.15)


def test_a_single_open_sheet_gets_a_cage() -> None:
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]])
    rest, tets = tetrahedralise(vertices, [[0, 2, 1], [0, 3, 2]], cell=0.2)
    assert volumes(rest, tets).min() > 0
    assert locate(vertices, rest, tets).distances.max() < 0.2


def test_surfaces_without_faces_or_with_bad_points_are_refused() -> None:
    with pytest.raises(BodyError, match="without faces"):
        tetrahedralise(np.zeros((3, 3)), np.zeros((0, 3), dtype=int))
    vertices, faces = ball(1.0, 0.5)
    vertices[4] = np.nan
    with pytest.raises(BodyError, match="vertex 4"):
        tetrahedralise(vertices, faces)


@pytest.mark.slow
@every_model
def test_whole_models(name: str) -> None:
    """Open, many-shelled and self-touching surfaces as people make them."""
    vertices, faces = MODELS[name]()
    rest, tets = tetrahedralise(vertices, faces, 600)
    assert len(rest) == pytest.approx(600, rel=0.1)
    assert volumes(rest, tets).min() > 0
    assert len(np.unique(tets)) == len(rest)
    cell = np.cbrt(6 * volumes(rest, tets).mean())
    assert np.percentile(locate(vertices, rest, tets).distances, 99) < 0.75 * cell
