"""Which poses move the same part of a body. Poses of different parts (a nod and a kick) each have weights of their own,
found from their own part: they do not compete for the one body's weight [Martin+11, 4.3]."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
# The cosine of two poses' fields of deformation, both taken as positive: 0 where no part is deformed by both, 1 where
# they deform the same parts in the same measure. Below it they count as apart.
SHARED = 0.1


def apart(sizes: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """From how much each pose deforms each part (K, N; squared lengths, in one metric): the number of the set of each
    pose (K,), and of each part (N,), which goes with the set that deforms it most.

    >>> sets, owners = apart(np.array([[1.0, 0, 0], [0, 1, 1], [0, 1, 0]]))
    >>> sets.tolist(), owners.tolist()
    ([0, 1, 1], [0, 1, 1])
    """
    count = len(sizes)
    lengths = np.sqrt(sizes)
    norms = np.sqrt(np.maximum(sizes.sum(axis=1), 1e-300))
    shared = (lengths @ lengths.T) / (norms[:, None] * norms) > SHARED
    sets = np.arange(count)
    for k in range(count):
        for j in range(k):
            if shared[k, j]:
                sets[sets == sets[k]] = sets[j]
    idle = norms < 1e-140  # a pose like rest is in no part: it stands with the first
    if count:
        sets[idle] = sets[0]
    kept, sets = np.unique(sets, return_inverse=True)
    totals = np.stack([sizes[sets == s].sum(axis=0) for s in range(len(kept))]) if count else np.zeros((1, 0))
    owners = totals.argmax(axis=0) if totals.shape[1] else np.zeros(sizes.shape[1], np.int64)
    return sets.astype(np.int64), owners.astype(np.int64)
