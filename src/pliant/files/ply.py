"""Stanford PLY: text and binary surfaces, with colours, normals and uv."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body.look import Image, Material
from pliant.files.asset import Asset
from pliant.files.colour import to_linear
from pliant.files.limits import MOST_VERTICES, check
from pliant.files.numbering import Numbering, no_edges, outlines
from pliant.files.pictures import picture_beside
from pliant.files.ply_body import Element, Ply, read_ply
from pliant.files.surface import Surface, Tag, asset_of, check_points
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

COLOUR_PROPERTIES = (("red", "green", "blue"), ("diffuse_red", "diffuse_green", "diffuse_blue"), ("r", "g", "b"))
UV = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"), ("texture_s", "texture_t"))
CORNER_PROPERTIES = ("vertex_indices", "vertex_index")
FULL_BRIGHTNESS = {"i1": 127, "u1": 255, "i2": 32767, "u2": 65535, "i4": 2**31 - 1, "u4": 2**32 - 1}  # full brightness


def read(path: Path, sample: Sequence[float] = ()) -> Asset:
    return read_numbered(path)[0]


def read_numbered(path: Path) -> tuple[Asset, Numbering]:
    """The surface, or the edges if there are no faces. Colours are taken for sRGB."""
    ply = read_ply(path)
    positions = _positions(path, ply)
    vertex, face = ply.elements["vertex"], ply.elements.get("face")
    sizes, corners = _faces(ply)
    surface = Surface(positions, sizes, corners, segments=_edges(ply))
    surface.uv, surface.corner_uv = _uv(vertex, face, sizes, corners)
    normals = _together(vertex, ("nx", "ny", "nz"))
    if normals is not None:
        surface.normals, surface.corner_normals = normals, corners
    surface.colours = _colours(vertex)
    if "tristrips" in ply.elements:
        surface.notes.append("its triangle strips were cut into triangles")
    elif surface.uv is not None:
        _textures(path, ply, surface)
    return asset_of(path, surface)


def read_numbering(path: Path) -> Numbering:
    """Points and edges only: what a file that gives a pose is needed for."""
    ply = read_ply(path)
    positions = _positions(path, ply)
    check_points(path, positions)
    sizes, corners = _faces(ply)
    sound = len(corners) and corners.min() >= 0 and corners.max() < len(positions)
    return Numbering(
        positions, np.arange(len(positions)), (lambda: outlines(sizes, corners)) if sound else no_edges
    )


def _positions(path: Path, ply: Ply) -> Array:
    vertex = ply.elements.get("vertex")
    positions = None if vertex is None else _together(vertex, ("x", "y", "z"))
    if positions is None:
        raise FileError(f"{path}: it has no vertices with x, y and z; export it again")
    check(path, "vertices", len(positions), MOST_VERTICES)
    return positions


def _together(element: Element, names: tuple[str, ...]) -> Array | None:
    """Columns side by side, if all are there."""
    if not all(name in element.columns for name in names):
        return None
    return np.stack([element.columns[name].astype(np.float64) for name in names], axis=1)


def _faces(ply: Ply) -> tuple[Numbers, Numbers]:
    """Sizes (F,) and corners (C,)."""
    for name, strips in (("face", False), ("tristrips", True)):
        element = ply.elements.get(name)
        for column in CORNER_PROPERTIES:
            if element is not None and column in element.lists:
                lengths, values = element.lists[column]
                points = _whole(values)
                return _cut_strips(lengths, points) if strips else (lengths, points)
    return np.zeros(0, np.int64), np.zeros(0, np.int64)


def _whole(values: NDArray[Any]) -> Numbers:
    """Numbers of vertices; what is none, in a text file, becomes one that there is not."""
    numbers = np.nan_to_num(values.astype(np.float64), nan=-9.0, posinf=-9.0, neginf=-9.0)
    return np.clip(numbers, -9, 2**40).astype(np.int64)


def _cut_strips(lengths: Numbers, values: Numbers) -> tuple[Numbers, Numbers]:
    """Each three neighbours of a strip are a triangle, every other one turned round; -1 begins a new strip."""
    strip = np.repeat(np.arange(len(lengths)), lengths) * (len(values) + 1) + np.cumsum(values == -1)
    first = np.searchsorted(strip, strip)  # where each one's strip begins
    if len(values) < 3:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    k = np.arange(len(values) - 2)
    begin = first[k] + (values[first[k]] == -1)
    keep = (strip[k] == strip[k + 2]) & (k >= begin)
    k, odd = k[keep], ((k - begin)[keep] % 2).astype(bool)
    corners = np.stack([values[k], values[k + 1 + odd], values[k + 2 - odd]], axis=1)
    different = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 0] != corners[:, 2])
    corners = corners[different]  # repeated points turn a strip round a corner
    return np.full(len(corners), 3), corners.ravel()


def _edges(ply: Ply) -> Numbers | None:
    edges = None if "edge" not in ply.elements else _together(ply.elements["edge"], ("vertex1", "vertex2"))
    return None if edges is None else _whole(edges)


def _uv(
    vertex: Element, face: Element | None, sizes: Numbers, corners: Numbers
) -> tuple[Array | None, Numbers | None]:
    """A table with v down, and the row of each corner. MeshLab writes them with the faces, others with the vertices."""
    if face is not None and "texcoord" in face.lists and len(sizes) == face.rows:
        lengths, values = face.lists["texcoord"]
        full = lengths == 2 * sizes
        if full.any():
            starts = (np.cumsum(lengths) - lengths) // 2
            inside = np.arange(len(corners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            rows = np.where(np.repeat(full, sizes), np.repeat(starts, sizes) + inside, -1)
            if (lengths % 2 == 0).all():
                return _down(values.astype(np.float64).reshape(-1, 2)), rows
    for names in UV:
        table = _together(vertex, names)
        if table is not None:
            return _down(table), corners
    return None, None


def _down(uv: Array) -> Array:
    return np.nan_to_num(uv * (1.0, -1.0) + (0.0, 1.0), nan=0.0, posinf=0.0, neginf=0.0)


def _colours(vertex: Element) -> Array | None:
    types = {each.name: each.type for each in vertex.properties}
    for names in COLOUR_PROPERTIES:
        table = _together(vertex, names)
        if table is not None:
            return to_linear(table / FULL_BRIGHTNESS.get(types[names[0]], 1.0))
    return None


def _textures(path: Path, ply: Ply, surface: Surface) -> None:
    """Pictures that MeshLab names in comments; `texnumber` says which one a face has."""
    names = [line.split(None, 1)[1] for line in ply.comments if line.lower().startswith("texturefile ")][:64]
    images: list[Image] = []
    materials = []
    for name in names:
        found = picture_beside(path, name)
        if isinstance(found, str):
            surface.notes.append(found)
            materials.append(Material(Path(name).stem or "picture"))
        else:
            materials.append(Material(found.name, colour=(1.0, 1.0, 1.0, 1.0), image=len(images)))
            images.append(found)
    if not materials:
        return
    surface.images, surface.materials = tuple(images), tuple(materials)
    surface.kinds = [Tag(material=place) for place in range(len(materials))]
    face = ply.elements.get("face")
    if face is not None and "texnumber" in face.columns and face.rows == len(surface.sizes):
        surface.tags = np.clip(_whole(face.columns["texnumber"]), 0, len(materials) - 1)
