"""The sparse symmetric matrix of a mesh: where each number stands, and how the blocks of the tets get there.

Only the upper triangle is kept, by columns (CSC). Unknown 3 b + k is component k of particle b. Column 3 b + k has the
three rows of every neighbour a < b, then the rows 3 b to 3 b + k of b itself:

    column 3 b      a a a  c c c  b
    column 3 b + 1  a a a  c c c  b b
    column 3 b + 2  a a a  c c c  b b b

so a block is found from one place, that of its first number, and from how much stands `before` the diagonal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.elements import Elements
from pliant.elastic.kernels import add_scaled_units, add_to_diagonal, hold, scatter

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
# pairs of the corners of a tet, in the order of kernels.scatter
PAIRS = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3))


@dataclass(frozen=True, eq=False)
class Pattern:
    """V particles at rest (V, 3), T tets. pointers (3 V + 1,), rows: CSC of the upper triangle; before (V,): what is
    above the diagonal block; diagonals (V,): places of the diagonal blocks; starts (10 T,): places of the blocks of
    each tet; keys: pairs a V + b that have a block, rising, and their places."""

    count: int
    rest: Array
    pointers: Ints
    rows: Ints
    before: Ints
    diagonals: Ints
    starts: Ints
    keys: Ints
    places: Ints

    @property
    def size(self) -> int:
        """Unknowns."""
        return 3 * self.count

    def find(self, a: Ints, b: Ints) -> Ints:
        """Places of the blocks of pairs a <= b; -1 where there is none."""
        wanted = a.astype(np.int64) * self.count + b
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[at] == wanted, self.places[at], -1)

    def values(self) -> Array:
        """Room for the numbers, all zero."""
        return np.zeros(len(self.rows))

    def add_tets(self, elements: Elements, blocks: Array, values: Array) -> None:
        """Add the blocks of all tets (54 T,)."""
        scatter(
            blocks, elements.tets.reshape(-1), self.starts, self.before, 0, len(elements.tets), np.empty(36), values
        )

    def add_diagonal(self, amounts: Array, values: Array) -> None:
        """Add a number (V,) to the diagonal of each particle, such as m / h^2."""
        add_to_diagonal(amounts, self.diagonals, self.before, values)

    def add_units(self, amounts: Array, a: Ints, b: Ints, values: Array) -> None:
        """Add multiples of the unit block to pairs a <= b, such as those of handles."""
        places = self.find(a, b)
        if len(places) and places.min() < 0:
            raise ValueError("a pair of particles has no block; give it to make_pattern")
        add_scaled_units(np.ascontiguousarray(amounts), places, self.before[b], values)

    def hold(self, fixed: Ints, one: float, values: Array) -> None:
        """Leave fixed unknowns out: (3 V,) 1 where fixed."""
        hold(fixed, self.pointers, self.rows, one, values)

    def matrix(self, values: Array) -> "csc_matrix":
        """The upper triangle as a scipy matrix that shares `values`."""
        from scipy.sparse import csc_matrix

        return csc_matrix((values, self.rows, self.pointers), shape=(self.size, self.size))


def make_pattern(elements: Elements, extra: Sequence[Ints] = ()) -> Pattern:
    """The pattern of a mesh. `extra`: sets of particles that are coupled beyond the tets (each (n,), or (N, n) for
    many), such as those that a handle holds.

    >>> from pliant.elastic.elements import make_elements
    >>> tent = make_elements(np.eye(4, 3, -1), np.array([[0, 1, 2, 3]]))
    >>> len(make_pattern(tent).rows)
    78
    """
    count = elements.count
    firsts = [np.arange(count)]
    seconds = [np.arange(count)]
    for group in [elements.tets, *(np.atleast_2d(np.sort(np.asarray(e, np.int64), axis=-1)) for e in extra)]:
        width = group.shape[1]
        for i in range(width):
            for j in range(i + 1, width):
                firsts.append(group[:, i])
                seconds.append(group[:, j])
    # by columns: b first, then a
    pairs = np.unique(np.concatenate(seconds) * count + np.concatenate(firsts))
    b, a = pairs // count, pairs % count
    neighbours = np.bincount(b, minlength=count) - 1  # without itself
    before = 3 * neighbours
    lengths = before[:, None] + np.arange(1, 4)
    pointers = np.concatenate([[0], np.cumsum(lengths.ravel())])
    rank = np.arange(len(pairs)) - np.concatenate([[0], np.cumsum(neighbours + 1)])[b]
    places = pointers[3 * b] + 3 * rank
    rows = np.empty(pointers[-1], np.int64)
    for k in range(3):
        shift = k * before[b] + k * (k + 1) // 2
        off = a != b
        for i in range(3):
            rows[(places + shift + i)[off]] = (3 * a + i)[off]
        for i in range(k + 1):
            rows[(places + shift + i)[~off]] = (3 * a + i)[~off]
    order = np.argsort(a * count + b, kind="stable")
    keys, places = (a * count + b)[order], places[order]
    index = np.searchsorted(keys, np.stack([elements.tets[:, i] * count + elements.tets[:, j] for i, j in PAIRS], 1))
    diagonals = places[np.searchsorted(keys, np.arange(count) * (count + 1))]
    starts = places[index].reshape(-1)
    return Pattern(count, elements.rest, pointers, rows, before, diagonals, starts, keys, places)
