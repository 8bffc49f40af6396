"""Ready bodies with a skin that is worth looking at: simple solids, toys, a sheet and a rope.

Every shape stands upright (y up) with its centre of mass at the origin. Equal arguments give the same body.
"""

from pliant.shapes.ball import ball
from pliant.shapes.balloon_dog import balloon_dog
from pliant.shapes.car import car
from pliant.shapes.cuboid import cuboid
from pliant.shapes.cylinder import cylinder
from pliant.shapes.dinosaur import dinosaur
from pliant.shapes.rope import rope
from pliant.shapes.sheet import sheet
from pliant.shapes.teddy import teddy
from pliant.shapes.torus import torus

__all__ = [
    "ball",
    "balloon_dog",
    "car",
    "cuboid",
    "cylinder",
    "dinosaur",
    "rope",
    "sheet",
    "teddy",
    "torus",
]
