"""Finite volumes: stress and area-weighted normals give the forces that the energy of linear elements gives."""

import numpy as np
import pytest

import meshes
import pliant
from pliant.elastic import ready
from pliant.elastic.elements import make_elements
from pliant.elastic.materials import MATERIALS, material_kernel
from pliant.elastic.objective import GRADIENT, HESSIAN, Potential
from pliant.elastic.volumes import VolumePotential, normals_of


def irregular(seed=2):
    """Elements of a body whose particles stand anywhere near a grid, and places in which none has its shape."""
    body = pliant.shapes.cuboid(cells=(2, 3, 2))
    rng = np.random.default_rng(seed)
    elements = make_elements(body.rest + rng.uniform(-0.05, 0.05, body.rest.shape), body.tets)
    x = (elements.rest + rng.uniform(-0.1, 0.1, body.rest.shape)) @ meshes.rotation(4).T
    return elements, x.reshape(-1)


@pytest.mark.parametrize("level", [GRADIENT, HESSIAN])
@pytest.mark.parametrize("material", MATERIALS)
def test_forces_equal_those_of_elements_to_rounding(material, level):
    ready(material)
    elements, x = irregular()
    moduli = np.random.default_rng(5).uniform(1e4, 3e4, (len(elements.tets), 2))
    found = []
    for kind in (Potential, VolumePotential):
        potential = kind(elements, material_kernel(material), moduli)
        found.append((potential.evaluate(x, level), potential.gradient(), potential.blocks.copy()))
    (energy, gradient, blocks), (energy2, gradient2, blocks2) = found
    assert energy2 == energy
    np.testing.assert_allclose(gradient2, gradient, rtol=0, atol=1e-13 * np.abs(gradient).max())
    np.testing.assert_array_equal(blocks2, blocks)


def test_the_faces_of_a_tet_are_closed_and_look_outwards():
    elements, _ = irregular()
    normals = normals_of(elements.rest, elements.tets)
    np.testing.assert_allclose(normals.sum(axis=1), 0.0, atol=1e-15)
    centres = elements.rest[elements.tets].mean(axis=1)
    for corner in range(4):
        away = centres - elements.rest[elements.tets[:, corner]]
        assert (np.einsum("ti,ti->t", normals[:, corner], away) > 0).all()


def test_a_body_moves_as_it_does_with_elements():
    places = []
    bar = pliant.shapes.cuboid(cells=(2, 2, 3))
    bar = bar.with_pose("squash", bar.rest * (1.1, 0.8, 1.1))
    for forces in ("elements", "volume"):
        world = pliant.World(precision="double", colliders=[pliant.Plane((0, -0.7, 0))])
        actor = world.add(bar, pliant.Fem(forces=forces, young=3e4, tolerance=1e-12))
        for _ in range(20):
            world.step(1 / 60)
        places.append(actor.positions.copy())
    np.testing.assert_allclose(places[1], places[0], atol=1e-9)
