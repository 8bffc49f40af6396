"""Triangle meshes of simple things: what the renderer draws for colliders, handles and particles.

Each function returns Triangles (vertices, normals, faces), faces anticlockwise from outside. Sharp edges have
their vertices doubled, so that smooth shading leaves them sharp.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class Triangles(NamedTuple):
    vertices: Array  # (N, 3) metres
    normals: Array  # (N, 3) unit
    faces: NDArray[np.int32]  # (M, 3)


def sphere(centre: ArrayLike = (0, 0, 0), radius: float = 1.0, detail: int = 32) -> Triangles:
    """A sphere of `detail` rings and twice as many segments.

    >>> ball = sphere(radius=2.0)
    >>> bool(np.allclose(np.linalg.norm(ball.vertices, axis=1), 2.0))
    True
    """
    return capsule(centre, centre, radius, detail)


def capsule(start: ArrayLike, end: ArrayLike, radius: float, detail: int = 32) -> Triangles:
    """All points within `radius` of a segment: two half spheres and the tube between them."""
    start, end = np.asarray(start, np.float64), np.asarray(end, np.float64)
    axis, side, front = _frame(end - start)
    half = max(2, detail // 2)
    # The equator is there twice: once on each half sphere, so that the tube runs between them.
    tilt = np.concatenate([np.linspace(-90, 0, half + 1), np.linspace(0, 90, half + 1)]) * np.pi / 180
    around = np.linspace(0, 2 * np.pi, 2 * detail + 1)
    ring = np.cos(around)[:, None] * side + np.sin(around)[:, None] * front
    normals = np.cos(tilt)[:, None, None] * ring + np.sin(tilt)[:, None, None] * axis
    centres = np.where((np.arange(len(tilt)) <= half)[:, None], start, end)
    vertices = centres[:, None] + radius * normals
    return Triangles(vertices.reshape(-1, 3), normals.reshape(-1, 3), _grid_faces(len(tilt), len(around)))


def tube(start: ArrayLike, end: ArrayLike, radius: float, detail: int = 8) -> Triangles:
    """An open cylinder: a line with a thickness in metres."""
    start, end = np.asarray(start, np.float64), np.asarray(end, np.float64)
    _, side, front = _frame(end - start)
    around = np.linspace(0, 2 * np.pi, detail + 1)
    ring = np.cos(around)[:, None] * side + np.sin(around)[:, None] * front
    vertices = np.concatenate([start + radius * ring, end + radius * ring])
    return Triangles(vertices, np.concatenate([ring, ring]), _grid_faces(2, detail + 1))


def box(
    centre: ArrayLike = (0, 0, 0), half_size: ArrayLike = (1, 1, 1), rotation: ArrayLike | None = None
) -> Triangles:
    """A box with sharp edges; `rotation` is a 3x3 matrix that turns it about its centre.

    >>> len(box().faces)
    12
    """
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
    vertices: list[Array] = []
    normals, faces = [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            side = np.empty((4, 3))
            side[:, axis] = sign
            side[:, (axis + 1) % 3], side[:, (axis + 2) % 3] = corners.T
            normal = np.zeros(3)
            normal[axis] = sign
            quad = np.array([[0, 1, 2], [0, 2, 3]]) if sign > 0 else np.array([[0, 2, 1], [0, 3, 2]])
            faces.append(quad + 4 * len(vertices))
            vertices.append(side)
            normals.append(np.tile(normal, (4, 1)))
    turn = np.eye(3) if rotation is None else np.asarray(rotation, np.float64)
    points = np.concatenate(vertices) * np.asarray(half_size, np.float64) @ turn.T
    points += np.asarray(centre, np.float64)
    return Triangles(points, np.concatenate(normals) @ turn.T, np.concatenate(faces).astype(np.int32))


def plane(point: ArrayLike = (0, 0, 0), normal: ArrayLike = (0, 1, 0), half_size: float = 5.0) -> Triangles:
    """A square piece of a plane about `point`."""
    up, side, front = _frame(np.asarray(normal, np.float64))
    corners = half_size * np.array([-side - front, side - front, side + front, -side + front])
    vertices = np.asarray(point, np.float64) + corners
    return Triangles(vertices, np.tile(up, (4, 1)), np.array([[0, 1, 2], [0, 2, 3]], np.int32))


def balls(points: ArrayLike, radius: float, detail: int = 8) -> Triangles:
    """A small sphere at each point: particles, pins."""
    points = np.asarray(points, np.float64).reshape(-1, 3)
    one = sphere(radius=radius, detail=detail)
    vertices = (points[:, None] + one.vertices).reshape(-1, 3)
    faces = np.arange(len(points))[:, None, None] * len(one.vertices) + one.faces
    return Triangles(vertices, np.tile(one.normals, (len(points), 1)), faces.reshape(-1, 3).astype(np.int32))


def polyline(points: ArrayLike, radius: float, detail: int = 8) -> Triangles:
    """A line through the points, as tubes with round joints: paths of handles."""
    points = np.asarray(points, np.float64).reshape(-1, 3)
    pieces = [tube(a, b, radius, detail) for a, b in pairwise(points) if np.any(a != b)]
    return join([*pieces, balls(points, radius, detail)])


def creased(vertices: Array, faces: NDArray[np.int32], degrees: float = 40.0) -> Triangles:
    """Any surface, smooth where its faces meet at less than so many degrees and sharp where at more.

    >>> corner = creased(*box()[::2])
    >>> len(corner.vertices), np.unique(corner.normals.round(6) + 0.0, axis=0).shape
    (24, (6, 3))
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    doubled = np.cross(b - a, c - a)
    length = np.linalg.norm(doubled, axis=1, keepdims=True)
    flat = doubled / np.where(length > 0, length, 1.0)
    # Corners of faces that are at one place, whatever vertices they are: files split these at seams.
    grain = max(float(np.ptp(vertices)), 1e-300) * 1e-7
    point = np.unique(np.round(vertices / grain), axis=0, return_inverse=True)[1]
    corner = point.reshape(-1)[faces].reshape(-1)
    order = np.argsort(corner, kind="stable")
    starts = np.searchsorted(corner[order], np.arange(corner.max() + 2))
    number = np.diff(starts)[corner]
    mine = np.repeat(np.arange(len(corner)), number)
    within = np.arange(len(mine)) - np.repeat(np.cumsum(number) - number, number)
    other = order[starts[corner[mine]] + within] // 3
    near = np.einsum("ij,ij->i", flat[mine // 3], flat[other]) > np.cos(np.radians(degrees))
    mine, other = mine[near], other[near]
    sums = np.stack([np.bincount(mine, doubled[other, k], minlength=len(corner)) for k in range(3)], axis=1)
    size = np.linalg.norm(sums, axis=1, keepdims=True)
    normals = np.where(size > 0, sums / np.where(size > 0, size, 1.0), [0.0, 1.0, 0.0])
    # Corners that have the same place and normal are one vertex again.
    key = np.column_stack([corner, np.round(normals * 1e4)])
    _, first, which = np.unique(key, axis=0, return_index=True, return_inverse=True)
    places = vertices[faces.reshape(-1)]
    return Triangles(places[first], normals[first], which.reshape(-1, 3).astype(np.int32))


def join(meshes: Sequence[Triangles]) -> Triangles:
    """Several meshes as one."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=True)]
    return Triangles(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.normals for mesh in meshes]),
        np.concatenate(faces).astype(np.int32),
    )


def _frame(direction: Array) -> tuple[Array, Array, Array]:
    """A right-handed frame (axis, side, front): side x front = axis. A direction of length zero points up."""
    length = np.linalg.norm(direction)
    axis = direction / length if length > 0 else np.array([0.0, 1.0, 0.0])
    away = np.zeros(3)
    away[np.argmin(np.abs(axis))] = 1.0  # the coordinate axis farthest from parallel
    side = np.cross(away, axis)
    side /= np.linalg.norm(side)
    return axis, side, np.cross(axis, side)


def _grid_faces(rows: int, columns: int) -> NDArray[np.int32]:
    """Two triangles per cell of a grid of vertices, rows along the axis, columns turning about it."""
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    right, up, across = corner + 1, corner + columns, corner + columns + 1
    lower, upper = np.stack([corner, right, across], 1), np.stack([corner, across, up], 1)
    return np.concatenate([lower, upper]).astype(np.int32)
