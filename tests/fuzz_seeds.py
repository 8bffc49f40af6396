"""Small whole files of every format, for the fuzz tests to break."""

import base64
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import meshio
import numpy as np

import meshes
from pliant.body.look import Image, Look, Material, Part
from pliant.body.skin import Skin
from pliant.files.body_npz import write_body
from pliant.files.take import Take, Track
from pliant.files.writing import write_take

REST, TETS = meshes.box_arrays((1, 1, 2), (1, 1, 2))
HULL = Skin.of_elements(REST, TETS, "solid")
PNG = b"\x89PNG\r\n\x1a\n not really"

# The file to read, what stands in it, and what lies beside it.
Seed = tuple[str, bytes, dict[str, bytes]]


def _obj() -> bytes:
    lines = ["mtllib m.mtl", "o box"] + [f"v {x:g} {y:g} {z:g} 1 0.5 0" for x, y, z in HULL.vertices]
    lines += ["vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1", "vn 0 0 1", "vn 0 1 0", "usemtl red", "g front back"]
    lines += [f"f {a + 1}/1/1 {b + 1}/2/1 {c + 1}/3/2" for a, b, c in HULL.faces[:8]]
    lines += ["usemtl blue"] + [f"f {a - 12} {b - 12} {c - 12}" for a, b, c in HULL.faces[8:]]
    return "\n".join([*lines, "f 1 2 4 3 5", "l 1 2 3", "s off"]).encode()


MTL = b"newmtl red\nKd 1 0 0\nNs 250\nd 0.5\nnewmtl blue\nKd 0 0 1\nTr 0.2\nmap_Kd -s 2 2 1 -clamp on p.png\n"


def _ply(form: str) -> bytes:
    columns = "".join(f"property float {name}\n" for name in ("x", "y", "z", "nx", "ny", "nz", "s", "t"))
    columns += "property uchar red\nproperty uchar green\nproperty uchar blue\n"
    faces = [face.tolist() for face in HULL.faces] + [[0, 1, 3, 2]]
    head = f"ply\nformat {form} 1.0\ncomment TextureFile p.png\nelement vertex {len(HULL.vertices)}\n{columns}"
    head += f"element face {len(faces)}\nproperty list uchar int vertex_indices\n"
    head += "property list uchar float texcoord\nproperty int texnumber\nend_header\n"
    order = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}[form]
    body = []
    for point in HULL.vertices:
        row = [*point, 0, 0, 1, 0.5, 0.25]
        if order:
            body.append(np.array(row, order + "f4").tobytes() + bytes([255, 128, 0]))
        else:
            body.append((" ".join(f"{x:g}" for x in row) + " 255 128 0\n").encode())
    for face in faces:
        uv = [0.5] * 2 * len(face)
        if order:
            body.append(bytes([len(face)]) + np.array(face, order + "i4").tobytes())
            body.append(bytes([len(uv)]) + np.array(uv, order + "f4").tobytes() + np.array([0], order + "i4").tobytes())
        else:
            body.append(" ".join(map(str, [len(face), *face, len(uv), *uv, 0])).encode() + b"\n")
    return head.encode() + b"".join(body)


STRIPS = b"""ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element tristrips 1
property list int int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
1 1 1
7 0 1 2 3 -1 0 3
"""


def _stl(binary: bool) -> bytes:
    if binary:
        rows = np.zeros(len(HULL.faces), [("n", "<f4", 3), ("c", "<f4", (3, 3)), ("a", "<u2")])
        rows["c"] = HULL.vertices[HULL.faces]
        return bytes(80) + len(rows).to_bytes(4, "little") + rows.tobytes()
    text = ""
    for half, name in ((HULL.faces[:10], "left"), (HULL.faces[10:], "right")):
        text += f"solid {name}\n"
        for face in HULL.vertices[half]:
            corners = "".join("vertex " + " ".join(f"{x:g}" for x in corner) + "\n" for corner in face)
            text += f"facet normal 0 0 0\nouter loop\n{corners}endloop\nendfacet\n"
        text += f"endsolid {name}\n"
    return text.encode()


