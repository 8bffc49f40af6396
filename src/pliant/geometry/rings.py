"""Which particles are neighbours: the 1-ring of every particle in compressed rows."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def rings(elements: ArrayLike, count: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Each particle and those that share an element with it: `members[starts[i]:starts[i + 1]]`.

    A particle stands first in its own row; its ring follows in rising order. `count` is the number of
    particles; one without an element has a row of its own number only.

    >>> starts, members = rings([[0, 1], [1, 2]], 3)
    >>> [members[a:b].tolist() for a, b in zip(starts, starts[1:])]
    [[0, 1], [1, 0, 2], [2, 1]]
    """
    elements = np.asarray(elements, dtype=np.int64)
    corners = elements.shape[1]
    # A pair is one number, first * count + second, so that one sort both groups the rows and drops
    # repetitions.
    pairs = [
        elements[:, a] * count + elements[:, b] for a in range(corners) for b in range(corners) if a != b
    ]
    keys = np.unique(np.concatenate(pairs)) if pairs else np.empty(0, np.int64)
    first, second = np.divmod(keys, count)
    first, second = first[first != second], second[first != second]

    sizes = 1 + np.bincount(first, minlength=count)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = np.empty(starts[-1], dtype=np.int32)
    is_self = np.zeros(len(members), dtype=bool)
    is_self[starts[:-1]] = True
    members[is_self] = np.arange(count)
    members[~is_self] = second
    return starts.astype(np.int32), members
