"""A stage, opened: what stands in it, where, and how its numbers become metres with y up."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Tf, Usd, UsdGeom

from pliant.files.fence import may_reach
from pliant.files.limits import check
from pliant.files.reading import one_line
from pliant.files.usd.notes import Notes
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]

MOST_PLACED = 100_000  # prims with a shape, instances counted each
DEEPEST = 8  # instancers in prototypes of instancers

# Rows, as USD has them: a point is p @ turn. z up, y away from the viewer, becomes y up, z towards the viewer.
Z_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


@dataclass(frozen=True, eq=False)
class Placed:
    """A prim with a shape, seen once: in the stage, or (`root` is a prototype) as an instancer puts it, by `base`."""

    prim: Any
    root: Any
    base: Any

    @property
    def name(self) -> str:
        return str(self.prim.GetName())


class TimeSample:
    """The stage at a time code."""

    def __init__(self, stage: Any, time: Any) -> None:
        self.time = time
        self._transforms = UsdGeom.XformCache(time)
        self._home = _home(stage)

    def frame(self, placed: Placed, prim: Any = None) -> Array:
        """The matrix (4, 4) of rows that takes points of a prim (or of another one near it) to metres, y up."""
        prim = placed.prim if prim is None else prim
        if placed.root is None:
            world = self._transforms.GetLocalToWorldTransform(prim)
        else:
            world = self._transforms.ComputeRelativeTransform(prim, placed.root)[0] * placed.base
        return np.array(world) @ self._home


def open_stage(path: Path) -> Any:
    """The stage of a file, with everything that it refers to."""
    stage = Usd.Stage.Open(str(path.absolute()))
    for layer in stage.GetUsedLayers():
        if layer.realPath and not may_reach(path, Path(layer.realPath.partition("[")[0])):
            raise FileError(f"{path}: it refers to a file outside its folder; give all of its files together")
    return stage


def broken(path: Path, error: Tf.ErrorException) -> FileError:
    """What to tell when the USD library gives up."""
    try:
        reason = one_line(error.args[0].commentary).replace(str(path.absolute()), "").replace(str(path), "")
    except (UnicodeDecodeError, IndexError, AttributeError):  # damaged text is quoted as it is
        reason = ""
    said = f" ({one_line(reason.strip(': '))})" if reason else ""
    return FileError(f"{path}: cannot be read as USD, it may be damaged{said}; export it again")


def bytes_of(stage: Any) -> int:
    """The sizes of all files that the stage is made of."""
    total = 0
    for layer in stage.GetUsedLayers():
        try:
            total += Path(layer.realPath.partition("[")[0]).stat().st_size
        except (OSError, ValueError):
            continue
    return total


def start(stage: Any) -> Any:
    """The time at which things that only move are taken as being at rest."""
    if stage.HasAuthoredTimeCodeRange() and math.isfinite(stage.GetStartTimeCode()):
        return Usd.TimeCode(stage.GetStartTimeCode())
    return Usd.TimeCode.EarliestTime()


def at_rest(attribute: Any, time: Any) -> Any:
    """The value that does not move, or else the one at a time; None if there is none."""
    if not attribute:
        return None
    still = attribute.Get(Usd.TimeCode.Default())
    return attribute.Get(time) if still is None else still


def check_units(path: Path, stage: Any, notes: Notes) -> None:
    """That the stage has a size that can be converted."""
    metres, codes = UsdGeom.GetStageMetersPerUnit(stage), stage.GetTimeCodesPerSecond()
    for what, number in (("metersPerUnit", metres), ("timeCodesPerSecond", codes)):
        if not (math.isfinite(number) and number > 0):
            raise FileError(f"{path}: its {what} is {number:g}; export it with a number above 0")
    if not UsdGeom.StageHasAuthoredMetersPerUnit(stage):
        notes.add("the file does not say how large its unit is; taken as centimetres, which is USD's rule")


def placements(path: Path, stage: Any, time: Any, notes: Notes) -> list[Placed]:
    """Everything with a shape that is shown, as instancers stand at a time."""
    found: list[Placed] = []
    for placed in _walk(stage.GetPseudoRoot(), None, Gf.Matrix4d(1.0), time, notes, 0):
        found.append(placed)
        check(path, "meshes and instances", len(found), MOST_PLACED)
    return found


def _walk(top: Any, root: Any, base: Any, time: Any, notes: Notes, depth: int) -> Iterator[Placed]:
    prims = iter(Usd.PrimRange(top, Usd.TraverseInstanceProxies()))
    for prim in prims:
        imageable = UsdGeom.Imageable(prim)
        if not imageable:
            continue
        # Looked at where things are at rest, whatever the time, so that every moment shows the same meshes.
        if imageable.GetVisibilityAttr().Get(Usd.TimeCode.EarliestTime()) == UsdGeom.Tokens.invisible:
            notes.add("hidden and left out", str(prim.GetPath()))
            prims.PruneChildren()
        elif prim.IsA(UsdGeom.PointInstancer):
            prims.PruneChildren()
            yield from _instances(UsdGeom.PointInstancer(prim), root, base, time, notes, depth)
        elif prim.IsA(UsdGeom.Gprim):
            purpose = imageable.ComputePurpose()
            if purpose in (UsdGeom.Tokens.proxy, UsdGeom.Tokens.guide):
                notes.add(f"left out because its purpose is {purpose}", str(prim.GetPath()))
            else:
                yield Placed(prim, root, base)


def _instances(instancer: Any, root: Any, base: Any, time: Any, notes: Notes, depth: int) -> Iterator[Placed]:
    name = str(instancer.GetPath())
    prototypes = [instancer.GetPrim().GetStage().GetPrimAtPath(p) for p in instancer.GetPrototypesRel().GetTargets()]
    numbers = instancer.GetProtoIndicesAttr().Get(time)
    if depth >= DEEPEST or numbers is None or not all(prototypes):
        notes.add("instancers that cannot be followed, left out", name)
        return
    transforms = instancer.ComputeInstanceTransformsAtTime(
        time, time, UsdGeom.PointInstancer.IncludeProtoXform, UsdGeom.PointInstancer.IgnoreMask
    )
    shown = instancer.ComputeMaskAtTime(time) or [True] * len(numbers)
    if len(transforms) != len(numbers) or len(shown) != len(numbers) or max(numbers, default=0) >= len(prototypes):
        notes.add("instancers that cannot be followed, left out", name)
        return
    own = UsdGeom.XformCache(time)
    world = own.GetLocalToWorldTransform(instancer.GetPrim())
    if root is not None:
        world = own.ComputeRelativeTransform(instancer.GetPrim(), root)[0] * base
    for number, transform, visible in zip(numbers, transforms, shown, strict=True):
        if visible and number >= 0:
            prototype = prototypes[number]
            yield from _walk(prototype, prototype, transform * world, time, notes, depth + 1)


def _home(stage: Any) -> Array:
    """The matrix (4, 4) of rows from the stage to metres, y up."""
    home = np.eye(4)
    turn = Z_UP if UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z else np.eye(3)
    home[:3, :3] = turn * UsdGeom.GetStageMetersPerUnit(stage)
    return home


def moved(points: Array, frame: Array) -> Array:
    """Points (P, 3) taken by a matrix (4, 4) of rows.

    >>> moved(np.array([[0.0, 0, 2]]), np.block([[Z_UP, np.zeros((3, 1))], [1, 0, 0, 1]])).tolist()
    [[1.0, 2.0, 0.0]]
    """
    return points @ frame[:3, :3] + frame[3, :3]
