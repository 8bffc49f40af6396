"""Which rows are best: `near(squash) < 0.02, rest_time` are those that come near enough, the soonest at rest first."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf, isnan
from typing import Any

from pliant.runtime.errors import PliantError
from pliant.scene.conditions import MEASURE, Condition, condition_of
from pliant.sweeps.ranges import split

ORDER = re.compile(rf"\s*(?P<down>-)?\s*(?P<measure>{MEASURE}|[\w.]+)\s*")


@dataclass(frozen=True)
class Best:
    """conditions: rows that fail fewer of them come first.  orders: measures to sort by then, small ones first, or
    large ones where it is said (True)."""

    conditions: tuple[Condition, ...] = ()
    orders: tuple[tuple[str, bool], ...] = ()

    @property
    def measures(self) -> list[str]:
        return [each.measure for each in self.conditions] + [name for name, _ in self.orders]

    def failed(self, row: Mapping[str, Any]) -> int:
        """How many conditions do not hold."""
        return sum(not each.holds(row.get(each.measure)) for each in self.conditions)

    def place(self, row: Mapping[str, Any]) -> tuple[float, ...]:
        """Rows are sorted by this; what was not measured comes last."""
        values = [_sortable(row.get(name), down) for name, down in self.orders]
        return (self.failed(row), *values)


def best_of(text: str) -> Best:
    """From words, with commas between them; a minus means large ones first.

    >>> best = best_of("near(squash) < 0.02, -weight(squash), rest_time")
    >>> best.conditions, best.orders
    ((Condition(measure='near(squash)', relation='<', limit=0.02),), (('weight(squash)', True), ('rest_time', False)))
    """
    conditions, orders = [], []
    for part in split(text):
        if "<" in part or ">" in part:
            conditions.append(condition_of(part))
        elif found := ORDER.fullmatch(part):
            orders.append((found["measure"], found["down"] is not None))
        else:
            raise PliantError(f'--best "{part.strip()}"; give measures and limits: near(squash) < 0.02, rest_time')
    return Best(tuple(conditions), tuple(orders))


def check_names(best: Best, known: Iterable[str]) -> None:
    """That everything that is sorted by is measured."""
    names = list(known)
    for name in best.measures:
        if name not in names:
            close = get_close_matches(name, names, n=1)
            meant = f'did you mean "{close[0]}"? ' if close else ""
            raise PliantError(f'--best: there is no measure "{name}"; {meant}there are {", ".join(names)}')


def _sortable(value: Any, down: bool) -> float:
    if isinstance(value, str) or value is None or isnan(float(value)):
        return inf
    return -float(value) if down else float(value)
