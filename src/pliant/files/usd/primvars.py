"""Values on a mesh (texture coordinates, normals, colours), however they are spread, as one row for each corner."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import UsdGeom

from pliant.files.usd.notes import Notes
from pliant.files.usd.stage import at_rest

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

# Primvars of these names are texture coordinates even where their type does not say so.
COORDINATES = ("st", "UVMap", "uv", "st0", "map1")

VECTOR = re.compile("GfVec([234])[fdh]")


def spread(values: Array, interpolation: str, sizes: Numbers, corners: Numbers, points: int) -> Array | None:
    """One row for each corner (C, k), or None if the values are too few or too many.

    >>> rows = np.array([[1.0], [2.0]])
    >>> spread(rows, "uniform", np.array([3, 4]), np.arange(7), 7).ravel().tolist()
    [1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]
    >>> spread(rows, "vertex", np.array([3]), np.array([0, 1, 2]), 3) is None
    True
    """
    if interpolation == UsdGeom.Tokens.constant and len(values) == 1:
        return np.repeat(values, len(corners), axis=0)
    if interpolation == UsdGeom.Tokens.uniform and len(values) == len(sizes):
        return np.repeat(values, sizes, axis=0)
    if interpolation in (UsdGeom.Tokens.vertex, UsdGeom.Tokens.varying) and len(values) == points:
        return values[corners]
    if interpolation == UsdGeom.Tokens.faceVarying and len(values) == len(corners):
        return values
    return None


class Values:
    """The primvars of a mesh with faces of `sizes` (F,) corners (C,) between `points` points."""

    def __init__(self, prim: Any, time: Any, sizes: Numbers, corners: Numbers, points: int, notes: Notes) -> None:
        self._prim, self._time, self._notes = prim, time, notes
        self._mesh = sizes, corners, points
        self._primvars = UsdGeom.PrimvarsAPI(prim)

    def coordinates(self, wanted: list[str]) -> Array | None:
        """Texture coordinates (C, 2), v up: those that the materials ask for, or else the likeliest."""
        typed = [
            primvar.GetPrimvarName()
            for primvar in self._primvars.GetPrimvarsWithValues()
            if primvar.GetTypeName().role == "TextureCoordinate"
        ]
        for name in dict.fromkeys([*wanted, *COORDINATES, *typed]):
            primvar = self._primvars.FindPrimvarWithInheritance(name)
            if primvar and primvar.HasValue() and _columns(primvar.GetTypeName()) in (2, 3):
                found = self._rows(primvar)
                if found is not None:
                    return found[:, :2]
        return None

    def colours(self, name: str) -> tuple[Array, bool] | None:
        """Colours (C, 3), and whether they are all one."""
        primvar = self._primvars.FindPrimvarWithInheritance(name)
        if not primvar or not primvar.HasValue() or _columns(primvar.GetTypeName()) not in (3, 4):
            return None
        found = self._rows(primvar)
        if found is None:
            return None
        one = primvar.GetInterpolation() == UsdGeom.Tokens.constant
        return np.clip(np.nan_to_num(found[:, :3]), 0.0, 1.0), one

    def normals(self) -> Array | None:
        """Normals (C, 3), of any length. What is in the primvar goes before what is in the attribute."""
        primvar = self._primvars.GetPrimvar(UsdGeom.Tokens.normals)
        if primvar and primvar.HasValue():
            return self._rows(primvar)
        mesh = UsdGeom.PointBased(self._prim)
        given = at_rest(mesh.GetNormalsAttr(), self._time)
        if given is None or len(given) == 0:
            return None
        return self._fit(np.array(given, dtype=np.float64), mesh.GetNormalsInterpolation(), "normals")

    def _rows(self, primvar: Any) -> Array | None:
        given = primvar.ComputeFlattened(self._time)
        if given is None:
            self._notes.add(f"{primvar.GetPrimvarName()} cannot be read and is left out", self._prim.GetName())
            return None
        values = np.array(given, dtype=np.float64)
        values = values.reshape(-1, _columns(primvar.GetTypeName()))
        return self._fit(values, primvar.GetInterpolation(), primvar.GetPrimvarName())

    def _fit(self, values: Array, interpolation: str, name: str) -> Array | None:
        found = spread(values, interpolation, *self._mesh)
        if found is None:
            self._notes.add(
                f"{name} do not fit the mesh ({len(values):,} values, {interpolation}) and are left out",
                self._prim.GetName(),
            )
        return found


def _columns(kind: Any) -> int:
    """How many numbers a value of a type has; 0 where it is no row of floats."""
    vector = VECTOR.fullmatch(str(kind.scalarType.type.typeName))
    return int(vector[1]) if vector else 0
