"""What all messages of a page have in common: frozen, nothing unknown in them, nothing guessed."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

FARTHEST_PULL = 1e5  # metres: a body is never pulled farther

Coordinate = Annotated[float, Field(ge=-FARTHEST_PULL, le=FARTHEST_PULL)]
Point = tuple[Coordinate, Coordinate, Coordinate]
Name = Annotated[str, Field(max_length=200)]
Number = Annotated[int, Field(ge=0, lt=2**31)]
PoseName = Annotated[str, Field(min_length=1, max_length=40)]


class Message(BaseModel):
    """The base of all commands."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
