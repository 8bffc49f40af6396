"""What a file holds, before it becomes a body: every reader gives one of these."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.body.look import Look

if TYPE_CHECKING:
    from pliant.body.skin import Skin

Array = NDArray[np.float64]
Indices = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Asset:
    """A surface as it is drawn, or a mesh of tets, in metres, y up, right-handed.

    vertices (N, 3): drawn vertices, so a point on a UV seam or a hard edge stands there several times; or the nodes
    of the tets.  faces (M, 3): counter-clockwise from outside; empty if there are only tets or segments.
    tets (T, 4), segments (S, 2): or None.  poses: name -> (N, 3) positions, in the order of the file.  groups: name ->
    rising vertex numbers.  uv (N, 2): v down from the top of the picture, as in glTF.  colours (N, 3), linear 0 to 1.
    normals (N, 3): of the rest shape.  look: parts, materials and pictures.  notes: what of the file was left out or
    mended, one line each.
    skin: of a file that holds a whole body; its vertices are then the particles, tets, faces or segments join them, and
    density (kg/m^3) and thickness (m) are told, too.
    span: from when to when (s) a USD stage moves.
    """

    name: str
    source: Path
    vertices: Array
    faces: Indices
    tets: Indices | None = None
    segments: Indices | None = None
    poses: Mapping[str, Array] = field(default_factory=dict)
    groups: Mapping[str, Indices] = field(default_factory=dict)
    uv: Array | None = None
    normals: Array | None = None
    colours: Array | None = None
    look: Look | None = None
    notes: tuple[str, ...] = ()
    skin: "Skin | None" = None
    density: float | None = None
    thickness: float | None = None
    span: tuple[float, float] | None = None
