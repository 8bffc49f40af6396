"""The inside of a PLY file: its header, and the rows of its elements as arrays."""

from array import array
from dataclasses import dataclass, field
from pathlib import Path
from struct import unpack_from
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.runtime.errors import FileError

PLY_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4",
    "double": "f8", "float64": "f8",
}  # fmt: skip
LONGEST_HEADER = 1_000_000
BLOCK = 1 << 24


@dataclass(frozen=True)
class Property:
    """A column; of lists, if `count` is the type of their lengths."""

    name: str
    type: str
    count: str | None = None


@dataclass
class Element:
    """A table of the file. Once read: `columns` by name, (rows,); `lists` by name, lengths (rows,) and all values."""

    name: str
    rows: int
    properties: list[Property] = field(default_factory=list)
    columns: dict[str, NDArray[Any]] = field(default_factory=dict)
    lists: dict[str, tuple[NDArray[np.int64], NDArray[Any]]] = field(default_factory=dict)


@dataclass
class Ply:
    elements: dict[str, Element]
    comments: list[str]


def read_ply(path: Path) -> Ply:
    """All tables of the file. Those of a text file are read as if they were binary and every number a double."""
    data = path.read_bytes()
    order, elements, comments, start = _header(path, data)
    if order == "text":
        body: bytes | memoryview = _numbers(path, data, start)
        order, kind = "=", "f8"
    else:
        body, kind = memoryview(data)[start:], None
    at = 0
    for element in elements:
        at = _read_element(path, element, body, at, order, kind)
    return Ply({element.name: element for element in elements}, comments)


def _header(path: Path, data: bytes) -> tuple[str, list[Element], list[str], int]:
    """Byte order ("<", ">" or "text"), the elements without their rows, the comments, and where the body begins."""
    end = data.find(b"end_header", 0, LONGEST_HEADER)
    if not data.startswith(b"ply") or end < 0:
        raise FileError(f"{path}: it does not begin as a PLY file does; export it again")
    after = data[end + 10 : end + 12]
    start = end + 10 + (2 if after == b"\r\n" else 1)
    orders = {"ascii": "text", "binary_little_endian": "<", "binary_big_endian": ">"}
    order, elements, comments = "", [], []
    for number, line in enumerate(data[:end].decode("ascii", errors="replace").splitlines(), 1):
        words = line.split()
        try:
            if words[:1] == ["format"]:
                order = orders[words[1]]
            elif words[:1] == ["element"]:
                elements.append(Element(words[1], int(words[2])))
            elif words[:2] == ["property", "list"]:
                elements[-1].properties.append(Property(words[4], PLY_TYPES[words[3]], PLY_TYPES[words[2]]))
            elif words[:1] == ["property"]:
                elements[-1].properties.append(Property(words[2], PLY_TYPES[words[1]]))
            elif words[:1] in (["comment"], ["obj_info"]):
                comments.append(line.strip()[len(words[0]) :].strip())
            elif words and words != ["ply"]:
                raise KeyError(words[0])
        except (IndexError, KeyError, ValueError):
            what = f"line {number}: {line.strip()[:60]!r} is not understood"
            raise FileError(f"{path}: {what}; export it again") from None
    if not order:
        raise FileError(f"{path}: its header names no format; export it again")
    if len({element.name for element in elements}) < len(elements):
        raise FileError(f"{path}: an element stands in its header twice; export it again")
    return order, elements, comments, start


def _numbers(path: Path, data: bytes, start: int) -> memoryview:
    values = array("d")
    while start < len(data):
        end = start + BLOCK
        while end < len(data) and not data[end : end + 1].isspace():  # not in the middle of a number
            end += 1
        try:
            values.extend(map(float, data[start:end].split()))
        except ValueError as error:
            raise FileError(f"{path}: among its numbers is {str(error)[-40:]}; export it again") from None
        start = end
    return memoryview(values).cast("B")


