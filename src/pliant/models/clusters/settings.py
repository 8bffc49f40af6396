"""What can be set for clusters."""

from typing import Literal

from pydantic import Field

from pliant.examples import ExampleSettings
from pliant.models.plasticity import PlasticExamples
from pliant.models.settings import StiffnessOrYoung


class Clusters(ExampleSettings, PlasticExamples, StiffnessOrYoung):
    """A body of one or a few overlapping clusters, each of which is stretched, bent and twisted as a whole and prefers
    its rest shape, or a blend of the example poses: the model for thousands of small bodies.

    >>> Clusters(clusters=4, modes="linear", young=2e4).poisson
    0.3
    """

    clusters: int = Field(
        1,
        ge=1,
        le=1000,
        description="how many overlapping clusters the body is made of; more of them follow finer bends",
        json_schema_extra={"usual": [1, 16]},
    )
    modes: Literal["rigid", "linear", "quadratic"] = Field(
        "quadratic",
        description="how a cluster deforms as a whole: not at all; by stretch and shear; also by bends and twists",
    )
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
        description="Young's modulus in place of stiffness: how hard the material is, whatever the clusters; jelly "
        "1e4, rubber 1e6; sub-steps are added where it needs them",
        json_schema_extra={"unit": "Pa", "usual": [1e3, 1e8]},
    )
    poisson: float = Field(
        0.3,
        ge=0,
        le=0.45,
        description="Poisson's ratio: how well the volume of a cluster is kept, against how well its shape is; not for "
        "rigid modes",
    )
    example_strength: float = Field(
        0.95, ge=0, le=1, description="how much of the examples' weight is kept; below 1 the body goes back to rest"
    )
