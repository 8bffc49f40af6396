"""Arrays of many actors in one: where each has its rows, and how they are cut out."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

Array = NDArray[np.float64]


class Span(NamedTuple):
    """Where the rows of an actor are in a flat array."""

    first: int  # number
    rows: int
    columns: int

    @property
    def last(self) -> int:
        return self.first + self.rows * self.columns

    def of(self, flat: NDArray[Any]) -> NDArray[Any]:
        """(rows, columns), a view."""
        return flat[self.first : self.last].reshape(self.rows, self.columns)


class Spans(dict[str, Span]):
    """Of some actors, by name; all of as many columns. order: the rows of the flat array one actor after the other, as
    the names come; None if they stand so already."""

    def __init__(self, spans: Mapping[str, Span], size: int) -> None:
        super().__init__(spans)
        columns = next((span.columns for span in spans.values()), 1)
        rows = [np.arange(span.first // columns, span.last // columns) for span in spans.values()]
        order = np.concatenate([np.empty(0, np.int64), *rows])
        self.order = None if np.array_equal(order, np.arange(size // columns)) else order


class ByActor(Mapping[str, Array]):
    """Arrays by the name of the actor, cut out of one array when they are asked for, in double precision. None of it
    can be written to.

    >>> pair = ByActor.packed({"a": np.ones((2, 3)), "b": np.zeros((1, 3))})
    >>> pair["b"].tolist(), list(pair), pair.joined(np.float32).shape
    ([[0.0, 0.0, 0.0]], ['a', 'b'], (3, 3))
    """

    def __init__(self, flat: NDArray[Any], spans: Mapping[str, Span], columns: int | None = None) -> None:
        flat.flags.writeable = False
        self.flat, self.spans = flat, spans
        self._columns = columns  # as many of each row are told; None: all
        self._found: dict[str, Array] = {}

    @staticmethod
    def packed(arrays: Mapping[str, NDArray[Any]]) -> "ByActor":
        """A copy of arrays with as many columns each."""
        first, spans = 0, {}
        for name, array in arrays.items():
            spans[name] = Span(first, *array.shape)
            first = spans[name].last
        flat = np.concatenate([np.empty(0, np.float64), *(np.ravel(array) for array in arrays.values())])
        return ByActor(flat, spans)

    def __getitem__(self, name: str) -> Array:
        found = self._found.get(name)
        if found is None:
            found = np.array(self.view(name), np.float64)
            found.flags.writeable = False
            self._found[name] = found
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.spans)

    def __len__(self) -> int:
        return len(self.spans)

    def view(self, name: str) -> NDArray[Any]:
        """The rows of an actor, in the precision in which they were copied."""
        return self.spans[name].of(self.flat)[:, : self._columns]

    def joined(self, dtype: DTypeLike) -> NDArray[Any]:
        """A copy of all rows, one actor after the other, with all their columns; of arrays with as many each."""
        if not self.spans:
            return np.empty((0, 0), dtype)
        rows = self.flat.reshape(-1, next(iter(self.spans.values())).columns)
        order = self.spans.order if isinstance(self.spans, Spans) else None
        return rows.astype(dtype) if order is None else rows.take(order, axis=0).astype(dtype, copy=False)
