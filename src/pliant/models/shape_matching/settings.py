"""What can be set for shape matching."""

from typing import Literal

from pydantic import Field

from pliant.examples import ExampleSettings
from pliant.models.painting import Painted
from pliant.models.plasticity import PlasticExamples
from pliant.models.settings import StiffnessOrYoung


class ShapeMatching(ExampleSettings, PlasticExamples, StiffnessOrYoung):
    """A body of overlapping regions that each prefer their rest shape, or a blend of the example poses.

    >>> ShapeMatching(stiffness=0.5, example_strength=0.995, examples="global").weights
    'exact'
    """

    stiffness: float = Field(
        0.5,
        ge=0,
        le=100,
        description="how much of the way to its goal a particle goes in a 60th of a second; above 1 needs sub-steps",
    )
    young: float | None = Field(
        None,
        gt=0,
        le=1e13,
        description="Young's modulus in place of stiffness: how hard the material is, whatever the mesh; jelly 1e4, "
        "rubber 1e6; sub-steps are added where it needs them",
        json_schema_extra={"unit": "Pa", "usual": [1e3, 1e8]},
    )
    painted: Painted = Field(
        {}, description="parts that are harder or softer: named groups of the body -> times the stiffness of the rest"
    )
    example_strength: float = Field(
        0.9, ge=0, le=1, description="how much of the examples' weight is kept; below 1 the body goes back to rest"
    )
    weights: Literal["exact", "paper"] = Field(
        "exact",
        description="exact: the convex blend that the goals are nearest to; paper: by plain stretches, negative "
        "weights removed one by one",
    )
    rotation: Literal["matched", "paper"] = Field(
        "matched", description="matched: keeps angular momentum; paper: the rotation of the plain moment matrix"
    )
    goals: Literal["held", "paper"] = Field(
        "held", description="held: regions aim at the shape that they have in a pose; paper: at its stretch only"
    )
