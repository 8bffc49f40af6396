"""Bent along a plane curve: a bow, or the letter S."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.poses.frame import Axis, BodyAxes, frame, number
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]

# Nodes and weights on [0, 1]; 32 of them integrate the cosine of several turns to the last digit.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
NODES, WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2


def bend(body: Body, degrees: float = 90.0, *, axis: Axis = None, toward: Axis = None) -> Array:
    """The body bent to an arc: its ends enclose `degrees` and lean toward `toward`; the middle stays put.

    The centre line keeps its length; the inner side is compressed as much as the outer one is stretched.
    """
    turn = np.radians(number(degrees, "pose bend: degrees"))
    at = frame(body, "bend", axis, toward)
    return _follow(at, "bend", degrees, lambda s: turn * s, lambda s: np.full_like(s, turn))


def s_curve(body: Body, degrees: float = 60.0, *, axis: Axis = None, toward: Axis = None) -> Array:
    """The body bent to an S: its middle leans by `degrees`, its ends run along the axis as before."""
    turn = np.radians(number(degrees, "pose s_curve: degrees"))
    at = frame(body, "s_curve", axis, toward)
    return _follow(
        at,
        "s_curve",
        degrees,
        lambda s: turn * (1.0 + np.cos(2 * np.pi * s)) / 2,
        lambda s: -turn * np.pi * np.sin(2 * np.pi * s),
    )


def _follow(
    at: BodyAxes, pose: str, degrees: float, angle: Callable[[Array], Array], slope: Callable[[Array], Array]
) -> Array:
    """The body laid along the curve whose tangent leans by `angle(s)` rad, s from -1/2 to 1/2 of the length.

    `slope` is the derivative of the angle. A layer at height t above the centre line is stretched by 1 - t
    slope / length, so it must stay above zero on the inner side.
    """
    s = at.along / at.length
    pinch = float((at.toward * slope(s)).max()) / at.length
    if pinch >= 0.98:
        most = abs(degrees) * 0.98 / pinch
        raise SettingsError(
            f"pose {pose}: at {degrees:g} degrees the inner side folds; give less than {most:.0f}"
        )
    lean = angle(s[:, None] * NODES)
    forward = at.along * (np.cos(lean) @ WEIGHTS)
    upward = at.along * (np.sin(lean) @ WEIGHTS)
    here = angle(s)
    return at.place(forward - at.toward * np.sin(here), upward + at.toward * np.cos(here), at.side)
