"""A camera for a whole film: it sees every vertex in every frame, and goes along where the bodies travel far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.session.render.action import SHADED, Action, box_of
from pliant.session.render.camera import Camera, direction_of, fixed_camera, looking, point_of
from pliant.session.render.film_lights import Ball
from pliant.session.render.stage import SHADOW_MARGIN

Array = NDArray[np.float64]

FOV = 28.0  # degrees, as of stills
FOLLOW_DISTANCE = 3.0  # the camera follows if it would stand so many times farther away to see everything at once
CALM = (1.5, 1.0, 0.7, 0.5, 0.35, 0.2, 0.1, 0.05)  # seconds over which the camera's path is smoothed
ROOM = 1.3  # how much farther away it may stand for a calmer path
GRID = 0.5  # of the bodies' size: lines on the ground, so that one sees the camera move


@dataclass(frozen=True, eq=False)
class Framing:
    """cameras and balls: one for each frame, or one for all.  grid: metres between lines on the ground, or None."""

    cameras: tuple[Camera, ...]
    balls: tuple[Ball, ...]
    grid: float | None = None

    def camera(self, frame: int) -> Camera:
        return self.cameras[min(frame, len(self.cameras) - 1)]

    def ball(self, frame: int) -> Ball:
        """Where the light of a frame is worked out."""
        return self.balls[min(frame, len(self.balls) - 1)]


def frame_action(action: Action, wish: Any = None, aspect: float = 16 / 9, follow: bool | None = None) -> Framing:
    """`wish`: a Camera, (eye, target), or a direction to look from. `follow`: whether the camera goes along; None: if
    the bodies travel far."""
    whole, every = action.whole, range(action.frames)
    ball = _ball_of(box_of([whole, action.obstacles(whole, every, SHADED, SHADED)]))
    fixed = fixed_camera(wish)
    if fixed is not None:
        return Framing((fixed,), (ball,))
    lens = _Lens(direction_of(wish), aspect)
    bodies = lens.rows(action.clouds(frame) for frame in every)
    one = bodies.join(lens.rows([[action.obstacles(whole, every)]])).highest()
    still = Framing((lens.camera(one.eye(), float(one.middle)),), (ball,))
    if follow is False:
        return still
    close = [action.obstacles(box, (frame,)) for frame, box in enumerate(action.boxes)]
    needs = bodies.join(lens.rows([[points] for points in close]))
    path, smooth = _calm_path(needs, action.fps)
    middles = smooth(needs.middle)
    away = float(np.max(path[:, 2] - middles))
    if follow is None and float(one.eye()[2] - one.middle) <= FOLLOW_DISTANCE * away:
        return still
    cameras = tuple(lens.camera(eye, float(deep)) for eye, deep in zip(path, middles, strict=True))
    boxes = np.stack([box_of([box, action.obstacles(box, (t,), SHADED, SHADED)]) for t, box in enumerate(action.boxes)])
    size = float(np.median(np.linalg.norm(action.boxes[:, 1] - action.boxes[:, 0], axis=1)))
    return Framing(cameras, _balls_along(boxes, smooth), _round_number(GRID * size))


@dataclass(frozen=True, eq=False)
class _Needs:
    """How far out the eye must be. In the camera's axes (right, up, back) a point p is within the right and left
    planes of an eye at (x, z) when  x + s z >= p_x + s p_z  and  s z - x >= s p_z - p_x:  `high` and `low` are the
    largest of the right sides, for the two pairs of planes, (T, 2) each. near, far (T,): the points' depths."""

    slopes: Array
    high: Array
    low: Array
    near: Array
    far: Array

    @property
    def middle(self) -> Array:
        return (self.near + self.far) / 2

    def centred(self) -> Array:
        """(T, 2): the eye's place to the right and up at which both planes of a pair touch."""
        return (self.high - self.low) / 2

    def depths(self, at: Array) -> Array:
        """(T,): how far back an eye at (T, 2) must be at least."""
        planes = np.maximum(self.high - at, self.low + at) / self.slopes
        room = 0.05 * np.maximum(self.near - self.far, 1e-3)
        return np.maximum(planes.max(axis=-1), self.near + room)

    def eye(self) -> Array:
        at = self.centred()
        return np.concatenate([at, np.expand_dims(self.depths(at), -1)], axis=-1)

    def highest(self) -> _Needs:
        """Of all frames together."""
        return _Needs(
            self.slopes, self.high.max(axis=0), self.low.max(axis=0), self.near.max(axis=0), self.far.min(axis=0)
        )

    def join(self, other: _Needs) -> _Needs:
        """What sees both; the other may be one for all frames."""
        return _Needs(
            self.slopes,
            np.maximum(self.high, other.high),
            np.maximum(self.low, other.low),
            np.maximum(self.near, other.near),
            np.minimum(self.far, other.far),
        )


