"""Many small motions at once, each with key frames of its own: where joints go and how they turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Keys:
    """Frames (K,) that are kept, the first and the last among them, and the values (K, width) there."""

    frames: NDArray[np.int64]
    values: NDArray[np.float32]

    @property
    def is_still(self) -> bool:
        return bool((self.values == self.values[0]).all())


def keyed(tables: Iterable[Array], reach: Array) -> list[Keys]:
    """Keys for each row of tables (N, width), one a frame, such that straight lines between them are within `reach`
    (N,) of the given values in every coordinate.

    What `thinned` does for a shape as a whole, for all rows at once and each by itself.

    >>> still, bent = keyed([np.array([[5.0], [x]]) for x in (0, 1, 2, 3, 3, 3)], np.array([1e-9, 1e-9]))
    >>> still.frames.tolist(), bent.frames.tolist(), bent.values[:, 0].tolist()
    ([0, 5], [0, 3, 5], [0.0, 3.0, 3.0])
    """
    found: list[tuple[NDArray[np.intp], int, Array]] = []
    anchor = newest = low = high = np.zeros((0, 0))
    start = np.zeros(0, dtype=np.int64)  # the frame of each row's last key
    count = 0

    def close(rows: NDArray[np.intp], frame: int) -> None:
        """The newest frame becomes a key of these rows. Where a slope of zero suits all since the last key, that one's
        value serves again."""
        still = ((low[rows] <= 0) & (high[rows] >= 0)).all(axis=1, keepdims=True)
        anchor[rows] = np.where(still, anchor[rows], newest[rows])
        start[rows] = frame
        found.append((rows, frame, anchor[rows]))

    for frame, table in enumerate(tables):
        count = frame + 1
        if frame == 0:
            anchor, start = np.array(table, dtype=np.float64), np.zeros(len(table), dtype=np.int64)
            low, high = np.full_like(anchor, -np.inf), np.full_like(anchor, np.inf)
            found.append((np.arange(len(table)), 0, anchor.copy()))
        else:
            slope = (table - anchor) / (frame - start)[:, None]
            bent = np.flatnonzero(~((low <= slope) & (slope <= high)).all(axis=1))
            if len(bent):
                close(bent, frame - 1)
                low[bent], high[bent] = -np.inf, np.inf
                slope[bent] = table[bent] - anchor[bent]
            room = (reach / (frame - start))[:, None]
            np.maximum(low, slope - room, out=low)
            np.minimum(high, slope + room, out=high)
        newest = table
    if count > 1:
        close(np.arange(len(anchor)), count - 1)
    return _by_row(found, len(anchor))


def _by_row(found: list[tuple[NDArray[np.intp], int, Array]], rows: int) -> list[Keys]:
    """Keys in the order of time -> those of each row."""
    if not found:
        return []
    row = np.concatenate([each for each, _, _ in found])
    frame = np.repeat([frame for _, frame, _ in found], [len(each) for each, _, _ in found])
    values = np.concatenate([values.astype(np.float32) for _, _, values in found])
    order = np.argsort(row, kind="stable")
    ends = np.searchsorted(row[order], np.arange(1, rows))
    pieces = zip(np.split(frame[order], ends), np.split(values[order], ends), strict=True)
    return [Keys(frames, each) for frames, each in pieces]
