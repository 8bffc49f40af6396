"""Settings around those that a body has: a step to either side of the two that decide most about how it looks."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import annotated_types
from pydantic import BaseModel

from pliant.models.settings import number_type

HARDNESS = ("young", "stiffness")  # the one of them that is set
OBEDIENCE = ("example_strength", "example_stiffness", "damping", "drag")
TRIAL_FACTOR = 2.0  # a step: twice and half
STRONGEST = 1.0  # strengths are near to it, and what counts is how near
FIRST_STEP = 0.05  # from where twice and half are the same


@dataclass(frozen=True)
class Step:
    """A setting with the value before the present one, the present one, and the one after it."""

    field: str
    values: tuple[float, float, float]


def steps_around(settings: BaseModel) -> tuple[Step, ...]:
    """The two settings that are varied, or fewer where a model has no more.

    >>> import pliant
    >>> for step in steps_around(pliant.ShapeMatching(stiffness=6, example_strength=0.9)):
    ...     print(step.field, step.values)
    stiffness (3.0, 6.0, 12.0)
    example_strength (0.8, 0.9, 0.95)
    """
    found = []
    for names in (HARDNESS, OBEDIENCE):
        field = next((name for name in names if _is_number(settings, name)), None)
        if field is not None:
            found.append(Step(field, _around(settings, field)))
    return tuple(found)


def eight_around(steps: Sequence[Step]) -> list[dict[str, float]]:
    """What is changed in each of nine, row by row; nothing in the middle one. With one setting alone there are three.

    >>> around = eight_around([Step("a", (1, 2, 4)), Step("b", (5, 6, 7))])
    >>> len(around), around[0], around[4], around[5]
    (9, {'a': 1, 'b': 7}, {}, {'a': 4, 'b': 6})
    """
    if not steps:
        return [{}]
    across, *up = steps
    rows: list[float | None] = list(reversed(up[0].values)) if up else [None]
    found = []
    for high in rows:
        for side in across.values:
            here = {across.field: side} | ({up[0].field: high} if high is not None else {})
            now = {across.field: across.values[1]} | ({up[0].field: up[0].values[1]} if up else {})
            found.append({} if here == now else here)
    return found


def _is_number(settings: BaseModel, name: str) -> bool:
    info = type(settings).model_fields.get(name)
    value = getattr(settings, name, None)
    return info is not None and number_type(info.annotation) is not None and isinstance(value, int | float)


def _around(settings: BaseModel, field: str) -> tuple[float, float, float]:
    low, high = _bounds(settings, field)
    now = float(getattr(settings, field))
    if high == STRONGEST:
        short = STRONGEST - now
        step = FIRST_STEP if short < FIRST_STEP / TRIAL_FACTOR else short
        before, after = STRONGEST - TRIAL_FACTOR * step, STRONGEST - short / TRIAL_FACTOR
    else:
        before, after = (now / TRIAL_FACTOR, now * TRIAL_FACTOR) if now > 0.0 else (now, max(low, FIRST_STEP))
    before, after = max(before, low), min(after, high)
    if before == now:  # nothing is below: two steps up
        before, after = after, min(after * TRIAL_FACTOR, high)
    elif after == now:
        after = (before + now) / 2
    return _plain(before), now, _plain(after)


def _bounds(settings: BaseModel, field: str) -> tuple[float, float]:
    metadata = type(settings).model_fields[field].metadata
    low = next((float(m.ge) for m in metadata if isinstance(m, annotated_types.Ge)), 0.0)  # type: ignore[arg-type]
    high = next((float(m.le) for m in metadata if isinstance(m, annotated_types.Le)), inf)  # type: ignore[arg-type]
    return low, high


def _plain(value: float) -> float:
    return float(f"{value:.4g}")


def said_step(field: str, value: Any) -> str:
    """For a caption.

    >>> said_step("example_strength", 0.95)
    'example strength 0.95'
    """
    return f"{field.replace('_', ' ')} {value:.4g}"
