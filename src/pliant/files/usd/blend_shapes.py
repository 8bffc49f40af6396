"""Blend shapes of a mesh, as whole poses of its points."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import UsdSkel

from pliant.files.usd.notes import Notes

Array = NDArray[np.float64]


def blend_shapes(prim: Any, points: Array, notes: Notes) -> dict[str, Array]:
    """name -> points (P, 3), each shape in full. A shape on the way, an in-between, is called "smile@0.5"."""
    binding = UsdSkel.BindingAPI(prim)
    names = list(binding.GetBlendShapesAttr().Get() or ())
    targets = binding.GetBlendShapeTargetsRel().GetForwardedTargets()
    poses: dict[str, Array] = {}
    for number, target in enumerate(targets):
        shape = UsdSkel.BlendShape(prim.GetStage().GetPrimAtPath(target))
        name = str(names[number]) if number < len(names) else target.name
        if not shape:
            notes.add(f"blend shapes of {prim.GetName()} that are not in the file", name)
            continue
        found = [(name, shape.GetOffsetsAttr().Get())]
        between = sorted(shape.GetInbetweens(), key=lambda each: each.GetWeight() or 0.0)
        found += [(f"{name}@{each.GetWeight() or 0.0:g}", each.GetOffsets()) for each in between]
        which = shape.GetPointIndicesAttr().Get()
        for pose, offsets in found:
            placed = _added(points, offsets, which)
            if placed is None:
                notes.add(f"blend shapes that do not fit the mesh {prim.GetName()}, left out", pose)
            else:
                poses[_free(pose, poses)] = placed
    return poses


def _added(points: Array, offsets: Any, which: Any) -> Array | None:
    """Points (P, 3) with offsets on all, or on those that `which` numbers; None if they do not fit."""
    steps = np.array([] if offsets is None else offsets, dtype=np.float64).reshape(-1, 3)
    if which is None or len(which) == 0:
        rows = np.arange(len(points))
        if len(steps) == 0:
            return points
    else:
        rows = np.array(which, dtype=np.int64)
    if len(rows) != len(steps) or not np.isfinite(steps).all():
        return None
    if len(rows) and (rows.min() < 0 or rows.max() >= len(points)):
        return None
    posed = points.copy()
    np.add.at(posed, rows, steps)
    return posed


def _free(name: str, taken: dict[str, Array]) -> str:
    """The name, or the first of "name 2", "name 3" that is not taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free
