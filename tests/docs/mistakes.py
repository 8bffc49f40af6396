"""How to meet the errors that the pages explain: files broken on purpose, and the command that is given them.

`MET`: page -> how the message begins on it -> what makes the folder ready and returns the words of the command. A first
word "without MODULE" means that the module is not installed.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from docs import models
from files.gltf.making import Making, packed, square
from files.usd import authoring
from pliant.files.body_npz import write_body

PLY = "ply\nformat ascii 1.0\nelement vertex {}\n"
POINT = "".join(f"property float {axis}\n" for axis in "xyz") + "end_header\n"
TETS = "# vtk DataFile Version 3.0\nbear\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
FLAT = "0 0 0 1 0 0 0 1 0 1 1 0\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n"
CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
STAR = "".join(f"v {x % 7 - 3} {x} 0\n" for x in range(1002)) + "f " + " ".join(str(k + 1) for k in range(1002))
ASCII = "solid bear\nfacet normal 0 0 1\nouter loop\n{}\nendloop\nendfacet\nendsolid bear\n"
GMSH = "$MeshFormat\n{} 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 {}\n$EndElements\n"

Maker = Callable[[Path], list[str]]


def text(name: str, content: str | bytes) -> Maker:
    """`pliant inspect` of a file with that content."""

    def make(folder: Path) -> list[str]:
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return ["inspect", name]

    return make


def called(*words: str) -> Maker:
    return lambda folder: list(words)


def gltf(change: Callable[[Making], object], name: str = "broken.glb") -> Maker:
    """A square whose file is changed before it is written."""

    def make(folder: Path) -> list[str]:
        making = square()
        change(making)
        making.glb(folder / name)
        return ["inspect", name]

    return make


def linked(uri: str) -> Maker:
    def make(folder: Path) -> list[str]:
        square().gltf(folder / "broken.gltf", uri)
        return ["inspect", "broken.gltf"]

    return make


def stage(change: Callable[[object], object], *more: str) -> Maker:
    def make(folder: Path) -> list[str]:
        made = authoring.stage(folder / "broken.usda")
        change(made)
        made.Save()
        return ["inspect", "broken.usda", *more]

    return make


def growing(made: object) -> None:
    mesh = authoring.mesh(made, "/bear")
    mesh.GetPointsAttr().Set(authoring.vectors(authoring.CUBE), 0)
    mesh.GetPointsAttr().Set(authoring.vectors(authoring.CUBE[:6]), 24)


def plain(folder: Path) -> list[str]:
    models.glb(folder / "plain.glb", targets=False)
    return ["bake", "plain.glb", "-o", "out.glb", "--as", "weights"]


def still(folder: Path) -> list[str]:
    models.glb(folder / "still.glb", animated=False)
    return ["inspect", "still.glb", "--sample", "0.5"]


def still_usd(folder: Path) -> list[str]:
    models.usd(folder / "still.usdc", moving=False)
    return ["inspect", "still.usdc", "--sample", "0.5"]


def fewer(folder: Path) -> list[str]:
    (folder / "fewer.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3")
    return ["inspect", "bear.obj", "--pose", "smile=fewer.obj"]


def fewer_nodes(folder: Path) -> list[str]:
    (folder / "fewer.node").write_text("1 3 0 0\n0 0 0 0")
    return ["inspect", "bear.node", "--pose", "smile=fewer.node"]


def shuffled(folder: Path) -> list[str]:
    order = np.random.default_rng(1).permutation(len(models.POINTS))
    lines = [f"v {x} {y} {z}" for x, y, z in models.POINTS[order]]
    lines += ["f " + " ".join(str(corner + 1) for corner in np.argsort(order)[face]) for face in models.FACES]
    (folder / "shuffled.obj").write_text("\n".join(lines))
    return ["inspect", "bear.obj", "--pose", "smile=shuffled.obj"]


def occupied(folder: Path) -> list[str]:
    (folder / "obj").mkdir()
    (folder / "obj" / "notes.txt").write_text("mine")
    return ["bake", "bear.obj", "-o", "obj"]


def alone(folder: Path) -> list[str]:
    (folder / "bear.ele").unlink()
    return ["inspect", "bear.node"]


def elements(content: str) -> Maker:
    def make(folder: Path) -> list[str]:
        (folder / "bear.ele").write_text(content)
        return ["inspect", "bear.ele"]

    return make


def cut(name: str, keep: int) -> Maker:
    def make(folder: Path) -> list[str]:
        (folder / name).write_bytes((folder / name).read_bytes()[:keep])
        return ["inspect", name]

    return make


def lacking(module: str, *words: str) -> Maker:
    """A package that is not installed is told by name; `module` is hidden for the time."""

    def make(folder: Path) -> list[str]:
        return [f"without {module}", *words]

    return make


def old(making: Making) -> None:
    making.json["asset"]["version"] = "1.0"


def required(name: str) -> Callable[[Making], None]:
    return lambda making: making.json.update(extensionsUsed=[name], extensionsRequired=[name])


def recording(folder: Path) -> list[str]:
    np.savez(folder / "take.npz", time=np.zeros(2), actors=np.array(["bear"]))
    return ["inspect", "take.npz"]


def whole_body(folder: Path) -> list[str]:
    write_body(models.BODY, folder / "whole.npz")
    return ["inspect", "whole.npz", "--as", "shell"]


METRES = '#usda 1.0\n(\n    metersPerUnit = 0\n)\ndef Mesh "a" {}\n'
MET: dict[str, dict[str, Maker]] = {
    "README.md": {
        "there is no such file": called("inspect", "beer.glb"),
        ".blend files cannot be read": text("bear.blend", "BLENDER"),
        "the file is empty": text("nothing.obj", ""),
        "there is no face in it": text("points.obj", CUBE),
        "all 8 vertices": text("one.obj", "v 0 0 0\n" * 8 + "f 1 2 3\nf 4 5 6\nf 6 7 8"),
        "every number must be finite": text("far.obj", "v 0 0 0\nv 1e12 0 0\nv 0 1 0\nf 1 2 3"),
        ".obj files have no animation": called("inspect", "bear.obj", "--sample", "1"),
        ".fbx cannot be written": called("bake", "bear.obj", "-o", "bear.fbx"),
    },
    "from-blender-and-back.md": {
        "it uses Draco compression": gltf(required("KHR_draco_mesh_compression")),
        "no body has poses": plain,
    },
    "gltf.md": {
        "it uses Draco compression": gltf(required("KHR_draco_mesh_compression")),
        "it uses meshopt compression": gltf(required("EXT_meshopt_compression")),
        "it needs the extension": gltf(required("EXT_something_else")),
        "it is glTF of version": gltf(old),
        "it is cut off": cut("bear.glb", 400),
        "the file 'bear.bin' is missing": linked("bear.bin"),
        "leads out of the folder": linked("../bear.bin"),
        "its scene shows no triangle": lambda folder: ["inspect", packed(folder / "e.glb", Making().json, b"").name],
        "there is no animation to sample": still,
        "no body has poses": plain,
        "no body is made of oriented particles": called("bake", "bear.glb", "-o", "out.glb", "--as", "skeleton"),
    },
    "npz.md": {"this is a recording": recording, "which cannot be loaded as a shell": whole_body},
    "usd.md": {
        "USD needs usd-core": lacking("pxr", "bake", "bear.glb", "-o", "out.usdc"),
        "there is no mesh to be seen": stage(lambda made: None),
        "nothing in it moves": still_usd,
        "poses need the same points": stage(growing, "--sample", "1"),
        "its metersPerUnit is 0": text("units.usda", METRES),
        "cannot be read as USD": text("damaged.usdc", b"PXR-USDC" + bytes(40)),
    },
    "obj.md": {
        "is not understood": text("damaged.obj", "v 0 0 zero\n"),
        "names vertex 9": text("nine.obj", CUBE + "f 1 2 9"),
        "there is no face": text("points.obj", CUBE),
        "and is hollow": text("star.obj", STAR),
        "the pose has": fewer,
        "but in another order": shuffled,
        "one .obj holds one frame": called("bake", "bear.obj", "-o", "out.obj"),
        "holds other things too": occupied,
    },
    "ply.md": {
        "it does not begin as": text("no.ply", "solid"),
        "line 4": text("line.ply", PLY.format(8) + "property flaot x\nend_header\n"),
        "it ends before": text("cut.ply", PLY.format(8) + POINT + "0 0"),
        "it has no vertices": text("flat.ply", PLY.format(1) + "property float x\nend_header\n0\n"),
        "there is no face": text("points.ply", PLY.format(1) + POINT + "0 0 0\n"),
    },
    "stl.md": {
        "it is cut off": cut("bear.stl", 200),
        "there is no triangle": text("none.stl", bytes(84)),
        "there is no whole triangle": text("half.stl", "solid bear\nfacet normal 0 0 1\nendsolid bear\n"),
        "a vertex has three": text("two.stl", ASCII.format("vertex 0 0")),
    },
    "vtk-msh.md": {
        "it does not begin as": text("no.vtk", "<VTKFile>"),
        "give an unstructured": text("grid.vtk", TETS.replace("UNSTRUCTURED_GRID", "STRUCTURED_POINTS")),
        "it ends before": text("cut.vtk", TETS + "0 0 0"),
        "version '1'": text("old.msh", GMSH.format("1", "1 1 1 1")),
        "which is not in it": text("gone.msh", GMSH.format("2.2", "1 2 3 4")),
        "there is no tet": text("flat.vtk", TETS + FLAT),
    },
    "tetgen.md": {
        "bear.ele is missing": alone,
        "it ends after": elements("8 4 0\n0 0 1 2 3\n1 0 1 2 3\n2 0 1 2 3"),
        "these are not the numbers": text("bear.node", "eight nodes"),
        "its tets have 5": elements("1 5 0\n0 0 1 2 3 4"),
        "the pose has": fewer_nodes,
    },
    "movies-and-pictures.md": {
        "pictures need moderngl": lacking("moderngl", "bake", "bear.glb", "-o", "shots/png"),
        "films need imageio-ffmpeg": lacking("imageio_ffmpeg", "bake", "bear.glb", "-o", "out.mp4"),
        "give a size from": called("bake", "bear.glb", "-o", "shots/png", "--size", "4x4"),
        "are too many": called("bake", "bear.glb", "-o", "shots/png", "--fps", "2000", "--size", "64x48"),
        "one .png holds": called("bake", "bear.glb", "-o", "out.png"),
        ".gif cannot": called("bake", "bear.glb", "-o", "out.gif"),
    },
}  # fmt: skip
