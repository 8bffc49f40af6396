"""What is to be seen in a film: points of every frame, and the colliders about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.runtime.errors import PliantError
from pliant.session.render.camera import direction_of, looking
from pliant.session.render.stage import local_mesh, placed
from pliant.world import Collider, Plane

Array = NDArray[np.float64]

NEAR_ACTION = 0.3  # of the action's size: colliders so close to it are in the picture
CUT = 0.12  # and this part of those that are larger than the action
SHADED = 0.7  # the same for their shadows: more of them is seen at the picture's sides


@dataclass(frozen=True, eq=False)
class Action:
    """What is to be seen.  clouds: for the number of a frame the points that must be in the picture, as arrays (N, 3).
    colliders: those that are in the picture if they are close."""

    frames: int
    fps: float
    clouds: Callable[[int], Sequence[Array]]
    colliders: Sequence[Collider] = ()

    @cached_property
    def boxes(self) -> Array:
        """(T, 2, 3): lowest and highest corner of each frame's points."""
        boxes = np.empty((self.frames, 2, 3))
        for frame in range(self.frames):
            points = np.concatenate([np.empty((0, 3)), *self.clouds(frame)])
            if not len(points) or not np.isfinite(points).all():
                raise PliantError(f"film: frame {frame + 1} has no finite vertices to show")
            boxes[frame] = points.min(axis=0), points.max(axis=0)
        return boxes

    @property
    def whole(self) -> Array:
        """(2, 3): the box of all frames."""
        return np.stack([self.boxes[:, 0].min(axis=0), self.boxes[:, 1].max(axis=0)])

    def shape_seen(self, wish: Any) -> tuple[float, float]:
        """Width and height as seen from a direction, in metres."""
        local = corners_of(self.whole) @ looking(direction_of(wish)).T
        wide, tall = np.ptp(local[:, :2], axis=0)
        return max(float(wide), 1e-6), max(float(tall), 1e-6)

    def obstacles(self, box: Array, frames: Iterable[int], near: float = NEAR_ACTION, cut: float = CUT) -> Array:
        """(N, 3): the colliders close to a box in some frames; of large ones only what lies closest."""
        size = float(np.linalg.norm(box[1] - box[0]))
        low, high = box[0] - near * size, box[1] + near * size
        found = [np.empty((0, 3))]
        for prop in self._props:
            for frame in frames if prop.moves else (0,):
                points, (lowest, highest) = prop.at(frame / self.fps)
                if (lowest <= high).all() and (highest >= low).all():
                    small = np.linalg.norm(highest - lowest) <= size
                    found.append(points if small else np.clip(points, box[0] - cut * size, box[1] + cut * size))
        return np.concatenate(found)

    @cached_property
    def _props(self) -> list[_Prop]:
        return [_Prop(each) for each in self.colliders if not isinstance(each, Plane)]


class _Prop:
    """The vertices of a collider; of one that stands still they are worked out once."""

    def __init__(self, collider: Collider) -> None:
        self.collider, self.mesh, self.moves = collider, local_mesh(collider), collider.path is not None
        self.still = None if self.moves else self._placed(0.0)

    def at(self, time: float) -> tuple[Array, Array]:
        """(N, 3) vertices, and (2, 3) their box."""
        return self.still or self._placed(time)

    def _placed(self, time: float) -> tuple[Array, Array]:
        points = placed(self.mesh, self.collider, time).vertices
        return points, box_of([points])


def box_of(clouds: Sequence[Array]) -> Array:
    points = np.concatenate(clouds)
    return np.stack([points.min(axis=0), points.max(axis=0)])


def corners_of(box: Array) -> Array:
    return np.array([[box[i, 0], box[j, 1], box[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
