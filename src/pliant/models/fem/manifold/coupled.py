"""The matrix of the penalty form: unknowns x (3 V) and x_w (3 V), upper triangle by columns (CSC).

    columns of x:       as the Newton solve has them
    column 3 b + k of x_w:   the rows of x of b's neighbours and b,  then the rows of x_w of b's neighbours and their
                             neighbours up to b itself

because the square of Hess_I reaches two rings far."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern, make_pattern
from pliant.elastic.elements import Elements

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class Coupled:
    """The columns of x_w: pointers (3 V + 1,) from zero, rows, and where blocks of tets and the square of Hess_I go."""

    def __init__(self, elements: Elements, pattern: Pattern) -> None:
        from scipy.sparse import csc_matrix

        count = elements.count
        self.size = 3 * count
        # Hess_I whole, from its upper triangle: numbers, and which of the upper ones each of them is
        places = np.arange(1.0, len(pattern.rows) + 1)
        upper = csc_matrix((places, pattern.rows, pattern.pointers), shape=(self.size, self.size))
        whole = upper + upper.T
        whole.setdiag(upper.diagonal())
        whole.sort_indices()
        self.whole_pointers, self.whole_rows = whole.indptr.astype(np.int64), whole.indices.astype(np.int64)
        self.whole_from = whole.data.astype(np.int64) - 1

        a, b = np.concatenate([elements.tets[:, pair] for pair in ([0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3])]).T
        both = (np.concatenate([a, b, np.arange(count)]), np.concatenate([b, a, np.arange(count)]))
        one = csc_matrix((np.ones(len(both[0])), both), shape=(count, count))
        two = csc_matrix(one @ one)
        one.sort_indices()
        two.sort_indices()
        near = np.diff(one.indptr).astype(np.int64)
        far_columns = np.repeat(np.arange(count), np.diff(two.indptr))
        above = two.indices < far_columns
        far = np.bincount(far_columns[above], minlength=count)
        lengths = (3 * near + 3 * far)[:, None] + np.arange(1, 4)
        self.pointers = np.concatenate([[0], np.cumsum(lengths.ravel())]).astype(np.int64)
        self.rows = np.empty(self.pointers[-1], np.int64)
        near_columns = np.repeat(np.arange(count), near)
        near_rank = np.arange(len(near_columns)) - np.asarray(one.indptr)[near_columns]
        far_rank = np.arange(int(above.sum())) - np.concatenate([[0], np.cumsum(far)])[far_columns[above]]
        for k in range(3):
            begin = self.pointers[np.arange(count) * 3 + k]
            for i in range(3):
                self.rows[begin[near_columns] + 3 * near_rank + i] = 3 * one.indices + i
                at = begin[far_columns[above]] + 3 * near[far_columns[above]] + 3 * far_rank + i
                self.rows[at] = self.size + 3 * two.indices[above] + i
            for i in range(k + 1):
                self.rows[begin + 3 * near + 3 * far + i] = self.size + 3 * np.arange(count) + i
        self.mixed_starts, self.own_starts = self._starts(elements, one, two, near, far)
        self._mesh = elements
        self._mixed_pairs = np.stack([one.indices, count + near_columns], axis=1).astype(np.int64)
        self._own_pairs = count + np.stack([two.indices[above], far_columns[above]], axis=1).astype(np.int64)

    def whole_pattern(self, upper: Any) -> Pattern:
        """Of x and x_w together, for the structure that the Newton solve has for x now (upper triangle, CSC)."""
        columns = np.repeat(np.arange(self.size), np.diff(upper.indptr))
        pairs = np.unique((upper.indices // 3) * self.size + columns // 3)
        own = np.stack(np.divmod(pairs, self.size), axis=1)
        mesh = self._mesh
        twice = replace(mesh, rest=np.concatenate([mesh.rest, mesh.rest]), tets=mesh.tets + mesh.count)
        pattern = make_pattern(twice, [own, self._mixed_pairs, self._own_pairs])
        assert np.array_equal(pattern.rows[upper.nnz :], self.rows)
        return pattern

    def _starts(self, elements: Elements, one: object, two: object, near: Ints, far: Ints) -> tuple[Ints, Ints]:
        """Of each tet and pair of corners (a, b), 16 each: where the block of x_a and x_w,b begins, and that of x_w,a
        and x_w,b (-1 if it stands below the diagonal)."""
        count = elements.count
        a = np.repeat(elements.tets, 4, axis=1).reshape(-1)
        b = np.tile(elements.tets, (1, 4)).reshape(-1)

        def rank(matrix: object) -> Ints:
            columns = np.repeat(np.arange(count), np.diff(matrix.indptr))  # type: ignore[attr-defined]
            keys = columns * count + matrix.indices  # type: ignore[attr-defined]
            return np.searchsorted(keys, b * count + a) - np.asarray(matrix.indptr)[b]  # type: ignore[attr-defined]

        mixed = self.pointers[3 * b] + 3 * rank(one)
        own = self.pointers[3 * b] + 3 * near[b] + 3 * np.minimum(rank(two), far[b])
        return mixed.astype(np.int64), np.where(a <= b, own, -1).astype(np.int64)
