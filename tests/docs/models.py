"""A small bear, more or less, in every format that a page names; written without pliant.files."""

import struct
from pathlib import Path

import meshio
import numpy as np

import meshes
from files.gltf.making import Making, png
from files.usd import authoring

BODY = meshes.box(size=(1.0, 2.0, 0.8), cells=(2, 4, 2))
POINTS, FACES = BODY.skin.vertices, BODY.skin.faces
SQUASH = (1.2, 0.6, 1.2)
SHAPES = {"smile": (1.1, 1.0, 0.8), "frown": (0.8, 1.0, 1.1)}


def twisted(points: np.ndarray) -> np.ndarray:
    x, y, z = points.T
    return np.stack([x * np.cos(y) - z * np.sin(y), y, x * np.sin(y) + z * np.cos(y)], axis=1)


def make_all(folder: Path) -> None:
    """Every file that a command of the pages reads."""
    glb(folder / "bear.glb")
    usd(folder / "bear.usdc")
    obj(folder / "bear.obj")
    ply(folder / "bear.ply")
    stl(folder / "bear.stl")
    for name, shape in SHAPES.items():
        obj(folder / f"bear_{name}.obj", shape)
        ply(folder / f"bear_{name}.ply", shape)
        (folder / "faces").mkdir(exist_ok=True)
        obj(folder / "faces" / f"bear_{name}.obj", shape)
    for name, shape in (("bear", (1, 1, 1)), ("bear_squash", SQUASH)):
        tets = meshio.Mesh(BODY.rest * shape, [("tetra", BODY.elements)])
        meshio.vtk.write(folder / f"{name}.vtk", tets)
        meshio.gmsh.write(folder / f"{name}.msh", tets, "4.1", binary=False)
    nodes(folder / "bear.node")
    nodes(folder / "bear_squash.node", SQUASH)
    (folder / "shapes").mkdir(exist_ok=True)
    nodes(folder / "shapes" / "bear_squash.node", SQUASH)
    rows = [" ".join(map(str, [k, *tet])) for k, tet in enumerate(BODY.elements)]
    (folder / "bear.ele").write_text("\n".join([f"{len(rows)} 4 0", *rows]))


def glb(path: Path, targets: bool = True, animated: bool = True) -> Path:
    """With a picture, an attribute of the artist's own, two shape keys, and a second in which they come and go."""
    making, points = Making(), POINTS.astype(np.float32)
    making.add("images", name="stripes", mimeType="image/png", bufferView=making.view(png(200, 120, 60)))
    making.add("textures", source=0)
    making.add("materials", name="fur", pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    moves = [POINTS * SQUASH - POINTS, twisted(POINTS) - POINTS] if targets else []
    number = making.mesh(
        points, FACES.ravel().astype(np.uint32), [move.astype(np.float32) for move in moves], material=0,
        TEXCOORD_0=points[:, :2].copy(), _EARS=(points[:, 1] > 0.9).astype(np.float32), name="Suzanne",
        **({"extras": {"targetNames": ["squash", "twist"]}} if targets else {}),
    )  # fmt: skip
    node = making.node(mesh=number, name="Suzanne")
    making.scene(node)
    if targets and animated:
        making.animate(node, "weights", [0.0, 0.5, 1.0], [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    return making.glb(path)


def usd(path: Path, moving: bool = True) -> Path:
    stage = authoring.stage(path)
    mesh = authoring.mesh(stage, "/bear", POINTS, FACES)
    if moving:
        mesh.GetPointsAttr().Set(authoring.vectors(POINTS), 0)
        mesh.GetPointsAttr().Set(authoring.vectors(POINTS * SQUASH), 24)
    stage.Save()
    return path


def obj(path: Path, shape: tuple[float, float, float] = (1, 1, 1)) -> Path:
    lines = [f"v {x} {y} {z}" for x, y, z in POINTS * shape]
    lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in FACES]
    path.write_text("\n".join(lines))
    return path


def ply(path: Path, shape: tuple[float, float, float] = (1, 1, 1)) -> Path:
    head = ["ply", "format ascii 1.0", f"element vertex {len(POINTS)}", *(f"property float {axis}" for axis in "xyz")]
    head += [f"element face {len(FACES)}", "property list uchar int vertex_indices", "end_header"]
    rows = [f"{x} {y} {z}" for x, y, z in POINTS * shape] + ["3 " + " ".join(map(str, face)) for face in FACES]
    path.write_text("\n".join([*head, *rows]) + "\n")
    return path


def stl(path: Path) -> Path:
    triangles = [struct.pack("<12fH", 0, 0, 0, *POINTS[face].ravel(), 0) for face in FACES]
    path.write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + b"".join(triangles))
    return path


def nodes(path: Path, shape: tuple[float, float, float] = (1, 1, 1)) -> Path:
    rows = [f"{k} {x} {y} {z}" for k, (x, y, z) in enumerate(BODY.rest * shape)]
    path.write_text("\n".join([f"{len(rows)} 3 0 0", *rows]))
    return path
