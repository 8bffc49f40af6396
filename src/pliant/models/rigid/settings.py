"""What can be set for rigid bodies."""

from pydantic import Field

from pliant.models.settings import Settings


class Rigid(Settings):
    """A body that does not deform: it moves and turns as one.

    >>> Rigid(mass=2.5).mass
    2.5
    """

    mass: float | None = Field(
        None,
        gt=0,
        le=1e9,
        description="of the whole body; what its density gives if not said",
        json_schema_extra={"unit": "kg", "panel": False},
    )
    damping: float = Field(
        0.0,
        ge=0,
        le=1000,
        description="without effect: nothing of a rigid body deviates from its rigid motion",
        json_schema_extra={"unit": "1/s", "panel": False},
    )
