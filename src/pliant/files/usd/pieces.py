"""What a stage shows, piece by piece: where its points are at rest, in blend shapes and at a moment."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import UsdGeom

from pliant.files.usd.notes import Notes
from pliant.files.usd.skeletons import Rig, Skeletons
from pliant.files.usd.stage import Placed, TimeSample, moved
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StageSurface:
    """points (P, 3): as the file has them, at rest. draw: from these to the points (N, 3) that are taken. frame (4, 4):
    from there to metres, y up. place: its place among what the stage shows."""

    placed: Placed
    place: int
    rig: Rig | None
    points: Array
    draw: Callable[[Array], Array]
    frame: Array

    def put(self, points: Array | None = None) -> Array:
        """Points (N, 3) in metres, of the piece at rest or in another shape."""
        return moved(self.draw(self.points if points is None else points), self.frame)

    def at(self, path: Path, placed: Placed, moment: TimeSample, seconds: float) -> Array:
        """Points (N, 3) in metres at a moment."""
        given = UsdGeom.PointBased(placed.prim).GetPointsAttr().Get(moment.time)
        points = self.points if given is None else np.array(given, dtype=np.float64).reshape(-1, 3)
        if len(points) != len(self.points):
            raise FileError(
                f'{path}: mesh "{placed.prim.GetPath()}" has {len(points):,} points at {seconds:g} s and '
                f"{len(self.points):,} at rest; poses need the same points at all times"
            )
        frame = moment.frame(placed)
        if self.rig is not None:
            points, frame = self.rig.posed(self.rig.blended(points, moment.time), placed, moment)
        return moved(self.draw(points), frame)

    def times(self) -> list[float]:
        """The time codes at which something is said about its points, its skeleton, or a place that it hangs on."""
        times = [*UsdGeom.PointBased(self.placed.prim).GetPointsAttr().GetTimeSamples()]
        times += self.rig.times() if self.rig is not None else []
        prim: Any = self.placed.prim
        while prim and not prim.IsPseudoRoot():
            if prim.IsA(UsdGeom.Xformable):
                times += UsdGeom.Xformable(prim).GetTimeSamples()
            prim = prim.GetParent()
        return times


@dataclass(frozen=True, eq=False)
class OpenedStage:
    """A file on its way to an asset."""

    path: Path
    stage: Any
    shown: list[Placed]
    rest: TimeSample
    skeletons: Skeletons
    notes: Notes

    def piece(self, place: int, points: Array, draw: Callable[[Array], Array] = np.asarray) -> StageSurface:
        """A prim of `shown`, at rest."""
        placed = self.shown[place]
        rig = self.skeletons.rig(placed.prim)
        frame = self.rest.frame(placed) if rig is None else rig.frame(placed, self.rest)
        if rig is not None and rig.jointed:
            self.notes.add("hung on a skeleton, taken as it was bound to it", placed.name)
        return StageSurface(placed, place, rig, points, draw, frame)
