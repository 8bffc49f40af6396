"""What holds for every ready body, asked of all of them."""

import numpy as np
import pytest

from pliant import shapes
from pliant.body import Body
from pliant.geometry.measures import volumes
from pliant.geometry.surfaces import enclosed_volume
from pliant.runtime.errors import BodyError
from surface_checks import is_closed_manifold, is_mirror_image, pieces, tet_quality, triangle_quality

EVERY = sorted(shapes.__all__)
SOLID = [name for name in EVERY if name not in ("sheet", "rope")]
TOYS = {"teddy": 1280, "car": 192, "balloon_dog": 700, "dinosaur": 800}


def make(name: str) -> Body:
    return getattr(shapes, name)()


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_centre_of_mass_is_the_origin(name: str) -> None:
    body = make(name)
    centre = body.masses @ body.rest / body.masses.sum()
    np.testing.assert_allclose(centre, 0, atol=1e-9 * np.linalg.norm(body.size))


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_one_piece_and_every_particle_used(name: str) -> None:
    body = make(name)
    assert pieces(body.elements, len(body.rest)) == 1
    assert len(np.unique(body.elements)) == len(body.rest)


@pytest.mark.parametrize("name", EVERY)
def test_skin_is_closed_outward_and_rides_exactly(name: str) -> None:
    body = make(name)
    skin = body.skin
    assert is_closed_manifold(skin.vertices, skin.faces)
    assert enclosed_volume(skin.vertices, skin.faces) > 0
    assert 1_500 <= len(skin.vertices) <= 12_000
    assert triangle_quality(skin.vertices, skin.faces).min() > 0.15
    np.testing.assert_allclose(skin.deform(body.rest), skin.vertices, atol=1e-9)
    if skin.colours is not None:
        assert skin.colours.min() >= 0 and skin.colours.max() <= 1


@pytest.mark.parametrize("name", EVERY)
def test_skin_follows_a_rigid_motion(name: str) -> None:
    body = make(name)
    turn = np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])  # a rod does not see rolls about itself
    moved = body.skin.deform(body.rest @ turn.T + (1, 2, 3))
    np.testing.assert_allclose(moved, body.skin.vertices @ turn.T + (1, 2, 3), atol=1e-9)


@pytest.mark.parametrize("name", SOLID)
def test_tets_are_sound(name: str) -> None:
    body = make(name)
    assert volumes(body.rest, body.tets).min() > 0
    assert tet_quality(body.rest, body.tets).min() > 0.1


@pytest.mark.parametrize("name", [name for name in SOLID if name != "cylinder"])
def test_skin_and_tets_agree(name: str) -> None:
    """In volume and in height: what is drawn is what touches the floor. (The cylinder is drawn as a tube.)"""
    body = make(name)
    skin = body.skin
    assert body.volume == pytest.approx(enclosed_volume(skin.vertices, skin.faces), rel=0.12)
    cell = np.cbrt(6 * volumes(body.rest, body.tets).mean())
    assert body.rest[:, 1].min() == pytest.approx(skin.vertices[:, 1].min(), abs=0.25 * cell)


@pytest.mark.parametrize("name", EVERY)
def test_equal_arguments_give_the_same_body(name: str) -> None:
    assert make(name) is make(name)
    other = getattr(shapes, name)(density=500.0, name="other")
    assert other.name == "other"
    assert other.masses.sum() == pytest.approx(make(name).masses.sum() / 2)
    np.testing.assert_array_equal(other.rest, make(name).rest)


@pytest.mark.slow
@pytest.mark.parametrize("name", TOYS)
def test_toys_have_the_particles_asked_for(name: str) -> None:
    assert len(make(name).rest) == pytest.approx(TOYS[name], rel=0.1)
    coarse = getattr(shapes, name)(particles=150)
    assert len(coarse.rest) == pytest.approx(150, rel=0.15)


@pytest.mark.parametrize("name", TOYS)
def test_toys_are_symmetric(name: str) -> None:
    """So that a toy dropped upright does not lean to one side."""
    body = make(name)
    size = float(np.linalg.norm(body.size))
    assert is_mirror_image(body.rest, axis=0 if name == "teddy" else 2, tolerance=1e-5 * size)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("cuboid", {"cells": (0, 1, 1)}),
        ("cylinder", {"radius": -1.0}),
        ("cylinder", {"skin": "wood"}),
        ("ball", {"radius": 0.0}),
        ("torus", {"tube": 0.6}),
        ("sheet", {"cells": (1, 5)}),
        ("rope", {"particles": 2}),
    ],
)
def test_impossible_sizes_are_refused_by_name(name: str, arguments: dict[str, object]) -> None:
    with pytest.raises(BodyError, match=name):
        getattr(shapes, name)(**arguments)
