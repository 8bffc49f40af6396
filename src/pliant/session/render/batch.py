"""All surfaces of a view as one vertex buffer: a pass is one draw call, however many actors there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.session.render.palette import linear, rgb
from pliant.session.render.view import Drawable

# position 3, normal 3, colour 3, inside 3, (roughness, sheen) 2: floats per vertex
FLOATS = 14


@dataclass(frozen=True, eq=False)
class Batch:
    vertices: NDArray[np.float32]  # (N, 14)
    faces: NDArray[np.int32]  # (M, 3)
    edges: NDArray[np.int32]  # (L, 2) of the drawables that want them
    centre: NDArray[np.float64]  # (3,) and radius: a ball round everything
    radius: float


def gather(drawables: Sequence[Drawable]) -> Batch:
    """Everything that is to be drawn, in linear colours."""
    vertices, faces, edges, start = [np.empty((0, FLOATS))], [np.empty((0, 3))], [np.empty((0, 2))], 0
    for drawable in drawables:
        points, corners = np.asarray(drawable.vertices), np.asarray(drawable.faces)
        rows = np.empty((len(points), FLOATS))
        rows[:, 0:3] = points
        rows[:, 3:6] = drawable.normals
        rows[:, 6:9] = linear(rgb(drawable.colour))
        rows[:, 9:12] = rows[:, 6:9] if drawable.inside is None else linear(rgb(drawable.inside))
        rows[:, 12:14] = drawable.roughness, drawable.sheen
        vertices.append(rows)
        faces.append(corners + start)
        if drawable.wire:
            edges.append(_edges(corners) + start)
        start += len(points)
    joined = np.concatenate(vertices)
    centre, radius = _ball(joined[:, :3])
    return Batch(
        joined.astype(np.float32),
        np.concatenate(faces).astype(np.int32),
        np.concatenate(edges).astype(np.int32),
        centre,
        radius,
    )


def _edges(faces: NDArray[Any]) -> NDArray[Any]:
    both = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    unique: NDArray[Any] = np.unique(both, axis=0)
    return unique


def _ball(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    if not len(points):
        return np.zeros(3), 1.0
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    return centre, max(float(np.linalg.norm(points - centre, axis=1).max()), 1e-6)
