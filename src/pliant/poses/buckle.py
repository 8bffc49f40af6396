"""The diamonds of a tube that was pressed too hard."""

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.poses.frame import Axis, frame, number, whole

Array = NDArray[np.float64]

RIDGE = (
    0.25  # the ridges rise by this part of the depth of the dents: a crumpled wall mostly gives way inwards
)


def buckle(
    body: Body,
    *,
    axis: Axis = None,
    waves: int = 4,
    rows: int = 4,
    depth: float = 0.2,
    shorten: float = 0.2,
    keep_volume: bool = True,
) -> Array:
    """The body as a buckled tube: `rows` rows of `waves` diamonds, staggered (the Yoshimura pattern).

    depth: how far a dent goes in, as a part of the radius (below 0.5). shorten: how much shorter the body
    is. The ends stay round. The whole widens so as to keep its volume; `keep_volume=False` leaves the ends
    as wide as at rest.
    """
    waves = whole(waves, "pose buckle: waves", 2)
    rows = whole(rows, "pose buckle: rows", 1)
    depth = number(depth, "pose buckle: depth", 0.0, 0.5, open_low=False)
    shorten = number(shorten, "pose buckle: shorten", 0.0, 1.0, open_low=False)
    at = frame(body, "buckle", axis)

    radius = np.hypot(at.toward, at.side)
    angle = np.arctan2(at.side, at.toward)
    # The displacement grows from the axis to the wall; r (1 + d r / R) keeps rising in r as long as d > -1/2.
    ripple = depth * _diamonds(waves * angle, rows * (at.along / at.length + 0.5)) * radius / radius.max()
    wide = (1.0 + ripple) * (_volume_kept(depth, shorten) if keep_volume else 1.0)
    return at.place((1.0 - shorten) * at.along, wide * at.toward, wide * at.side)


def _diamonds(round_phase: Array, row: Array) -> Array:
    """-1 in the middle of a dent, RIDGE on a ridge, 0 at the ends.

    The product of a wave round the tube and one along it is a chequered field of hills and dales, p from -1
    to 1. (1 - e^-ap) / (e^a - 1) deepens the dales to -1 and flattens the hills to e^-a, which is RIDGE for
    a = -log RIDGE.
    """
    field = np.cos(round_phase) * np.sin(np.pi * row)
    return (1.0 - RIDGE**field) / (1.0 / RIDGE - 1.0)


def _volume_kept(depth: float, shorten: float) -> float:
    """The widening that restores the volume: the mean of the squared radius over the pattern, by a fine
    sum.
    """
    phase = 2 * np.pi * (np.arange(64) + 0.5) / 64
    wall = 1.0 + depth * _diamonds(phase[:, None], phase[None, :] / np.pi)
    return float(((1.0 - shorten) * np.mean(wall**2)) ** -0.5)
