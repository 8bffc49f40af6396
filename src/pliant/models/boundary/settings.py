"""What can be set for boundary elements."""

from pydantic import Field

from pliant.examples import ExamplesByGroup
from pliant.models.settings import Settings


class Boundary(ExamplesByGroup, Settings):
    """A solid of which only the surface is known: its shape is the one in which what holds and touches it is in balance
    with the material, at once. It moves as a whole as a rigid body does.

    >>> Boundary(young=5e4).poisson
    0.3
    """

    young: float = Field(
        1e5,
        gt=0,
        le=1e13,
        description="Young's modulus: how hard the material is; jelly 1e4, rubber 1e6",
        json_schema_extra={"unit": "Pa", "usual": [1e3, 1e8]},
    )
    poisson: float = Field(
        0.3,
        ge=0,
        le=0.49,
        description="Poisson's ratio: how much it narrows when stretched; near 0.5 it keeps its volume",
    )
    example_strength: float = Field(
        0.98, ge=0, le=1, description="how much of the examples' weight is kept; below 1 the body goes back to rest"
    )
