"""Words that a field of a settings class can be set to."""

from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel


@cache
def offers(settings: type[BaseModel], field: str, word: str) -> bool:
    """Whether a field can be set to that word."""
    return word in choices_of(settings.model_fields[field].annotation)


def choices_of(annotation: Any) -> tuple[str, ...]:
    """The words that a field of this type can be set to.

    >>> choices_of(Literal["exact", "paper"] | float)
    ('exact', 'paper')
    """
    if get_origin(annotation) is Literal:
        return tuple(word for word in get_args(annotation) if isinstance(word, str))
    if get_origin(annotation) in (Union, UnionType):
        return tuple(word for each in get_args(annotation) for word in choices_of(each))
    return ()
