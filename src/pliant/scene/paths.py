"""Motion as a scene has it: keys as they are, functions looked at often enough."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.world.paths import Motion, Path, at

Array = NDArray[np.float64]

MOST_KEYS = 5000
STRAIGHT_KEY = 1e-9  # m or degrees: a key no farther from the way between its neighbours is not needed
DIGITS = 12


def plain_number(value: Any) -> float:
    """A number without the noise of the last digits.

    >>> plain_number(0.1 + 0.2)
    0.3
    """
    return float(f"{float(value):.{DIGITS}g}")


def plain_list(values: ArrayLike) -> list[float]:
    """The same for several; next to nothing beside the largest is nothing."""
    numbers = np.asarray(values, np.float64)
    tiny = 1e-15 * float(np.abs(numbers).max(initial=0.0))
    return [0.0 if abs(each) <= tiny else plain_number(each) for each in numbers.tolist()]


def path_data(path: Motion, seconds: float, rate: float, who: str, notes: list[str]) -> Any:
    """A path as a scene says it. A function is asked `rate` times a second for so many seconds; after that the thing
    rests."""
    if isinstance(path, Path) and path.times[0] >= 0 and _about_one_axis(path.turns):
        return _table(path.times, path.offsets, np.degrees(path.turns), "smooth" if path.smooth else "linear")
    count = int(np.ceil(seconds * rate - 1e-9))
    if count >= MOST_KEYS:
        count = MOST_KEYS - 1
    times = np.linspace(0.0, seconds, count + 1)
    offsets, turns = _asked(path, times, who)
    notes.append(f"{who} moves as a function says: the scene has {seconds:g} s of it")
    both = np.concatenate([offsets, turns], axis=1)
    kept = _corners(times, both)
    return _table(times[kept], offsets[kept], turns[kept], "linear")


def _about_one_axis(turns: Array) -> bool:
    """Rotation vectors along one of the axes are angles about it, and mix as angles do."""
    return int((np.abs(turns) > 1e-12).any(axis=0).sum()) <= 1


def _asked(path: Motion, times: Array, who: str) -> tuple[Array, Array]:
    """Offsets and degrees about x, then y, then z, which go on beyond half a turn."""
    from scipy.spatial.transform import Rotation

    places = [at(path, float(time), who) for time in times]
    offsets = np.array([offset for offset, _ in places], np.float64)
    matrices = np.array([turn for _, turn in places], np.float64)
    if np.abs(matrices - np.eye(3)).max() < 1e-12:
        return offsets, np.zeros_like(offsets)
    degrees = Rotation.from_matrix(matrices).as_euler("xyz", degrees=True)
    return offsets, np.unwrap(degrees, axis=0, period=360.0)


def _corners(times: Array, values: Array) -> list[int]:
    """The keys that are needed: those between which it does not go straight on."""
    kept = [0]
    for i in range(1, len(times) - 1):
        before = kept[-1]
        s = (times[i] - times[before]) / (times[i + 1] - times[before])
        if np.abs((1 - s) * values[before] + s * values[i + 1] - values[i]).max() > STRAIGHT_KEY:
            kept.append(i)
    return [*kept, len(times) - 1] if len(times) > 1 else kept


def _table(times: Array, offsets: Array, degrees: Array, between: str) -> Any:
    """The shortest way to say it."""
    moves = [[plain_number(time), plain_list(offset)] for time, offset in zip(times, offsets, strict=True)]
    if not degrees.any() and between == "linear":
        return moves
    table: dict[str, Any] = {}
    if offsets.any() or not degrees.any():
        table["move"] = moves
    if degrees.any():
        table["turn"] = [[plain_number(time), plain_list(turn)] for time, turn in zip(times, degrees, strict=True)]
    return table if between == "linear" else table | {"between": between}
