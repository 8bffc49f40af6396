"""An order along a space-filling curve, so that points near in space are near in memory."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

LARGE = 5000  # particles; from here on their order in memory is worth more than a readable numbering
_BITS = 16  # per axis: 65,536 steps across the box, three axes fit one 64-bit key


def space_filling_order(points: ArrayLike) -> NDArray[np.int32]:
    """Indices that sort the points along a Hilbert curve through their bounding box.

    Consecutive points are neighbours in space, unlike in grid order, where a plane lies between two of them:
    at 100,000 particles the sums over a ring then stay in the processor's cache. Ties keep their order.

    >>> square = np.array([[0.0, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0]])
    >>> path = square[space_filling_order(square)]
    >>> np.linalg.norm(np.diff(path, axis=0), axis=1).tolist()
    [1.0, 1.0, 1.0]
    """
    points = np.asarray(points, dtype=np.float64)
    if len(points) == 0:
        return np.empty(0, dtype=np.int32)
    low = points.min(axis=0)
    # One scale for all axes: the curve should not see a long bar as a cube.
    scale = float(np.ptp(points, axis=0).max()) or 1.0
    steps = np.minimum((points - low) / scale * 2**_BITS, 2**_BITS - 1).astype(np.uint64)
    return np.argsort(_hilbert_keys(steps), kind="stable").astype(np.int32)


def ordered_if_large(
    rest: NDArray[np.float64], elements: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The same mesh, its particles renumbered along the curve when there are more than 5,000 of them."""
    if len(rest) <= LARGE:
        return rest, elements
    order = space_filling_order(rest)
    return rest[order], np.argsort(order).astype(np.int32)[elements]


def _hilbert_keys(steps: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Distance along the curve of each (N, 3) grid point: Skilling's transposed form (2004), all points at
    once."""
    x = [steps[:, axis].copy() for axis in range(3)]
    one = np.uint64(1)
    # From the top bit down: undo the rotation of the sub-cube each point lies in.
    for shift in range(_BITS - 1, 0, -1):
        bit = one << np.uint64(shift)
        below = bit - one
        for axis in range(3):
            turned = (x[axis] & bit) != 0
            swap = np.where(turned, np.uint64(0), (x[0] ^ x[axis]) & below)
            x[0] ^= np.where(turned, below, swap)
            x[axis] ^= swap
    # Gray code.
    for axis in range(1, 3):
        x[axis] ^= x[axis - 1]
    flip = np.zeros_like(x[0])
    for shift in range(_BITS - 1, 0, -1):
        bit = one << np.uint64(shift)
        flip ^= np.where((x[2] & bit) != 0, bit - one, np.uint64(0))
    x = [values ^ flip for values in x]

    keys = np.zeros_like(x[0])
    for shift in range(_BITS - 1, -1, -1):
        for axis in range(3):
            keys = (keys << one) | ((x[axis] >> np.uint64(shift)) & one)
    return keys
