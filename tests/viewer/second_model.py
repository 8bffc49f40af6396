"""A second deformable model for tests: shape matching under another name, with a setting of its own."""

from dataclasses import replace
from typing import Any

from pydantic import Field

from pliant.models import Model, models
from pliant.models.shape_matching.settings import ShapeMatching

NAME = "jelly_matching"


class JellyMatching(ShapeMatching):
    """Its stiffness has another range, so that it is not the same setting; wobble is its own."""

    stiffness: float = Field(0.25, ge=0, le=1, description="how much of the way it goes in a 60th of a second")
    wobble: float = Field(0.5, ge=0, le=2, description="does nothing")


def _check(body: Any, settings: Any, name: str) -> None:
    from pliant.runtime.errors import SettingsError

    if body.tets is None:
        raise SettingsError(f'actor "{name}": jelly matching needs tets; choose another model')
    models()["shape_matching"].check(body, settings, name)


def jelly() -> Model:
    """To be put into `models()`."""
    return replace(models()["shape_matching"], name=NAME, settings=JellyMatching, check=_check)
