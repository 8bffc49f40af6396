"""Accessors: numbers in buffers, packed or interleaved, normalised, sparse, or left out because they are zero.

Only the rows that are asked for are gathered, so what is read costs as much memory as is drawn of it, whatever
the file announces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.files.gltf.container import Container
from pliant.files.gltf.item import Item
from pliant.files.limits import MOST_VERTICES, check

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Raw = NDArray[np.generic]

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
COMPONENT_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
UNSIGNED = (5121, 5123, 5125)


@dataclass(frozen=True, eq=False)
class Sparse:
    """Rows that differ from the buffer: their numbers, rising, and their values."""

    rows: Integers
    values: Raw


@dataclass(frozen=True, eq=False)
class Accessor:
    """A table of numbers in a file. `base` (count, width) looks into the buffer, or is None where all is zero."""

    item: Item
    count: int
    width: int
    dtype: np.dtype[np.generic]
    normalised: bool
    base: Raw | None
    sparse: Sparse | None

    @property
    def is_empty(self) -> bool:
        """Whether the file holds nothing of it but its length."""
        return self.base is None and self.sparse is None

    def floats(self, rows: Integers | None = None) -> Array:
        """Some rows, or all, as real numbers, finite each."""
        raw = self._gathered(rows)
        values = raw.astype(np.float64)
        if self.normalised and self.dtype.kind != "f":
            most = np.iinfo(self.dtype).max  # type: ignore[type-var]
            values = np.maximum(values / most, -1.0)
        if self.dtype.kind == "f" and not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values).all(axis=1))[0])
            raise self.item.wrong(f"row {row if rows is None else rows[row]} holds a number that is not finite")
        return values

    def integers(self, rows: Integers | None = None) -> Integers:
        """Some rows, or all, as whole numbers."""
        if self.dtype.kind == "f":
            raise self.item.wrong("componentType is 5126 (float), whole numbers belong there")
        return self._gathered(rows).astype(np.int64)

    def _gathered(self, rows: Integers | None) -> Raw:
        wanted = self.count if rows is None else len(rows)
        if self.base is None:
            found: Raw = np.zeros((wanted, self.width), self.dtype)
        else:
            found = self.base.copy() if rows is None else self.base[rows]
        if self.sparse is not None and rows is None:
            found[self.sparse.rows] = self.sparse.values
        elif self.sparse is not None and rows is not None:
            place = np.minimum(np.searchsorted(self.sparse.rows, rows), len(self.sparse.rows) - 1)
            hit = self.sparse.rows[place] == rows
            found[hit] = self.sparse.values[place[hit]]
        return found


def accessor(container: Container, number: int, kinds: Sequence[str], asker: Item) -> Accessor:
    """An accessor of one of some kinds, such as "VEC3"; its size is checked against the bytes that are there."""
    item = container.entry("accessors", number, asker)
    kind = item.text("type")
    if kind not in kinds:
        raise item.wrong(f"its type is {kind[:20]!r}, {asker.where} needs {' or '.join(kinds)}")
    code = item.integer("componentType")
    if code not in COMPONENT_TYPES:
        raise item.wrong(f"componentType is {code}, one of {', '.join(map(str, COMPONENT_TYPES))} belongs there")
    if kind == "MAT4" and code != 5126:
        raise item.wrong(f"componentType is {code}, matrices are made of floats (5126)")
    dtype, width = np.dtype(COMPONENT_TYPES[code]), WIDTHS[kind]
    count = item.integer("count", least=1)
    base = None
    if "bufferView" in item:
        base = _table(container, item, dtype, count, width)
    else:
        check(container.path, f"rows of {item.where}", count, MOST_VERTICES)
    sparse = item.item("sparse")
    return Accessor(
        item, count, width, dtype, item.flag("normalized"), base,
        _sparse(container, sparse, dtype, count, width) if sparse else None,
    )  # fmt: skip


def _sparse(container: Container, item: Item, dtype: np.dtype[np.generic], count: int, width: int) -> Sparse:
    changed = item.integer("count", least=1, most=count)
    indices, values = item.item("indices"), item.item("values")
    if indices is None or values is None:
        raise item.wrong("its indices or values are missing")
    code = indices.integer("componentType")
    if code not in UNSIGNED:
        raise indices.wrong(f"componentType is {code}, one of {', '.join(map(str, UNSIGNED))} belongs there")
    rows = _table(container, indices, np.dtype(COMPONENT_TYPES[code]), changed, 1)[:, 0].astype(np.int64)
    if rows.max() >= count:
        raise indices.wrong(f"row {rows.max()} is changed, there are {count}")
    order = np.argsort(rows, kind="stable")  # they should rise already
    return Sparse(rows[order], _table(container, values, dtype, changed, width)[order])


def _table(container: Container, item: Item, dtype: np.dtype[np.generic], count: int, width: int) -> Raw:
    """Rows of a buffer view as they lie there; nothing is copied."""
    data, stride = container.view(item.integer("bufferView"), item)
    start, size = item.integer("byteOffset", 0), dtype.itemsize * width
    stride = stride or size
    if stride < size:
        raise item.wrong(f"its rows of {size} bytes overlap, byteStride is {stride}")
    end = start + stride * (count - 1) + size
    if end > len(data):
        raise item.wrong(f"{count} rows end at byte {end} of a bufferView of {len(data)}")
    return np.ndarray((count, width), dtype, data, start, (stride, dtype.itemsize))
