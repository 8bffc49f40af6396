"""Shorter and wider, or longer and thinner."""

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.poses.frame import Axis, frame, number, widening

Array = NDArray[np.float64]


def squash(body: Body, amount: float = 0.3, *, axis: Axis = None, keep_volume: bool = True) -> Array:
    """The body shorter along `axis` by `amount` (0.3 = three tenths), and wider so as to keep its volume."""
    amount = number(amount, "pose squash: amount", 0.0, 1.0, open_low=False)
    return _scaled(body, "squash", -amount, axis, keep_volume)


def stretch(body: Body, amount: float = 0.3, *, axis: Axis = None, keep_volume: bool = True) -> Array:
    """The body longer along `axis` by `amount` (0.3 = three tenths), and thinner so as to keep its volume."""
    amount = number(amount, "pose stretch: amount", 0.0, open_low=False)
    return _scaled(body, "stretch", amount, axis, keep_volume)


def _scaled(body: Body, pose: str, longer: float, axis: Axis, keep_volume: bool) -> Array:
    at = frame(body, pose, axis)
    wide = widening(-longer, keep_volume)
    return at.place((1.0 + longer) * at.along, wide * at.toward, wide * at.side)
