"""Thicker, or thinner, at one place."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.poses.frame import Axis, frame, number, point


def bulge(
    body: Body,
    amount: float = 0.5,
    *,
    centre: ArrayLike | None = None,
    axis: Axis = None,
    width: float = 0.5,
) -> NDArray[np.float64]:
    """The body wider across its axis by `amount` (0.5 = half as wide again) at `centre`; below 0: a waist.

    centre: a point (x, y, z) in metres, by default the middle; only where it lies along the axis counts.
    width: how much of the length takes part, 0.5 = half of it; the swelling fades smoothly towards its ends.
    """
    amount = number(amount, "pose bulge: amount", -1.0)
    width = number(width, "pose bulge: width", 0.0)
    at = frame(body, "bulge", axis)
    middle = 0.0
    if centre is not None:
        middle = float((point(centre, "pose bulge: centre") - at.origin) @ at.axis)
    reach = np.clip((at.along - middle) / (width * at.length / 2), -1.0, 1.0)
    wide = 1.0 + amount * np.cos(np.pi / 2 * reach) ** 2
    return at.place(at.along, wide * at.toward, wide * at.side)
