"""The points of a file in the file's own order, which is what sibling files with other poses have in common."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


def no_edges() -> Numbers:
    return np.zeros((0, 2), np.int64)


@dataclass(frozen=True, eq=False)
class Numbering:
    """positions (P, 3): as the file lists them, before any are split, welded or left out. origin (N,): the point that
    each vertex of the asset is. edges(): pairs of points (E, 2), rising, each once, that a face or tet joins; empty if
    the file has points only."""

    positions: Array
    origin: Numbers
    edges: Callable[[], Numbers] = field(default=no_edges)


def outlines(sizes: Numbers, corners: Numbers) -> Numbers:
    """Edges (E, 2) round faces of `sizes` (F,) corners. How a face is cut into triangles makes no difference.

    >>> outlines(np.array([4]), np.array([0, 1, 3, 2])).tolist()
    [[0, 1], [0, 2], [1, 3], [2, 3]]
    """
    return distinct(np.stack([corners, corners[following(sizes)]], axis=1))


def of_elements(elements: NDArray[np.integer]) -> Numbers:
    """Edges (E, 2) between any two corners of an element: (E, 2) segments, (E, 3) triangles or (E, 4) tets."""
    corners = elements.shape[1]
    pairs = [elements[:, [a, b]] for a in range(corners) for b in range(a)]
    return distinct(np.concatenate(pairs).astype(np.int64)) if pairs else no_edges()


def distinct(pairs: Numbers) -> Numbers:
    """Each pair once, the smaller number first."""
    if len(pairs) == 0:
        return no_edges()
    low, high = pairs.min(axis=1), pairs.max(axis=1)
    width = int(high.max()) + 1
    keys = np.unique(low * width + high)
    return np.stack([keys // width, keys % width], axis=1)


def following(sizes: Numbers) -> Numbers:
    """(C,) the place of the next corner round the face, for every corner of faces of `sizes` (F,) corners."""
    ends = np.cumsum(sizes)
    after = np.arange(1, int(ends[-1]) + 1 if len(ends) else 1)
    used = sizes > 0
    after[ends[used] - 1] = (ends - sizes)[used]
    return after


def first_of_equal_rows(rows: NDArray[np.float64]) -> Numbers:
    """(N,) the first row that equals each row, 0.0 and -0.0 being equal.

    >>> first_of_equal_rows(np.array([[0.0, 1], [2, 3], [-0.0, 1]])).tolist()
    [0, 1, 0]
    """
    if len(rows) == 0:
        return np.zeros(0, np.int64)
    words = np.ascontiguousarray(rows, dtype=np.float64) + 0.0
    order = np.lexsort(words.T[::-1])
    ranked = words[order]
    starts = np.concatenate([[True], (ranked[1:] != ranked[:-1]).any(axis=1)])
    firsts = np.minimum.reduceat(order, np.flatnonzero(starts))
    first = np.empty(len(rows), np.int64)
    first[order] = firsts[np.cumsum(starts) - 1]
    return first
