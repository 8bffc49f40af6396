"""Which frames of a motion are needed: those that a straight line between kept neighbours does not give back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Key:
    """A kept frame; its shape, or None where the shape of the key before it will do."""

    frame: int
    shape: Array | None


def thinned(shapes: Iterable[Array], tolerance: float) -> Iterator[Key]:
    """Keys such that shapes (N, 3) on straight lines between them are within `tolerance` of the given ones.

    One pass, without the frames in between: from the last key, every later frame allows each coordinate a range of
    slopes, and a frame can be the next key as long as the line to it lies within what all frames before it allow.

    >>> [key.frame for key in thinned([np.array([[x, 0.0, 0.0]]) for x in (0, 1, 2, 3, 3, 3)], 1e-9)]
    [0, 3, 5]
    """
    reach = tolerance / np.sqrt(3.0)  # of a coordinate, so that the point is within tolerance
    anchor, start = np.zeros((0, 3)), 0
    last: tuple[int, Array] | None = None  # the newest frame, if it is not a key
    low = high = anchor
    for frame, shape in enumerate(shapes):
        if frame == 0:
            anchor = shape
            yield Key(0, shape)
            continue
        slope = (shape - anchor) / (frame - start)
        if last is not None and not ((low <= slope) & (slope <= high)).all():
            key = _closed(last, low, high)
            yield key
            start, anchor, last = key.frame, anchor if key.shape is None else key.shape, None
            slope = (shape - anchor) / (frame - start)
        room = reach / (frame - start)
        if last is None:
            low, high = slope - room, slope + room
        else:
            np.maximum(low, slope - room, out=low)
            np.minimum(high, slope + room, out=high)
        last = frame, shape
    if last is not None:
        yield _closed(last, low, high)


def _closed(last: tuple[int, Array], low: Array, high: Array) -> Key:
    """The newest frame as a key. Where a slope of zero suits all since the last key, that one's shape serves again."""
    still = bool(((low <= 0) & (high >= 0)).all())
    return Key(last[0], None if still else last[1])


def cost(shapes: Iterable[Array], tolerance: float, least: float) -> int:
    """How many points move by more than `least` in the keys of a motion: about what it takes to write them."""
    base: Array | None = None
    total = 0
    for key in thinned(shapes, tolerance):
        if base is None:
            base = key.shape
        elif key.shape is not None:
            total += int((np.linalg.norm(key.shape - base, axis=1) > least).sum()) + 1
    return total
