"""A USD stage as an asset: all its meshes in place, blend shapes as poses."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pxr import Tf, Usd, UsdGeom

from pliant.files.asset import Asset
from pliant.files.limits import MOST_ELEMENTS, MOST_POSES, MOST_VERTICES, check
from pliant.files.usd.blend_shapes import blend_shapes
from pliant.files.usd.elements import curves_of, tets_of
from pliant.files.usd.notes import Notes
from pliant.files.usd.pieces import OpenedStage, StageSurface
from pliant.files.usd.skeletons import Skeletons
from pliant.files.usd.stage import TimeSample, broken, bytes_of, check_units, moved, open_stage, placements, start
from pliant.files.usd.surface import surface_asset
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]

MOST_PLACES = 100_000_000  # points times poses: 2.4 GB
TAKEN_KINDS = ("tets", "meshes", "curves")  # of several, the first is taken


def read_stage(path: Path, sample: Sequence[float] = (), allow: Callable[[int], None] | None = None) -> Asset:
    """What a stage shows. `allow` is told how many bytes of files it is made of."""
    wrong = [time for time in sample if not math.isfinite(time)]
    if wrong:
        raise FileError(f"{path}: the animation cannot be sampled at {wrong[0]} s; give times in seconds")
    try:
        return _read(path, sample, allow)
    except Tf.ErrorException as error:
        raise broken(path, error) from None


def _read(path: Path, sample: Sequence[float], allow: Callable[[int], None] | None) -> Asset:
    stage = open_stage(path)
    if allow is not None:
        allow(bytes_of(stage))
    notes = Notes()
    check_units(path, stage, notes)
    if stage.GetCompositionErrors():
        notes.add(f"{len(stage.GetCompositionErrors())} references to other files or prims lead nowhere")
    rest = TimeSample(stage, start(stage))
    opened = OpenedStage(path, stage, placements(path, stage, rest.time, notes), rest, Skeletons(stage), notes)
    found = _by_kind(opened)
    kind = next((each for each in TAKEN_KINDS if found[each]), None)
    if kind is None:
        raise FileError(f"{path}: there is no mesh to be seen in it; export it with the meshes selected and visible")
    for other in TAKEN_KINDS:
        if other != kind and found[other]:
            notes.add(f"left out, because there are {kind}: {len(found[other])} {other}")
    if kind == "meshes":
        asset, pieces, origin = surface_asset(opened, found[kind])
    else:
        asset, pieces, origin = _elements_asset(opened, found[kind], kind)
    span = _tell_times(opened, pieces, sample)
    poses = _poses(opened, pieces, origin, asset.vertices, sample)
    return replace(asset, poses=poses, span=span, notes=(*notes.lines(), *asset.notes))


def _by_kind(opened: OpenedStage) -> dict[str, list[int]]:
    """The places of what is shown, by what is made of it."""
    found: dict[str, list[int]] = {kind: [] for kind in TAKEN_KINDS}
    for place, placed in enumerate(opened.shown):
        prim = placed.prim
        if prim.IsA(UsdGeom.TetMesh):
            found["tets"].append(place)
        elif prim.IsA(UsdGeom.Mesh):
            found["meshes"].append(place)
        elif prim.IsA(UsdGeom.BasisCurves):
            found["curves"].append(place)
        else:
            opened.notes.add(f"{prim.GetTypeName()} prims, which are no meshes, left out", placed.name)
    return found


def _elements_asset(
    opened: OpenedStage, places: list[int], kind: str
) -> tuple[Asset, list[StageSurface], NDArray[np.intp]]:
    """An asset of tets or segments, its pieces, and the drawn points that are its vertices."""
    pieces: list[StageSurface] = []
    elements = []
    total = 0
    for place in places:
        prim, path, time = opened.shown[place].prim, opened.path, opened.rest.time
        if kind == "tets":
            points, corners = tets_of(path, prim, time)
            piece = opened.piece(place, points)
            drawn = len(points)
            corners = _outwards(moved(points, piece.frame), corners)
        else:
            points, along, corners = curves_of(path, prim, time)
            drawn = along.shape[0]
            piece = opened.piece(place, points, along.__matmul__)
        check(path, "vertices", total + drawn, MOST_VERTICES)
        pieces.append(piece)
        elements.append(corners + total)
        total += drawn
    origin, renumbered = np.unique(np.concatenate(elements), return_inverse=True)
    made = renumbered.reshape(-1, 4 if kind == "tets" else 2).astype(np.int32)
    check(opened.path, kind, len(made), MOST_ELEMENTS)
    if len(made) == 0:
        raise FileError(f"{opened.path}: its {kind} are empty; export it again")
    if len(origin) < total:
        opened.notes.add(f"{total - len(origin):,} of {total:,} points belong to none of the {kind} and were left out")
    asset = Asset(
        name=opened.path.stem,
        source=opened.path,
        vertices=_together(piece.put() for piece in pieces)[origin],
        faces=np.zeros((0, 3), np.int32),
        tets=made if kind == "tets" else None,
        segments=made if kind == "curves" else None,
    )
    return asset, pieces, origin


def _outwards(points: Array, tets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Tets (T, 4) of positive volume, whatever the hand of the file."""
    a, b, c, d = (points[tets[:, k]] for k in range(4))
    inside_out = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) < 0
    return np.where(inside_out[:, None], tets[:, [0, 2, 1, 3]], tets)


