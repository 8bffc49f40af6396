"""What a setting goes through: `0.1..4x8` is eight values from 0.1 to 4, `1..5` whole numbers, `on,off` a list."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pliant.runtime.errors import PliantError
from pliant.scene.overrides import value_of

RANGE_NUMBER = r"[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?"
RANGE_COUNT = r"(?:x\s*(?P<count>\d+)\s*(?P<log>log)?)?"
RANGE = re.compile(rf"\s*(?P<first>{RANGE_NUMBER})\s*\.\.\s*(?P<last>{RANGE_NUMBER})\s*{RANGE_COUNT}\s*")
WAYS = "give values with commas, 0.1..4x8 for eight values, 0.1..4x8log for equal ratios, or 1..5 for whole numbers"
DIGITS = 12  # a step of 0.1 is 0.1, not 0.30000000000000004


@dataclass(frozen=True)
class Evenly(Sequence[float]):
    """So many values from first to last, in equal steps or equal ratios; made when they are asked for.

    >>> list(Evenly(0.1, 0.4, 4)), list(Evenly(1, 100, 3, ratios=True))
    ([0.1, 0.2, 0.3, 0.4], [1.0, 10.0, 100.0])
    """

    first: float
    last: float
    many: int
    ratios: bool = False

    def __len__(self) -> int:
        return self.many

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(self.many))]
        part = range(self.many)[place] / max(self.many - 1, 1)
        if self.ratios:
            return _plain(self.first * (self.last / self.first) ** part)
        return _plain(self.first + (self.last - self.first) * part)


def values_in(text: str, what: str = "") -> Sequence[Any]:
    """The values of a range. `what` begins the message if it is none.

    >>> list(values_in("0.1..0.4x4")), list(values_in("1..3")), values_in("on, off")
    ([0.1, 0.2, 0.3, 0.4], [1, 2, 3], ('on', 'off'))
    >>> values_in("[0,-9.81,0], [0,-1.6,0]")
    ([0, -9.81, 0], [0, -1.6, 0])
    """
    found = RANGE.fullmatch(text)
    if found is not None:
        return _between(found["first"], found["last"], found["count"], found["log"] is not None, f"{what}{text}")
    if ".." in text and "," not in text:
        raise PliantError(f'{what}{text}: "{text}" is no range; {WAYS}')
    parts = split(text)
    if not all(part.strip() for part in parts):
        raise PliantError(f"{what}{text}: {'an empty range' if not text.strip() else 'a value is missing'}; {WAYS}")
    return tuple(value_of(part) for part in parts)


def _between(first: str, last: str, count: str | None, log: bool, said: str) -> Sequence[Any]:
    begin, end = float(first), float(last)
    if count is None:
        if not all(re.fullmatch(r"[-+]?\d+", each) for each in (first, last)):
            raise PliantError(f"{said}: how many values? {WAYS}")
        if int(last) < int(first):
            raise PliantError(f"{said}: an empty range, it ends before it begins; {WAYS}")
        return range(int(first), int(last) + 1)
    many = int(count)
    if many < 1:
        raise PliantError(f"{said}: an empty range, 0 values; {WAYS}")
    if log and not (begin > 0 and end > 0):
        raise PliantError(f"{said}: equal ratios need two numbers above 0; {WAYS}")
    return Evenly(begin, end, many, log)


def _plain(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def split(text: str, between: str = ",") -> list[str]:
    """Parts of a text, cut where no bracket or quote is open.

    >>> split("[1, 2], 'a,b', near(x)")
    ['[1, 2]', " 'a,b'", ' near(x)']
    """
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        if letter == between and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def said(value: Any) -> str:
    """A value for people, in captions and messages.

    >>> said(0.30000000000000004), said([0, 1.5]), said("on"), said(True)
    ('0.3', '[0, 1.5]', 'on', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:.4g}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(said(each) for each in value)}]"
    return str(value)
