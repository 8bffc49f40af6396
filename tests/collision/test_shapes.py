"""What of a body can touch."""

import numpy as np
import pytest

import pliant
from pliant.body import Body
from pliant.collision.shapes import shape_of

BODIES = {
    "crate": lambda: pliant.shapes.cuboid(size=(0.5, 0.5, 0.5), cells=(2, 2, 2)),
    "ball": lambda: pliant.shapes.ball(particles=343),
    "teddy": lambda: pliant.shapes.teddy(particles=400),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BODIES)
def test_points_of_a_solid_are_on_its_skin_and_ride_on_its_particles(name: str) -> None:
    body: Body = BODIES[name]()
    shape = shape_of(body)
    places = np.add.reduceat(shape.weights[:, None] * body.rest[shape.particles], shape.starts[:-1], axis=0)
    assert places == pytest.approx(shape.rest, abs=1e-9)
    assert np.add.reduceat(shape.weights, shape.starts[:-1]) == pytest.approx(1.0)
    assert shape.grid is not None
    skin = np.diff(shape.starts) > 1  # the others are particles that answer for no point of it
    assert np.abs(shape.grid.at(shape.rest[skin])[0]).max() < shape.grid.spacing
    assert (shape.grid.at(shape.inner_rest[skin])[0] < 0).all()  # it looks from inside
    assert set(shape.holders[:, 0]) == set(range(len(body.rest)))
    assert 0 < shape.radius < 0.25 * shape.size


def test_a_crate_stands_on_the_corners_of_its_faces() -> None:
    shape = shape_of(BODIES["crate"]())
    bottom = shape.rest[shape.rest[:, 1] < shape.rest[:, 1].min() + 1e-6]
    assert np.ptp(bottom, axis=0)[[0, 2]] == pytest.approx([0.44, 0.44], abs=0.06)


def test_sheets_ropes_and_ellipsoids_are_round() -> None:
    sheet = shape_of(pliant.shapes.sheet(size=(1, 1), cells=(4, 4)))
    assert (sheet.radii > 0).all() and sheet.grid is None
    assert (shape_of(pliant.shapes.rope(particles=11)).radii > 0).all()
    world = pliant.World()
    rope = world.add(pliant.shapes.rope(particles=40), pliant.OrientedParticles(particles=10))
    assert (shape_of(rope.body).radii < 0.0).all()


def test_solids_of_particles_that_turn_are_ellipsoids_with_a_core() -> None:
    world = pliant.World()
    body = world.add(pliant.shapes.ball(particles=100), pliant.OrientedParticles(particles=10)).body
    shape = shape_of(body)
    assert (shape.radii < 0.0).all() and len(shape) == len(body.rest)
    assert shape.core_depth > 0.0 and len(shape.core_points) >= 4


@pytest.mark.parametrize("name", BODIES)
def test_the_core_lies_below_the_skin(name: str) -> None:
    shape = shape_of(BODIES[name]())
    assert shape.grid is not None
    assert 4 <= len(shape.core_points) <= 24
    assert 0 < shape.core_depth < -shape.grid.values.min()
    assert shape.grid.at(shape.core_points)[0] == pytest.approx(-shape.core_depth, abs=0.25 * shape.core_depth)
