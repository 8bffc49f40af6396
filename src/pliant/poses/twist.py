"""Twisted about its length."""

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.poses.frame import Axis, frame, number, widening


def twist(
    body: Body,
    degrees: float = 90.0,
    *,
    axis: Axis = None,
    shorten: float = 0.0,
    keep_volume: bool = True,
) -> NDArray[np.float64]:
    """The body twisted by `degrees` from one end to the other, and `shorten` (0.2 = a fifth) shorter.

    A twist that keeps its length does nothing under compression: nothing in it is compressed. Shorten it if
    the body is to twist when it is pressed. Shortened, it widens so as to keep its volume.

    >>> from pliant.body import Body
    >>> tent = Body(np.eye(4, 3, -1), tets=[[0, 1, 2, 3]])
    >>> twist(tent, degrees=45, axis="y").shape
    (4, 3)
    """
    turn = np.radians(number(degrees, "pose twist: degrees"))
    shorten = number(shorten, "pose twist: shorten", 0.0, 1.0, open_low=False)
    at = frame(body, "twist", axis)
    angle = turn * at.along / at.length
    wide = widening(shorten, keep_volume)
    cosine, sine = wide * np.cos(angle), wide * np.sin(angle)
    return at.place(
        (1.0 - shorten) * at.along, cosine * at.toward - sine * at.side, sine * at.toward + cosine * at.side
    )
