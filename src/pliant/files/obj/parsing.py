"""The lines of an OBJ file, as flat arrays."""

from array import array
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path

from pliant.files.obj.materials import Library
from pliant.runtime.errors import FileError

NO_GROUP = ("default", "off", "(null)")
MOST_GROUPS = 1000
FREE_FORM = (b"cstype", b"curv", b"surf", b"curv2")
TEXT_BLOCK = 1 << 23
SHORT_RUN = 16  # lines: shorter runs are not worth the trouble


class Parser:
    """One pass over the lines. Files have long runs of lines of a kind, and those are split and turned into numbers
    together; what is out of the ordinary in a run, and what stands between them, is read line by line.

    A corner such as `12/3/4` is understood when it is first met; most stand there six times, so that looking it up is
    nearly all the work.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.positions, self.uv, self.normals = array("d"), array("d"), array("d")
        self.colours: dict[int, tuple[float, ...]] = {}
        self.corner_places: dict[bytes | tuple[int, int, int], int] = {}
        self.corner_points, self.corner_uv, self.corner_normals = array("q"), array("q"), array("q")
        self.faces, self.sizes, self.face_lines, self.tags = array("q"), array("q"), array("q"), array("q")
        self.segments: list[tuple[int, int]] = []
        self.library = Library(path)
        self.notes: dict[str, None] = {}
        self.tag_places: dict[tuple[str, tuple[str, ...], str | None], int] = {}
        self.object = ""
        self.groups: tuple[str, ...] = ()
        self.material: str | None = None
        self.known_groups: set[str] = set()
        self.tag = self._tag()
        self.number = 0
        try:
            self._parse(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
        except (ValueError, OverflowError) as error:
            if isinstance(error, FileError):
                raise
            raise self.error(f"{self._text()!r} is not understood") from None

    def error(self, what: str) -> FileError:
        return FileError(f"{self.path}: line {self.number}: {what}; export the file again")

    def _text(self) -> str:
        """The line that was read last; looked for only when there is something to say about it."""
        line = next((line for number, line in lines_of(self.path.read_bytes()) if number == self.number), b"")
        return " ".join(line[:60].decode("utf-8", errors="replace").split())

    def point_at(self, point: int) -> str:
        """The line of a vertex, likewise."""
        lines = (number for number, line in lines_of(self.path.read_bytes()) if line.split(None, 1)[:1] == [b"v"])
        return f"line {next(number for place, number in enumerate(lines) if place == point)}"

    def _parse(self, data: bytes) -> None:
        if b"\\" in data or data.count(b"\r") != data.count(b"\r\n"):
            self._lines(lines_of(data))
            return
        start, number = 0, 1
        while start < len(data):
            end = data.find(b"\n", start + TEXT_BLOCK) + 1 or len(data)
            for key, group in groupby(data[start:end].split(b"\n"), itemgetter(slice(0, 2))):
                rows = list(group)
                if len(rows) < SHORT_RUN or not self._run(key, rows, number):
                    self._lines(enumerate(rows, number))
                number += len(rows)
            number -= 1  # what stands behind the last \n is no line
            start = end

    def _run(self, key: bytes, rows: list[bytes], number: int) -> bool:
        """Reads lines that all begin alike, if they have the same number of words; else leaves them alone."""
        words = b" ".join(rows).split()
        width, rest = divmod(len(words), len(rows))
        if rest or width < 3 or words[::width].count(words[0]) < len(rows):
            return False
        kind = words[0]
        del words[::width]
        if kind == b"f" and width > 3:
            return self._run_of_faces(words, width - 1, number)
        columns = {b"v": 3, b"vn": 3, b"vt": 2}.get(kind)
        if columns != width - 1:
            return False
        try:
            values = array("d", map(float, words))
        except ValueError:  # which line it was is found out one by one
            return False
        if kind == b"vt":
            values[1::2] = array("d", [1.0 - v for v in values[1::2]])
            self.uv += values
        elif kind == b"v":
            self.positions += values
        else:
            self.normals += values
        return True

    def _run_of_faces(self, words: list[bytes], corners: int, number: int) -> bool:
        known = self.corner_places
        fresh = [word for word in dict.fromkeys(words) if word not in known]
        try:
            if any(b"-" in word for word in fresh):
                return False
            for word in fresh:
                self._corner(word)
            self.faces.extend(map(known.__getitem__, words))
        except (ValueError, OverflowError):
            return False
        count = len(words) // corners
        self.sizes.extend([corners] * count)
        self.face_lines.extend(range(number, number + count))
        self.tags.extend([self.tag] * count)
        return True

    def _lines(self, lines: Iterable[tuple[int, bytes]]) -> None:
        for self.number, line in lines:
            words = line.split()
            if not words:
                continue
            key = words[0]
            if b"#" in line and key in (b"v", b"vt", b"vn", b"f", b"l"):
                words = line.partition(b"#")[0].split()
            if key == b"v":
                self._point(words)
            elif key == b"f":
                self.faces.extend([self._corner(word) for word in words[1:]])
                self.sizes.append(len(words) - 1)
                self.face_lines.append(self.number)
                self.tags.append(self.tag)
            elif key == b"vt":
                self.uv.append(float(words[1]) if len(words) > 1 else 0.0)
                self.uv.append(1.0 - float(words[2]) if len(words) > 2 else 1.0)
            elif key == b"vn":
                if len(words) < 4:
                    raise self.error("a normal has three numbers")
                self.normals.extend(map(float, words[1:4]))
            elif key in (b"o", b"g", b"usemtl", b"mtllib"):
                self._name(key, line)
                self.tag = self._tag()
            elif key == b"l":
                self._polyline(words[1:])
            elif key in FREE_FORM:
                self.notes["free-form curves and surfaces were left out; convert them to a mesh"] = None

    def _point(self, words: list[bytes]) -> None:
        count = len(words) - 1
        if count < 3:
            raise self.error("a vertex has three numbers")
        self.positions.extend(map(float, words[1:4]))
        if count >= 6:  # x y z, red green blue; a w stands alone
            self.colours[len(self.positions) // 3 - 1] = tuple(map(float, words[4:7]))

    def _corner(self, word: bytes) -> int:
        """The place of a corner. Negative numbers count back from the line they stand on."""
        if word in self.corner_places:
            return self.corner_places[word]
        parts = [*word.split(b"/"), b"", b""][:3]
        counts = (len(self.positions) // 3, len(self.uv) // 2, len(self.normals) // 3)
        point, uv, normal = map(_place, parts, counts)
        if point < 0 or uv < -1 or normal < -1:
            raise self.error(f"the corner {word.decode('ascii', 'replace')!r} names nothing that stands above it")
        triple = (point, uv, normal)
        place = self.corner_places.setdefault(triple, len(self.corner_points))
        if place == len(self.corner_points):
            self.corner_points.append(point)
            self.corner_uv.append(uv)
            self.corner_normals.append(normal)
        if b"-" not in word:
            self.corner_places[word] = place
        return place

    def _polyline(self, words: list[bytes]) -> None:
        points = [self.corner_points[self._corner(word)] for word in words]
        self.segments.extend(pairwise(points))

    def _name(self, key: bytes, line: bytes) -> None:
        text = line.strip()[len(key) :].decode("utf-8", errors="replace").strip()
        if key == b"o":
            self.object = text
        elif key == b"usemtl":
            self.material = text or None
        elif key == b"mtllib":
            self.library.bring(text)
        else:
            names = tuple(dict.fromkeys(word for word in text.split()[:64] if word.lower() not in NO_GROUP))
            self.known_groups.update(names)
            if len(self.known_groups) <= MOST_GROUPS:
                self.groups = names
            else:
                self.groups = ()
                self.notes[f"only the first {MOST_GROUPS} groups were read"] = None

    def _tag(self) -> int:
        key = (self.object, self.groups, self.material)
        return self.tag_places.setdefault(key, len(self.tag_places))


def _place(part: bytes, count: int) -> int:
    """From 0; -1 if nothing is named, less if something that cannot be."""
    if not part:
        return -1
    number = int(part)
    return number - 1 if number > 0 else count + number if 0 < -number <= count else -2


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, however they end; one that ends in a backslash goes on in the next."""
    held: list[bytes] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if line.endswith(b"\\"):
            held.append(line[:-1])
        elif held:
            yield number - len(held), b" ".join([*held, line])
            held = []
        else:
            yield number, line
    if held:
        yield 0, b" ".join(held)
