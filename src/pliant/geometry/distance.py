"""Solids as distance functions: building blocks and how to join them.

A field takes points (N, 3) in metres and returns (N,) signed distances, negative inside. Only the zero level
has to be exact: blends and ellipsoids are close to distances near it, which is all that `isosurface` needs.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]
Field: TypeAlias = Callable[[Array], Array]


def sphere(centre: ArrayLike, radius: float) -> Field:
    """A ball.

    >>> sphere((0, 1, 0), 0.5)(np.array([[0.0, 3, 0], [0, 1, 0]])).tolist()
    [1.5, -0.5]
    """
    middle = np.asarray(centre, dtype=np.float64)
    return lambda points: _length(points - middle) - radius


def ellipsoid(centre: ArrayLike, radii: ArrayLike) -> Field:
    """An ellipsoid along the axes: k0 (k0 - 1) / k1 with k0 = |p / r|, k1 = |p / r^2| is a distance to first
    order."""
    middle, r = np.asarray(centre, dtype=np.float64), np.asarray(radii, dtype=np.float64)

    def field(points: Array) -> Array:
        scaled = (points - middle) / r
        k0 = _length(scaled)
        k1 = _length(scaled / r)
        return np.where(k1 > 0, k0 * (k0 - 1) / np.where(k1 > 0, k1, 1.0), -r.min())

    return field


def capsule(start: ArrayLike, end: ArrayLike, radius: float) -> Field:
    """All points within `radius` of a segment."""
    return rounded_cone(start, end, radius, radius)


def rounded_cone(start: ArrayLike, end: ArrayLike, start_radius: float, end_radius: float) -> Field:
    """The hull of two balls.

    In the plane through the axis, with x along it and y away from it, the side is a line whose normal is (b,
    a), b = (start_radius - end_radius) / length; a point belongs to the ball whose wedge of normals it lies
    in.
    """
    foot = np.asarray(start, dtype=np.float64)
    axis = np.asarray(end, dtype=np.float64) - foot
    length = float(np.linalg.norm(axis))
    b = (start_radius - end_radius) / length if length > 0 else 2.0
    if abs(b) >= 1:  # one ball holds the other
        return sphere(start, start_radius) if start_radius >= end_radius else sphere(end, end_radius)
    a = np.sqrt(1 - b * b)

    def field(points: Array) -> Array:
        away = points - foot
        x = away @ (axis / length)
        y = np.sqrt(np.maximum(np.einsum("ij,ij->i", away, away) - x * x, 0.0))
        along = a * x - b * y  # the foot on the side line, measured from the tangent point of the first ball
        side = a * y + b * x - start_radius
        near = np.hypot(x, y) - start_radius
        far = np.hypot(x - length, y) - end_radius
        return np.where(along < 0, near, np.where(along > a * length, far, side))

    return field


def rounded_box(centre: ArrayLike, half_size: ArrayLike, radius: float) -> Field:
    """A box of the given half size whose edges are rounded inwards by `radius`."""
    middle, half = np.asarray(centre, dtype=np.float64), np.asarray(half_size, dtype=np.float64) - radius

    def field(points: Array) -> Array:
        beyond = np.abs(points - middle) - half
        outside = _length(np.maximum(beyond, 0.0))
        return outside + np.minimum(beyond.max(axis=1), 0.0) - radius

    return field


def disc(centre: ArrayLike, radius: float, half_width: float, rounding: float, axis: ArrayLike) -> Field:
    """A wheel: a flat cylinder with round edges."""
    middle = np.asarray(centre, dtype=np.float64)
    direction = np.asarray(axis, dtype=np.float64) / np.linalg.norm(axis)

    def field(points: Array) -> Array:
        away = points - middle
        height = away @ direction
        across = _length(away - height[:, None] * direction)
        beyond = np.stack([across - radius + rounding, np.abs(height) - half_width + rounding], axis=1)
        outside = _length(np.maximum(beyond, 0.0))
        return outside + np.minimum(beyond.max(axis=1), 0.0) - rounding

    return field


def torus(centre: ArrayLike, radius: float, tube_radius: float, axis: ArrayLike = (0, 1, 0)) -> Field:
    """A ring of a given radius about an axis."""
    middle = np.asarray(centre, dtype=np.float64)
    direction = np.asarray(axis, dtype=np.float64) / np.linalg.norm(axis)

    def field(points: Array) -> Array:
        away = points - middle
        height = away @ direction
        across = _length(away - height[:, None] * direction)
        return np.hypot(across - radius, height) - tube_radius

    return field


def tube(knots: ArrayLike, radii: ArrayLike, pieces: int = 10) -> Field:
    """A round tube along the smooth curve through the knots, its radius running smoothly through `radii`.

    The nearest of `pieces` chords tells where on the curve to look, two steps of Newton's method find the
    foot there: chords alone would show as rings.
    """
    from scipy.interpolate import CubicSpline  # a tenth of a second to import, and few shapes have curves

    points = np.asarray(knots, dtype=np.float64)
    widths = np.broadcast_to(np.asarray(radii, dtype=np.float64), len(points))
    reach = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    curve = CubicSpline(reach, np.column_stack([points, widths]))
    tangent, bend = curve.derivative(1), curve.derivative(2)
    ends = np.linspace(0, reach[-1], pieces + 1)
    joints = curve(ends)
    middle = (joints[:, :3].min(axis=0) + joints[:, :3].max(axis=0)) / 2
    size = float((np.linalg.norm(joints[:, :3] - middle, axis=1) + joints[:, 3]).max())

    def field(points: Array) -> Array:
        # Well outside the ball round the whole tube the distance to that ball will do.
        ball = _length(points - middle) - size
        near = np.flatnonzero(ball < size / 2)
        ball[near] = exact(points[near])
        return ball

    def exact(points: Array) -> Array:
        nearest, at = np.full(len(points), np.inf), np.zeros(len(points))
        for k in range(pieces):
            axis = joints[k + 1, :3] - joints[k, :3]
            away = points - joints[k, :3]
            t = np.clip(away @ axis / (axis @ axis), 0.0, 1.0)
            width = joints[k, 3] + t * (joints[k + 1, 3] - joints[k, 3])
            distance = _length(away - t[:, None] * axis) - width
            closer = distance < nearest
            nearest = np.where(closer, distance, nearest)
            at = np.where(closer, ends[k] + t * (ends[k + 1] - ends[k]), at)
        for _ in range(2):
            away = points - curve(at)[:, :3]
            along = tangent(at)[:, :3]
            slope = np.einsum("ij,ij->i", along, along) - np.einsum("ij,ij->i", away, bend(at)[:, :3])
            step = np.einsum("ij,ij->i", away, along) / np.maximum(slope, 0.2)
            at = np.clip(at + np.clip(step, -ends[1], ends[1]), 0.0, reach[-1])
        foot = curve(at)
        return _length(points - foot[:, :3]) - foot[:, 3]

    return field


def union(*fields: Field, blend: float = 0.0) -> Field:
    """All of the fields together; where two surfaces come within `blend` metres the valley between them is
    filled."""

    def field(points: Array) -> Array:
        values = fields[0](points)
        for other in fields[1:]:
            values = _soft_minimum(values, other(points), blend)
        return values

    return field


def subtract(field: Field, *cuts: Field, blend: float = 0.0) -> Field:
    """The first field without the others, the edges of the cuts rounded over `blend` metres."""

    def result(points: Array) -> Array:
        values = field(points)
        for cut in cuts:
            values = -_soft_minimum(-values, cut(points), blend)
        return values

    return result


def mirror(field: Field, axis: int = 0) -> Field:
    """The half on the positive side of an axis, repeated on the negative side."""

    def result(points: Array) -> Array:
        folded = points.copy()
        folded[:, axis] = np.abs(folded[:, axis])
        return field(folded)

    return result


def turned(field: Field, rotation: Rotation, centre: ArrayLike = (0, 0, 0)) -> Field:
    """The field rotated about a centre."""
    middle, back = np.asarray(centre, dtype=np.float64), rotation.inv().as_matrix().T
    return lambda points: field((points - middle) @ back + middle)


def _soft_minimum(a: Array, b: Array, blend: float) -> Array:
    """Cubic blend: the minimum beyond `blend`, twice continuously differentiable at its border."""
    if blend <= 0:
        return np.minimum(a, b)
    overlap = np.maximum(blend - np.abs(a - b), 0.0) / blend
    return np.minimum(a, b) - overlap * overlap * overlap * (blend / 6)


def _length(vectors: Array) -> Array:
    return np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
