"""What the world around the bodies is like, and can be changed while it runs."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pliant.runtime.errors import SettingsError
from pliant.world import World

DOWN = np.array([0.0, -1.0, 0.0])


class Conditions(BaseModel):
    """The panel is made from the fields: unit, range and help."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    gravity: float = Field(
        9.81, ge=0, le=30, description="9.81 on Earth, 1.62 on the Moon, 0 in orbit", json_schema_extra={"unit": "m/s²"}
    )
    friction: float = Field(
        0.5, ge=0, le=2, description="of the ground and all obstacles; 0 is ice, 1 is rubber on stone"
    )
    substeps: int = Field(
        1, ge=1, le=16, description="how many times a 60th of a second is divided; more is stiffer and slower"
    )

    @classmethod
    def of(cls, world: World, substeps: int) -> "Conditions":
        """As a world has them; obstacles of different friction count by the first, which is mostly the ground."""
        friction = world.colliders[0].friction if world.colliders else 0.5
        strength = float(np.linalg.norm(world.gravity))
        return cls.model_construct(gravity=strength, friction=friction, substeps=substeps)

    def changed(self, field: str, value: float) -> "Conditions":
        """A copy with one of them replaced, and checked."""
        if field not in type(self).model_fields:
            raise SettingsError(f'the world has no setting "{field}"; it has {", ".join(type(self).model_fields)}')
        try:
            checked = type(self)(**{field: value})
        except ValidationError as error:
            raise SettingsError(f"{field} = {value:g}: {error.errors()[0]['msg'].lower()}") from None
        return self.model_copy(update={field: getattr(checked, field)})

    def apply(self, world: World, own: "Conditions", own_gravity: NDArray[np.float64]) -> None:
        """Bring them into a world; what is as the world had it stays as it is."""
        if self.gravity == own.gravity:
            world.gravity = own_gravity
        else:
            world.gravity = self.gravity * (own_gravity / own.gravity if own.gravity else DOWN)
        if self.friction != own.friction:
            world.colliders[:] = [replace(each, friction=self.friction) for each in world.colliders]
