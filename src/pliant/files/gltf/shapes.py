"""A surface with its poses as a .glb: each a morph target by its name, paint and all, nothing in motion."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body, Skin
from pliant.files.asset import Asset
from pliant.files.colour import to_srgb
from pliant.files.gltf.builder import Builder
from pliant.files.gltf.surfaces import SurfaceWriter
from pliant.files.whole import whole_file
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DrawnShape:
    """What of a body a surface is written from."""

    name: str
    skin: Skin


def write_asset_shapes(asset: Asset, path: Path) -> None:
    """The asset as it is drawn, at rest, with its poses as morph targets that are not shown."""
    count = len(asset.vertices)
    skin = Skin(
        asset.vertices,
        asset.faces,
        np.zeros((count, 4), np.int32),
        np.tile([1.0, 0, 0, 0], (count, 1)),
        uv=asset.uv,
        colours=None if asset.colours is None else to_srgb(asset.colours),
        look=asset.look,
    )
    write_shapes(DrawnShape(asset.name, skin), asset.poses, path, asset.normals)


def write_body_shapes(body: Body, path: Path) -> None:
    """The skin of a body at rest, with the skin in its poses as morph targets."""
    write_shapes(DrawnShape(body.name, body.skin), {name: body.surface(name) for name in body.poses}, path)


def write_shapes(drawn: DrawnShape, shapes: Mapping[str, Array], path: Path, normals: Array | None = None) -> None:
    """A skin with shapes (N, 3) of its vertices. normals (N, 3): at rest, where the file that it came from had any."""
    skin, path = drawn.skin, Path(path)
    if len(skin.faces) == 0:
        raise FileError(f"{path}: {drawn.name} has no surface to write as .glb; give .npz")
    with whole_file(path) as temporary, TemporaryFile(dir=path.parent) as spool:
        builder = Builder(spool)
        surfaces = SurfaceWriter(builder)
        smooth = skin.normals(skin.vertices)
        rest = smooth if normals is None else normals
        targets = surfaces.begin(drawn, 0, skin.vertices, rest)
        for shape in shapes.values():
            targets.add(shape, rest + skin.normals(shape) - smooth, 0.0)  # hard edges stay as they are
        node = builder.add("nodes", {"name": drawn.name, "mesh": surfaces.finish(targets, drawn.name, list(shapes))})
        builder.add("scenes", {"name": drawn.name, "nodes": [node]})
        builder.finish(temporary, path)
