"""What is looked at in a bake, in words: `near(squash) < 0.02`. A scene has such checks, and sweeps sort by them."""

import re
from dataclasses import dataclass
from operator import ge, gt, le, lt

from pliant.runtime.errors import PliantError

MEASURE = r"[a-z][a-z_]*(?:\([^()]+\))?"
LIMIT_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
CONDITION = rf"^\s*{MEASURE}\s*(<=|>=|<|>)\s*{LIMIT_NUMBER}\s*$"
RELATIONS = {"<": lt, "<=": le, ">": gt, ">=": ge}
_PARTS = re.compile(rf"\s*(?P<measure>{MEASURE})\s*(?P<relation><=|>=|<|>)\s*(?P<limit>{LIMIT_NUMBER})\s*")


@dataclass(frozen=True)
class Condition:
    """A measure, a relation and a limit."""

    measure: str
    relation: str
    limit: float

    def holds(self, value: float | None) -> bool:
        """What could not be measured holds nothing."""
        return value is not None and bool(RELATIONS[self.relation](value, self.limit))

    def __str__(self) -> str:
        return f"{self.measure} {self.relation} {self.limit:g}"


def condition_of(text: str) -> Condition:
    """From words.

    >>> condition_of("near(squash) < 0.02")
    Condition(measure='near(squash)', relation='<', limit=0.02)
    """
    found = _PARTS.fullmatch(text)
    if found is None:
        raise PliantError(f'"{text.strip()}" is no condition; give a measure and a limit, such as near(squash) < 0.02')
    return Condition(found["measure"].replace(" (", "("), found["relation"], float(found["limit"]))
