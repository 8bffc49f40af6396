"""A body: rest shape, elements, masses, skin and example poses, frozen and checked."""

from pliant.body.body import Body
from pliant.body.skin import Skin

__all__ = ["Body", "Skin"]
