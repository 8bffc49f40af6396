"""The frame in which a pose is drawn: along the body, and across it in two directions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
Axis: TypeAlias = str | Sequence[float] | Array | None

NAMED_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@dataclass(frozen=True, eq=False)
class BodyAxes:
    """Unit vectors along and across (toward, side) a body, from the middle of its centre line.

    along, toward, side (V,) m are the coordinates of the rest particles; length (m) is the extent along the
    axis.
    """

    axis: Array
    toward_axis: Array
    side_axis: Array
    origin: Array
    along: Array
    toward: Array
    side: Array
    length: float

    def place(self, along: Array, toward: Array, side: Array) -> Array:
        """World positions (V, 3) of coordinates in this frame."""
        axes = np.stack([self.axis, self.toward_axis, self.side_axis])
        return self.origin + np.stack([along, toward, side], axis=1) @ axes


def frame(body: Body, pose: str, axis: Axis = None, toward: Axis = None) -> BodyAxes:
    """The frame of a body for the pose of that name. The centre line runs through the centre of mass."""
    longest = np.eye(3)[int(np.argmax(body.size))]
    main = longest if axis is None else direction(axis, f"pose {pose}: axis")
    if toward is None:
        # The thinnest direction of those that lie across: what bends most easily.
        across = [k for k in range(3) if abs(main[k]) < 0.8]
        start = np.eye(3)[min(across, key=lambda k: round(float(body.size[k] / body.size.max()), 9))]
    else:
        start = direction(toward, f"pose {pose}: toward")
    second = start - (start @ main) * main
    if np.linalg.norm(second) < 1e-6:
        raise SettingsError(f"pose {pose}: toward runs along the axis; choose a direction across it")
    second /= np.linalg.norm(second)
    third = np.cross(main, second)

    centre = body.masses @ body.rest / body.mass
    spread = (body.rest - centre) @ main
    length = float(np.ptp(spread))
    if length <= 1e-9 * float(np.linalg.norm(body.size)):
        raise SettingsError(
            f'pose {pose}: body "{body.name}" is flat along {_words(axis, main)}; choose another axis'
        )
    origin = centre + main * (spread.max() + spread.min()) / 2
    from_origin = body.rest - origin
    return BodyAxes(
        main, second, third, origin, from_origin @ main, from_origin @ second, from_origin @ third, length
    )


def direction(axis: Any, what: str) -> Array:
    """A unit vector from a name or three numbers.

    >>> direction("-y", "axis").tolist()
    [0.0, -1.0, 0.0]
    """
    if isinstance(axis, str):
        name = axis.strip().lower()
        sign = -1.0 if name.startswith("-") else 1.0
        if name.lstrip("+-") not in NAMED_AXES:
            raise SettingsError(
                f'{what} is "{axis}"; give "x", "y", "z", "-x", "-y", "-z" or a vector (x, y, z)'
            )
        return sign * np.array(NAMED_AXES[name.lstrip("+-")]) + 0.0
    vector = point(axis, what)
    length = np.linalg.norm(vector)
    if length == 0:
        raise SettingsError(f"{what} is (0, 0, 0); give a vector that points somewhere")
    return vector / length


def point(values: ArrayLike, what: str) -> Array:
    """Three finite numbers."""
    try:
        vector = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        vector = np.empty(0)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise SettingsError(f"{what} is {values!r}; give three finite numbers (x, y, z)")
    return vector


def number(
    value: Any, what: str, low: float = -np.inf, high: float = np.inf, *, open_low: bool = True
) -> float:
    """A finite number above `low` (or from it, if not `open_low`) and below `high`."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        result = float("nan")
    fits = (result > low if open_low else result >= low) and result < high
    if not (np.isfinite(result) and fits):
        bounds = [f"{'above' if open_low else 'at least'} {low:g}"] if np.isfinite(low) else []
        bounds += [f"below {high:g}"] if np.isfinite(high) else []
        raise SettingsError(f"{what} is {value!r}; give a number {' and '.join(bounds) or 'that is finite'}")
    return result


def whole(value: Any, what: str, low: int) -> int:
    """A whole number, `low` or more."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low:
        raise SettingsError(f"{what} is {value!r}; give a whole number, {low} or more")
    return int(value)


def widening(shorten: float, keep_volume: bool) -> float:
    """How much wider a body shortened by this part becomes: 1 / sqrt(1 - shorten) keeps its volume."""
    return float((1.0 - shorten) ** -0.5) if keep_volume else 1.0


def _words(axis: Axis, vector: Array) -> str:
    return axis if isinstance(axis, str) else "(" + ", ".join(f"{x:g}" for x in vector) + ")"
