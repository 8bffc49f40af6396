"""Legacy VTK and Gmsh files, as meshio writes them and as they are written by hand."""

import meshio
import numpy as np
import pytest

import meshes
from pliant.body import Body
from pliant.files.cells import cut
from pliant.files.reading import read_asset
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.measures import volumes
from pliant.runtime.errors import FileError

REST, TETS = meshes.box_arrays((1, 1, 2), (2, 2, 3))
FORMS = {
    "vtk 5.1 binary": (".vtk", {"file_format": "vtk", "binary": True}),
    "vtk 5.1 text": (".vtk", {"file_format": "vtk", "binary": False}),
    "vtk 4.2 binary": (".vtk", {"file_format": "vtk42", "binary": True}),
    "vtk 4.2 text": (".vtk", {"file_format": "vtk42", "binary": False}),
    "msh 4.1 binary": (".msh", {"file_format": "gmsh", "binary": True}),
    "msh 4.1 text": (".msh", {"file_format": "gmsh", "binary": False}),
    "msh 2.2 binary": (".msh", {"file_format": "gmsh22", "binary": True}),
    "msh 2.2 text": (".msh", {"file_format": "gmsh22", "binary": False}),
}
HEADING = "# vtk DataFile Version 3.0\nby hand\nASCII\n"


def written(folder, form, points, cells, **data):
    ending, options = FORMS[form]
    path = folder / f"thing{ending}"
    if form.startswith("msh 4.1"):  # where everything belongs to an entity
        data["point_data"] = {"gmsh:dim_tags": np.tile([3, 1], (len(points), 1))}
        labels = [np.full(len(rows), 1 + k) for k, (_, rows) in enumerate(cells)]
        data["cell_data"] = {"gmsh:geometrical": labels, "gmsh:physical": labels}
    meshio.write(path, meshio.Mesh(points, cells, **data), **options)
    return path


@pytest.mark.parametrize("form", FORMS)
def test_tets_with_faces_and_data_beside_them(tmp_path, form):
    faces = boundary_triangles(TETS)
    data = {"point_data": {"heat": REST[:, 0]}} if form.startswith("vtk") else {}
    asset = read_asset(written(tmp_path, form, REST, [("triangle", faces), ("tetra", TETS)], **data))
    assert np.array_equal(asset.vertices, REST) and np.array_equal(asset.tets, TETS)
    assert len(asset.faces) == 0
    assert asset.notes == ("faces and lines beside the tets were left out; the outside of the tets is drawn",)


@pytest.mark.parametrize("form", FORMS)
def test_surfaces_and_lines(tmp_path, form):
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 2, 0]])
    cells = [("triangle", np.array([[3, 2, 4]])), ("quad", np.array([[0, 1, 2, 3]]))]
    asset = read_asset(written(tmp_path, form, points, cells))
    assert np.cross(*(np.diff(points[asset.faces], axis=1)[:, k] for k in range(2)))[:, 2].sum() == 3  # twice the area
    lines = read_asset(written(tmp_path, form, points, [("line", np.array([[0, 1], [1, 2]]))]))
    assert lines.segments.tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("form", FORMS)
def test_curved_tets_are_straightened(tmp_path, form):
    middles = [REST[TETS[:, [a, b]]].mean(axis=1) for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))]
    points = np.concatenate([REST, *middles])
    extra = len(REST) + np.arange(6 * len(TETS)).reshape(6, -1).T
    asset = read_asset(written(tmp_path, form, points, [("tetra10", np.concatenate([TETS, extra], axis=1))]))
    assert np.array_equal(asset.tets, TETS) and np.array_equal(asset.vertices, REST)
    assert "straightened" in asset.notes[0]


def solid_cells():
    """A hexahedron, a wedge on its side and a pyramid on top, and their volume."""
    cube = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    points = np.array([*cube, (2, 0.5, 0), (2, 0.5, 1), (0.5, 0.5, 2)], float)
    cells = [
        ("hexahedron", np.array([[0, 1, 3, 2, 4, 5, 7, 6]])),
        ("wedge", np.array([[1, 8, 3, 5, 9, 7]])),
        ("pyramid", np.array([[4, 5, 7, 6, 10]])),
    ]
    return points, cells, 1 + 0.5 + 1 / 3


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(4))
def test_other_solid_cells_are_cut_and_fit_together(tmp_path, form, seed):
    points, cells, volume = solid_cells()
    names = np.random.default_rng(seed).permutation(len(points))
    places = np.argsort(names)
    asset = read_asset(written(tmp_path, form, points[names], [(kind, places[rows]) for kind, rows in cells]))
    assert Body(asset.vertices, tets=asset.tets).volume == pytest.approx(volume)
    # Hexahedron and wedge, hexahedron and pyramid share a side: were it cut differently, it would count as outside.
    assert len(boundary_triangles(asset.tets)) == 4 * 2 + 2 * 2 + 2 + 4
    assert asset.notes == tuple(f"{kind} cells were cut into tets" for kind in ("hexahedron", "wedge", "pyramid"))


@pytest.mark.parametrize("kind", ["hexahedron", "wedge", "pyramid"])
def test_every_numbering_of_a_cell_fills_it(kind):
    points, cells, _ = solid_cells()
    corners = points[dict(cells)[kind][0]]
    inside = {"hexahedron": 1, "wedge": 0.5, "pyramid": 1 / 3}[kind]
    for seed in range(40):
        names = np.random.default_rng(seed).permutation(len(corners))
        tets = np.argsort(names)[cut(kind, names[None])]
        sizes = volumes(corners, tets.astype(np.int32))
        assert (sizes > 0).all() and sizes.sum() == pytest.approx(inside)


