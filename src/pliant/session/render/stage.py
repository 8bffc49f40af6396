"""From a world to a view: the surfaces, colliders and ground of a frame, and a camera for the action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.errors import PliantError
from pliant.session.render import meshes
from pliant.session.render.camera import THREE_QUARTER, Camera, frame_all
from pliant.session.render.palette import Colour, colour_of
from pliant.session.render.view import Drawable, Ground, View, collider
from pliant.world import Box, Capsule, Collider, Frame, Plane, Sphere, World

Array = NDArray[np.float64]

MARGIN = 0.18  # room for the shadow beside what throws it


@dataclass(frozen=True, eq=False)
class Stage:
    """What stays the same from frame to frame: who plays, in which colour, among what."""

    bodies: Mapping[str, Body]
    colliders: Sequence[Collider] = ()
    colours: Mapping[str, Colour] = field(default_factory=dict)  # others come from the palette

    @classmethod
    def of(cls, world: World, colours: Mapping[str, Colour] | None = None) -> Stage:
        """The actors and colliders of a world."""
        return cls({actor.name: actor.body for actor in world.actors}, tuple(world.colliders), colours or {})

    def view(self, frame: Frame, camera: Camera) -> View:
        """A frame as it is drawn."""
        return View([*self.actors(frame), *self.obstacles(frame.time)], camera, self.ground())

    def actors(self, frame: Frame) -> list[Drawable]:
        """The skins, where the frame's particles take them."""
        drawn = []
        for index, (name, body) in enumerate(self.bodies.items()):
            if name not in frame.positions:
                continue
            vertices = body.skin.deform(frame.positions[name])
            own = colour_of(index) if body.skin.colours is None else body.skin.colours
            colour = self.colours.get(name, own)
            drawn.append(Drawable(vertices, body.skin.faces, body.skin.normals(vertices), colour))
        return drawn

    def obstacles(self, time: float) -> list[Drawable]:
        """Colliders where their paths have taken them; the floor is not among them."""
        bars = [each for each in self.colliders if _floor_height(each) is None]
        return [collider(_mesh(each, time)) for each in bars]

    def ground(self) -> Ground | None:
        """The highest level plane at rest, if there is one."""
        heights = [height for each in self.colliders if (height := _floor_height(each)) is not None]
        return Ground(max(heights)) if heights else None

    def camera(self, frames: Iterable[Frame], wish: Any = None, aspect: float = 1.0) -> Camera:
        """A camera that sees all frames. `wish`: a Camera, (eye, target), or a direction to look from."""
        if isinstance(wish, Camera):
            return wish
        wanted = np.asarray(THREE_QUARTER if wish is None else wish, np.float64)
        if wanted.shape == (2, 3):
            return Camera(tuple(wanted[0]), tuple(wanted[1]))
        return frame_all(self.extent(frames), wanted, aspect, margin=MARGIN)

    def extent(self, frames: Iterable[Frame]) -> Array:
        """(N, 3) points that enclose the action: particles and colliders other than planes, in all frames."""
        points = [np.empty((0, 3))]
        for frame in frames:
            points += [np.asarray(positions, np.float64) for positions in frame.positions.values()]
            points += [
                _mesh(each, frame.time).vertices for each in self.colliders if not isinstance(each, Plane)
            ]
        return np.concatenate(points)


def _mesh(each: Collider, time: float) -> meshes.Mesh:
    """The collider where its path has taken it."""
    match each:
        case Plane():
            mesh = meshes.plane()
        case Sphere():
            mesh = meshes.sphere(radius=each.radius, detail=48)
        case Box():
            mesh = meshes.box(half_size=each.half_size)
        case Capsule():
            half = float(np.linalg.norm(np.subtract(each.end, each.start))) / 2
            mesh = meshes.capsule((0, -half, 0), (0, half, 0), each.radius, 48)
        case _:
            raise PliantError(f"there is no picture of a {type(each).__name__}; draw a Drawable of your own")
    turn, centre = each.placed(time)
    return meshes.Mesh(mesh.vertices @ turn.T + centre, mesh.normals @ turn.T, mesh.faces)


def _floor_height(each: Collider) -> float | None:
    if not isinstance(each, Plane) or each.path is not None:
        return None
    turn, centre = each.placed(0.0)
    return float(centre[1]) if turn[1, 1] > 0.9999 else None  # the second column is the normal
