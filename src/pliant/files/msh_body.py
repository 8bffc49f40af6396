"""The inside of a Gmsh file: its sections as arrays."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.files.limits import MOST_ELEMENTS, MOST_VERTICES, check
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

MSH_VERSIONS = ("2", "2.0", "2.1", "2.2", "4", "4.0", "4.1")


@dataclass
class Block:
    """Elements of one type, by the tags of their points (n, k); physical: groups that all of them belong to."""

    type: int
    points: Numbers
    physical: list[int] = field(default_factory=list)


@dataclass
class Msh:
    """tags, positions: (P,) and (P, 3); names: (dimension, physical group) -> what it is called."""

    tags: Numbers
    positions: Array
    blocks: list[Block]
    names: dict[tuple[int, int], str]


class Stream:
    """Numbers one after the other, out of a text or out of bytes; to ask for more than there are is an error."""

    def __init__(self, path: Path, data: bytes, text: bool, wide: int) -> None:
        self.path, self.data, self.text, self.wide = path, data, text, wide
        self.at = 0
        self.words: list[bytes] = []
        self.place = 0

    def error(self, what: str) -> FileError:
        return FileError(f"{self.path}: {what}; save it again (gmsh FILE -save -format msh41)")

    def enter(self, name: str) -> None:
        """Stand at the beginning of a section whose heading line was just read."""
        if self.text:
            end = self._end(name)
            self.words, self.place = self.data[self.at : end].split(), 0
            self.at = end

    def leave(self, name: str) -> None:
        self.at = self._end(name)
        self.line()

    def _end(self, name: str) -> int:
        end = self.data.find(f"$End{name}".encode(), self.at)
        if end < 0:
            raise self.error(f"its section ${name} does not end")
        return end

    def line(self) -> str:
        end = self.data.find(b"\n", self.at)
        end = len(self.data) if end < 0 else end
        line, self.at = self.data[self.at : end], end + 1
        return line[:1000].decode("utf-8", errors="replace").strip()

    def ints(self, count: int, wide: bool = False) -> Numbers:
        """Whole numbers of 4 bytes, or as wide as the sizes of this file."""
        return self._take(count, f"i{self.wide if wide else 4}", int).astype(np.int64)

    def size(self) -> int:
        return int(self.ints(1, wide=True)[0])

    def floats(self, count: int) -> Array:
        return self._take(count, "f8", float).astype(np.float64)

    def left(self) -> int:
        """At most so many numbers follow."""
        return len(self.words) - self.place if self.text else (len(self.data) - self.at) // 4

    def _take(self, count: int, dtype: str, make: type) -> NDArray[Any]:
        kind = np.dtype(dtype)
        short = self.error("it ends before its numbers do")
        if self.text:
            if not 0 <= count <= len(self.words) - self.place:
                raise short
            words = self.words[self.place : self.place + count]
            self.place += count
            return np.array(list(map(make, words)), dtype=kind if make is float else np.int64)
        if not 0 <= count * kind.itemsize <= len(self.data) - self.at:
            raise short
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += count * kind.itemsize
        return values


def parse(path: Path, points_of: dict[int, int]) -> Msh:
    """The file's nodes and elements. points_of: how many points an element of a type has."""
    data = path.read_bytes()
    stream = Stream(path, data, True, 8)
    version, nodes, elements = "", None, None
    names: dict[tuple[int, int], str] = {}
    groups: dict[tuple[int, int], list[int]] = {}
    try:
        while stream.at < len(data) and (nodes is None or elements is None):
            heading = stream.line()
            if not heading.startswith("$"):
                if heading:
                    raise stream.error(f"{heading[:40]!r} is not the beginning of a section")
                continue
            section = heading[1:]
            if section not in ("MeshFormat", "Comments") and not version:
                raise stream.error("it does not begin as a Gmsh file does")
            if section == "MeshFormat":
                version = _format(stream)
            elif section == "PhysicalNames":
                names = _names(stream)
            elif section in ("Nodes", "Elements", "Entities"):
                stream.enter(section)
                if section == "Entities":
                    groups = _entities(stream, version)
                elif section == "Nodes":
                    nodes = _old_nodes(stream) if version < "4" else _nodes(stream, version)
                elif version < "4":
                    elements = _old_elements(stream, points_of)
                else:
                    elements = _elements(stream, version, points_of, groups)
            stream.leave(section)
    except (IndexError, KeyError, ValueError, OverflowError) as error:
        if isinstance(error, FileError):
            raise
        raise stream.error("its numbers are not understood") from None
    if nodes is None or elements is None:
        raise stream.error("it has no nodes or no elements")
    return Msh(nodes[0], nodes[1], elements, names)


def _format(stream: Stream) -> str:
    words = stream.line().split()
    version, text, wide = words[0], words[1] == "0", int(words[2])
    if version not in MSH_VERSIONS:
        raise stream.error(f"version {version[:10]!r} of the format is not one that is read, which are 2.2 and 4.1")
    if not text:
        if wide not in (4, 8):
            raise stream.error(f"its numbers have {wide} bytes")
        if int.from_bytes(stream.data[stream.at : stream.at + 4], "little") != 1:
            raise stream.error("its binary numbers are of another kind of machine")
    stream.text, stream.wide = text, wide
    return {"4": "4.1"}.get(version, version)


