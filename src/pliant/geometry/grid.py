"""A box of cubic cells, and the tets they are cut into so that neighbours share whole faces.

Corner c of a cell stands at the bits of c: c = 4 x + 2 y + z with x, y, z in {0, 1}. Both cuts mirror every
other cell, so that a cell is the mirror image of each neighbour and the diagonals on their common face
coincide.
"""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

CORNERS = np.array([[c >> 2 & 1, c >> 1 & 1, c & 1] for c in range(8)])


def _positive(tets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same tets of the unit cube, corners swapped where the volume is negative."""
    a, b, c, d = (CORNERS[tets[:, k]] for k in range(4))
    negative = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) < 0
    return np.where(negative[:, None], tets[:, [0, 2, 1, 3]], tets)


# One big tet on the corners with an even number of ones, and one tet at each of the four corners cut off.
_FIVE = np.array([[0, 3, 5, 6], [1, 0, 3, 5], [2, 0, 3, 6], [4, 0, 5, 6], [7, 3, 5, 6]])
# Kuhn's six: a walk from corner 0 to corner 7 for each order of the three axes.
_SIX = np.array([[0, 1 << a, (1 << a) | (1 << b), 7] for a, b, _ in permutations(range(3))])
# Entry m: the cut of a cell mirrored along the axes whose bits are set in m.
_FIVE_MIRRORED = np.stack([_positive(_FIVE ^ m) for m in range(8)])
_SIX_MIRRORED = np.stack([_positive(_SIX ^ m) for m in range(8)])
# The tet by the axes of the largest and the second largest coordinate (axis 0 is bit 2), and where corners 1
# and 2 of a mirrored tet changed places.
_SIX_BY_ORDER = np.full((3, 3), -1)
for _tet, (_a, _b, _) in enumerate(permutations(range(3))):
    _SIX_BY_ORDER[2 - _a, 2 - _b] = _tet
_SIX_SWAPPED = np.stack([_SIX_MIRRORED[m][:, 1] != (_SIX ^ m)[:, 1] for m in range(8)])


def grid_cells(cells: tuple[int, int, int]) -> tuple[Array, Indices, NDArray[np.int64]]:
    """Corner points in whole numbers (z fastest), the eight corners of each cell, and the place of each cell.

    >>> points, corners, places = grid_cells((4, 4, 8))
    >>> points.shape, corners.shape, places[-1].tolist()
    ((225, 3), (128, 8), [3, 3, 7])
    """
    counts = np.array(cells) + 1
    points = np.stack(np.meshgrid(*(np.arange(n, dtype=float) for n in counts), indexing="ij"), axis=-1)
    places = np.stack(np.meshgrid(*(np.arange(n) for n in cells), indexing="ij"), axis=-1).reshape(-1, 3)
    at = places[:, None, :] + CORNERS
    corners = (at[..., 0] * counts[1] + at[..., 1]) * counts[2] + at[..., 2]
    return points.reshape(-1, 3), corners.astype(np.int32), places


def five_tets(corners: Indices, places: NDArray[np.int64]) -> Indices:
    """Five tets per cell, cells mirrored in turn like the fields of a chessboard."""
    odd = places.sum(axis=1) % 2
    return _cut(corners, _FIVE_MIRRORED[odd * 4])


def six_tets(corners: Indices, places: NDArray[np.int64]) -> Indices:
    """Six tets per cell (Kuhn), mirrored along each axis in turn.

    A shape that is symmetric about a plane between two layers of cells gets symmetric tets, which Kuhn's cut
    repeated in one direction does not give: a teddy dropped upright would lean to one side.
    """
    return _cut(corners, _SIX_MIRRORED[(places % 2) @ np.array([4, 2, 1])])


def within_six(local: Array, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array]:
    """Which of the six tets of its cell holds each point (N, 3) given in cells from the cell's corner 0, and
    the weights (N, 4) of the tet's corners there.

    In Kuhn's cut the order of the three coordinates names the tet, and their differences are the weights.
    """
    odd = places % 2 == 1
    upright = np.where(odd, 1 - local, local)
    order = np.argsort(-upright, axis=1, kind="stable")
    high, middle, low = np.take_along_axis(upright, order, axis=1).T
    tet = _SIX_BY_ORDER[order[:, 0], order[:, 1]]
    swapped = _SIX_SWAPPED[odd @ np.array([4, 2, 1]), tet]
    first, second = high - middle, middle - low
    return tet, np.stack(
        [1 - high, np.where(swapped, second, first), np.where(swapped, first, second), low], axis=1
    )


def _cut(corners: Indices, pattern: NDArray[np.int64]) -> Indices:
    rows = np.arange(len(corners))[:, None, None]
    return corners[rows, pattern].reshape(-1, 4).astype(np.int32)


def disc_grid(across: int) -> Array:
    """A grid of (across + 1)^2 points bent into the unit disc, the outer ones on the circle at even angles.

    Inside it stays close to squares; towards the rim the squares turn into rings.
    """
    u, v = (side.ravel() for side in np.meshgrid(*[np.linspace(-1, 1, across + 1)] * 2, indexing="ij"))
    return _bent_to_round(np.stack([u, v], axis=1), middle=0.8)


def ball_grid(across: int) -> Array:
    """A grid of (across + 1)^3 points bent into the unit ball, the outer ones on the sphere."""
    line = np.linspace(-1, 1, across + 1)
    cube = np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
    return _bent_to_round(cube, middle=0.7)


def _bent_to_round(points: Array, middle: float) -> Array:
    """A square or cube of half width 1 made round; `middle` is how much the centre shrinks."""
    size = np.abs(points).max(axis=1, keepdims=True)
    on_hull = np.divide(points, size, out=np.zeros_like(points), where=size > 0)
    even = np.tan(on_hull * np.pi / 4)  # even angles seen from the centre instead of even lengths
    length = np.linalg.norm(even, axis=1, keepdims=True)
    round_ = size * np.divide(even, length, out=np.zeros_like(even), where=length > 0)
    return (1 - size) * middle * points + size * round_
