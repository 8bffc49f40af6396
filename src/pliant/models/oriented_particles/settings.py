"""What can be set for oriented particles."""

from pydantic import Field

from pliant.examples import ExampleSettings
from pliant.models.plasticity import PlasticExamples
from pliant.models.settings import StiffnessOrYoung


class OrientedParticles(ExampleSettings, PlasticExamples, StiffnessOrYoung):
    """A body of a few ellipsoids that turn, each of which wants its neighbours to move along with it as rigidly as
    possible; or as in a blend of the example poses.

    >>> OrientedParticles(particles=30, stiffness=2e4).iterations
    10
    """

    particles: int = Field(
        60,
        ge=1,
        le=2000,
        description="how many ellipsoids the body is made of; few are fast, many follow details",
        json_schema_extra={"usual": [4, 300]},
    )
    stiffness: float = Field(
        1e5,
        gt=0,
        le=1e12,
        description="how hard the edges of the graph are; what that makes of the body depends on how many there are",
        json_schema_extra={"unit": "Pa", "usual": [1e3, 1e8]},
    )
    young: float | None = Field(
        None,
        gt=0,
        le=1e13,
        description="Young's modulus in place of stiffness: how hard the material is, whatever the number of "
        "particles; jelly 1e4, rubber 1e6",
        json_schema_extra={"unit": "Pa", "usual": [1e3, 1e8]},
    )
    iterations: int = Field(
        10,
        ge=1,
        le=10_000,
        description="rounds of the solver in a step; the stiffness hardly depends on it",
        json_schema_extra={"usual": [1, 40]},
    )
    example_strength: float = Field(
        0.98, ge=0, le=1, description="how much of the examples' weight is kept; below 1 the body goes back to rest"
    )
    seed: int = Field(
        0,
        ge=0,
        le=2**31 - 1,
        description="another one spreads the particles another way",
        json_schema_extra={"panel": False},
    )