def _names(stream: Stream) -> dict[tuple[int, int], str]:
    names = {}
    for _ in range(int(stream.line())):
        if stream.at >= len(stream.data):
            raise stream.error("it ends before its physical names do")
        dimension, tag, name = stream.line().split(None, 2)
        names[int(dimension), int(tag)] = name.strip().strip('"')
    return names


def _old_count(stream: Stream) -> int:
    return int(stream.ints(1)[0]) if stream.text else int(stream.line())


def _old_nodes(stream: Stream) -> tuple[Numbers, Array]:
    count = check(stream.path, "vertices", _old_count(stream), MOST_VERTICES)
    if stream.text:
        table = stream.floats(4 * count).reshape(-1, 4)
        return table[:, 0].astype(np.int64), table[:, 1:]
    return _tagged_nodes(stream, count)


def _tagged_nodes(stream: Stream, count: int) -> tuple[Numbers, Array]:
    """Rows of a tag and a position: binary files of version 2, and all of version 4.0."""
    if stream.text:
        table = stream.floats(4 * count).reshape(-1, 4)
        return table[:, 0].astype(np.int64), table[:, 1:]
    row = np.dtype([("tag", "<i4"), ("position", "<f8", 3)])
    if count * row.itemsize > len(stream.data) - stream.at:
        raise stream.error("it ends before its nodes do")
    rows = np.frombuffer(stream.data, row, count, stream.at)
    stream.at += count * row.itemsize
    return rows["tag"].astype(np.int64), rows["position"].astype(np.float64)


def _old_elements(stream: Stream, points_of: dict[int, int]) -> list[Block]:
    """A text has an element a line: its tag, type, how many labels, the labels, the points. Bytes have headings."""
    count = check(stream.path, "elements", _old_count(stream), MOST_ELEMENTS)
    rows: dict[tuple[int, int], list[Numbers]] = {}
    done = 0
    while done < count:
        if stream.text:
            numbers = stream.ints(stream.left()).tolist()
            at = 0
            flat: dict[tuple[int, int], list[int]] = {}
            for _ in range(count):
                kind, labels = numbers[at + 1], numbers[at + 2]
                end = at + 3 + labels + _points(stream, points_of, kind)
                if labels < 0 or end > len(numbers):
                    raise stream.error("it ends before its elements do")
                first = numbers[at + 3] if labels else 0
                flat.setdefault((kind, first), []).extend(numbers[at + 3 + labels : end])
                at = end
            rows = {key: [np.array(values).reshape(-1, points_of[key[0]])] for key, values in flat.items()}
            done = count
        else:
            kind, many, labels = stream.ints(3).tolist()
            width = 1 + labels + _points(stream, points_of, kind)
            if many < 1 or labels < 0:
                raise stream.error("a block of its elements is empty")
            table = stream.ints(many * width).reshape(many, width)
            first_labels = table[:, 1] if labels else np.zeros(many, np.int64)
            for label in np.unique(first_labels).tolist():
                rows.setdefault((kind, label), []).append(table[first_labels == label, 1 + labels :])
            done += many
    return [Block(kind, np.concatenate(tables), [label]) for (kind, label), tables in rows.items()]


def _points(stream: Stream, points_of: dict[int, int], kind: int) -> int:
    if kind not in points_of:
        raise stream.error(f"an element has the type {kind}, which is not one that is read")
    return points_of[kind]


def _entities(stream: Stream, version: str) -> dict[tuple[int, int], list[int]]:
    """(dimension, entity) -> physical groups."""
    groups = {}
    for dimension, count in enumerate(stream.ints(4, wide=True).tolist()):
        for _ in range(count):
            tag = int(stream.ints(1)[0])
            stream.floats(3 if dimension == 0 and version == "4.1" else 6)  # its place or box
            groups[dimension, tag] = stream.ints(stream.size()).tolist()
            if dimension > 0:
                stream.ints(stream.size())  # its outline
    return groups


def _nodes(stream: Stream, version: str) -> tuple[Numbers, Array]:
    blocks, count = stream.ints(4 if version == "4.1" else 2, wide=True)[:2].tolist()
    check(stream.path, "vertices", count, MOST_VERTICES)
    tags, positions = [np.zeros(0, np.int64)], [np.zeros((0, 3))]
    for _ in range(blocks):
        heading = stream.ints(3).tolist()  # 4.1: dimension, entity, parametric; 4.0: entity, dimension, parametric
        many = stream.size()
        if version == "4.1":
            tags.append(stream.ints(many, wide=True))
            columns = 3 + (heading[0] if heading[2] else 0)
            positions.append(stream.floats(many * columns).reshape(many, columns)[:, :3])
        else:
            block_tags, block_positions = _tagged_nodes(stream, many)
            tags.append(block_tags)
            positions.append(block_positions)
    return np.concatenate(tags), np.concatenate(positions)


def _elements(
    stream: Stream, version: str, points_of: dict[int, int], groups: dict[tuple[int, int], list[int]]
) -> list[Block]:
    new = version == "4.1"
    blocks, count = stream.ints(4 if new else 2, wide=True)[:2].tolist()
    check(stream.path, "elements", count, MOST_ELEMENTS)
    found = []
    for _ in range(blocks):
        first, second, kind = stream.ints(3).tolist()
        many = stream.size()
        width = 1 + _points(stream, points_of, kind)
        table = stream.ints(many * width, wide=new).reshape(many, width)
        entity = (first, second) if new else (second, first)
        found.append(Block(kind, table[:, 1:], groups.get(entity, [])))
    return found
