"""The table of a sweep: a line for each row, with its settings and what was measured."""

import csv
import html
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.runtime.errors import PliantError
from pliant.sweeps.best import Best, best_of, check_names
from pliant.sweeps.ranges import said

TABLE_BEGINS, TABLE_ENDS = ("row",), ("realtime", "seconds", "host", "key", "error")


@dataclass(frozen=True, eq=False)
class SweepTable:
    """settings, measures: names of columns.  rows: as workers gave them, in the order of the table.

    >>> table = SweepTable(("k",), ("near",), ({"row": 0, "settings": {"k": 2}, "measures": {"near": 0.5}, "run": {}},))
    >>> len(table), table["near"].tolist(), table[0]["k"]
    (1, [0.5], 2)
    """

    settings: tuple[str, ...]
    measures: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]

    @staticmethod
    def of(settings: Sequence[str], results: Sequence[dict[str, Any]]) -> "SweepTable":
        """From results in any order."""
        ordered = tuple(sorted(results, key=lambda each: each["row"]))
        measures = dict.fromkeys(name for each in ordered for name in each["measures"])
        return SweepTable(tuple(settings), tuple(measures), ordered)

    @property
    def columns(self) -> tuple[str, ...]:
        return (*TABLE_BEGINS, *self.settings, *self.measures, *TABLE_ENDS)

    def line(self, result: dict[str, Any]) -> dict[str, Any]:
        """All columns of one row."""
        found = {"row": result["row"], **dict.fromkeys(self.settings), **result["settings"]}
        found |= {name: result["measures"].get(name) for name in self.measures}
        run = result.get("run", {})
        found |= {name: run.get(name) for name in ("realtime", "seconds", "host")}
        return found | {"key": result.get("key", ""), "error": result.get("error", "")}

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self.line(result) for result in self.rows)

    def __getitem__(self, which: int | str) -> Any:
        """A row by its place in the table, or a column by its name: numbers as an array, what is missing as NaN."""
        if isinstance(which, int):
            return self.line(self.rows[which])
        if which not in self.columns:
            raise PliantError(f'the table has no column "{which}"; there are {", ".join(self.columns)}')
        return _array([line[which] for line in self])

    def best(self, text: str | Best) -> "SweepTable":
        """Sorted: `near(squash) < 0.02, rest_time` has those first that come near enough, by the time they take."""
        best = best_of(text) if isinstance(text, str) else text
        check_names(best, self.columns)
        ordered = sorted(self.rows, key=lambda each: (bool(each.get("error")), *best.place(self.line(each))))
        return SweepTable(self.settings, self.measures, tuple(ordered))

    def csv(self) -> str:
        """The table as TABLE_CSV, every number in full."""
        made = io.StringIO()
        writer = csv.writer(made, lineterminator="\n")
        writer.writerow(self.columns)
        for line in self:
            writer.writerow([_cell(line[name]) for name in self.columns])
        return made.getvalue()

    def parquet(self) -> bytes:
        """The table as Parquet; a column whose values are not all numbers is text."""
        import pyarrow
        import pyarrow.parquet

        lines = list(self)
        columns = {name: _column([line[name] for line in lines]) for name in self.columns}
        made = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.table(columns), made)
        return made.getvalue()

    def _repr_html_(self) -> str:
        """In a notebook."""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_shown(line[name]))}</td>" for name in self.columns) + "</tr>"
            for line in self
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _array(values: Sequence[Any]) -> NDArray[Any]:
    if all(value is None or isinstance(value, int | float) for value in values):
        return np.array([np.nan if value is None else value for value in values])
    return np.array([_shown(value) for value in values])


def _column(values: Sequence[Any]) -> list[Any]:
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {bool} or kinds <= {int}:
        return list(values)
    if kinds <= {int, float}:
        return [None if value is None else float(value) for value in values]
    return [None if value is None else _cell(value) for value in values]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else said(value)


def _shown(value: Any) -> str:
    return "" if value is None else said(value)
