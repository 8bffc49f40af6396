"""Everything that moves: the world, its actors, what holds them and what they meet."""

from pliant.world.actor import Actor
from pliant.world.colliders import Box, Capsule, Collider, Plane, Sphere
from pliant.world.constraints import Handle, Pin
from pliant.world.fields import Attractor, Turbulence, Upright, Vortex
from pliant.world.frame import Frame
from pliant.world.mesh import Mesh
from pliant.world.paths import Path
from pliant.world.snapshot import Snapshot
from pliant.world.wind import Wind
from pliant.world.world import World

__all__ = [
    "Actor", "Attractor", "Box", "Capsule", "Collider", "Frame", "Handle", "Mesh", "Path", "Pin", "Plane",
    "Snapshot", "Sphere", "Turbulence", "Upright", "Vortex", "Wind", "World",
]  # fmt: skip