POLYDATA = (
    b"# vtk DataFile Version 3.0\nby hand\nASCII\nDATASET POLYDATA\n"
    b"POINTS 6 float\n0 0 0 1 0 0\n0 1 0 1 1 0\n0 2 0 1 2 0\n"
    b"METADATA\nINFORMATION 0\n\nVERTICES 1 2\n1 0\nLINES 1 4\n3 0 1 3\nPOLYGONS 2 9\n4 2 3 5 4\n3 0 1 2\n"
    b"TRIANGLE_STRIPS 1 5\n4 0 1 2 3\nPOINT_DATA 6\nSCALARS a float\n"
)


def _meshio(ending: str, **options: object) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"a{ending}"
        hexahedra = np.array([[0, 3, 9, 6, 1, 4, 10, 7]])
        labels = [np.ones(len(TETS), int), np.full(1, 2)]
        data: dict[str, object] = {}
        if ending == ".msh":
            data["point_data"] = {"gmsh:dim_tags": np.tile([3, 1], (len(REST), 1))}
            data["cell_data"] = {"gmsh:physical": labels, "gmsh:geometrical": labels}
            data["field_data"] = {"meat": np.array([1, 3])}
        meshio.write(path, meshio.Mesh(REST, [("tetra", TETS), ("hexahedron", hexahedra)], **data), **options)
        return path.read_bytes()


def _node() -> bytes:
    rows = "".join(f"{k} {x:g} {y:g} {z:g} 0.5 {k % 3}\n" for k, (x, y, z) in enumerate(REST))
    return f"# points\n{len(REST)} 3 1 1\n{rows}".encode()


def _ele() -> bytes:
    rows = "".join(f"{k} {' '.join(map(str, tet))} {k % 2}\n" for k, tet in enumerate(TETS))
    return f"{len(TETS)} 4 1\n{rows}".encode()


def _take() -> Take:
    """Two frames of a painted box with a pose."""
    look = Look(
        parts=(Part("front", 0, 10, 0), Part("back", 10, len(HULL.faces), 1)),
        materials=(Material("red", (1, 0, 0, 1), image=0), Material("blue", (0, 0, 1, 0.5))),
        images=(Image("p", "image/png", PNG),),
    )
    uv = HULL.vertices[:, :2] + 0.5
    skin = Skin(HULL.vertices, HULL.faces, HULL.indices, HULL.weights, uv=uv, look=look)
    body = meshes.box((1, 1, 2), (1, 1, 2), poses={"squash": REST * (1.2, 0.8, 1)}, skin=skin)
    positions = np.stack([REST, REST * 1.1, REST * (1, 2, 1)]).astype(np.float32)
    weights = np.array([[[1, 0]], [[0.5, 0.5]], [[0, 1]]], np.float32)
    return Take("demo", 24.0, (Track("box", body, positions, weights, ("all",)),))


