"""The verdict on a filled pose."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.volume.filling.fit import Fit, Verdict
from pliant.volume.filling.system import FillingSystem

Array = NDArray[np.float64]

MEAN, HIGH = 0.003, 0.015  # of the diagonal: the largest mean and 99th percentile of a pose that is reached
MOST_LOST = 0.5  # of its movement: the most that may be lost of a pose that is reached
SEEN = 0.001  # of the diagonal: who moves less is not asked whether the movement is lost
CRUSHED = 0.05  # of its volume at rest, or of that at the size of the whole pose if this is smaller
LEAST_SIZE = 0.1  # times the rest: as if a pose were not smaller than that
MIRRORED = 0.9  # part of a piece's volume that is inside out when it is mirrored rather than folded
CRUMPLED = 10.0  # times too far for any particles: no finer mesh would help
MOST_REFINED = 10.0  # times the particles: further than that it cannot be foretold


@dataclass(frozen=True)
class Gap:
    """How far skin and surface are apart (m), and which part of the pose's movement is lost (1: all of it)."""

    mean: float
    high: float
    largest: float
    missed: float
    diagonal: float

    @property
    def excess(self) -> float:
        """How many times too far."""
        return max(self.mean / (MEAN * self.diagonal), self.high / (HIGH * self.diagonal), self.missed / MOST_LOST)


def judge(system: FillingSystem, name: str, x: Array, surface: Array, floor: Callable[[], Array]) -> Fit:
    """The fit of positions `x` to a posed surface. `floor` gives the positions whose skin is as near as it can
    be at all; it is asked only if this one is too far away."""
    gap = measure(system, x, surface)
    deformation = system.deformation(x)
    verdict, remedy = _verdict(system, deformation, gap, lambda: measure(system, floor(), surface))
    volumes = np.linalg.det(deformation)
    worst, inverted = float(volumes.min()), int((volumes <= 0).sum())
    return Fit(name, gap.mean, gap.high, gap.largest, gap.diagonal, worst, inverted, verdict, remedy)


def crushed(deformation: Array) -> bool:
    """Whether a tet has next to nothing left of its volume. A pose that is smaller as a whole crushes nothing.

    >>> crushed(np.diag([1.0, 1.0, 0.04])[None]), crushed(0.3 * np.eye(3)[None])
    (True, False)
    """
    # The largest stretch is the size of a tet, also of one that is flat.
    size = float(np.median(np.linalg.norm(deformation, ord=2, axis=(1, 2))))
    usual = min(1.0, max(size, LEAST_SIZE) ** 3)
    return bool(np.linalg.det(deformation).min() < CRUSHED * usual)


def measure(system: FillingSystem, x: Array, surface: Array) -> Gap:
    """Mean and 99th percentile are taken over the area, so they do not change when the surface is cut finer."""
    distances = np.linalg.norm(system.skin @ x - surface, axis=1)
    order = np.argsort(distances, kind="stable")
    place = int(np.searchsorted(np.cumsum(system.shares[order]), 0.99))
    high = distances[order[min(place, len(order) - 1)]]
    # A blink moves a hundredth of a face, and not far: lost altogether it would leave mean and percentile low.
    moves = np.linalg.norm(surface - system.skin @ system.rest, axis=1)
    seen = system.shares * (moves > SEEN * system.diagonal)
    missed = np.sqrt((seen @ distances**2) / (seen @ moves**2)) if seen.any() else 0.0
    mean = system.shares @ distances
    return Gap(float(mean), float(high), float(distances.max()), float(missed), system.diagonal)


def _verdict(system: FillingSystem, deformation: Array, gap: Gap, floor: Callable[[], Gap]) -> tuple[Verdict, str]:
    volumes = np.linalg.det(deformation)
    inverted = volumes <= 0
    if inverted.any():
        if _is_mirrored(system, inverted):
            return "mirrored", "it is a mirror image; undo the negative scale and export it again"
        return "folded", (
            f"{inverted.sum()} of {len(inverted)} tets turn inside out; mend where it crumples or passes through "
            "itself, or go half as far"
        )
    if gap.excess > 1:
        lowest = floor().excess
        if lowest > CRUMPLED:
            return "folded", "neighbours on the surface end up far apart; mend where it is torn or crumpled"
        if lowest > 1:
            # Distances fall with the square of the cells' size, so with the particles to the power of 2/3.
            finer = float(np.clip(lowest**1.5, 1.5, MOST_REFINED)) * len(system.rest)
            return "coarse", f"its details are finer than the particles; give about {_rounded(finer)} of them"
    if crushed(deformation):
        return "crushed", f"a part is pressed to {100 * volumes.min():.2g} % of its volume; leave it more room"
    if gap.excess > 1:
        return "strained", "it bends more sharply than the inside can follow; soften it or give more particles"
    return "reached", ""


def _is_mirrored(system: FillingSystem, inverted: NDArray[np.bool_]) -> bool:
    """Whether most of what is inside out belongs to pieces that are so as a whole."""
    piece = system.component[system.tets[:, 0]]
    whole = np.bincount(piece, system.volumes)
    wrong = np.bincount(piece, system.volumes * inverted)
    return bool(wrong[wrong > MIRRORED * whole].sum() > wrong.sum() / 2)


def _rounded(number: float) -> int:
    """Two digits are enough for advice.

    >>> _rounded(1234.5)
    1300
    """
    unit = 10 ** max(int(np.log10(number)) - 1, 0)
    return int(np.ceil(number / unit) * unit)
