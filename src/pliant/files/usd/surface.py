"""The meshes of a stage joined to one surface."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pliant.files.asset import Asset
from pliant.files.limits import MOST_ELEMENTS, MOST_VERTICES, check
from pliant.files.surface import Surface, Tag, asset_of
from pliant.files.usd.materials import Paints
from pliant.files.usd.meshes import PolygonMesh, sheet, smooth_normals, turned_round
from pliant.files.usd.pieces import OpenedStage, StageSurface
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Groups = dict[str, list[NDArray[np.intp]]]


def surface_asset(opened: OpenedStage, places: list[int]) -> tuple[Asset, list[StageSurface], NDArray[np.intp]]:
    """The asset, less its poses; its pieces; and the drawn points that are its vertices."""
    paints = Paints(opened.path, opened.notes)
    read: dict[str, PolygonMesh | None] = {}
    pieces, sheets, sources = [], [], []
    points = corners = 0
    for place in places:
        placed = opened.shown[place]
        key = str(placed.prim.GetPath())
        if key not in read:
            read[key] = sheet(opened.path, placed.prim, opened.rest.time, paints, opened.notes)
        found = read[key]
        if found is None:
            continue
        source, at = _split_by_colour(found)
        piece = opened.piece(place, found.points, _picker(source))
        turn = np.linalg.det(piece.frame[:3, :3])
        if not abs(turn) > 1e-30:
            opened.notes.add("scaled to nothing and left out", placed.name)
            continue
        pieces.append(piece)
        painted = replace(found, corners=at)
        sheets.append(turned_round(painted) if turn < 0 else painted)
        sources.append(source)
        points, corners = points + len(source), corners + len(at)
        check(opened.path, "vertices", points, MOST_VERTICES)
        check(opened.path, "corners of faces", corners, MOST_ELEMENTS)
    if not pieces:
        raise FileError(f"{opened.path}: its meshes have no faces; export a mesh with faces")
    surface = _joined(pieces, sheets, paints)
    asset, numbering = asset_of(opened.path, surface)
    groups = _groups(pieces, sheets, sources, paints, numbering.origin)
    return replace(asset, groups=groups), pieces, numbering.origin


def _picker(source: Numbers) -> Callable[[Array], Array]:
    return lambda points: points[source]


def _split_by_colour(found: PolygonMesh) -> tuple[Numbers, Numbers]:
    """The points (N,) that are taken, one for each colour that meets in them, and the corners (C,) between these."""
    if found.colours is None:
        return np.arange(len(found.points)), found.corners
    _, shade = np.unique(np.round(found.colours, 4), axis=0, return_inverse=True)
    shades = int(shade.max(initial=0)) + 1
    pairs, at = np.unique(found.corners * shades + shade.ravel(), return_inverse=True)
    return pairs // shades, at.ravel()


def _joined(pieces: list[StageSurface], sheets: list[PolygonMesh], paints: Paints) -> Surface:
    """All meshes as one surface, in metres."""
    counts = [len(piece.put()) for piece in pieces]
    firsts = np.cumsum([0, *counts])
    kinds: list[Tag] = []
    tags = []
    for each in sheets:
        tags.append(each.part + len(kinds))
        kinds += [Tag(name, number) for name, number in each.parts]
    shaded = any(each.normals is not None for each in sheets)
    coloured = any(each.colours is not None for each in sheets)
    uv, corner_uv = _table([each.uv for each in sheets], sheets)
    normals = [_turned(piece, each) for piece, each in zip(pieces, sheets, strict=True)] if shaded else None
    corners = [each.corners + first for each, first in zip(sheets, firsts, strict=False)]
    return Surface(
        positions=np.concatenate([piece.put() for piece in pieces]),
        sizes=np.concatenate([each.sizes for each in sheets]),
        corners=np.concatenate(corners),
        uv=uv,
        corner_uv=corner_uv,
        normals=None if normals is None else np.concatenate(normals),
        corner_normals=None if normals is None else np.arange(sum(map(len, normals))),
        colours=np.concatenate([_point_colours(each, n) for each, n in zip(sheets, counts, strict=True)])
        if coloured
        else None,
        tags=np.concatenate(tags),
        kinds=kinds,
        materials=tuple(paint.material for paint in paints.paints),
        images=tuple(paints.images),
        point_at=lambda point: _where(pieces, firsts, point),
    )


def _where(pieces: list[StageSurface], firsts: Numbers, point: int) -> str:
    number = int(np.searchsorted(firsts, point, side="right")) - 1
    return f'mesh "{pieces[number].placed.prim.GetPath()}", point {point - firsts[number]}'


def _table(rows: list[Array | None], sheets: list[PolygonMesh]) -> tuple[Array | None, Numbers | None]:
    """One table of all rows, and the row of each corner, -1 where its mesh has none."""
    given = [each for each in rows if each is not None]
    if not given:
        return None, None
    numbers, used = [], 0
    for each, found in zip(rows, sheets, strict=True):
        count = len(found.corners)
        numbers.append(np.full(count, -1) if each is None else np.arange(used, used + count))
        used += 0 if each is None else count
    return np.concatenate(given), np.concatenate(numbers)


def _turned(piece: StageSurface, found: PolygonMesh) -> Array:
    """Normals (C, 3) in place: normals turn with the cofactors of a matrix, which need no inverse."""
    normals = found.normals
    if normals is None:
        normals = smooth_normals(piece.draw(piece.points), found.sizes, found.corners)
        normals = normals * np.sign(np.linalg.det(piece.frame[:3, :3]))  # the corners are those of the mirrored mesh
    a, b, c = piece.frame[:3, :3]
    cofactors = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)])
    return normals @ cofactors * np.sign(np.linalg.det(piece.frame[:3, :3]))


def _point_colours(found: PolygonMesh, count: int) -> Array:
    """Colours (N, 3) of points that were split by colour; white where the mesh has none."""
    colours = np.ones((count, 3))
    if found.colours is not None:
        colours[found.corners] = found.colours
    return colours


def _groups(
    pieces: list[StageSurface],
    sheets: list[PolygonMesh],
    sources: list[Numbers],
    paints: Paints,
    origin: NDArray[np.intp],
) -> dict[str, NDArray[np.int32]]:
    """What a selection may name: subsets, joints, meshes and materials; of equal names the first kind."""
    kinds: tuple[Groups, Groups, Groups, Groups] = ({}, {}, {}, {})
    first = 0
    for piece, found, source in zip(pieces, sheets, sources, strict=True):
        for name, points in found.groups.items():
            kinds[0].setdefault(name, []).append(first + np.flatnonzero(np.isin(source, points)))
        held = piece.rig.held_by(len(piece.points)) if piece.rig is not None else {}
        for name, points in held.items():
            kinds[1].setdefault(name, []).append(first + np.flatnonzero(np.isin(source, points)))
        name = piece.placed.prim.GetDisplayName() or piece.placed.name
        kinds[2].setdefault(name, []).append(first + np.arange(len(source)))
        part = np.repeat(found.part, found.sizes)
        for number, (_, material) in enumerate(found.parts):
            if material is not None:
                inside = np.unique(found.corners[part == number])
                kinds[3].setdefault(paints.paints[material].material.name, []).append(first + inside)
        first += len(source)
    groups: dict[str, NDArray[np.int32]] = {}
    for kind in kinds:
        for name, lists in kind.items():
            chosen = np.zeros(first, bool)
            chosen[np.concatenate(lists)] = True
            members = np.flatnonzero(chosen[origin])
            if name not in groups and 0 < len(members) < len(origin):
                groups[name] = members.astype(np.int32)
    return groups
