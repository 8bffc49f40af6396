"""Which of many deformations make the best examples: those whose convex blends, with rest, come near to all others."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.maths.convex import convex_room
from pliant.maths.nearest_blends import nearest_blends

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Choice:
    """chosen (K,): columns, in the order in which they were found. curve (K + 1, 2): how far columns are from the
    blends of the first 0, 1, ... of them, the farthest and the root of the mean square. gaps (N,): of each column from
    the blends of all chosen; weights (N, K). redundant: columns that were found, and left out again because the later
    ones make up for them."""

    chosen: Numbers
    curve: Array
    gaps: Array
    weights: Array
    redundant: Numbers


def choose_columns(gram: Array, count: int, tolerance: float) -> Choice:
    """Choose up to `count` columns by their Gram matrix L^T L (N, N), rest being zero.

    Greedy: each time the column farthest from the blends of those before it, which is a corner of the hull of all;
    until none is farther than `tolerance` (in the unit of the columns). One that the later ones make superfluous is
    left out, and its place is given to another.

    >>> line = np.array([[1.0, 0], [2.0, 0], [0.5, 0], [0, 1]])
    >>> choose_columns(line @ line.T, 3, 1e-6).chosen.tolist()
    [1, 3]
    """
    chosen: list[int] = []
    redundant: list[int] = []
    gaps, _ = gaps_of(gram, chosen)
    while len(chosen) < count:
        worst = int(np.argmax(gaps))
        if gaps[worst] <= tolerance or worst in chosen:
            break
        chosen.append(worst)
        gaps, _ = gaps_of(gram, chosen)
        for earlier in chosen[:-1]:
            without = [each for each in chosen if each != earlier]
            left = gaps_of(gram, without)[0]
            if ((left <= tolerance) | (left <= gaps * (1 + 1e-9))).all():
                chosen, redundant = without, [*redundant, earlier]
                gaps, _ = gaps_of(gram, chosen)
                break
    curve = [gaps_of(gram, chosen[:number])[0] for number in range(len(chosen) + 1)]
    gaps, weights = gaps_of(gram, chosen)
    return Choice(
        np.array(chosen, np.int64),
        np.array([(each.max(initial=0.0), np.sqrt(np.mean(each**2))) for each in curve]),
        gaps,
        weights,
        np.array(redundant, np.int64),
    )


def gaps_of(gram: Array, chosen: list[int]) -> tuple[Array, Array]:
    """How far each column is from the nearest convex blend of the chosen ones and rest (N,), and its weights (N, K)."""
    squares = np.diagonal(gram)
    count = len(chosen)
    if not count:
        return np.sqrt(np.maximum(squares, 0.0)), np.zeros((len(gram), 0))
    small = np.ascontiguousarray(gram[np.ix_(chosen, chosen)])
    wishes = np.ascontiguousarray(gram[:, chosen])
    weights = np.zeros_like(wishes)
    room = np.zeros(int(convex_room(count)))
    nearest_blends(small.ravel(), wishes.ravel(), count, weights.reshape(-1), room)
    left = squares - 2 * np.einsum("nk,nk->n", weights, wishes) + np.einsum("nj,jk,nk->n", weights, small, weights)
    return np.sqrt(np.maximum(left, 0.0)), weights
