"""Values that may be written in several ways. Which way is meant is decided first, so that a mistake is told in the
terms of that way and not once for each.

A place in an error then carries the name of the choice behind a mark that no key of a scene can have.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Union

from pydantic import BaseModel, Discriminator, Tag

Tables = Mapping[str, type[BaseModel]]
MARK = "\0"
TOML_KINDS = {str: "text", bool: "bool", int: "number", float: "number", list: "list", tuple: "list", dict: "table"}


def choice(pick: Callable[[Any], str | None], ways: Mapping[str, Any]) -> Any:
    """The type of a value for which `pick` names one of the ways."""
    if len(ways) == 1:
        return next(iter(ways.values()))

    def tag(value: Any) -> str | None:
        way = pick(value)
        return None if way is None else MARK + way

    branches = tuple(Annotated[way, Tag(MARK + name)] for name, way in ways.items())
    return Annotated[Union[branches], Discriminator(tag)]  # noqa: UP007 (made while running)


def is_tag(part: str | int) -> bool:
    """Whether a part of an error's place is the name of a choice."""
    return isinstance(part, str) and part.startswith(MARK)


def by_type(**ways: Any) -> Any:
    """A choice by the type that TOML gives: text, number, bool, list or table."""

    def pick(value: Any) -> str | None:
        kind = "table" if isinstance(value, BaseModel) else TOML_KINDS.get(type(value))
        return kind if kind in ways else None

    return choice(pick, ways)


def by_name(tables: Tables, default: str | None = None) -> Any:
    """A choice by the key `type` of a table."""
    return choice(lambda value: _type(value, default), tables)


def by_key(tables: Tables, named: Tables = MappingProxyType({}), **others: Any) -> Any:
    """A choice by the first key that only one of the tables has, its own, or else by the key `type`. What is no table
    may be one of `others`, by its type."""

    def pick(value: Any) -> str | None:
        if isinstance(value, Mapping):
            return next((key for key in value if key in tables), _type(value, None))
        if isinstance(value, BaseModel):
            return next((key for key, table in tables.items() if isinstance(value, table)), _type(value, None))
        kind = TOML_KINDS.get(type(value))
        return kind if kind in others else None

    return choice(pick, {**tables, **named, **others})


def _type(value: Any, default: str | None) -> str | None:
    name = value.get("type", default) if isinstance(value, Mapping) else getattr(value, "type", default)
    return name if isinstance(name, str) else None
