"""What can be set for finite elements."""

from typing import Literal

from pydantic import Field

from pliant.examples import ExamplesByGroup
from pliant.models.painting import Painted
from pliant.models.settings import Settings


class Fem(ExamplesByGroup, Settings):
    """An elastic solid of tets by finite elements, drawn to blends of the example poses: accurate, and slower.

    >>> Fem(young=5e4, material="neo_hookean").integrator
    'implicit'
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
        description="Poisson's ratio: how much it narrows when stretched; near 0.5 it keeps its volume, and locks",
    )
    material: Literal["green", "st_venant_kirchhoff", "corotated", "neo_hookean"] = Field(
        "green", description="the law of elasticity; green is the one examples are made for"
    )
    forces: Literal["elements", "volume"] = Field(
        "elements",
        description="how forces are found: as the slope of the energy of elements, or from the stress on the faces of "
        "volumes; the same numbers, for comparison",
        json_schema_extra={"panel": False},
    )
    stiffness: Painted = Field(
        {}, description="parts that are harder or softer: named groups of the body -> times Young's modulus"
    )
    example_stiffness: float = Field(
        40.0,
        ge=0,
        le=1e5,
        description="how hard the pull to the examples is, in stiffnesses of the material; 0: none",
        json_schema_extra={"usual": [0, 1000]},
    )
    manifold: Literal["realised", "penalty", "strain"] = Field(
        "realised", description="shapes between the examples: found exactly, by a penalty (slow), or as strains (fast)"
    )
    integrator: Literal["implicit", "linear", "symplectic", "explicit"] = Field(
        "implicit",
        description="implicit: stable at any step; linear: one Newton iteration of it; symplectic: keeps energy, cuts "
        "its steps to stay stable; explicit: gains energy, so it needs damping and is cut finest",
    )
    iterations: int = Field(
        20,
        ge=1,
        le=1000,
        description="at most so many Newton iterations in a sub-step",
        json_schema_extra={"usual": [1, 40]},
    )
    tolerance: float = Field(
        1e-6,
        gt=0,
        le=0.1,
        description="iterations end when no particle moves farther, in sizes of the body",
        json_schema_extra={"panel": False},
    )
    solver: Literal["auto", "direct", "conjugate", "pardiso"] = Field(
        "auto",
        description="direct: sparse factors; conjugate: gradients without a matrix, for large bodies; pardiso: Intel's "
        "factors, if installed",
    )
