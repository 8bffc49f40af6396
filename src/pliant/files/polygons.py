"""Faces with any number of corners, cut into triangles."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

# Cutting ears off a face takes the square of its corners. No face of a model has as many as this.
MOST_CORNERS = 1000


class TooManyCorners(ValueError):
    """A hollow face with more corners than can be cut in reasonable time; `face` is its number."""

    def __init__(self, face: int, corners: int) -> None:
        super().__init__(f"{corners:,} corners")
        self.face, self.corners = face, corners


def triangulate(positions: Array, sizes: Numbers, corners: Numbers) -> tuple[Numbers, Numbers]:
    """Triangles (M, 3) as places in `corners`, and the face (M,) each was cut from; in the order of the faces.

    positions (P, 3); sizes (F,): corners of each face, at least three; corners (C,): all their points, face by face.
    Hollow (concave) faces are cut inside their outline, as far as they are nearly flat.

    >>> flat = np.array([[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [1.9, 0.1, 0]])  # an arrow head
    >>> triangulate(flat, np.array([4]), np.array([0, 1, 2, 3]))[0].tolist()
    [[0, 1, 3], [1, 2, 3]]
    """
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(sizes) else np.zeros(0, np.int64)
    triangles, faces = [], []
    for size in np.unique(sizes):
        which = np.flatnonzero(sizes == size)
        places = starts[which][:, None] + np.arange(size)
        if size == 3:
            cut = places[:, None, :]
        elif size == 4:
            cut = _quads(positions[corners[places]], places)
        else:
            cut = _polygons(positions[corners[places]], places, which)
        triangles.append(cut.reshape(-1, 3))
        faces.append(np.repeat(which, size - 2))
    if not triangles:
        return np.zeros((0, 3), np.int64), np.zeros(0, np.int64)
    face = np.concatenate(faces)
    order = np.argsort(face, kind="stable")
    return np.concatenate(triangles)[order], face[order]


def _quads(points: Array, places: Numbers) -> Numbers:
    """(F, 2, 3): cut from corner 0 to 2, or from 1 to 3 where the first cut would leave the quad (it is an arrow head)
    or the other diagonal is clearly shorter."""
    a, b, c, d = (points[:, k] for k in range(4))
    across = _agreement(a, b, c, d), _agreement(b, c, d, a)
    longer = np.linalg.norm(c - a, axis=1) > 1.0001 * np.linalg.norm(d - b, axis=1)
    other = ((across[1] > 0) & longer) | ((across[0] <= 0) & (across[1] > across[0]))
    return np.where(other[:, None, None], places[:, [[0, 1, 3], [1, 2, 3]]], places[:, [[0, 1, 2], [0, 2, 3]]])


def _agreement(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Above 0 if the triangles a b c and a c d face the same way."""
    return np.einsum("ij,ij->i", np.cross(b - a, c - a), np.cross(c - a, d - a))


def _polygons(points: Array, places: Numbers, which: Numbers) -> Numbers:
    """(F, n - 2, 3): a fan where the face is bulging everywhere, ears cut off one by one where it is not."""
    count = points.shape[1]
    after, before = np.roll(points, -1, axis=1), np.roll(points, 1, axis=1)
    normal = np.cross(points - points[:, :1], after - points[:, :1]).sum(axis=1)  # twice the area: Newell's sum
    turns = np.einsum("fnj,fj->fn", np.cross(points - before, after - points), normal)
    hollow = (turns < 0).any(axis=1)
    ring = np.arange(1, count - 1)
    fan = np.stack([np.zeros_like(ring), ring, ring + 1], axis=1)
    local = np.repeat(fan[None], len(points), axis=0)
    for f in np.flatnonzero(hollow):
        if count > MOST_CORNERS:
            raise TooManyCorners(int(which[f]), count)
        local[f] = _ears(_flattened(points[f], normal[f]))
    return np.take_along_axis(places, local.reshape(len(points), -1), axis=1).reshape(local.shape)


def _flattened(points: Array, normal: Array) -> Array:
    """The corners (n, 2) seen from the side that the normal points to."""
    length = np.linalg.norm(normal)
    if not length > 0:
        return points[:, :2]
    normal = normal / length
    across = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    across /= np.linalg.norm(across)
    return np.stack([points @ across, points @ np.cross(normal, across)], axis=1)


def _ears(flat: Array) -> Numbers:
    """Triangles (n - 2, 3) of an outline that runs counter-clockwise. One that crosses itself is cut all the same."""
    left = np.arange(len(flat))
    triangles = []
    at = 0  # where to look next: beside the last cut, so that a strip is not gnawed from one end only
    while len(left) > 3:
        a, b, c = flat[np.roll(left, 1)], flat[left], flat[np.roll(left, -1)]
        turns = _side(a, b, c)
        bulging = np.roll(np.arange(len(left)), -at)
        bulging = bulging[turns[bulging] > 0]
        inner = b[turns <= 0]  # only these can stand inside an ear
        free = (int(k) for k in bulging if not _within(inner, a[k], b[k], c[k]))
        # None is free where corners stand in a line or the outline crosses itself: then the flattest goes.
        ear = next(free, int(np.argmin(np.abs(turns))))
        triangles.append(left[[ear - 1, ear, (ear + 1) % len(left)]])
        left = np.delete(left, ear)
        at = ear % len(left)
    triangles.append(left)
    return np.array(triangles)


def _within(points: Array, a: Array, b: Array, c: Array) -> bool:
    """Whether one of the points lies in the triangle. Its own corners do not count, nor do points that stand exactly
    on them, as where an outline touches itself."""
    inside = (_side(a, b, points) >= 0) & (_side(b, c, points) >= 0) & (_side(c, a, points) >= 0)
    if not inside.any():
        return False
    near = points[inside]
    return not ((near == a).all(axis=1) | (near == b).all(axis=1) | (near == c).all(axis=1)).all()


def _side(a: Array, b: Array, points: Array) -> Array:
    """Above 0 where points (n, 2) lie left of the line from a to b."""
    across = (b[..., 0] - a[..., 0]) * (points[:, 1] - a[..., 1])
    return np.asarray(across - (b[..., 1] - a[..., 1]) * (points[:, 0] - a[..., 0]))
