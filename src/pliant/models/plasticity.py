"""What stays of a deformation, as all models that can let the artist set it."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pliant.examples.plastic_kernels import ANNEALING, LASTING_ROWS, RULE_ROWS
from pliant.maths.polar import LANES
from pliant.models.settings import one_line
from pliant.runtime.errors import SettingsError


class Plasticity(BaseModel):
    """Weights of example poses that stay: what goes beyond the yield point is kept, in the shapes that were drawn.

    >>> Plasticity(yield_point=0.2, most=0.8).creep
    10.0
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    yield_point: float = Field(
        0.1,
        ge=0,
        le=2,
        description="how far the weights may go from those that have stayed before more of them stays; 2: nothing does",
    )
    creep: float = Field(
        10.0,
        ge=0,
        le=1000,
        description="how fast they stay: the part, each second, of what is beyond the yield point",
        json_schema_extra={"unit": "1/s", "usual": [0, 60]},
    )
    most: float = Field(1.0, ge=0, le=1, description="of the weights of all poses together, how much may stay")
    hardening: float = Field(
        0.0,
        ge=0,
        le=100,
        description="how much farther the yield point is for each weight of 1 that has flowed",
        json_schema_extra={"usual": [0, 2]},
    )

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise SettingsError(one_line(type(self), error)) from None

    # A table of a scene file is checked by the scene, which knows the line: without this, pydantic would go through
    # the above.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]


def rules_of(plasticity: Plasticity | None) -> NDArray[np.float64]:
    """The numbers that kernels take (examples/plastic_kernels.py)."""
    assert plasticity is not None
    return np.array([plasticity.yield_point, plasticity.creep, plasticity.most, plasticity.hardening])


@dataclass(frozen=True, eq=False)
class Lasting:
    """What has stayed of the weights of one actor's groups. table: (blocks of groups, K + LASTING_ROWS, groups of a
    block), a view of what its model remembers, without blocks where nothing stays; groups: their numbers."""

    table: NDArray[Any]
    groups: NDArray[np.int64]

    @classmethod
    def of(
        cls, memory: NDArray[Any], place: int, blocks: int, poses: int, groups: slice, lanes: int = LANES
    ) -> "Lasting":
        """blocks: 0 where nothing stays."""
        rows = poses + LASTING_ROWS
        table = memory[place : place + blocks * rows * lanes].reshape(blocks, rows, lanes)
        return cls(table, np.arange(groups.start, groups.stop if blocks else groups.start))

    def read(self) -> NDArray[Any]:
        """(groups, K + LASTING_ROWS), a copy."""
        lanes = self.table.shape[2]
        return self.table[self.groups // lanes, :, self.groups % lanes]

    def write(self, values: NDArray[Any]) -> None:
        """What `read` gave, if the actor still has as many groups and poses."""
        if values.shape == (len(self.groups), self.table.shape[1]):
            lanes = self.table.shape[2]
            self.table[self.groups // lanes, :, self.groups % lanes] = values

    def weights(self, into: NDArray[np.float64], free: list[int]) -> NDArray[np.float64]:
        """The weights that have stayed, in the columns of these poses of a table (groups, poses) of zeros."""
        if len(self.groups):
            into[:, free] = self.read()[:, : len(free)]
        return into

    def anneal(self, seconds: float) -> None:
        """They go back to rest, evenly in so many seconds; 0: at once."""
        values = self.read()
        values[:, ANNEALING - LASTING_ROWS] = seconds
        self.write(values if seconds > 0.0 else np.zeros_like(values))


def tune_rules(table: NDArray[Any], groups: NDArray[np.int64], plasticity: Plasticity | None) -> None:
    """Other rules for some groups; table: (group blocks, RULE_ROWS, 64), a view."""
    table.reshape(-1, RULE_ROWS, LANES)[groups // LANES, :, groups % LANES] = rules_of(plasticity)


class PlasticExamples(BaseModel):
    """For models whose example poses can stay."""

    plasticity: Plasticity | None = Field(
        None, description="what stays of the weights of poses; without it a body always goes back to rest"
    )

    @model_validator(mode="after")
    def _pulls(self) -> Self:
        if self.plasticity is not None and getattr(self, "example_strength", 1.0) == 0.0:
            raise ValueError("plasticity keeps weights of examples; give an example_strength above 0")
        return self
