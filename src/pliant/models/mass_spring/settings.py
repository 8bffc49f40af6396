"""What can be set for springs."""

from typing import Literal

from pydantic import Field

from pliant.examples import ExamplesByGroup
from pliant.models.painting import Painted
from pliant.models.plasticity import PlasticExamples
from pliant.models.settings import Settings


class MassSpring(ExamplesByGroup, PlasticExamples, Settings):
    """Springs along the edges of a solid, a sheet or a rope, which resist bending by their angles: cloth above all.

    >>> MassSpring(young=2e5).integrator
    'local_global'
    """

    young: float = Field(
        1e5,
        gt=0,
        le=1e13,
        description="Young's modulus: how hard the material is; jelly 1e4, rubber 1e6, cloth 1e5 to 1e7",
        json_schema_extra={"unit": "Pa", "usual": [1e3, 1e8]},
    )
    painted: Painted = Field(
        {}, description="parts that are harder or softer: named groups of the body -> times the stiffness of the rest"
    )
    bending: float = Field(
        1.0,
        ge=0,
        le=1e6,
        description="how hard a sheet or a rope is to bend, times what its thickness makes of it; 0: not at all",
        json_schema_extra={"usual": [0, 100]},
    )
    bend_by: Literal["angles", "springs"] = Field(
        "angles",
        description="sheets: by the angles between triangles, or by springs across each edge (cheaper, and no help to "
        "a sheet that is flat)",
    )
    spring_damping: float = Field(
        0.0,
        ge=0,
        le=10,
        description="viscous dampers along the springs: their force is this time times that of the spring",
        json_schema_extra={"unit": "s", "usual": [0, 0.1]},
    )
    strain_limit: float = Field(
        0.0,
        ge=0,
        le=10,
        description="how much longer a spring may become, as a part of its length; cloth 0.1; 0: no limit",
        json_schema_extra={"usual": [0, 1]},
    )
    integrator: Literal["local_global", "implicit", "bdf2", "imex", "symplectic"] = Field(
        "local_global",
        description="local_global: stable at any step, one factor for all; implicit: one linear system in a step; "
        "bdf2: of second order, less damped; imex: bending explicit; symplectic: explicit, cuts its steps to be stable",
    )
    iterations: int = Field(
        20,
        ge=1,
        le=10_000,
        description="at most so many iterations in a sub-step, of local_global and bdf2",
        json_schema_extra={"usual": [1, 100]},
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