class _Lens:
    """Cameras that look from one direction."""

    def __init__(self, direction: Array, aspect: float) -> None:
        self.axes = looking(direction)
        self.slopes = np.tan(np.radians(FOV) / 2) * (1.0 - SHADOW_MARGIN) * np.array([aspect, 1.0])

    def camera(self, eye: Array, middle: float) -> Camera:
        target = np.array([eye[0], eye[1], min(middle, eye[2] - 1e-3)])
        return Camera(point_of(eye @ self.axes), point_of(target @ self.axes), FOV)

    def rows(self, frames: Iterable[Sequence[Array]]) -> _Needs:
        """Exactly what the points of each frame need."""
        table = np.stack([self._row(clouds) for clouds in frames])
        return _Needs(self.slopes, table[:, 0:2], table[:, 2:4], table[:, 4], table[:, 5])

    def _row(self, clouds: Sequence[Array]) -> Array:
        local = np.concatenate(clouds) @ self.axes.T
        flat, deep = local[:, :2], local[:, 2:] * self.slopes
        planes = (flat + deep).max(axis=0, initial=-np.inf), (deep - flat).max(axis=0, initial=-np.inf)
        ends = local[:, 2].max(initial=-np.inf), local[:, 2].min(initial=np.inf)
        return np.concatenate([*planes, ends])


def _calm_path(needs: _Needs, fps: float) -> tuple[Array, Callable[[Array], Array]]:
    """The eye's path (T, 3), as calm as it can be without standing much farther away; and the smoothing of it."""
    from scipy.ndimage import gaussian_filter1d

    def smoothing(seconds: float) -> Callable[[Array], Array]:
        return lambda values: gaussian_filter1d(values, seconds * fps, axis=0, mode="nearest")

    def along(smooth: Callable[[Array], Array]) -> tuple[Array, float]:
        at, middle = smooth(needs.centred()), smooth(needs.middle)
        away = float(np.max(needs.depths(at) - middle))  # one distance for all: the body keeps its size
        return np.column_stack([at, middle + away]), away

    _, closest = along(lambda values: values)
    for seconds in CALM:
        smooth = smoothing(seconds)
        path, away = along(smooth)
        if away <= ROOM * closest:
            break
    return path, smooth


def _ball_of(box: Array) -> Ball:
    return Ball((box[0] + box[1]) / 2, max(float(np.linalg.norm(box[1] - box[0])) / 2, 1e-6))


def _balls_along(boxes: Array, smooth: Callable[[Array], Array]) -> tuple[Ball, ...]:
    """Balls of one size round the boxes, on a calm path."""
    middles = (boxes[:, 0] + boxes[:, 1]) / 2
    calm = smooth(middles)
    reach = np.linalg.norm(middles - calm, axis=1) + np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1) / 2
    radius = max(float(reach.max()), 1e-6)
    return tuple(Ball(centre, radius) for centre in calm)


def _round_number(length: float) -> float:
    """The nearest of …, 0.5, 1, 2, 5, 10, …

    >>> _round_number(0.6), _round_number(17.0)
    (0.5, 20.0)
    """
    length = max(length, 1e-9)
    power = 10.0 ** np.floor(np.log10(length))
    return float(min((digit * power for digit in (1, 2, 5, 10)), key=lambda each: abs(np.log(each / length))))
