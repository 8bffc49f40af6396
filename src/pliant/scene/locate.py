"""Where things stand in a TOML text: from a key path, as a checker knows it, to the line that a person looks for.

`tomllib` reads values but forgets where they were. This scanner is run on text that tomllib has accepted, so it need
not judge, only follow: tables, arrays of tables, dotted keys, inline tables, and strings and arrays over many lines.
"""

import re
import tomllib
from dataclasses import dataclass

Key = tuple[str | int, ...]

BARE = re.compile(r"[A-Za-z0-9_-]+")
# The four kinds of strings, long ones first: three quotes begin like one. A long one may end in two quotes of its own.
STRINGS = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\])*"|\'[^\']*\'', re.DOTALL)
PLAIN = re.compile(r"[^,\]}#\r\n]+")  # numbers, true and false, dates
SPACE = re.compile(r"[ \t]*")
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")


@dataclass(frozen=True)
class SourceSpan:
    """Lines count from 1. `start` and `end` enclose the value in the text; nothing, for a table that is spread out."""

    line: int
    start: int
    end: int


def locate(text: str) -> dict[Key, SourceSpan]:
    """The place of every key and every item of a list, by its path; what stands there twice has its first place.

    >>> places = locate('[world]\\nfps = 60\\n[[bodies]]\\nname = "bar"\\nposition = [0,\\n  2, 0]')
    >>> places["world", "fps"].line, places["bodies", 0, "name"].line, places["bodies", 0, "position", 1].line
    (2, 4, 6)
    """
    return _Scanner(text).document()


def split_key(text: str) -> list[str]:
    """The parts of a dotted key. Raises ValueError if it is none.

    >>> split_key('bodies."big bear".model.stiffness')
    ['bodies', 'big bear', 'model', 'stiffness']
    """
    scanner = _Scanner(text.strip())
    try:
        parts = [part for part, _ in scanner.key()]
    except (ValueError, IndexError):
        raise ValueError(f"{text!r} is not a key") from None
    if scanner.at != len(scanner.text):
        raise ValueError(f"{text!r} is not a key")
    return parts


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.places: dict[Key, SourceSpan] = {}
        self.counts: dict[Key, int] = {}  # arrays of tables, and how many there are so far
        self._line, self._counted = 1, 0  # the line of a position that was asked for before

    def document(self) -> dict[Key, SourceSpan]:
        table: Key = ()
        self._skip(BLANK)
        while self.at < len(self.text):
            table = self._heading() if self.text[self.at] == "[" else self._pair(table)
            self._skip(BLANK)
        return self.places

    def _heading(self) -> Key:
        """`[a.b]` or `[[a.b]]`: the path of the table that begins here."""
        start = self.at
        many = self.text.startswith("[[", start)
        self.at += 1 + many
        parts = self.key()
        self.at = self.text.index("]", self.at) + 1 + many
        path: Key = ()
        for number, (part, _) in enumerate(parts):
            path = (*path, part)
            self._note(path, start)
            last = number == len(parts) - 1
            if last and many:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
                self._note(path, start)
        return path

    def _pair(self, table: Key) -> Key:
        """`key = value`; the table goes on."""
        parts = self.key()
        self.at = self.text.index("=", self.at) + 1
        self._skip(SPACE)
        path, start = table, self.at
        for part, where in parts[:-1]:
            path = (*path, part)
            self._note(path, where)
        last, where = parts[-1]
        line = self._line_of(where)
        self._value((*path, last))
        self.places[(*path, last)] = SourceSpan(line, start, self.at)
        return table

    def key(self) -> list[tuple[str, int]]:
        """The parts of a dotted key and where each stands."""
        parts = []
        while True:
            self._skip(SPACE)
            start = self.at
            if found := BARE.match(self.text, start):
                part = found.group()
            else:
                found = STRINGS.match(self.text, start)
                if found is None:
                    raise ValueError("no key")
                part = tomllib.loads(f"x = {found.group()}")["x"]
            parts.append((part, start))
            self.at = found.end()
            self._skip(SPACE)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def _value(self, path: Key) -> None:
        character = self.text[self.at]
        if character == "[":
            self._list(path)
        elif character == "{":
            self._inline_table(path)
        else:
            found = STRINGS.match(self.text, self.at) if character in "\"'" else PLAIN.match(self.text, self.at)
            if found is None:
                raise ValueError(f"no value at {self.at}")
            self.at = found.end()

    def _list(self, path: Key) -> None:
        self.at += 1
        self._skip(BLANK)
        number = 0
        while self.text[self.at] != "]":
            start, line = self.at, self._line_of(self.at)
            self._value((*path, number))
            self.places[(*path, number)] = SourceSpan(line, start, self.at)
            number += 1
            self._skip(BLANK)
            if self.text[self.at] == ",":
                self.at += 1
                self._skip(BLANK)
        self.at += 1

    def _inline_table(self, path: Key) -> None:
        self.at += 1
        self._skip(BLANK)
        while self.text[self.at] != "}":
            self._pair(path)
            self._skip(BLANK)
            if self.text[self.at] == ",":
                self.at += 1
                self._skip(BLANK)
        self.at += 1

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        assert found is not None  # both match nothing at all, too
        self.at = found.end()

    def _note(self, path: Key, start: int) -> None:
        if path not in self.places:
            self.places[path] = SourceSpan(self._line_of(start), start, start)

    def _line_of(self, position: int) -> int:
        if position < self._counted:
            return self._line - self.text.count("\n", position, self._counted)
        self._line += self.text.count("\n", self._counted, position)
        self._counted = position
        return self._line
