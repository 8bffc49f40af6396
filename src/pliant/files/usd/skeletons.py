"""Meshes that hang on skeletons: where they were bound, and how they move."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdSkel, Vt

from pliant.files.usd.stage import Placed, TimeSample

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rig:
    """How a mesh hangs on a skeleton, or (`jointed` is False) on nothing but its blend shapes."""

    skinning: Any
    skeleton: Any
    jointed: bool

    def frame(self, placed: Placed, moment: TimeSample) -> Array:
        """The matrix (4, 4) of rows that puts the mesh where it was bound. By USD's rules the mesh's own place has no
        say once a skeleton holds it."""
        if not self.jointed:
            return moment.frame(placed)
        bound = np.array(self.skinning.GetGeomBindTransform(moment.time))
        return bound @ self._unbound() @ moment.frame(placed, self.skeleton.GetPrim())

    def _unbound(self) -> Array:
        """The matrix (4, 4) from the space in which the mesh was bound, which should be the world and is often
        the skeleton's own, to the skeleton's. Where it is at rest as it was bound, all joints agree on it."""
        bound = self.skeleton.GetJointWorldBindTransforms()
        rest = self.skeleton.ComputeJointSkelTransforms(Usd.TimeCode.Default(), True)
        if not bound or not rest:
            return np.eye(4)
        root = np.array(bound[0].GetInverse() * rest[0])
        return root if np.isfinite(root).all() and abs(np.linalg.det(root)) > 1e-9 else np.eye(4)

    def blended(self, points: Array, time: Any) -> Array:
        """Points (P, 3) with the blend shapes that are shown at a time."""
        shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(self.skinning.GetPrim()))
        motion = self.skeleton.GetAnimQuery() if self.skeleton else None
        if not motion or not self.skinning.HasBlendShapes() or not shapes.GetNumBlendShapes():
            return points
        weights = motion.ComputeBlendShapeWeights(time)
        mapper = self.skinning.GetBlendShapeMapper()
        if weights is None or mapper is None:
            return points
        weights = mapper.Remap(weights)
        if weights is None or len(weights) != shapes.GetNumBlendShapes():
            return points
        shares, blend_shapes, sub_shapes = shapes.ComputeSubShapeWeights(weights)
        deformed = Vt.Vec3fArray.FromNumpy(points.astype(np.float32))
        shapes.ComputeDeformedPoints(
            shares, blend_shapes, sub_shapes, shapes.ComputeBlendShapePointIndices(),
            shapes.ComputeSubShapePointOffsets(), deformed,
        )  # fmt: skip
        return np.array(deformed, dtype=np.float64)

    def posed(self, points: Array, placed: Placed, moment: TimeSample) -> tuple[Array, Array]:
        """Points (P, 3) as the skeleton bends them at a moment, and the matrix that puts them in place."""
        if not self.jointed:
            return points, moment.frame(placed)
        turns = self.skeleton.ComputeSkinningTransforms(moment.time)
        bent = Vt.Vec3fArray.FromNumpy(points.astype(np.float32))
        if turns is None or not self.skinning.ComputeSkinnedPoints(turns, bent, moment.time):
            return points, self.frame(placed, moment)
        return np.array(bent, dtype=np.float64), moment.frame(placed, self.skeleton.GetPrim())

    def held_by(self, count: int) -> dict[str, NDArray[np.intp]]:
        """The points that one joint holds by more than a half, by the joint's name."""
        if not self.jointed:
            return {}
        order = self.skinning.GetJointOrder() or self.skeleton.GetJointOrder()
        influences = self.skinning.ComputeVaryingJointInfluences(count) if len(order) > 1 else None
        if not influences or len(influences[0]) != len(influences[1]) or len(influences[0]) % max(count, 1):
            return {}
        joints = np.array(influences[0], dtype=np.intp).reshape(count, -1)
        held = np.array(influences[1], dtype=np.float64).reshape(count, -1) > 0.5
        names = [str(joint).rpartition("/")[2] for joint in order]
        found: dict[str, NDArray[np.intp]] = {}
        for joint in np.unique(joints[held]):
            if 0 <= joint < len(names):
                found[names[joint]] = np.flatnonzero((held & (joints == joint)).any(axis=1))
        return found

    def times(self) -> list[float]:
        """When something is said about how the skeleton moves."""
        motion = self.skeleton.GetAnimQuery() if self.skeleton else None
        if not motion:
            return []
        return [*motion.GetJointTransformTimeSamples(), *motion.GetBlendShapeWeightTimeSamples()]


class Skeletons:
    """All skeletons of a stage, and what hangs on them."""

    def __init__(self, stage: Any) -> None:
        self._cache = UsdSkel.Cache()
        everything = Usd.TraverseInstanceProxies()
        for prim in Usd.PrimRange(stage.GetPseudoRoot(), everything):
            if prim.IsA(UsdSkel.Root):
                self._cache.Populate(UsdSkel.Root(prim), everything)

    def rig(self, prim: Any) -> Rig | None:
        """How a prim hangs on a skeleton; None if it does not."""
        skinning = self._cache.GetSkinningQuery(prim)
        if not skinning:
            return None
        found = UsdSkel.BindingAPI(prim).GetInheritedSkeleton()
        skeleton = self._cache.GetSkelQuery(found) if found else None
        jointed = bool(skeleton) and skinning.HasJointInfluences()
        return Rig(skinning, skeleton, jointed) if jointed or skinning.HasBlendShapes() else None