def _read_element(
    path: Path, element: Element, body: bytes | memoryview, at: int, order: str, kind: str | None
) -> int:
    """Fills in the rows that begin at a byte; the byte behind them. `kind`: the type of all numbers, in a text."""
    types = {each: np.dtype(order + (kind or each)) for each in set(PLY_TYPES.values())}
    short = FileError(
        f"{path}: it ends before the {element.rows:,} rows of its element {element.name}; export it again"
    )
    plain = sum(types[each.count or each.type].itemsize for each in element.properties)  # lists may be empty
    if element.rows < 0 or element.rows * plain > len(body) - at:
        raise short
    if element.rows == 0:
        for each in element.properties:
            nothing = np.zeros(0, types[each.type])
            if each.count is None:
                element.columns[each.name] = nothing
            else:
                element.lists[each.name] = (np.zeros(0, np.int64), nothing)
        return at
    starts, sizes, end = _layout(element, body, at, types, short)
    for place, each in enumerate(element.properties):
        dtype = types[each.type]
        if each.count is None:
            element.columns[each.name] = _gather(body, starts[place], dtype)
        else:
            lengths = sizes[place]
            inside = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            where = np.repeat(starts[place], lengths) + inside * dtype.itemsize
            element.lists[each.name] = (lengths, _gather(body, where, dtype))
    return end


def _layout(
    element: Element, body: bytes | memoryview, at: int, types: dict[str, np.dtype[Any]], short: FileError
) -> tuple[dict[int, NDArray[np.int64]], dict[int, NDArray[np.int64]], int]:
    """For each property the byte (rows,) at which its values begin and, for lists, their lengths (rows,).

    A list is as long as the number before it says, so that rows have to be walked one by one; but mostly all rows are
    as long as the first, which is seen at a glance.
    """
    offsets, lengths, step = {}, {}, 0
    for place, each in enumerate(element.properties):
        if each.count is not None:
            lengths[place] = _length(body, at + step, types[each.count], short)
            step += types[each.count].itemsize
        offsets[place] = step
        step += types[each.type].itemsize * lengths.get(place, 1)
    rows = at + step * np.arange(element.rows)
    if element.rows * step <= len(body) - at and all(
        (_gather(body, rows + offsets[k] - types[count].itemsize, types[count]) == length).all()
        for k, length in lengths.items()
        if (count := element.properties[k].count)
    ):
        starts = {place: rows + offset for place, offset in offsets.items()}
        sizes = {k: np.full(element.rows, length, np.int64) for k, length in lengths.items()}
        return starts, sizes, at + element.rows * step
    return _walked(element, body, at, types, short)


def _walked(
    element: Element, body: bytes | memoryview, at: int, types: dict[str, np.dtype[Any]], short: FileError
) -> tuple[dict[int, NDArray[np.int64]], dict[int, NDArray[np.int64]], int]:
    starts = {place: array("q") for place in range(len(element.properties))}
    sizes = {place: array("q") for place, each in enumerate(element.properties) if each.count}
    for _ in range(element.rows):
        for place, each in enumerate(element.properties):
            length = 1
            if each.count is not None:
                length = _length(body, at, types[each.count], short)
                at += types[each.count].itemsize
                sizes[place].append(length)
            starts[place].append(at)
            at += types[each.type].itemsize * length
            if at > len(body):
                raise short
    as_numbers = [{k: np.frombuffer(v, np.int64) for k, v in table.items()} for table in (starts, sizes)]
    return as_numbers[0], as_numbers[1], at


def _length(body: bytes | memoryview, at: int, dtype: np.dtype[Any], short: FileError) -> int:
    if at + dtype.itemsize > len(body):
        raise short
    number = unpack_from(_order(dtype) + dtype.char, body, at)[0]
    if not 0 <= number <= len(body):
        raise short
    return int(number)


def _order(dtype: np.dtype[Any]) -> str:
    return ">" if dtype.byteorder == ">" else "<" if dtype.byteorder == "<" else "="


def _gather(body: bytes | memoryview, where: NDArray[np.int64], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The numbers that begin at these bytes."""
    if len(where) == 0:
        return np.zeros(0, dtype.newbyteorder("="))
    flat = np.frombuffer(body, np.uint8)
    together = np.stack([flat[where + k] for k in range(dtype.itemsize)], axis=1)
    return together.view(dtype)[:, 0].astype(dtype.newbyteorder("="))
