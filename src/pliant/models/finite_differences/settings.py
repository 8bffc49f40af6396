"""What can be set for finite differences."""

from pydantic import Field

from pliant.examples import ExamplesByGroup
from pliant.models.settings import Settings


class FiniteDifferences(ExamplesByGroup, Settings):
    """A rope, a sheet or a box on a regular grid, which resists changes of its metric tensor and of its curvature, and
    prefers those of its rest shape or of a blend of the example poses.

    >>> FiniteDifferences(young=2e5).iterations
    2
    """

    young: float = Field(
        1e5,
        gt=0,
        le=1e13,
        description="Young's modulus: how hard the material is; jelly 1e4, rubber 1e6, cloth 1e5 to 1e7",
        json_schema_extra={"unit": "Pa", "usual": [1e3, 1e8]},
    )
    poisson: float = Field(
        0.3,
        ge=0,
        le=0.49,
        description="Poisson's ratio: how much a solid or a sheet narrows when stretched; near 0.5 it keeps its volume",
    )
    bending: float = Field(
        1.0,
        ge=0,
        le=1e6,
        description="how hard a sheet or a rope is to bend, times what its thickness makes of it; 0: not at all",
        json_schema_extra={"usual": [0, 100]},
    )
    iterations: int = Field(
        2,
        ge=1,
        le=1000,
        description="linear systems in a sub-step, each with the matrix at the state before it; 1: the semi-implicit "
        "step of the paper; more: implicit Euler",
        json_schema_extra={"usual": [1, 20]},
    )
    tolerance: float = Field(
        1e-6,
        gt=0,
        le=0.1,
        description="iterations end when no particle moves farther, in sizes of the body",
        json_schema_extra={"panel": False},
    )
    example_strength: float = Field(
        0.98, ge=0, le=1, description="how much of the examples' weight is kept; below 1 the body goes back to rest"
    )
