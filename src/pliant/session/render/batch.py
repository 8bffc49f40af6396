"""All surfaces of a view as one vertex buffer: a pass is one draw call for each picture on them, however many actors
there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.session.render.palette import linear, rgb
from pliant.session.render.textures import Texture
from pliant.session.render.view import ALPHAS, Drawable

# position 3, normal 3: floats per vertex that change from frame to frame
MOVING = 6
# colour 3, inside 3, (roughness, sheen, metallic, opacity) 4, uv 2: floats per vertex that stay
FIXED_FLOATS = 12


@dataclass(frozen=True, eq=False)
class Group:
    """Faces first to last (excluded) that are drawn in one go."""

    texture: Texture | None
    alpha: str
    cutoff: float
    closed: bool  # of surfaces whose back is never seen
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Batch:
    order: tuple[int, ...]  # of the drawables: those that share a picture side by side, transparent ones last
    moving: NDArray[np.float32]  # (N, 6)
    fixed: NDArray[np.float32]  # (N, 12)
    faces: NDArray[np.int32]  # (M, 3)
    edges: NDArray[np.int32]  # (L, 2) of the drawables that want them
    groups: tuple[Group, ...]
    centre: NDArray[np.float64]  # (3,) and radius: a ball round everything
    radius: float


def gather(drawables: Sequence[Drawable]) -> Batch:
    """Everything that is to be drawn, in linear colours."""
    order = _order(drawables)
    fixed, faces, edges = [np.empty((0, FIXED_FLOATS))], [np.empty((0, 3))], [np.empty((0, 2))]
    groups: list[Group] = []
    start = drawn = 0
    for drawable in (drawables[index] for index in order):
        count, corners = len(np.asarray(drawable.vertices)), np.asarray(drawable.faces)
        rows = np.zeros((count, FIXED_FLOATS))
        rows[:, 0:3] = linear(rgb(drawable.colour))
        rows[:, 3:6] = rows[:, 0:3] if drawable.inside is None else linear(rgb(drawable.inside))
        rows[:, 6:10] = drawable.roughness, drawable.sheen, drawable.metallic, drawable.opacity
        if drawable.uv is not None:
            rows[:, 10:12] = drawable.uv
        fixed.append(rows)
        faces.append(corners + start)
        if drawable.wire:
            edges.append(_edges(corners) + start)
        groups = _grown(groups, drawable, drawn)
        start, drawn = start + count, drawn + len(corners)
    moving = gather_moving(drawables, order)
    centre, radius = _ball(moving[:, :3].astype(np.float64))
    return Batch(
        order,
        moving,
        np.concatenate(fixed).astype(np.float32),
        np.concatenate(faces).astype(np.int32),
        np.concatenate(edges).astype(np.int32),
        tuple(groups),
        centre,
        radius,
    )


def gather_moving(drawables: Sequence[Drawable], order: Sequence[int]) -> NDArray[np.float32]:
    """(N, 6): where the vertices are and which way they look, in the order of a batch."""
    rows = np.empty((sum(len(np.asarray(each.vertices)) for each in drawables), MOVING), np.float32)
    start = 0
    for drawable in (drawables[index] for index in order):
        end = start + len(np.asarray(drawable.vertices))
        rows[start:end, 0:3], rows[start:end, 3:6] = drawable.vertices, drawable.normals
        start = end
    return rows


def back_to_front(batch_faces: NDArray[np.int32], points: NDArray[Any], towards: NDArray[Any]) -> NDArray[np.int32]:
    """The faces, the farthest from the eye first; `towards` points to the eye."""
    nearness = (points[batch_faces] @ np.asarray(towards, points.dtype)).sum(axis=1)
    return batch_faces[np.argsort(nearness, kind="stable")]


def _order(drawables: Sequence[Drawable]) -> tuple[int, ...]:
    places: dict[int, int] = {}

    def rank(index: int) -> tuple[int, int, float, bool]:
        drawable = drawables[index]
        picture = 0 if drawable.texture is None else places.setdefault(id(drawable.texture), len(places) + 1)
        return ALPHAS.index(drawable.alpha), picture, drawable.cutoff, drawable.closed

    return tuple(sorted(range(len(drawables)), key=rank))


def _grown(groups: list[Group], drawable: Drawable, first: int) -> list[Group]:
    """With the faces of one more drawable, in the last group if that is drawn the same way."""
    last = first + len(np.asarray(drawable.faces))
    way = drawable.texture, drawable.alpha, drawable.cutoff, drawable.closed
    if groups:
        before = groups[-1]
        if (before.texture, before.alpha, before.cutoff, before.closed) == way:  # a texture equals only itself
            return [*groups[:-1], Group(*way, before.first, last)]
    return [*groups, Group(*way, first, last)]


def _edges(faces: NDArray[Any]) -> NDArray[Any]:
    both = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    unique: NDArray[Any] = np.unique(both, axis=0)
    return unique


def _ball(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    if not len(points):
        return np.zeros(3), 1.0
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    return centre, max(float(np.linalg.norm(points - centre, axis=1).max()), 1e-6)
