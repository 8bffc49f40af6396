"""What every deformable model lets the artist set, and how a wrong setting is told."""

import difflib
from typing import Any, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pliant.body import Body
from pliant.runtime.errors import SettingsError


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
            raise SettingsError(one_line(type(self), error)) from None

    def changed(self, **values: Any) -> "Settings":
        """A copy with some settings replaced, checked like a new one."""
        kept = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**kept, **values})


    def sees(self, body: Body) -> dict[str, bool]:
        """Which poses of a body a model with these settings can tell from rest. The others get no weight, unless they
        are forced."""
        from pliant.models import model_of, played

        model, seen = model_of(self), dict.fromkeys(body.poses, False)
        if model is not None and model.examples is not None:
            body = played(body, model, self)
            told = zip(body.poses, model.examples.sees(body, self).tolist(), strict=True)
            seen |= {name: sees for name, sees in told if name in seen}
        return seen


class StiffnessOrYoung(Settings):
    """For models that have a stiffness of their own beside Young's modulus: `young` in place of `stiffness`. Both at
    once would say twice how hard a body is; changed while it runs, the one that is set last is what acts."""

    def changed(self, **values: Any) -> Settings:
        said = {name: getattr(self, name) for name in type(self).model_fields} | values
        if "stiffness" in values and "young" not in values:
            said["young"] = None
        elif said["young"] is not None and "stiffness" not in values:
            del said["stiffness"]
        return type(self)(**said)

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if getattr(self, "young", None) is not None and "stiffness" in self.model_fields_set:
            raise ValueError("stiffness and young both say how hard it is; give one of them")
        return self


def number_type(annotation: Any) -> type | None:
    """int or float for a setting that is a number, or one that may be left out; else None.

    >>> number_type(float | None)
    <class 'float'>
    """
    kinds = set(get_args(annotation)) - {type(None)} or {annotation}
    return next(iter(kinds)) if len(kinds) == 1 and kinds <= {int, float} else None


def one_line(kind: type[BaseModel], error: ValidationError) -> str:
    first = error.errors()[0]
    if not first["loc"]:  # several settings together
        return f"{kind.__name__}: {first['msg'].removeprefix('Value error, ')}"
    key = str(first["loc"][0])
    names = list(kind.model_fields)
    if first["type"] == "extra_forbidden":
        close = difflib.get_close_matches(key, names, n=1)
        meant = f'; did you mean "{close[0]}"?' if close else ""
        return f'{kind.__name__}: there is no setting "{key}"{meant} (valid: {", ".join(names)})'
    shown = repr(first["input"])
    shown = shown if len(shown) < 60 else shown[:57] + "..."
    return f"{kind.__name__}: {key} = {shown}: {first['msg'][0].lower()}{first['msg'][1:]}"
