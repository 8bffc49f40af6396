"""What every asset is held to, whichever reader made it."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.files import limits
from pliant.files.asset import Asset
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]

FARTHEST = 1e9  # metres from the origin: beyond it single precision has nothing left to say


def checked(asset: Asset) -> Asset:
    """The asset, if it can be worked with. What only concerns its looks is mended and noted."""
    where = asset.source
    count = limits.check(where, "vertices", len(asset.vertices), limits.MOST_VERTICES)
    _positions(asset, asset.vertices, "vertex")
    for what, elements in (("face", asset.faces), ("tet", asset.tets), ("segment", asset.segments)):
        if elements is not None:
            limits.check(where, f"{what}s", len(elements), limits.MOST_ELEMENTS)
            _in_range(asset, np.asarray(elements), what, count)
    if not any(x is not None and len(x) for x in (asset.faces, asset.tets, asset.segments)):
        raise FileError(f"{where}: there is no face in it; export a mesh with faces")
    if not np.ptp(asset.vertices, axis=0).any():
        raise FileError(f"{where}: all {count:,} vertices are at one place; export a mesh that has a size")
    limits.check(where, "poses", len(asset.poses), limits.MOST_POSES)
    for name, pose in asset.poses.items():
        if np.shape(pose) != asset.vertices.shape:
            raise FileError(
                f'{where}: pose "{name}" has {len(pose):,} vertices, the rest shape {count:,}; export both with the '
                f"same vertices"
            )
        _positions(asset, pose, f'pose "{name}", vertex')
    for name, members in asset.groups.items():
        _in_range(asset, np.asarray(members)[:, None], f'group "{name}"', count)
    return _mended(asset)


def _positions(asset: Asset, positions: Array, what: str) -> None:
    bad = np.flatnonzero(~(np.abs(positions) <= FARTHEST).all(axis=1))
    if len(bad):
        row = ", ".join(f"{x:g}" for x in positions[bad[0]])
        raise FileError(
            f"{asset.source}: {what} {bad[0]} is at ({row}); every number must be finite and below {FARTHEST:g}"
        )


def _in_range(asset: Asset, elements: NDArray[Any], what: str, count: int) -> None:
    bad = np.flatnonzero(((elements < 0) | (elements >= count)).any(axis=1))
    if len(bad):
        row = ", ".join(map(str, elements[bad[0]].tolist()))
        raise FileError(
            f"{asset.source}: {what} {bad[0]} names vertices {row}; they run from 0 to {count - 1}; export it again"
        )


def _mended(asset: Asset) -> Asset:
    changes: dict[str, Any] = {}
    notes = list(asset.notes)
    for field, columns in (("uv", 2), ("normals", 3), ("colours", 3)):
        values = getattr(asset, field)
        if values is None:
            continue
        if np.shape(values) != (len(asset.vertices), columns):
            changes[field] = None
            notes.append(f"{field} do not fit the vertices and were left out")
        elif not np.isfinite(values).all():
            changes[field] = None if field == "normals" else np.where(np.isfinite(values), values, 0.0)
            notes.append(f"some {field} are not numbers and were {'left out' if field == 'normals' else 'set to 0'}")
    return replace(asset, notes=tuple(notes), **changes) if changes else asset
