"""From the points and faces that a file lists to an asset: cut into triangles, split where uv and normals jump."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.body.look import Image, Look, Material, Part
from pliant.files import limits
from pliant.files.asset import Asset
from pliant.files.numbering import Numbering, first_of_equal_rows, following, of_elements, outlines
from pliant.files.polygons import TooManyCorners, triangulate
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

MOST_PARTS = 256


@dataclass(frozen=True)
class Tag:
    """What faces have in common: the name of their part, the place of their material, and their groups."""

    part: str = ""
    material: int | None = None
    groups: tuple[str, ...] = ()


@dataclass(eq=False)
class Surface:
    """positions (P, 3); sizes (F,) and corners (C,): faces with any number of corners. uv (U, 2), v down, normals
    (W, 3): tables, of which corner_uv and corner_normals (C,) name rows, -1 for none. colours (P, 3), linear. segments
    (S, 2). tags (F,): places in `kinds`. `point_at` and `face_at` say in words where in the file something stands."""

    positions: Array
    sizes: Numbers
    corners: Numbers
    uv: Array | None = None
    corner_uv: Numbers | None = None
    normals: Array | None = None
    corner_normals: Numbers | None = None
    colours: Array | None = None
    segments: Numbers | None = None
    tags: Numbers | None = None
    kinds: list[Tag] = field(default_factory=lambda: [Tag()])
    materials: tuple[Material, ...] = ()
    images: tuple[Image, ...] = ()
    notes: list[str] = field(default_factory=list)
    point_at: Callable[[int], str] = field(default="vertex {}".format)
    face_at: Callable[[int], str] = field(default="face {}".format)


def asset_of(path: Path, surface: Surface) -> tuple[Asset, Numbering]:
    """The asset, and how its vertices are numbered in the file."""
    check_points(path, surface.positions, surface.point_at)
    _check_faces(path, surface)
    sizes, corners, kept, face = _without_repeats(surface)
    try:
        triangles, cut_from = triangulate(surface.positions, sizes, corners)
    except TooManyCorners as error:
        where = surface.face_at(int(face[error.face]))
        raise FileError(
            f"{path}: {where}: a face has {error.corners:,} corners and is hollow; triangulate it before exporting"
        ) from None
    if len(triangles) == 0:
        return _wire(path, surface)
    drawn, origin, uv_row, normal_row = _split(surface, corners, kept)
    faces, look, groups = _painted(path.stem, surface, drawn[triangles], face[cut_from])
    loose = len(surface.positions) - len(np.unique(origin))
    if loose:
        surface.notes.append(f"{loose:,} of {len(surface.positions):,} vertices belong to no face and were left out")
    if surface.segments is not None and len(surface.segments):
        surface.notes.append(f"{len(surface.segments):,} loose edges were left out; only faces are used")
    asset = Asset(
        name=path.stem,
        source=path,
        vertices=surface.positions[origin],
        faces=faces.astype(np.int32),
        groups=groups,
        uv=_rows(surface.uv, uv_row),
        normals=_unit(_rows(surface.normals, normal_row)),
        colours=None if surface.colours is None else surface.colours[origin],
        look=look,
        notes=tuple(surface.notes),
    )
    return asset, Numbering(surface.positions, origin, lambda: outlines(surface.sizes, surface.corners))


def check_points(path: Path, positions: Array, where: Callable[[int], str] = "vertex {}".format) -> None:
    """That there are not too many, and that all are places."""
    limits.check(path, "vertices", len(positions), limits.MOST_VERTICES)
    wrong = np.flatnonzero(~np.isfinite(positions).all(axis=1))
    if len(wrong):
        row = ", ".join(f"{x:g}" for x in positions[wrong[0]])
        raise FileError(f"{path}: {where(int(wrong[0]))}: the position is ({row}); every number must be finite")


def _check_faces(path: Path, surface: Surface) -> None:
    limits.check(path, "faces", len(surface.sizes), limits.MOST_ELEMENTS)
    count = len(surface.positions)
    wrong = np.flatnonzero((surface.corners < 0) | (surface.corners >= count))
    if len(wrong):
        face = int(np.searchsorted(np.cumsum(surface.sizes), wrong[0], side="right"))
        _out_of_range(path, f"{surface.face_at(face)}: a face", int(surface.corners[wrong[0]]), count)
    if surface.segments is not None and len(surface.segments):
        limits.check(path, "edges", len(surface.segments), limits.MOST_ELEMENTS)
        bad = surface.segments[(surface.segments < 0) | (surface.segments >= count)]
        if len(bad):
            _out_of_range(path, "an edge", int(bad[0]), count)


def _out_of_range(path: Path, what: str, number: int, count: int) -> None:
    raise FileError(
        f"{path}: {what} names vertex {number + 1:,}, counted from 1; there are {count:,}; export the file again"
    )


def _without_repeats(surface: Surface) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Sizes (F,) and corners (C,) of the faces that are left when corners that repeat their neighbour are dropped, and
    faces with fewer than three; and the former places of these corners and faces."""
    sizes, corners = surface.sizes, surface.corners
    keep = corners != corners[following(sizes)] if len(corners) else np.zeros(0, bool)
    face = np.repeat(np.arange(len(sizes)), sizes)
    left = np.bincount(face[keep], minlength=len(sizes))
    keep &= (left >= 3)[face]
    lost = int((left < 3).sum())
    if lost:
        surface.notes.append(f"{lost:,} faces with fewer than three different corners were left out")
    return left[left >= 3], corners[keep], np.flatnonzero(keep), np.flatnonzero(left >= 3)


