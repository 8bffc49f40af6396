"""The rows of a sweep: settings in every combination, side by side, or from a file. Rows are made when they are asked
for, so that ten million of them cost nothing to count."""

import csv
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from pliant.runtime.errors import PliantError
from pliant.scene.overrides import value_of
from pliant.sweeps.ranges import values_in

Row = dict[str, Any]
SEED_KEY = "seed"
LARGEST_ROWS_FILE = 256 * 1024 * 1024  # bytes of a file of rows
EXAMPLE = "such as stiffness=0.1..4x8 or body.poses.squash=on,off"


@dataclass(frozen=True, eq=False)
class Axis(Sequence[Row]):
    """One setting and its values."""

    key: str
    values: Sequence[Any]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: Any) -> Any:
        return {self.key: self.values[place]}


@dataclass(frozen=True, eq=False)
class Grid:
    """axes: of each the parts of rows that it offers, all with the same keys; a row has one part of every axis."""

    axes: tuple[Sequence[Row], ...]

    @property
    def count(self) -> int:
        return prod(len(axis) for axis in self.axes)

    @property
    def keys(self) -> list[str]:
        """Of all settings, in their order."""
        return [key for axis in self.axes for key in axis[0]]

    def row(self, number: int) -> Row:
        """By its number; the last axis changes fastest."""
        parts = []
        for axis in reversed(self.axes):
            number, place = divmod(number, len(axis))
            parts.append(axis[place])
        return {key: value for part in reversed(parts) for key, value in part.items()}

    def __iter__(self) -> Iterator[Row]:
        return (self.row(number) for number in range(self.count))


def grid_of(
    settings: Sequence[str] | Mapping[str, Any] | Sequence[Mapping[str, Any]] = (),
    *,
    seeds: str | None = None,
    side_by_side: bool = False,
    rows: Path | None = None,
) -> Grid:
    """The rows of `KEY=RANGE` each, of a mapping from keys to values or ranges, or of rows that are there already.
    side_by_side: the first values together, the second values together, and so on. seeds: a range. rows: a .csv or
    .toml with more settings.

    >>> grid = grid_of(["stiffness=1..2", "body.poses.squash=on,off"])
    >>> [list(row.values()) for row in grid]
    [[1, 'on'], [1, 'off'], [2, 'on'], [2, 'off']]
    >>> list(grid_of({"stiffness": [1, 2], "damping": "0..4x2"}, side_by_side=True))
    [{'stiffness': 1, 'damping': 0.0}, {'stiffness': 2, 'damping': 4.0}]
    """
    axes: list[Sequence[Row]] = []
    if isinstance(settings, Mapping):
        axes += [Axis(str(key), _values(str(key), given)) for key, given in settings.items()]
    elif settings and all(isinstance(each, Mapping) for each in settings):
        axes.append(_alike([dict(each) for each in settings], "sweep"))  # type: ignore[arg-type]
    else:
        for each in settings:
            key, equals, text = str(each).partition("=")
            if not equals or not key.strip():
                raise PliantError(f'sweep: "{each}" sets nothing; give key=range, {EXAMPLE}')
            axes.append(Axis(key.strip(), values_in(text, f"{key.strip()}=")))
    if seeds is not None:
        axes.append(Axis(SEED_KEY, values_in(seeds, "--seed ")))
    if rows is not None:
        axes.append(read_rows(rows))
    if not axes:
        raise PliantError(f"sweep: nothing changes from row to row; give --set key=range, {EXAMPLE}, --seed or --rows")
    for number, axis in enumerate(axes):
        for other in axes[:number]:
            if twice := next((key for key in axis[0] if key in other[0]), None):
                raise PliantError(f'sweep: "{twice}" is given twice; give each setting once')
    return Grid((_joined(axes),) if side_by_side else tuple(axes))


def _values(key: str, given: Any) -> Sequence[Any]:
    if isinstance(given, str):
        return values_in(given, f"{key}=")
    try:
        values = tuple(given.tolist() if hasattr(given, "tolist") else given)
    except TypeError:
        values = (given,)
    if not values:
        raise PliantError(f"{key}: an empty range; give at least one value")
    return tuple(value.item() if hasattr(value, "item") else value for value in values)


def _alike(rows: list[Row], where: str) -> list[Row]:
    """Rows that all have the same settings, in the order of the first."""
    for number, row in enumerate(rows, 1):
        if set(row) != set(rows[0]):
            raise PliantError(f"{where}: row {number} has other settings than the first; give all of them the same")
    return [{key: row[key] for key in rows[0]} for row in rows]


def _joined(axes: Sequence[Sequence[Row]]) -> tuple[Row, ...]:
    lengths = {next(iter(axis[0])): len(axis) for axis in axes}
    if len(set(lengths.values()) - {1}) > 1:
        said = ", ".join(f"{key} has {length}" for key, length in lengths.items())
        raise PliantError(f"--zip: {said} values; give as many of each, or leave --zip out for every combination")
    longest = max(lengths.values())
    every = [axis if len(axis) == longest else [axis[0]] * longest for axis in axes]
    return tuple({key: value for part in parts for key, value in part.items()} for parts in zip(*every, strict=True))


def read_rows(path: Path) -> tuple[Row, ...]:
    """Rows of a .csv (the first line has the keys) or of a .toml ([[rows]])."""
    try:
        if path.stat().st_size > LARGEST_ROWS_FILE:
            raise PliantError(f"{path}: {path.stat().st_size / 1e6:.0f} MB are no list of rows; give a smaller file")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise PliantError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise PliantError(f"{path}: this is not text in UTF-8; save it as UTF-8") from None
    kind = path.suffix.lower()
    if kind not in (".csv", ".toml"):
        raise PliantError(f"{path}: rows are read from .csv or .toml; give one of them")
    rows = _from_csv(path, text) if kind == ".csv" else _from_toml(path, text)
    if not rows:
        raise PliantError(f"{path}: there are no rows; give a line for each, below the keys")
    return tuple(rows)


def _from_csv(path: Path, text: str) -> list[Row]:
    lines = [line for line in csv.reader(text.splitlines()) if any(cell.strip() for cell in line)]
    if not lines:
        return []
    keys = [cell.strip() for cell in lines[0]]
    if not all(keys) or len(set(keys)) < len(keys):
        raise PliantError(f"{path}:1: every column needs a key of its own, such as stiffness")
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(keys):
            raise PliantError(f"{path}:{number}: {len(line)} values for {len(keys)} keys; give one each")
    return [{key: value_of(cell) for key, cell in zip(keys, line, strict=True)} for line in lines[1:]]


def _from_toml(path: Path, text: str) -> list[Row]:
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PliantError(f"{path}: not TOML: {error}") from None
    rows = given.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or set(given) != {"rows"}:
        raise PliantError(f"{path}: give each row as [[rows]] with its settings below it")
    return _alike([dict(_flat(row)) for row in rows], str(path))


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value
