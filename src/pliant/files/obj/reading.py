"""Reading OBJ: points, faces with any number of corners, groups, materials."""

from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.files import limits
from pliant.files.asset import Asset
from pliant.files.colour import to_linear
from pliant.files.numbering import Numbering, no_edges, outlines
from pliant.files.obj.parsing import Parser
from pliant.files.surface import Surface, Tag, asset_of, check_points

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


def read(path: Path, sample: Sequence[float] = ()) -> Asset:
    return read_numbered(path)[0]


def read_numbered(path: Path) -> tuple[Asset, Numbering]:
    """The surface, or its polylines if it has no faces. Colours behind the positions are taken for sRGB, as Blender
    and MeshLab write them."""
    return asset_of(path, _surface(Parser(path)))


def read_numbering(path: Path) -> Numbering:
    """Points and edges only: what a file that gives a pose is needed for."""
    file = Parser(path)
    positions = _table(file.positions, 3)
    check_points(path, positions, file.point_at)
    corners, sizes = _numbers(file.corner_points)[_numbers(file.faces)], _numbers(file.sizes)
    sound = len(corners) and corners.max() < len(positions)
    edges = (lambda: outlines(sizes, corners)) if sound else no_edges
    return Numbering(positions, np.arange(len(positions)), edges)


def _surface(file: Parser) -> Surface:
    limits.check(file.path, "faces", len(file.sizes), limits.MOST_ELEMENTS)
    faces, positions = _numbers(file.faces), _table(file.positions, 3)
    uv, normals = _table(file.uv, 2), _table(file.normals, 3)
    uv_rows, normal_rows = (_numbers(rows)[faces] for rows in (file.corner_uv, file.corner_normals))
    _check_rows(file, uv_rows, len(uv), "uv")
    _check_rows(file, normal_rows, len(normals), "normal")
    kinds = [
        Tag(
            part=name or " ".join(groups),
            material=file.library.place_of(material),
            groups=tuple(dict.fromkeys([name, *groups] if name else groups)),
        )
        for name, groups, material in file.tag_places
    ]
    return Surface(
        positions=positions,
        sizes=_numbers(file.sizes),
        corners=_numbers(file.corner_points)[faces],
        uv=np.nan_to_num(uv, nan=0.0, posinf=0.0, neginf=0.0),
        corner_uv=uv_rows,
        normals=normals,
        corner_normals=normal_rows,
        colours=_colours(file, len(positions)),
        segments=np.array(file.segments, np.int64).reshape(-1, 2),
        tags=_numbers(file.tags),
        kinds=kinds,
        materials=tuple(file.library.materials),
        images=tuple(file.library.images),
        notes=[*file.library.notes, *file.notes],
        point_at=file.point_at,
        face_at=lambda face: f"line {file.face_lines[face]}",
    )


def _table(values: "array[float]", columns: int) -> Array:
    return np.array(values, np.float64).reshape(-1, columns)


def _numbers(values: "array[int]") -> Numbers:
    return np.array(values, np.int64)


def _check_rows(file: Parser, rows: Numbers, count: int, what: str) -> None:
    wrong = np.flatnonzero(rows >= count)
    if len(wrong):
        face = int(np.searchsorted(np.cumsum(_numbers(file.sizes)), wrong[0], side="right"))
        file.number = file.face_lines[face]
        raise file.error(f"a face names {what} {rows[wrong[0]] + 1:,}, there are {count:,}")


def _colours(file: Parser, count: int) -> Array | None:
    """White where a line has none; bytes where a number is above 1."""
    if not file.colours:
        return None
    table = np.ones((count, 3))
    rows = np.array(list(file.colours.values()))
    table[list(file.colours)] = to_linear(rows / 255 if rows.max() > 1.0 else rows)
    return table
