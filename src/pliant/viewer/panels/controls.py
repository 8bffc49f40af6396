"""Sliders and choices of a settings class: made from its fields, never written twice."""

from dataclasses import dataclass
from math import expm1, isfinite, log1p

import annotated_types
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pliant.models.settings import number_type
from pliant.viewer.simulation.choices import choices_of

WIDE_RANGE = 10.0  # a range beyond this gets finer towards its lower end
OPEN_RANGE = 100.0  # times the default: where a track ends whose range does not


@dataclass(frozen=True)
class Slider:
    """A number from `low` to `high` on a track from 0 to 1; a wide range is laid on it as log(1 + value)."""

    field: str
    title: str
    help: str
    unit: str
    low: float
    high: float
    whole: bool = False

    def value(self, place: float) -> float:
        """The value at a place of the track, rounded to what the track can resolve.

        >>> drag = Slider("drag", "Drag", "", "1/s", 0.0, 1000.0)
        >>> drag.value(0.0), drag.value(0.1), drag.value(1.0)
        (0.0, 1.0, 1000.0)
        """
        if self.whole:
            return round(self.low + place * (self.high - self.low))
        if not self._wide:
            return round(self.low + place * (self.high - self.low), 4)
        value = self.low + expm1(place * log1p(self.high - self.low))
        return round(value, 2 if value < 10 else 1 if value < 100 else 0)

    def place(self, value: float) -> float:
        """Where a value lies on the track; one beyond its end lies at its end."""
        value = min(max(value, self.low), self.high)
        if not self._wide:
            return (value - self.low) / (self.high - self.low)
        return log1p(value - self.low) / log1p(self.high - self.low)

    @property
    def _wide(self) -> bool:
        return not self.whole and self.high - self.low > WIDE_RANGE

    def said(self, value: float | None) -> str:
        """As a person reads it; None is a number that is left out.

        >>> Slider("gravity", "Gravity", "", "m/s²", 0.0, 30.0).said(9.81)
        '9.81 m/s²'
        """
        return "not set" if value is None else f"{value:.4g} {self.unit}".strip()


@dataclass(frozen=True)
class Choice:
    """One word out of a few."""

    field: str
    title: str
    help: str
    words: tuple[str, ...]


def controls_of(settings: type[BaseModel]) -> list[Slider | Choice]:
    """Controls for the fields that a panel can show: bounded numbers first, then choices of words."""
    sliders: list[Slider | Choice] = []
    choices: list[Slider | Choice] = []
    for name, field in settings.model_fields.items():
        title, about = name.replace("_", " ").capitalize(), field.description or ""
        bounds = _bounds(field)
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        number = number_type(field.annotation)
        if number is not None and bounds is not None and extra.get("panel", True):
            sliders.append(Slider(name, title, about, str(extra.get("unit", "")), *bounds, whole=number is int))
        elif words := choices_of(field.annotation):
            choices.append(Choice(name, title, about, words))
    own = [each for each in sliders if each.field in settings.__annotations__]  # the model's own come first
    return [*own, *(each for each in sliders if each not in own), *choices]


def _bounds(field: FieldInfo) -> tuple[float, float] | None:
    """The ends of the track: what the field says is usual, else what it allows."""
    extra = field.json_schema_extra
    usual = extra.get("usual") if isinstance(extra, dict) else None
    if isinstance(usual, list):
        return float(usual[0]), float(usual[1])  # type: ignore[arg-type]
    low = next((float(m.ge) for m in field.metadata if isinstance(m, annotated_types.Ge)), None)  # type: ignore[arg-type]
    high = next((float(m.le) for m in field.metadata if isinstance(m, annotated_types.Le)), None)  # type: ignore[arg-type]
    if low is None:
        return None
    return low, high if high is not None and isfinite(high) else low + OPEN_RANGE * max(field.default, 1.0)