def _wire(path: Path, surface: Surface) -> tuple[Asset, Numbering]:
    """An asset of segments, where there are no faces."""
    segments = surface.segments
    if segments is None or not (segments[:, 0] != segments[:, 1]).any():
        raise FileError(f"{path}: there is no face in it; export a mesh with faces")
    segments = segments[segments[:, 0] != segments[:, 1]]
    origin, ends = np.unique(segments, return_inverse=True)
    asset = Asset(
        name=path.stem,
        source=path,
        vertices=surface.positions[origin],
        faces=np.zeros((0, 3), np.int32),
        segments=ends.reshape(-1, 2).astype(np.int32),
        notes=tuple(surface.notes),
    )
    return asset, Numbering(surface.positions, origin, lambda: of_elements(segments))


def _split(
    surface: Surface, corners: Numbers, kept: Numbers
) -> tuple[Numbers, Numbers, Numbers | None, Numbers | None]:
    """The drawn vertex (C,) of each corner, and for each drawn vertex its point, its row of uv and its row of normals.

    A point stands there once for each different pair of uv and normal round it. Vertices are in the order of their
    points, so that those who weld them again find the points as the file listed them.
    """
    uv_row = _canonical(surface.uv, surface.corner_uv, kept, gaps=True)
    normal_row = _canonical(surface.normals, surface.corner_normals, kept, gaps=False)
    pairs = np.zeros(len(corners), np.int64)
    for row in (uv_row, normal_row):
        if row is not None:
            _, pairs = np.unique(pairs * (row.max(initial=0) + 2) + row + 1, return_inverse=True)
    _, first, drawn = np.unique(
        corners * (pairs.max(initial=0) + 1) + pairs, return_index=True, return_inverse=True
    )
    return (
        drawn,
        corners[first],
        None if uv_row is None else uv_row[first],
        None if normal_row is None else normal_row[first],
    )


def _canonical(table: Array | None, rows: Numbers | None, kept: Numbers, gaps: bool) -> Numbers | None:
    """Rows of a table by what is in them, so that a value that is listed twice does not split a vertex."""
    if table is None or rows is None or len(table) == 0:
        return None
    rows = rows[kept]
    none = rows < 0
    if none.all() or (none.any() and not gaps):
        return None
    return np.where(none, -1, first_of_equal_rows(table)[np.maximum(rows, 0)])


def _rows(table: Array | None, rows: Numbers | None) -> Array | None:
    if table is None or rows is None:
        return None
    return np.where((rows < 0)[:, None], 0.0, table[np.maximum(rows, 0)])


def _unit(normals: Array | None) -> Array | None:
    """Unit normals, or none if one of them has no direction."""
    if normals is None:
        return None
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return normals / lengths if (np.isfinite(lengths) & (lengths > 1e-9)).all() else None


def _painted(
    name: str, surface: Surface, triangles: Numbers, face: Numbers
) -> tuple[Numbers, Look | None, dict[str, NDArray[np.int32]]]:
    """The triangles sorted by part, how they are painted, and the vertices of each group."""
    tags = np.zeros(len(triangles), np.int64) if surface.tags is None else surface.tags[face]
    used = list(dict.fromkeys(tags.tolist()))  # in the order of their first face
    keys = [(surface.kinds[tag].part, surface.kinds[tag].material) for tag in used]
    if len(set(keys)) > MOST_PARTS:
        keys = [("", material) for _, material in keys]
    parts = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    rank = np.zeros(max(used) + 1, np.int64)
    rank[used] = [parts[key] for key in keys]
    order = np.argsort(rank[tags], kind="stable")
    ends = np.cumsum(np.bincount(rank[tags], minlength=len(parts)))
    spans = zip(parts, [0, *ends[:-1].tolist()], ends.tolist(), strict=True)
    look = None
    if len(parts) > 1 or surface.materials:
        named = tuple(Part(_part_name(part, m, surface, name), first, last, m) for (part, m), first, last in spans)
        look = Look(parts=named, materials=surface.materials, images=surface.images)
    return triangles[order], look, _groups(surface.kinds, triangles, tags)


def _part_name(part: str, material: int | None, surface: Surface, name: str) -> str:
    return part or (name if material is None else surface.materials[material].name)


def _groups(kinds: list[Tag], triangles: Numbers, tags: Numbers) -> dict[str, NDArray[np.int32]]:
    if not any(kind.groups for kind in kinds):
        return {}
    width = int(triangles.max()) + 1
    pairs = np.unique(np.repeat(tags, 3) * width + triangles.ravel())
    starts = np.searchsorted(pairs, np.arange(len(kinds) + 1) * width)
    members: dict[str, list[Numbers]] = {}
    for tag, kind in enumerate(kinds):
        inside = pairs[starts[tag] : starts[tag + 1]] % width
        for group in kind.groups:
            if len(inside):
                members.setdefault(group, []).append(inside)
    return {group: np.unique(np.concatenate(lists)).astype(np.int32) for group, lists in members.items()}
