"""What every model with examples lets the artist set about them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, field_validator


class ExampleSettings(BaseModel):
    """Which parts of a body share their weights, and weights that are given instead of found."""

    examples: Literal["global", "regions"] | Mapping[str, Any] = Field(
        "global",
        description="what shares its weights: all, poses of different parts apart; each region by itself; or the named "
        "groups (name -> selection)",
    )
    forced: Mapping[str, Annotated[float, Field(ge=0, le=1)]] = Field(
        {}, description="weights that are not found but given (pose -> 0 to 1); the other poses share what remains"
    )
    forced_time: float = Field(
        0.3,
        ge=0,
        le=1000,
        description="how long a pose that is newly forced, or forced otherwise, takes to be in force; 0: at once",
        json_schema_extra={"unit": "s", "usual": [0, 2]},
    )

    @field_validator("examples")
    @classmethod
    def _not_empty(cls, value: Any) -> Any:
        if not isinstance(value, str) and not value:
            raise ValueError('give at least one group, or "global"')
        return value

    @field_validator("forced")
    @classmethod
    def _within_one(cls, value: Mapping[str, float]) -> Mapping[str, float]:
        if sum(value.values()) > 1 + 1e-9:
            raise ValueError(f"the weights add up to {sum(value.values()):.4g}; at most 1 can be shared out")
        return value


class ExamplesByGroup(ExampleSettings):
    """The same for models whose parts do not overlap: what each of them chose for itself would not fit together."""

    examples: Literal["global"] | Mapping[str, Any] = Field(
        "global", description="which parts have weights of their own: none, or the named groups (name -> selection)"
    )