def test_polygonal_data_with_strips_and_polylines(tmp_path):
    path = tmp_path / "thing.vtk"
    points = "POINTS 6 float\n0 0 0 1 0 0\n0 1 0 1 1 0\n0 2 0 1 2 0\n"
    path.write_text(
        HEADING + "DATASET POLYDATA\n" + points + "METADATA\nINFORMATION 0\n\n"
        "VERTICES 1 2\n1 0\nPOLYGONS 1 5\n4 2 3 5 4\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\nPOINT_DATA 6\nSCALARS a float\n"
    )
    asset = read_asset(path)
    a, b, c = (asset.vertices[asset.faces[:, k]] for k in range(3))
    assert np.cross(b - a, c - a)[:, 2].tolist() == [1, 1, 1, 1]
    path.write_text(HEADING + "DATASET POLYDATA\n" + points + "LINES 2 7\n3 0 1 3\n2 4 5\n")
    assert read_asset(path).segments.tolist() == [[0, 1], [1, 2], [3, 4]]


def test_pixels_voxels_and_polygons_in_grids(tmp_path):
    path = tmp_path / "thing.vtk"
    corners = "".join(f"{x} {y} {z}\n" for z in (0, 1) for y in (0, 1) for x in (0, 1))
    grid = HEADING + "DATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTIME 1 1 double\n0.5\nPOINTS 8 double\n" + corners
    path.write_text(grid + "CELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n11\n")
    assert Body(read_asset(path).vertices, tets=read_asset(path).tets).volume == pytest.approx(1)
    path.write_text(grid + "CELLS 3 13\n4 0 1 2 3\n5 4 5 7 6 4\n1 0\nCELL_TYPES 3\n8\n7\n42\n")
    asset = read_asset(path)
    assert len(asset.faces) == 4  # the repeated corner of the polygon does not count
    assert "cells of VTK type 42 were left out" in asset.notes


def test_physical_groups_of_gmsh(tmp_path):
    path = tmp_path / "thing.msh"
    nodes = "$Nodes\n5\n1 0 0 0\n2 1 0 0\n30 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
    names = '$PhysicalNames\n2\n2 7 "held side"\n3 1 "all of it"\n$EndPhysicalNames\n'
    elements = "$Elements\n3\n1 2 2 7 1 1 2 30\n2 4 2 1 1 1 2 30 4\n3 4 3 9 1 0 2 30 4 5\n$EndElements\n"
    path.write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" + names + nodes + elements)
    asset = read_asset(path)
    assert len(asset.tets) == 2
    assert {name: members.tolist() for name, members in asset.groups.items()} == {
        "held side": [0, 1, 2], "all of it": [0, 1, 2, 3], "physical 9": [1, 2, 3, 4],
    }  # fmt: skip


def test_entities_of_gmsh_4(tmp_path):
    path = tmp_path / "thing.msh"
    path.write_text(
        '$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 5 "meat"\n$EndPhysicalNames\n'
        "$Entities\n1 0 0 1\n1 0 0 0 0\n1 0 0 0 1 1 1 1 5 0\n$EndEntities\n"
        "$Nodes\n2 4 1 9\n0 1 0 1\n1\n0 0 0\n3 1 1 3\n9\n5\n3\n1 0 0 0.1 0.1 0.1\n0 1 0 0 0 0\n0 0 1 0 0 0\n$EndNodes\n"
        "$Elements\n1 1 1 1\n3 1 4 1\n1 1 9 5 3\n$EndElements\n"
    )
    asset = read_asset(path)
    assert asset.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert asset.groups["meat"].tolist() == [0, 1, 2, 3]


GMSH = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.vtk", "hello\n", "does not begin as a legacy VTK file"),
        ("a.vtk", HEADING + "DATASET STRUCTURED_POINTS\nDIMENSIONS 9999 9999 9999\n", "Tetrahedralize"),
        ("a.vtk", HEADING + "DATASET POLYDATA\nPOINTS 4294967295 float\n0 0 0\n", "4,294,967,295 vertices"),
        ("a.vtk", HEADING + "DATASET POLYDATA\nPOINTS 100 float\n0 0 0\n", "ends before its numbers do"),
        ("a.vtk", HEADING + "DATASET POLYDATA\nPOINTS 1 float\n0 0 nan\nPOLYGONS 1 4\n3 0 0 0\n", "(0, 0, nan)"),
        ("a.vtk", HEADING + "DATASET POLYDATA\nPOINTS 1 float\n0 0 0\nPOLYGONS 1 4\n9 0 0 0\n", "do not fit"),
        ("a.vtk", HEADING + "DATASET POLYDATA\nPOINTS 1 quaternion\n0 0 0\n", "its section POINTS is not understood"),
        ("a.msh", "$Nodes\n1\n", "does not begin as a Gmsh file"),
        ("a.msh", GMSH.replace("2.2", "1.0"), "version '1.0' of the format is not one that is read"),
        ("a.msh", GMSH, "it has no nodes or no elements"),
        ("a.msh", GMSH + "$Nodes\n4294967295\n$EndNodes\n", "4,294,967,295 vertices"),
        ("a.msh", GMSH + "$Nodes\n1\n1 0 0 0\n", "its section $Nodes does not end"),
        ("a.msh", GMSH + "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 2 0 1 2 3\n$EndElements\n", "names node 2"),
        ("a.msh", GMSH + "$Nodes\n0\n$EndNodes\n$Elements\n1\n1 99 0 1\n$EndElements\n", "has the type 99"),
    ],
)
def test_broken_files(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(FileError) as caught:
        read_asset(tmp_path / name)
    assert said in str(caught.value) and name in str(caught.value)