def _poses(
    opened: OpenedStage, pieces: list[StageSurface], origin: NDArray[np.intp], rest: Array, sample: Sequence[float]
) -> dict[str, Array]:
    """Blend shapes by name, meshes that have none of that name at rest; then the moments."""
    known: dict[str, dict[str, Array]] = {}  # instances share their blend shapes
    shapes = []
    for piece in pieces:
        key = str(piece.placed.prim.GetPath())
        if key not in known:
            known[key] = blend_shapes(piece.placed.prim, piece.points, opened.notes)
        shapes.append(known[key])
    names = list(dict.fromkeys(name for each in shapes for name in each))
    check(opened.path, "poses", len(names) + len(sample), MOST_POSES)
    check(opened.path, "positions in all poses", len(rest) * (1 + len(names) + len(sample)), MOST_PLACES)
    poses = {}
    for name in names:
        found = _together(piece.put(each.get(name)) for piece, each in zip(pieces, shapes, strict=True))[origin]
        if np.isfinite(found).all():
            poses[name] = found
        else:
            opened.notes.add("poses with positions that are no numbers, left out", name)
    for seconds in sample:
        poses[f"at {seconds:g} s"] = _at(opened, pieces, seconds)[origin]
    return poses


def _tell_times(opened: OpenedStage, pieces: list[StageSurface], sample: Sequence[float]) -> tuple[float, float] | None:
    """From when to when (s) it moves. Notes what the times mean for this file, or that there are moments to be had."""
    times = {time for piece in pieces for time in piece.times() if math.isfinite(time)}
    codes = opened.stage.GetTimeCodesPerSecond()
    if len(times) < 2:
        if len(sample):
            raise FileError(f"{opened.path}: nothing in it moves over time; leave out the times to sample")
        return None
    first, last = min(times) / codes, max(times) / codes
    if not len(sample):
        opened.notes.add(f"it moves from {first:g} s to {last:g} s: give times to sample to take poses from it")
    elif max(sample) > last + 1e-6 or min(sample) < first - 1e-6:
        opened.notes.add(f"it moves from {first:g} s to {last:g} s; other times show its first or last moment")
    return first, last


def _at(opened: OpenedStage, pieces: list[StageSurface], seconds: float) -> Array:
    """All drawn points at a time."""
    moment = TimeSample(opened.stage, Usd.TimeCode(seconds * opened.stage.GetTimeCodesPerSecond()))
    shown = opened.shown
    if any(placed.root is not None for placed in shown):  # instancers may move what they show
        shown = placements(opened.path, opened.stage, moment.time, Notes())
        if len(shown) != len(opened.shown):
            raise FileError(f"{opened.path}: it shows other meshes at {seconds:g} s than at rest; sample other times")
    return _together(piece.at(opened.path, shown[piece.place], moment, seconds) for piece in pieces)


def _together(rows: Iterable[Array]) -> Array:
    return np.concatenate(list(rows))
