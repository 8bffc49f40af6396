"""What can be set for modes."""

from typing import Literal

from pydantic import Field

from pliant.examples import ExamplesByGroup
from pliant.models.settings import Settings


class Modal(ExamplesByGroup, Settings):
    """A solid that wobbles in its softest modes, in a frame that flies and turns: a few dozen numbers in place of
    thousands, and never unstable.

    >>> Modal(young=5e4, modes=20).shapes
    'warped'
    """

    young: float = Field(
        1e5,
        gt=0,
        le=1e13,
        description="Young's modulus: how hard the material is; jelly 1e4, rubber 1e6, steel 2e11",
        json_schema_extra={"unit": "Pa", "usual": [1e3, 1e8]},
    )
    poisson: float = Field(
        0.3,
        ge=0,
        le=0.49,
        description="Poisson's ratio: how much it narrows when stretched; near 0.5 it keeps its volume, and locks",
    )
    modes: int = Field(
        30,
        ge=1,
        le=500,
        description="how many of the softest modes it has, beside the vectors of its poses; nonlinear: at most 60",
        json_schema_extra={"usual": [1, 60]},
    )
    shapes: Literal["warped", "linear", "nonlinear"] = Field(
        "warped",
        description="warped: what bends far keeps its size; linear: small deformations only, it swells when it bends; "
        "nonlinear: finite strains in a subspace of modes and their derivatives, dearer",
    )
    mode_damping: float = Field(
        1e-3,
        ge=0,
        le=10,
        description="hard modes die out sooner: this time (s) times their stiffness over their mass is their rate",
        json_schema_extra={"unit": "s", "usual": [0, 0.05]},
    )
    example_strength: float = Field(
        0.98, ge=0, le=1, description="how much of the examples' weight is kept; below 1 the body goes back to rest"
    )
