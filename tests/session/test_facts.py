"""Bodies in numbers."""

import numpy as np
import pytest

import pliant
from pliant.body import Body, Skin
from pliant.session.cost import bytes_of, frame_bytes
from pliant.session.facts import binding_of, holes, mesh_of, pieces, qualities


def test_a_box() -> None:
    mesh = mesh_of(pliant.shapes.cuboid(size=(1, 1, 2), cells=(4, 4, 8)))
    assert (mesh.kind, mesh.particles, mesh.elements) == ("solid", 225, 640)
    assert mesh.size == (1, 1, 2)
    assert mesh.volume == pytest.approx(2) and mesh.mass == pytest.approx(2000)
    assert mesh.enclosed == pytest.approx(2, rel=0.01)  # its edges are round
    assert (mesh.components, mesh.holes) == (1, 0)


def test_quality_falls_from_regular_to_flat() -> None:
    for corners, elements in (
        (np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1.0]]), np.array([[0, 1, 3, 2]])),
        (np.array([[0, 0, 0], [1, 0, 0], [0.5, np.sqrt(0.75), 0]]), np.array([[0, 1, 2]])),
    ):
        last = 1.0 + 1e-9
        for height in (1.0, 0.5, 0.1, 0.0):
            (quality,) = qualities(corners * (1, height, 1), elements)
            assert quality < last
            assert quality == pytest.approx({1.0: 1.0, 0.0: 0.0}.get(height, quality))
            last = quality
        assert qualities(7 * corners, elements)[0] == pytest.approx(1)  # of any size


def test_the_worst_element_is_named() -> None:
    rest = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0.05]])
    body = Body(rest, tets=[[0, 1, 2, 3], [1, 4, 2, 3], [0, 2, 1, 4]][:2])
    assert mesh_of(body).worst_element == int(np.argmin(qualities(rest, body.elements)))


def test_pieces_and_holes() -> None:
    two = np.array([[0, 1, 2, 3], [4, 5, 6, 7], [3, 2, 1, 8]])
    assert pieces(9, two) == 2
    tube = pliant.shapes.cylinder().skin
    assert holes(tube) == 0
    torn = Skin(tube.vertices, np.delete(tube.faces, [10, 4000], axis=0), tube.indices, tube.weights)
    assert holes(torn) == 2


def test_a_seam_is_no_hole() -> None:
    """A box whose six sides have vertices of their own, as a file with hard edges gives it."""
    box = pliant.shapes.cuboid(cells=(1, 1, 1))
    plain = Skin.of_elements(box.rest, box.elements, "solid")
    corners = plain.faces.ravel()
    split = Skin(
        plain.vertices[corners], np.arange(len(corners)).reshape(-1, 3), plain.indices[corners], plain.weights[corners]
    )
    assert holes(split) == 0


def test_an_open_skin_encloses_nothing() -> None:
    sheet = Body([[0, 0, 0], [1, 0, 0], [0, 0, 1]], triangles=[[0, 2, 1]])
    assert mesh_of(sheet).enclosed is None and mesh_of(sheet).holes == 1


def test_binding() -> None:
    rest = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    tets = np.array([[0, 1, 2, 3]], np.int32)
    skin = Skin.bind([[0.1, 0.1, 0.1], [-0.5, 0.2, 0.2], [0.2, 0.2, 0.2]], [[0, 1, 2]], rest, tets, "solid")
    binding = binding_of(Body(rest, tets=tets, skin=skin))
    assert (binding.vertices, binding.faces, binding.outside) == (3, 1, 1)
    assert binding.extrapolation == pytest.approx(0.5)
    assert binding_of(pliant.shapes.rope()).offset == pytest.approx(0.03, rel=0.01)


def test_bytes() -> None:
    world = pliant.World()
    world.add(pliant.shapes.cuboid(), pliant.ShapeMatching(), name="a")
    before, row = bytes_of(world._registry, set()), frame_bytes(world)
    world.add(pliant.shapes.cuboid(), pliant.ShapeMatching(), name="b")
    assert frame_bytes(world) == 2 * row == 2 * 4 * (3 * 225 + 1)
    assert before > 4 * 4 * 4 * 225  # x v y p, rows of four floats
    assert bytes_of(world._registry, set()) > 1.5 * before
