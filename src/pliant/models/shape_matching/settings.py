"""What can be set for shape matching."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from pliant.models.settings import StiffnessOrYoung, not_empty, within_one


class ShapeMatching(StiffnessOrYoung):
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
    example_strength: float = Field(
        0.995, ge=0, le=1, description="how much of the examples' weight is kept; below 1 the body goes back to rest"
    )
    examples: Literal["global", "regions"] | Mapping[str, Any] = Field(
        "global", description="which regions share their weights: all, none, or the named groups (name -> selection)"
    )
    weights: Literal["exact", "paper"] = Field(
        "exact", description="exact: the nearest convex blend; paper: negative weights removed one by one"
    )
    rotation: Literal["matched", "paper"] = Field(
        "matched", description="matched: keeps angular momentum; paper: the rotation of the plain moment matrix"
    )

    goals: Literal["paper", "held"] = Field(
        "paper", description="paper: regions aim at the stretch they have in a pose; held: so that a solid holds it"
    )

    forced: Mapping[str, Annotated[float, Field(ge=0, le=1)]] = Field(
        {}, description="weights that are not found but given (pose -> 0 to 1); the other poses share what remains"
    )

    _examples = field_validator("examples")(not_empty)
    _forced = field_validator("forced")(within_one)