def _written(ending: str, **options: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"a{ending}"
        write_take(_take(), path, **options)  # type: ignore[arg-type]
        return path.read_bytes()


def _body() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.npz"
        write_body(_take().tracks[0].body.with_group("low", lambda rest: rest[:, 1] < 0.5), path)
        return path.read_bytes()


def _gltf(style: str) -> bytes:
    """A .glb as text, its numbers in a data URI: changes in it meet no length that tells them from afar."""
    data = _written(".glb", style=style)
    length = int.from_bytes(data[12:16], "little")
    tree, numbers = json.loads(data[20 : 20 + length]), data[20 + length + 8 :]
    tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(numbers).decode()
    return json.dumps(tree).encode()


SKELETON = b"""#usda 1.0
(
    defaultPrim = "Root"
    upAxis = "Z"
    metersPerUnit = 0.01
)
def SkelRoot "Root" {
    def Mesh "Face" ( prepend apiSchemas = ["SkelBindingAPI"] ) {
        int[] faceVertexCounts = [3, 4]
        int[] faceVertexIndices = [0, 1, 2, 0, 2, 3, 4]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (-1, 1, 1)]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "faceVarying" )
        int[] primvars:st:indices = [0, 1, 2, 0, 2, 3, 3]
        uniform token[] skel:blendShapes = ["smile"]
        rel skel:blendShapeTargets = </Root/Face/smile>
        rel skel:skeleton = </Root/Skel>
        def BlendShape "smile" {
            uniform vector3f[] offsets = [(0, 0, 1), (0, 1, 0)]
            uniform int[] pointIndices = [1, 3]
            uniform vector3f[] inbetweens:half = [(0, 0, 0.7), (0, 0.2, 0)] ( weight = 0.5 )
        }
        double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 24: (0, 5, 0) }
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def Skeleton "Skel" {
        uniform token[] joints = ["a"]
    }
}
"""

_BESIDE = {"m.mtl": MTL, "p.png": PNG}
_MAKERS: dict[str, Callable[[], Seed]] = {
    "obj": lambda: ("a.obj", _obj(), _BESIDE),
    "mtl": lambda: ("m.mtl", MTL, {"a.obj": _obj(), "p.png": PNG}),
    "ply text": lambda: ("a.ply", _ply("ascii"), _BESIDE),
    "ply little": lambda: ("a.ply", _ply("binary_little_endian"), _BESIDE),
    "ply big": lambda: ("a.ply", _ply("binary_big_endian"), _BESIDE),
    "ply strips": lambda: ("a.ply", STRIPS, {}),
    "stl text": lambda: ("a.stl", _stl(False), {}),
    "stl binary": lambda: ("a.stl", _stl(True), {}),
    "vtk polydata": lambda: ("a.vtk", POLYDATA, {}),
    "vtk 5 text": lambda: ("a.vtk", _meshio(".vtk", file_format="vtk", binary=False), {}),
    "vtk 5 binary": lambda: ("a.vtk", _meshio(".vtk", file_format="vtk", binary=True), {}),
    "vtk 4 text": lambda: ("a.vtk", _meshio(".vtk", file_format="vtk42", binary=False), {}),
    "vtk 4 binary": lambda: ("a.vtk", _meshio(".vtk", file_format="vtk42", binary=True), {}),
    "msh 4 text": lambda: ("a.msh", _meshio(".msh", file_format="gmsh", binary=False), {}),
    "msh 4 binary": lambda: ("a.msh", _meshio(".msh", file_format="gmsh", binary=True), {}),
    "msh 2 text": lambda: ("a.msh", _meshio(".msh", file_format="gmsh22", binary=False), {}),
    "msh 2 binary": lambda: ("a.msh", _meshio(".msh", file_format="gmsh22", binary=True), {}),
    "node": lambda: ("a.node", _node(), {"a.ele": _ele()}),
    "ele": lambda: ("a.ele", _ele(), {"a.node": _node()}),
    "glb": lambda: ("a.glb", _written(".glb"), {}),
    "gltf vertices": lambda: ("a.gltf", _gltf("vertices"), {}),
    "gltf weights": lambda: ("a.gltf", _gltf("weights"), {}),
    "usda": lambda: ("a.usda", _written(".usda"), {}),
    "usda skeleton": lambda: ("a.usda", SKELETON, {}),
    "usdc": lambda: ("a.usdc", _written(".usdc"), {}),
    "npz body": lambda: ("a.npz", _body(), {}),
    "usdz": lambda: ("a.usdz", _written(".usdz"), {}),
}
FORMATS = tuple(_MAKERS)


@cache
def seed(name: str) -> Seed:
    return _MAKERS[name]()
