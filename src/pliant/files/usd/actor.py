"""An actor of a take as a mesh in a stage."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Sdf, UsdGeom, UsdShade, Vt

from pliant.body.look import Look
from pliant.body.skin import Skin
from pliant.files.colour import to_linear
from pliant.files.drawn import is_thin
from pliant.files.take import Track
from pliant.files.usd.names import identifier
from pliant.files.usd.painting import Painter

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
Types = Sdf.ValueTypeNames


class UsdActor:
    """A mesh under construction: what stands still is written at once, the rest frame by frame.

    Vertices that stand in one place only because their texture coordinates jump are one point in the stage, with
    coordinates on the corners of its faces, as programs for modelling have it.
    """

    def __init__(self, stage: Any, root: str, taken: set[str], track: Track, painter: Painter) -> None:
        self._track = track
        name = identifier(track.name, taken, "actor")
        place = UsdGeom.Xform.Define(stage, f"{root}/{name}")
        place.GetPrim().SetDisplayName(track.name)
        mesh = UsdGeom.Mesh.Define(stage, f"{root}/{name}/{name}_skin")
        mesh.GetPrim().SetDisplayName(track.name)
        skin = track.body.skin
        self._points, number = welded(skin)
        corners = number[skin.faces.ravel()]
        mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        mesh.CreateFaceVertexCountsAttr(_ints(np.full(len(skin.faces), 3)))
        mesh.CreateFaceVertexIndicesAttr(_ints(corners))
        mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
        look = skin.look
        materials = look.materials if look is not None else ()
        mesh.CreateDoubleSidedAttr(is_thin(skin) or any(each.double_sided for each in materials))
        primvars = UsdGeom.PrimvarsAPI(mesh)
        if skin.uv is not None:
            flipped = np.stack([skin.uv[:, 0], 1.0 - skin.uv[:, 1]], axis=1)
            _corner_values(primvars, "st", Types.TexCoord2fArray, flipped[skin.faces.ravel()], corners)
        if skin.colours is not None:
            colours = to_linear(skin.colours[skin.faces.ravel()]) * _part_colours(skin)
            _corner_values(primvars, "displayColor", Types.Color3fArray, colours, corners)
        if look is not None:
            _bind(mesh, look, painter.materials(look, skin.colours is not None))
        self._mesh = mesh
        self._weights = self._weight_primvars(primvars)

    def write(self, frame: int) -> int:
        """Writes a frame, and says how many bytes it has."""
        skin = self._track.body.skin
        vertices = self._track.surface(frame)
        points = vertices[self._points].astype(np.float32)
        normals = skin.normals(vertices)[self._points].astype(np.float32)
        self._mesh.GetPointsAttr().Set(_vectors(points), frame)
        self._mesh.GetNormalsAttr().Set(_vectors(normals), frame)
        ends = np.stack([points.min(axis=0), points.max(axis=0)]) if len(points) else np.zeros((2, 3), np.float32)
        self._mesh.GetExtentAttr().Set(_vectors(ends), frame)
        weights = np.asarray(self._track.weights[frame], dtype=np.float32)
        self._weights[0].Set(_floats(weights.mean(axis=0)), frame)
        if len(self._weights) > 1:
            self._weights[1].Set(_floats(weights.ravel()), frame)
        return points.nbytes + normals.nbytes + weights.nbytes

    def _weight_primvars(self, primvars: Any) -> list[Any]:
        """`weights`: of the rest shape and each pose, `weightNames`. Of several groups it is the mean, and all of them
        follow one another in `groupWeights`, `groupNames`."""
        names = ["rest", *self._track.body.poses]
        groups = self._track.groups
        made = [self._constant(primvars, "weights", Types.FloatArray, len(names))]
        self._constant(primvars, "weightNames", Types.StringArray, len(names)).Set(Vt.StringArray(names))
        if len(groups) > 1:
            made.append(self._constant(primvars, "groupWeights", Types.FloatArray, len(names) * len(groups)))
            told = self._constant(primvars, "groupNames", Types.StringArray, len(groups))
            told.Set(Vt.StringArray([str(group) for group in groups]))
        return made

    @staticmethod
    def _constant(primvars: Any, name: str, kind: Any, size: int) -> Any:
        return primvars.CreatePrimvar(name, kind, UsdGeom.Tokens.constant, size)


def welded(skin: Skin) -> tuple[Numbers, Numbers]:
    """The vertices (P,) that are points of the mesh, and the point (N,) that each vertex is."""
    count = len(skin.vertices)
    if skin.twins is None:
        return np.arange(count), np.arange(count)
    first = skin.twins
    together = all(
        np.array_equal(rows, rows[first])
        for rows in (skin.vertices, skin.indices, skin.weights, skin.offsets, skin.axes)
    )
    if not together:  # then they may part ways
        return np.arange(count), np.arange(count)
    return np.unique(first, return_inverse=True)


def _corner_values(primvars: Any, name: str, kind: Any, values: Array, corners: Numbers) -> None:
    """A primvar from values on corners (C, k): on points where these agree, or else on corners, each value once."""
    rows = values.astype(np.float32)
    vectors = Vt.Vec2fArray if rows.shape[1] == 2 else Vt.Vec3fArray
    on_points = np.zeros((int(corners.max(initial=-1)) + 1, rows.shape[1]), np.float32)
    on_points[corners] = rows
    if np.array_equal(on_points[corners], rows):
        primvars.CreatePrimvar(name, kind, UsdGeom.Tokens.vertex).Set(vectors.FromNumpy(on_points))
        return
    distinct, which = np.unique(rows, axis=0, return_inverse=True)
    primvar = primvars.CreatePrimvar(name, kind, UsdGeom.Tokens.faceVarying)
    primvar.Set(vectors.FromNumpy(np.ascontiguousarray(distinct)))
    primvar.SetIndices(_ints(which.ravel()))


def _part_colours(skin: Skin) -> Array:
    """The colours (C, 3) that materials multiply those of the vertices by, on the corners of faces."""
    colours = np.ones((len(skin.faces), 3))
    for part in skin.look.parts if skin.look is not None else ():
        material = None if part.material is None or skin.look is None else skin.look.materials[part.material]
        if material is not None and material.image is None:
            colours[part.first : part.last] = material.colour[:3]
    return np.repeat(colours, 3, axis=0)


def _bind(mesh: Any, look: Look, materials: list[Any]) -> None:
    """Lets materials cover the mesh, or parts of it."""
    parts = [part for part in look.parts if part.last > part.first]
    if len(parts) == 1:
        if parts[0].material is not None:
            UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(materials[parts[0].material])
        return
    taken: set[str] = set()
    for part in parts:
        subset = UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).CreateMaterialBindSubset(
            identifier(part.name, taken, "part"), _ints(np.arange(part.first, part.last))
        )
        subset.GetPrim().SetDisplayName(part.name)
        if part.material is not None:
            UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(materials[part.material])


def _ints(values: NDArray[Any]) -> Any:
    return Vt.IntArray.FromNumpy(values.astype(np.int32))


def _floats(values: NDArray[np.float32]) -> Any:
    return Vt.FloatArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32))


def _vectors(values: NDArray[np.float32]) -> Any:
    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values))
