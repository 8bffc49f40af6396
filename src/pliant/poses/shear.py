"""Pushed sideways, the more the further along."""

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.poses.frame import Axis, frame, number


def shear(body: Body, amount: float = 0.5, *, axis: Axis = None, toward: Axis = None) -> NDArray[np.float64]:
    """The body with its layers along `axis` slid toward `toward`: by `amount` metres for each metre of
    length.
    """
    amount = number(amount, "pose shear: amount")
    at = frame(body, "shear", axis, toward)
    return at.place(at.along, at.toward + amount * at.along, at.side)
