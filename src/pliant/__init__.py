"""Pliant: soft bodies that obey example poses.

>>> import pliant
>>> bar = pliant.shapes.cuboid(size=(1, 1, 2), cells=(4, 4, 8))
>>> bar = bar.with_pose("twist", pliant.poses.twist(bar, degrees=90))
>>> world = pliant.World(colliders=[pliant.Plane()])
>>> actor = world.add(bar, pliant.ShapeMatching(stiffness=0.5), name="bar", position=(0, 2, 0))
>>> world.step(1 / 60)
>>> actor.positions.shape
(225, 3)

Names are imported when they are first used (PEP 562), so `import pliant` itself takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pliant import poses as poses
    from pliant import shapes as shapes
    from pliant.body import Body as Body
    from pliant.body import Skin as Skin
    from pliant.graph import Graph as Graph
    from pliant.models.boundary import Boundary as Boundary
    from pliant.models.clusters import Clusters as Clusters
    from pliant.models.fem import Fem as Fem
    from pliant.models.finite_differences import FiniteDifferences as FiniteDifferences
    from pliant.models.mass_spring import MassSpring as MassSpring
    from pliant.models.modal import Modal as Modal
    from pliant.models.oriented_particles import OrientedParticles as OrientedParticles
    from pliant.models.plasticity import Plasticity as Plasticity
    from pliant.models.rigid import Rigid as Rigid
    from pliant.models.shape_matching import ShapeMatching as ShapeMatching
    from pliant.notebook import record as record
    from pliant.notebook import show as show
    from pliant.runtime.errors import BodyError as BodyError
    from pliant.runtime.errors import Diverged as Diverged
    from pliant.runtime.errors import FileError as FileError
    from pliant.runtime.errors import PliantError as PliantError
    from pliant.runtime.errors import SceneError as SceneError
    from pliant.runtime.errors import SettingsError as SettingsError
    from pliant.scene import simulate as simulate
    from pliant.sweeps import sweep as sweep
    from pliant.volume import load as load
    from pliant.world import Actor as Actor
    from pliant.world import Attractor as Attractor
    from pliant.world import Box as Box
    from pliant.world import Capsule as Capsule
    from pliant.world import Frame as Frame
    from pliant.world import Mesh as Mesh
    from pliant.world import Path as Path
    from pliant.world import Plane as Plane
    from pliant.world import Sphere as Sphere
    from pliant.world import Turbulence as Turbulence
    from pliant.world import Upright as Upright
    from pliant.world import Vortex as Vortex
    from pliant.world import Wind as Wind
    from pliant.world import World as World

__version__ = "0.1.0"

_NAMES = {
    "pliant.body": ("Body", "Skin"),
    "pliant.runtime.errors": ("PliantError", "BodyError", "SettingsError", "FileError", "SceneError", "Diverged"),
    "pliant.graph": ("Graph",),
    "pliant.models.boundary": ("Boundary",),
    "pliant.models.clusters": ("Clusters",),
    "pliant.models.fem": ("Fem",),
    "pliant.models.finite_differences": ("FiniteDifferences",),
    "pliant.models.mass_spring": ("MassSpring",),
    "pliant.models.modal": ("Modal",),
    "pliant.models.shape_matching": ("ShapeMatching",),
    "pliant.models.oriented_particles": ("OrientedParticles",),
    "pliant.models.plasticity": ("Plasticity",),
    "pliant.models.rigid": ("Rigid",),
    "pliant.volume": ("load",),
    "pliant.notebook": ("record", "show"),
    "pliant.scene": ("simulate",),
    "pliant.sweeps": ("sweep",),
    "pliant.world": (
        "World", "Actor", "Plane", "Sphere", "Box", "Capsule", "Mesh", "Path", "Wind", "Attractor", "Vortex",
        "Turbulence", "Upright", "Frame",
    ),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}
_PACKAGES = ("poses", "shapes")

__all__ = ["__version__", *_HOME, *_PACKAGES]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"pliant.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'pliant' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value  # the next look-up finds it without this function
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
