"""Tables for the deformable models: made from the settings of each, with what may be keyed over time beside them."""

from collections.abc import Mapping
from copy import copy
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, model_validator
from pydantic.fields import FieldInfo

from pliant.body import Body
from pliant.models import Model, models
from pliant.models.settings import Settings, number_type
from pliant.runtime.errors import SettingsError
from pliant.scene.choices import by_name, by_type
from pliant.scene.selection import Selection, chosen
from pliant.scene.tracks import keyed
from pliant.scene.values import Name, Share, Table, made_table, mistake

DEFAULT = "shape_matching"


class ModelTable(Table):
    """What all models' tables have in common."""

    @property
    def model(self) -> Model:
        return models()[self.type]  # type: ignore[attr-defined]

    def said(self) -> dict[str, Any]:
        """The settings that were given, without `type` and `keys`."""
        own = self.model.settings.model_fields
        given = {name: getattr(self, name) for name in self.model_fields_set if name in own}
        return {name: _record(own[name], value) if isinstance(value, Table) else value for name, value in given.items()}

    @model_validator(mode="after")
    def _agree(self) -> "ModelTable":
        """The settings may have more to say than types and ranges: each by itself, and all together."""
        said = self.said()
        for values in (*({name: value} for name, value in said.items()), said):
            try:
                self.model.settings(**values)
            except SettingsError as error:
                raise mistake(str(error).rsplit("value error, ")[-1], *list(values)[: len(values) == 1]) from None
        return self


def _kind(hint: Any) -> Any:
    """The type of a setting as TOML can write it. A mapping to anything is one from names to selections."""
    if get_origin(hint) in (Mapping, dict):
        _, value = get_args(hint)
        kind: Any = Selection if value is Any else value
        return dict[Name, kind]
    if get_origin(hint) in (Union, UnionType):
        ways = {}
        for part in get_args(hint):
            origin = get_origin(part)
            if origin is Literal:
                ways["text"] = part
            elif origin in (Mapping, dict):
                ways["table"] = _kind(part)
            elif isinstance(part, type) and issubclass(part, BaseModel):
                return _record_table(part) | None
            else:
                return hint
        return by_type(**ways)
    return hint


def record_type(hint: Any) -> type[BaseModel] | None:
    """The record of settings that a field may hold, such as `Plasticity`."""
    return next((part for part in get_args(hint) if isinstance(part, type) and issubclass(part, BaseModel)), None)


def _record(info: FieldInfo, said: Table) -> BaseModel:
    """What a table says, as the record that the model takes."""
    kind = record_type(info.annotation)
    assert kind is not None
    return kind(**{name: getattr(said, name) for name in said.model_fields_set})


@cache
def _record_table(record: type[BaseModel]) -> type[Table]:
    first = (record.__doc__ or "").strip().split("\n")[0]
    fields = {name: (info.annotation, copy(info)) for name, info in record.model_fields.items()}
    made: type[Table] = made_table(record.__name__, first, fields)
    return made


def _tracks_of(record: type[BaseModel], title: str) -> Any:
    """Tracks for the numbers of a record."""
    tracks: dict[str, Any] = {}
    for name, info in record.model_fields.items():
        number = number_type(info.annotation)
        about = Field(None, description=info.description, json_schema_extra=info.json_schema_extra)
        tracks[name] = (keyed(Annotated[number, *info.metadata], f"{title}{name.capitalize()}Keys") | None, about)
    return made_table(f"{title}Keys", "Settings that change over time.", tracks)


def _weights(info: FieldInfo) -> bool:
    """Whether a setting has a number for each of some names: poses forced to a weight."""
    if get_origin(info.annotation) not in (Mapping, dict):
        return False
    value = get_args(info.annotation)[1]
    return (get_args(value)[0] if get_origin(value) is Annotated else value) is float


def _table(model: Model) -> type[ModelTable]:
    fields: dict[str, Any] = {}
    tracks: dict[str, Any] = {}
    for name, info in model.settings.model_fields.items():
        own = copy(info)
        own.annotation = _kind(info.annotation)
        fields[name] = (own.annotation, own)
        title = f"{model.settings.__name__}{name.capitalize()}Keys"
        about = Field(None, description=info.description, json_schema_extra=info.json_schema_extra)
        # what may be left out and is on no panel, such as the mass of a rigid body, stays as it is
        extra = info.json_schema_extra
        fixed = info.default is None and isinstance(extra, dict) and "panel" in extra
        if (number := number_type(info.annotation)) is not None and not fixed:
            tracks[name] = (keyed(Annotated[number, *info.metadata], title) | None, about)
        elif _weights(info):
            track = keyed(by_type(number=Share, text=Literal["free"]), title)
            tracks[name] = (dict[Name, track] | None, about)  # type: ignore[valid-type]
        elif (record := record_type(info.annotation)) is not None:
            tracks[name] = (_tracks_of(record, f"{model.settings.__name__}{record.__name__}") | None, about)
    keys = made_table(f"{model.settings.__name__}Keys", "Settings that change over time.", tracks)
    first = (model.settings.__doc__ or "").strip().split("\n")[0]
    kind = Field(DEFAULT, description="the model") if model.name == DEFAULT else Field(description="the model")
    over_time = Field(None, description="settings that change over time, instead of a fixed value")
    every = {"type": (Literal[model.name], kind), **fields, "keys": (keys | None, over_time)}
    return made_table(model.settings.__name__, first, every, base=ModelTable)


@cache
def model_tables() -> Mapping[str, type[ModelTable]]:
    return {name: _table(model) for name, model in models().items()}


def model_type() -> Any:
    return by_name(model_tables(), DEFAULT)


def settings_of(table: ModelTable, body: Body) -> Settings:
    """The settings for a body, with its particles in place of selections."""
    values = table.said()
    for name, value in values.items():
        if isinstance(value, dict):
            values[name] = {key: _particles(each, body, f"{name}.{key}") for key, each in value.items()}
    return table.model.settings(**values)


def _particles(value: Any, body: Body, what: str) -> float | NDArray[np.int32]:
    return value if isinstance(value, int | float) else chosen(value, body, what)
