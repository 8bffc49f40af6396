"""The JSON of a glTF file, read with suspicion: every value is checked where it is taken out."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from pliant.runtime.errors import FileError

REMEDY = "the file is damaged or its exporter at fault; export it again"
LARGEST_WHOLE = 2**53  # whole numbers that JSON can hold for certain


class Item:
    """A JSON object of a file, with its place in it for messages, such as `accessors[3]`."""

    __slots__ = ("data", "path", "where")

    def __init__(self, path: Path, where: str, data: Any) -> None:
        self.path, self.where = path, where
        if not isinstance(data, dict):
            raise FileError(f"{path}: {where} is {_short(data)}, an object belongs there; {REMEDY}")
        self.data: dict[str, Any] = data

    def __contains__(self, key: str) -> bool:
        return self.data.get(key) is not None

    def wrong(self, what: str, remedy: str = REMEDY) -> FileError:
        """An error about this object."""
        return FileError(f"{self.path}: {self.where}: {what}; {remedy}")

    def integer(self, key: str, default: int | None = None, least: int = 0, most: int = LARGEST_WHOLE) -> int:
        """A whole number within bounds; without a default it has to be there."""
        if key not in self and default is not None:
            return default
        return self._whole(self.data.get(key), key, least, most)

    def index(self, key: str) -> int | None:
        """The number of another object, or None."""
        return self.integer(key) if key in self else None

    def number(self, key: str, default: float) -> float:
        return self._finite(self.data[key], key) if key in self else default

    def numbers(self, key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """As many finite numbers as the default has."""
        if key not in self:
            return default
        values = self._list(key)
        if len(values) != len(default):
            raise self.wrong(f"{key} has {len(values)} numbers, {len(default)} belong there")
        return tuple(self._finite(value, f"{key}[{place}]") for place, value in enumerate(values))

    def integers(self, key: str) -> list[int]:
        """A list of whole numbers from 0; empty where there is none."""
        return [self._whole(value, f"{key}[{place}]", 0, LARGEST_WHOLE) for place, value in enumerate(self._list(key))]

    def flag(self, key: str) -> bool:
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(f"{key} is {_short(value)}, true or false belongs there")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        if key not in self and default is not None:
            return default
        value = self.data.get(key)
        if not isinstance(value, str):
            raise self.wrong(f"{key} is {_short(value)}, a text belongs there")
        return value

    def name(self, default: str) -> str:
        """The name of this object on one line, or the default where it has none worth the word."""
        return one_line(self.data.get("name")) or default

    def item(self, key: str) -> Item | None:
        return Item(self.path, f"{self.where}.{key}", self.data[key]) if key in self else None

    def items(self, key: str) -> list[Item]:
        place = key if self.where == TOP else f"{self.where}.{key}"
        return [Item(self.path, f"{place}[{number}]", value) for number, value in enumerate(self._list(key))]

    def texts(self, key: str) -> list[str]:
        """A list of names; entries that are none become empty."""
        return [one_line(value) for value in self._list(key)]

    def extension(self, name: str) -> Item | None:
        """What an extension says about this object."""
        extensions = self.item("extensions")
        return extensions.item(name) if extensions else None

    def _list(self, key: str) -> list[Any]:
        value = self.data.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(f"{key} is {_short(value)}, a list belongs there")
        return value

    def _whole(self, value: Any, key: str, least: int, most: int) -> int:
        # Some exporters write 3.0 for 3. True is an int to Python, not to us.
        whole = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
        if not whole:
            raise self.wrong(f"{key} is {_short(value)}, a whole number belongs there")
        if not least <= value <= most:
            raise self.wrong(f"{key} is {_short(value)}, a number from {least} to {most} belongs there")
        return int(value)

    def _finite(self, value: Any, key: str) -> float:
        try:
            number = math.nan if isinstance(value, bool | str) else float(value)
        except (TypeError, OverflowError):  # no number, or one of hundreds of digits
            number = math.nan
        if not math.isfinite(number):
            raise self.wrong(f"{key} is {_short(value)}, a number belongs there")
        return number


TOP = "the file"  # the place of the outermost object


def one_line(value: Any) -> str:
    """A text without line breaks, control characters and halves of letters; empty for anything else.

    >>> one_line("left\\n  ear"), one_line(7)
    ('left ear', '')
    """
    if not isinstance(value, str):
        return ""
    readable = value.encode("utf-8", "replace").decode("utf-8")
    return "".join(letter for letter in " ".join(readable.split()) if letter.isprintable())[:200]


def _short(value: Any) -> str:
    """A value as a message can show it."""
    if value is None:
        return "missing"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = one_line(str(value)) if not isinstance(value, str) else repr(one_line(value))
    return text if len(text) <= 40 else text[:37] + "..."
