"""Where the picture is taken from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.runtime.errors import PliantError

Array = NDArray[np.float64]

THREE_QUARTER = (0.55, 0.42, 1.0)  # from the action to the eye: a little to the right, a little above


@dataclass(frozen=True)
class Camera:
    """A pinhole camera; `fov` is the vertical field of view in degrees.

    >>> Camera(eye=(0, 1, 4), target=(0, 0, 0)).fov
    28.0
    """

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    fov: float = 28.0  # long lens: upright things stay upright, as in product photographs

    def __post_init__(self) -> None:
        if not 1.0 <= self.fov <= 150.0:
            raise PliantError(f"camera: fov is {self.fov} degrees; it must lie between 1 and 150")
        if np.allclose(self.eye, self.target):
            raise PliantError("camera: eye and target are the same point; move the eye away from it")

    def axes(self) -> Array:
        """Rows right, up, back: the camera looks along minus the last."""
        return looking(np.subtract(self.eye, self.target))

    def view_matrix(self) -> Array:
        """World to camera, (4, 4), for column vectors."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.axes()
        matrix[:3, 3] = -matrix[:3, :3] @ np.asarray(self.eye, np.float64)
        return matrix

    def projection_matrix(
        self, aspect: float, near: float, far: float, shift: tuple[float, float] = (0.0, 0.0)
    ) -> Array:
        """Camera to clip space, (4, 4); `shift` moves the picture by parts of its half size."""
        scale = 1.0 / np.tan(np.radians(self.fov) / 2)
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[1, 1] = scale / aspect, scale
        matrix[0, 2], matrix[1, 2] = -shift[0], -shift[1]
        matrix[2, 2], matrix[2, 3] = (far + near) / (near - far), 2 * far * near / (near - far)
        matrix[3, 2] = -1.0
        return matrix


def frame_all(
    points: ArrayLike,
    direction: ArrayLike = THREE_QUARTER,
    aspect: float = 16 / 9,
    fov: float = 28.0,
    margin: float = 0.12,
) -> Camera:
    """The nearest camera in a direction that sees all points, `margin` of the half picture left free.

    >>> camera = frame_all([[0, 0, 0], [1, 1, 1]], aspect=1.0)
    >>> camera.eye[1] > camera.target[1]
    True
    """
    cloud = np.asarray(points, np.float64).reshape(-1, 3)
    if not len(cloud) or not np.isfinite(cloud).all():
        raise PliantError("frame_all: needs at least one point, and finite ones")
    axes = looking(np.asarray(direction, np.float64))
    local = cloud @ axes.T  # right, up, towards the eye
    slopes = np.tan(np.radians(fov) / 2) * (1.0 - margin) * np.array([aspect, 1.0])
    # A point is inside the right and left planes of an eye at (x, z) when  p_x - x <= s (z - p_z)  and
    # x - p_x <= s (z - p_z), so  x + s z >= max(p_x + s p_z)  and  s z - x >= max(s p_z - p_x). Both with
    # equality give the tightest eye for this pair of planes; the farther of the two pairs decides.
    eye = np.empty(3)
    depth = []
    for axis, slope in enumerate(slopes):
        high = np.max(local[:, axis] + slope * local[:, 2])
        low = np.max(slope * local[:, 2] - local[:, axis])
        eye[axis] = (high - low) / 2
        depth.append((high + low) / (2 * slope))
    size = max(float(np.ptp(local, axis=0).max()), 1e-3)
    eye[2] = max(*depth, local[:, 2].max() + 0.05 * size)
    target = eye.copy()
    target[2] = (local[:, 2].max() + local[:, 2].min()) / 2
    return Camera(point_of(eye @ axes), point_of(target @ axes), fov)


def direction_of(wish: Any) -> Array:
    """The direction to look from, as a unit vector; None is three quarters from the front and above.

    >>> direction_of((0, 0, 2)).tolist()
    [0.0, 0.0, 1.0]
    """
    fixed = fixed_camera(wish)
    if fixed is not None:
        return fixed.axes()[2]
    given = _numbers(THREE_QUARTER if wish is None else wish)
    if given.shape != (3,) or not np.isfinite(given).all() or not given.any():
        raise PliantError(f"the camera is {wish}; give a direction such as (0.5, 0.4, 1), or a Camera")
    return given / np.linalg.norm(given)


def fixed_camera(wish: Any) -> Camera | None:
    """The camera, if the wish is one (or its eye and target) and not a direction."""
    if isinstance(wish, Camera):
        return wish
    given = _numbers(wish)
    return Camera(point_of(given[0]), point_of(given[1])) if given.shape == (2, 3) else None


def looking(direction: Array) -> Array:
    """Rows right, up, back of a camera that looks from a direction."""
    back = direction / np.linalg.norm(direction)
    # Straight down or up has no "up" of its own: minus z then points up in the picture.
    up = np.array([0.0, 0.0, -1.0]) if abs(back[1]) > 0.9999 else np.array([0.0, 1.0, 0.0])
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), back])


def point_of(values: ArrayLike) -> tuple[float, float, float]:
    """Three plain numbers."""
    x, y, z = np.asarray(values, dtype=np.float64)
    return float(x), float(y), float(z)


def _numbers(given: Any) -> Array:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        return np.zeros(0)
