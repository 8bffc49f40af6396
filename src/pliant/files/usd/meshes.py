"""A mesh of a stage as arrays: faces, and what lies on their corners."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import UsdGeom, UsdShade

from pliant.files.limits import MOST_ELEMENTS, MOST_VERTICES, check
from pliant.files.usd.materials import Paints
from pliant.files.usd.notes import Notes
from pliant.files.usd.primvars import Values
from pliant.files.usd.stage import at_rest
from pliant.geometry.normals import unit
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(eq=False)
class PolygonMesh:
    """points (P, 3) in the mesh's own space; sizes (F,) and corners (C,) of its faces, counter-clockwise from outside.
    uv (C, 2), v down, colours (C, 3), linear, normals (C, 3): or None. parts: a name and a material for faces of each
    number in part (F,). groups: name -> points."""

    points: Array
    sizes: Numbers
    corners: Numbers
    uv: Array | None = None
    colours: Array | None = None
    normals: Array | None = None
    part: Numbers = field(default_factory=lambda: np.zeros(0, np.int64))
    parts: list[tuple[str, int | None]] = field(default_factory=list)
    groups: dict[str, NDArray[np.intp]] = field(default_factory=dict)


def sheet(path: Path, prim: Any, time: Any, paints: Paints, notes: Notes) -> PolygonMesh | None:
    """The faces of a UsdGeomMesh and how they are painted; None if it has none."""
    mesh = UsdGeom.Mesh(prim)
    points = points_of(path, prim, time)
    sizes, corners = (
        numbers_of(each, time) for each in (mesh.GetFaceVertexCountsAttr(), mesh.GetFaceVertexIndicesAttr())
    )
    _check_faces(path, prim, points, sizes, corners)
    if len(sizes) == 0:
        notes.add("meshes without faces, left out", prim.GetName())
        return None
    found = PolygonMesh(points, sizes, corners)
    _paint(found, prim, time, paints)
    smooth = mesh.GetSubdivisionSchemeAttr().Get()
    if smooth and smooth != UsdGeom.Tokens.none:
        notes.add("subdivision surfaces, taken as their cages", prim.GetName())
    values = Values(prim, time, sizes, corners, len(points), notes)
    used = [paints.paints[number] for _, number in found.parts if number is not None]
    uv = values.coordinates([paint.coordinates for paint in used if paint.coordinates])
    if uv is not None:
        found.uv = _laid(uv, found, paints)
    _colour(found, prim, values, paints, notes)
    if not smooth or smooth == UsdGeom.Tokens.none:  # on subdivision surfaces normals mean nothing, says USD
        normals = values.normals()
        if normals is not None:
            found.normals = _mended(normals, found)
    if mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded:
        found = turned_round(found)
    return _without_holes(found, numbers_of(mesh.GetHoleIndicesAttr(), time), prim, notes)


def points_of(path: Path, prim: Any, time: Any) -> Array:
    """The points (P, 3) of a prim at rest."""
    given = at_rest(UsdGeom.PointBased(prim).GetPointsAttr(), time)
    check(path, "vertices", 0 if given is None else len(given), MOST_VERTICES)
    return np.array([] if given is None else given, dtype=np.float64).reshape(-1, 3)


def numbers_of(attribute: Any, time: Any) -> Numbers:
    """The whole numbers of an attribute at rest, none if it has no value."""
    given = at_rest(attribute, time)
    return np.array([] if given is None else given, dtype=np.int64).ravel()


def turned_round(found: PolygonMesh) -> PolygonMesh:
    """The same, every face to be seen from its other side."""
    ends = np.cumsum(found.sizes)
    return _picked(found, np.repeat(2 * ends - found.sizes - 1, found.sizes) - np.arange(len(found.corners)))


def _picked(found: PolygonMesh, which: NDArray[Any]) -> PolygonMesh:
    """The same with its corners, and what lies on them, in another order or fewer."""
    rows = {what: getattr(found, what) for what in ("corners", "uv", "colours", "normals")}
    return replace(found, **{what: each[which] for what, each in rows.items() if each is not None})


def smooth_normals(points: Array, sizes: Numbers, corners: Numbers) -> Array:
    """Normals (C, 3) of the corners: the mean of the faces round their points, weighted by area."""
    sizes = sizes[sizes > 0]
    starts = np.cumsum(sizes) - sizes
    after = np.arange(1, len(corners) + 1)
    after[starts + sizes - 1] = starts
    centre = np.repeat(points[corners[starts]], sizes, axis=0)
    here = points[corners] - centre
    doubled = np.repeat(np.add.reduceat(np.cross(here, here[after]), starts, axis=0), sizes, axis=0)
    total = [np.bincount(corners, doubled[:, k], minlength=len(points)) for k in range(3)]
    return unit(np.stack(total, axis=1))[corners]


def _check_faces(path: Path, prim: Any, points: Array, sizes: Numbers, corners: Numbers) -> None:
    check(path, "faces", len(sizes), MOST_ELEMENTS)
    check(path, "corners of faces", len(corners), MOST_ELEMENTS)
    where = f'{path}: mesh "{prim.GetPath()}"'
    if (sizes < 0).any() or int(sizes.sum()) != len(corners):
        raise FileError(
            f"{where}: its faces should have {int(sizes.sum()):,} corners and have {len(corners):,}; export it again"
        )
    if len(corners) and not 0 <= corners.min() <= corners.max() < len(points):
        worst = corners.min() if corners.min() < 0 else corners.max()
        raise FileError(f"{where}: a face names point {worst:,}, there are {len(points):,}; export it again")


def _paint(found: PolygonMesh, prim: Any, time: Any, paints: Paints) -> None:
    """Parts by material: those that subsets bind, and the rest of the mesh. Every subset is a group too."""
    faces = len(found.sizes)
    two_sided = bool(UsdGeom.Gprim(prim).GetDoubleSidedAttr().Get())

    def bound(of: Any) -> int | None:
        material = UsdShade.MaterialBindingAPI(of).ComputeBoundMaterial(UsdShade.Tokens.preview)[0]
        return paints.number(material, two_sided) if material else None

    found.part = np.zeros(faces, np.int64)
    own = (prim.GetDisplayName() or prim.GetName(), bound(prim))
    found.parts = [own]
    face = np.repeat(np.arange(faces), found.sizes)
    for subset in UsdGeom.Subset.GetAllGeomSubsets(UsdGeom.Imageable(prim)):
        which = numbers_of(subset.GetIndicesAttr(), time)
        name = subset.GetPrim().GetDisplayName() or subset.GetPrim().GetName()
        kind = subset.GetElementTypeAttr().Get()
        if kind == UsdGeom.Tokens.point:
            found.groups[name] = np.unique(which[(which >= 0) & (which < len(found.points))])
        if kind != UsdGeom.Tokens.face:
            continue
        which = which[(which >= 0) & (which < faces)]
        inside = np.zeros(faces, bool)
        inside[which] = True
        found.groups[name] = np.unique(found.corners[inside[face]])
        if subset.GetFamilyNameAttr().Get() == UsdShade.Tokens.materialBind:
            found.part[which] = len(found.parts)
            found.parts.append((name, bound(subset.GetPrim())))


def _laid(uv: Array, found: PolygonMesh, paints: Paints) -> Array:
    """Coordinates (C, 2), v down, as the materials lay them."""
    part = np.repeat(found.part, found.sizes)
    for number, (_, material) in enumerate(found.parts):
        here = part == number
        if material is not None and here.any():
            uv[here] = paints.paints[material].laying(uv[here])
    return np.stack([uv[:, 0], 1.0 - uv[:, 1]], axis=1)


def _colour(found: PolygonMesh, prim: Any, values: Values, paints: Paints, notes: Notes) -> None:
    """What displayColor says, unless a material covers it: one colour makes a material, several are kept."""
    used = [found.parts[part][1] for part in np.unique(found.part)]
    materials = [paints.paints[number] for number in used if number is not None]
    read = next((paint.colours for paint in materials if paint.colours), "")
    colours = values.colours(read or "displayColor")
    if colours is None:
        return
    rows, one = colours
    if read:
        found.colours = rows
    elif one and len(rows):
        two_sided = bool(UsdGeom.Gprim(prim).GetDoubleSidedAttr().Get())
        plain = paints.plain(f"{prim.GetName()} colour", rows[0], two_sided)
        found.parts = [(name, plain if number is None else number) for name, number in found.parts]
    elif None in used:
        found.colours = rows
    else:
        notes.add("vertex colours that a material covers, left out", prim.GetName())


def _mended(normals: Array, found: PolygonMesh) -> Array:
    """Unit normals; where a file gives none of any direction, smooth ones. Rounded, so that noise in the last digits
    does not split a vertex."""
    lengths = np.linalg.norm(normals, axis=1)
    lost = ~(np.isfinite(lengths) & (lengths > 1e-9))
    if lost.any():
        normals = np.where(lost[:, None], smooth_normals(found.points, found.sizes, found.corners), normals)
    return np.round(unit(normals), 3) + 0.0


def _without_holes(found: PolygonMesh, holes: Numbers, prim: Any, notes: Notes) -> PolygonMesh:
    holes = holes[(holes >= 0) & (holes < len(found.sizes))]
    if len(holes) == 0:
        return found
    notes.add("faces that are holes, left out", prim.GetName())
    keep = np.ones(len(found.sizes), bool)
    keep[holes] = False
    left = _picked(found, np.repeat(keep, found.sizes))
    return replace(left, sizes=found.sizes[keep], part=found.part[keep])
