"""What makes a body directly: tets, and curves as segments."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pxr import UsdGeom

from pliant.files.limits import MOST_ELEMENTS, check
from pliant.files.usd.meshes import numbers_of, points_of
from pliant.files.usd.stage import at_rest
from pliant.runtime.errors import FileError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

PIECES = 4  # segments for each span of a cubic curve

# Rows: powers 1, u, u^2, u^3 of the way along a span; columns: its four control points.
BASES = {
    "bezier": np.array([[1, 0, 0, 0], [-3, 3, 0, 0], [3, -6, 3, 0], [-1, 3, -3, 1]], dtype=np.float64),
    "bspline": np.array([[1, 4, 1, 0], [-3, 0, 3, 0], [3, -6, 3, 0], [-1, 3, -3, 1]]) / 6,
    "catmullRom": np.array([[0, 2, 0, 0], [-1, 0, 1, 0], [2, -5, 4, -1], [-1, 3, -3, 1]]) / 2,
}


def tets_of(path: Path, prim: Any, time: Any) -> tuple[Array, Numbers]:
    """The nodes (P, 3) and tets (T, 4) of a UsdGeomTetMesh."""
    points = points_of(path, prim, time)
    given = at_rest(UsdGeom.TetMesh(prim).GetTetVertexIndicesAttr(), time)
    tets = np.array([] if given is None else given, dtype=np.int64).reshape(-1, 4)
    check(path, "tets", len(tets), MOST_ELEMENTS)
    _in_range(path, prim, tets, len(points), "tet")
    return points, tets


def curves_of(path: Path, prim: Any, time: Any) -> tuple[Array, "csr_array", Numbers]:
    """The control points (P, 3) of UsdGeomBasisCurves, the matrix (N, P) from them to points on the curves, and the
    segments (S, 2) between these."""
    from scipy.sparse import eye_array

    curves = UsdGeom.BasisCurves(prim)
    points, counts = points_of(path, prim, time), numbers_of(curves.GetCurveVertexCountsAttr(), time)
    check(path, "curves", len(counts), MOST_ELEMENTS)
    if (counts < 0).any() or counts.sum() != len(points):
        raise FileError(
            f'{path}: curves "{prim.GetPath()}": they should have {int(counts.sum()):,} points and have '
            f"{len(points):,}; export them again"
        )
    wrap = curves.GetWrapAttr().Get()
    if curves.GetTypeAttr().Get() == UsdGeom.Tokens.linear:
        starts = np.cumsum(counts) - counts
        ends = np.arange(len(points))
        after = ends + 1
        last = (starts + counts - 1)[counts > 0]
        after[last] = starts[counts > 0]
        inner = np.ones(len(points), bool)
        inner[last] = wrap == UsdGeom.Tokens.periodic and len(points) > 0
        segments = np.stack([ends, after], axis=1)[inner]
        return points, eye_array(len(points), format="csr"), segments[segments[:, 0] != segments[:, 1]]
    return points, *_cubic(counts, str(curves.GetBasisAttr().Get()), str(wrap))


def _cubic(counts: Numbers, basis: str, wrap: str) -> tuple["csr_array", Numbers]:
    """Points on cubic curves, as a matrix on their control points, and the segments between them."""
    from scipy.sparse import csr_array

    powers = np.arange(PIECES)[:, None] / PIECES
    inside = powers ** np.arange(4) @ BASES.get(basis, BASES["bezier"])  # (PIECES, 4)
    end = np.ones(4) @ BASES.get(basis, BASES["bezier"])
    rows, columns, weights, segments = [], [], [], []
    made = first = 0
    for count in counts.tolist():
        spans, ghosts = _spans(count, 3 if basis == "bezier" else 1, wrap)
        if len(spans):
            along = np.concatenate([np.tile(inside, (len(spans), 1)), end[None]])
            controls = np.concatenate([np.repeat(spans, PIECES, axis=0), spans[-1:]])
            if wrap == UsdGeom.Tokens.periodic:
                along, controls = along[:-1], controls[:-1]
            here = made + np.arange(len(along))
            for slot in range(4):
                for place, share in ghosts(controls[:, slot]):
                    rows.append(here)
                    columns.append(first + place)
                    weights.append(along[:, slot] * share)
            ring = np.stack([here, np.roll(here, -1)], axis=1)
            segments.append(ring if wrap == UsdGeom.Tokens.periodic else ring[:-1])
            made += len(along)
        first += count
    if not made:
        return csr_array((0, int(counts.sum()))), np.zeros((0, 2), np.int64)
    flat = [np.concatenate(each) for each in (weights, rows, columns)]
    return csr_array((flat[0], (flat[1], flat[2])), shape=(made, int(counts.sum()))), np.concatenate(segments)


def _spans(count: int, step: int, wrap: str) -> tuple[Numbers, Any]:
    """The four control points (K, 4) of each span, and how a control point is made of real ones: pinned curves have one
    more at either end, as far beyond the end as its neighbour lies before it."""
    if wrap == UsdGeom.Tokens.periodic:
        spans = (np.arange(count // step) * step)[:, None] + np.arange(4)
        return (spans % max(count, 1) if count >= 3 else spans[:0]), lambda places: [(places, 1.0)]
    if wrap == UsdGeom.Tokens.pinned and step == 1:
        spans = np.arange(max(count - 1, 0))[:, None] + np.arange(-1, 3)

        def with_ghosts(places: Numbers) -> list[tuple[Numbers, Array]]:
            beyond = (places < 0) | (places >= count)
            near = np.clip(places, 0, count - 1)
            mirrored = np.clip(2 * near - places, 0, count - 1)
            return [(near, np.where(beyond, 2.0, 1.0)), (mirrored, np.where(beyond, -1.0, 0.0))]

        return spans, with_ghosts
    spans = np.arange(0, max(count - 3, 0), step)[:, None] + np.arange(4)
    return spans, lambda places: [(places, 1.0)]


def _in_range(path: Path, prim: Any, elements: Numbers, count: int, what: str) -> None:
    bad = elements[(elements < 0) | (elements >= count)]
    if len(bad):
        raise FileError(
            f'{path}: mesh "{prim.GetPath()}": a {what} names point {bad[0]:,}, there are {count:,}; export it again'
        )
