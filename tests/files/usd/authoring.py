"""Stages for tests, written with the USD library itself."""

from pathlib import Path
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdSkel, UsdUtils, Vt

# A cube of side 1 on the ground, its faces seen from outside.
CUBE = np.array([[x, y, z] for x in (0.0, 1) for y in (0.0, 1) for z in (0.0, 1)])
CUBE_FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
SQUARE = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])


def stage(path: Path, up: str = "Y", metres: float = 1.0) -> Any:
    made = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(made, up)
    UsdGeom.SetStageMetersPerUnit(made, metres)
    return made


def vectors(rows: Any) -> Any:
    return Vt.Vec3fArray.FromNumpy(np.asarray(rows, dtype=np.float32).reshape(-1, 3))


def pairs(rows: Any) -> Any:
    return Vt.Vec2fArray.FromNumpy(np.asarray(rows, dtype=np.float32).reshape(-1, 2))


def mesh(made: Any, path: str, points: Any = CUBE, faces: Any = CUBE_FACES, scheme: str = "none") -> Any:
    found = UsdGeom.Mesh.Define(made, path)
    found.CreatePointsAttr(vectors(points))
    found.CreateFaceVertexCountsAttr([len(face) for face in faces])
    found.CreateFaceVertexIndicesAttr([int(corner) for face in faces for corner in face])
    found.CreateSubdivisionSchemeAttr(scheme)
    return found


def primvar(found: Any, name: str, kind: str, values: Any, interpolation: str, indices: Any = None) -> None:
    made = UsdGeom.PrimvarsAPI(found).CreatePrimvar(name, getattr(Sdf.ValueTypeNames, kind), interpolation)
    made.Set(values)
    if indices is not None:
        made.SetIndices(Vt.IntArray([int(each) for each in indices]))


def blend(made: Any, found: Any, name: str, offsets: Any, which: Any = None, between: Any = ()) -> None:
    """Adds a blend shape; `between`: pairs of weight and offsets."""
    shape = UsdSkel.BlendShape.Define(made, found.GetPath().AppendChild(name))
    shape.CreateOffsetsAttr(vectors(offsets))
    if which is not None:
        shape.CreatePointIndicesAttr([int(each) for each in which])
    for weight, steps in between:
        shape.CreateInbetween(f"at{int(weight * 100)}").SetWeight(weight)
        shape.GetInbetween(f"at{int(weight * 100)}").SetOffsets(vectors(steps))
    binding = UsdSkel.BindingAPI.Apply(found.GetPrim())
    names = list(binding.GetBlendShapesAttr().Get() or [])
    binding.CreateBlendShapesAttr([*names, name])
    binding.CreateBlendShapeTargetsRel().AddTarget(shape.GetPath())


def skeleton(made: Any, path: str, found: Any, joints: Any, rest: Any, indices: Any, weights: Any) -> Any:
    """Hangs a mesh on a skeleton that was bound as it rests."""
    bones = UsdSkel.Skeleton.Define(made, path)
    bones.CreateJointsAttr(joints)
    bones.CreateBindTransformsAttr(Vt.Matrix4dArray(rest))
    bones.CreateRestTransformsAttr(Vt.Matrix4dArray(rest))
    binding = UsdSkel.BindingAPI.Apply(found.GetPrim())
    binding.CreateSkeletonRel().SetTargets([bones.GetPath()])
    binding.CreateJointIndicesPrimvar(False, 1).Set(Vt.IntArray(indices))
    binding.CreateJointWeightsPrimvar(False, 1).Set(Vt.FloatArray(weights))
    UsdSkel.BindingAPI.Apply(bones.GetPrim())
    return bones


def shift(x: float, y: float, z: float) -> Any:
    return Gf.Matrix4d(1.0).SetTranslate(Gf.Vec3d(x, y, z))


def shifted(points: Any, x: float, y: float, z: float) -> np.ndarray:
    return np.asarray(points) + np.array([x, y, z])


def material(made: Any, path: str, colour: Any = None, picture: str = "", **inputs: float) -> Any:
    """A UsdPreviewSurface, by a colour or a picture on `st`."""
    found = UsdShade.Material.Define(made, path)
    surface = shader(made, f"{path}/surface", "UsdPreviewSurface")
    found.CreateSurfaceOutput().ConnectToSource(surface.CreateOutput("surface", Sdf.ValueTypeNames.Token))
    diffuse = surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
    for name, value in inputs.items():
        surface.CreateInput(name, Sdf.ValueTypeNames.Float).Set(value)
    if colour is not None:
        diffuse.Set(Gf.Vec3f(*colour))
    if picture:
        texture = shader(made, f"{path}/picture", "UsdUVTexture")
        texture.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(Sdf.AssetPath(picture))
        reader = shader(made, f"{path}/reader", "UsdPrimvarReader_float2")
        reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("st")
        result = reader.CreateOutput("result", Sdf.ValueTypeNames.Float2)
        texture.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(result)
        diffuse.ConnectToSource(texture.CreateOutput("rgb", Sdf.ValueTypeNames.Float3))
    return found


def shader(made: Any, path: str, kind: str) -> Any:
    found = UsdShade.Shader.Define(made, path)
    found.CreateIdAttr(kind)
    return found


def bind(found: Any, to: Any) -> None:
    UsdShade.MaterialBindingAPI.Apply(found.GetPrim()).Bind(to)


def package(source: Path, target: Path) -> Path:
    assert UsdUtils.CreateNewUsdzPackage(str(source), str(target))
    return target


def volume(vertices: Any, faces: Any) -> float:
    """What faces enclose: above 0 if they are seen from outside."""
    a, b, c = (np.asarray(vertices)[np.asarray(faces)[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)
