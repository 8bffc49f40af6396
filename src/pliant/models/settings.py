"""What every deformable model lets the artist set, and how a wrong setting is told."""

import difflib
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pliant.errors import SettingsError


class Settings(BaseModel):
    """Frozen and checked. The scene file and the viewer's panel are made from the fields: unit, range and help."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    damping: float = Field(
        2.0,
        ge=0,
        le=1000,
        description="how fast deviations from the rigid motion die out",
        json_schema_extra={"unit": "1/s"},
    )
    drag: float = Field(
        0.0,
        ge=0,
        le=1000,
        description="how fast all motion dies out, as in air or water",
        json_schema_extra={"unit": "1/s"},
    )

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise SettingsError(_one_line(type(self), error)) from None

    def changed(self, **values: Any) -> "Settings":
        """A copy with some settings replaced, checked like a new one."""
        kept = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**kept, **values})


class ExampleSettings(Settings):
    """Of a model whose bodies obey example poses; its `forced` maps poses to weights that are given."""

    forced_time: float = Field(
        0.3,
        ge=0,
        le=1000,
        description="how long a pose that is newly forced, or forced otherwise, takes to be in force; 0: at once",
        json_schema_extra={"unit": "s", "usual": [0, 2]},
    )


def not_empty(value: Any) -> Any:
    """Groups of examples: a word, or at least one group."""
    if not isinstance(value, str) and not value:
        raise ValueError('give at least one group, or "global"')
    return value


def within_one(value: Mapping[str, float]) -> Mapping[str, float]:
    """Weights that are given: no more than there is."""
    if sum(value.values()) > 1 + 1e-9:
        raise ValueError(f"the weights add up to {sum(value.values()):.4g}; at most 1 can be shared out")
    return value


def _one_line(kind: type[BaseModel], error: ValidationError) -> str:
    first = error.errors()[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    names = list(kind.model_fields)
    if first["type"] == "extra_forbidden":
        close = difflib.get_close_matches(key, names, n=1)
        meant = f'; did you mean "{close[0]}"?' if close else ""
        return f'{kind.__name__}: there is no setting "{key}"{meant} (valid: {", ".join(names)})'
    shown = repr(first["input"])
    shown = shown if len(shown) < 60 else shown[:57] + "..."
    return f"{kind.__name__}: {key} = {shown}: {first['msg'][0].lower()}{first['msg'][1:]}"
