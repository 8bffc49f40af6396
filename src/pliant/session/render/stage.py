"""From a world to a view: the surfaces, colliders and ground of a frame, and a camera for the action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.runtime.errors import PliantError
from pliant.session.render import meshes
from pliant.session.render.camera import Camera, direction_of, fixed_camera, frame_all
from pliant.session.render.painting import PaintedPart, pieces_of
from pliant.session.render.palette import Colour, colour_of
from pliant.session.render.view import Drawable, Ground, View, collider
from pliant.world import Box, Capsule, Collider, Frame, Mesh, Plane, Sphere, World

Array = NDArray[np.float64]

SHADOW_MARGIN = 0.18  # room for the shadow beside what throws it


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
        drawn: list[Drawable] = []
        for name, body in self.bodies.items():
            if name in frame.positions:
                vertices = frame.surface(name)
                normals = body.skin.normals(vertices)
                drawn += [piece.moved(vertices, normals) for piece in self._painted[name][0]]
        return drawn

    @property
    def notes(self) -> tuple[str, ...]:
        """What of the looks could not be shown, one line each."""
        return tuple(dict.fromkeys(f"{name}: {note}" for name, (_, notes) in self._painted.items() for note in notes))

    @cached_property
    def _painted(self) -> dict[str, tuple[list[PaintedPart], list[str]]]:
        """The skins with their looks; pictures are decoded here, once. A colour that is given here covers a look."""
        painted = {}
        for index, (name, body) in enumerate(self.bodies.items()):
            given = self.colours.get(name)
            painted[name] = pieces_of(body.skin, colour_of(index) if given is None else given, given is None)
        return painted

    def obstacles(self, time: float) -> list[Drawable]:
        """Colliders where their paths have taken them; the floor is not among them."""
        drawn = []
        for each, mesh, first in self._props:
            if each.path is None:
                drawn.append(first)
            else:
                now = placed(mesh, each, time)
                drawn.append(first.moved(now.vertices, now.normals))
        return drawn

    @cached_property
    def _props(self) -> list[tuple[Collider, meshes.Triangles, Drawable]]:
        """The colliders that are drawn, their meshes at the origin, and how they look at first."""
        bars = [(each, local_mesh(each)) for each in self.colliders if _floor_height(each) is None]
        return [(each, mesh, collider(placed(mesh, each, 0.0))) for each, mesh in bars]

    def ground(self) -> Ground | None:
        """The highest level plane at rest, if there is one."""
        heights = [height for each in self.colliders if (height := _floor_height(each)) is not None]
        return Ground(max(heights)) if heights else None

    def camera(self, frames: Iterable[Frame], wish: Any = None, aspect: float = 1.0) -> Camera:
        """A camera that sees all frames. `wish`: a Camera, (eye, target), or a direction to look from."""
        fixed = fixed_camera(wish)
        return fixed or frame_all(self.extent(frames), direction_of(wish), aspect, margin=SHADOW_MARGIN)

    def extent(self, frames: Iterable[Frame]) -> Array:
        """(N, 3) points that enclose the action: particles and colliders other than planes, in all frames. Of particles
        that turn there are few, and the skin stands far out: then its vertices count."""
        points = [np.empty((0, 3))]
        for frame in frames:
            for name, positions in frame.positions.items():
                points.append(frame.surface(name) if name in frame.rotations else positions)
            points += [
                collider_mesh(each, frame.time).vertices for each in self.colliders if not isinstance(each, Plane)
            ]
        return np.concatenate(points)


def collider_mesh(each: Collider, time: float) -> meshes.Triangles:
    """The collider where its path has taken it."""
    return placed(local_mesh(each), each, time)


def placed(mesh: meshes.Triangles, each: Collider, time: float) -> meshes.Triangles:
    """A collider's own mesh where its path has taken it."""
    turn, centre = each.placed(time)
    return meshes.Triangles(mesh.vertices @ turn.T + centre, mesh.normals @ turn.T, mesh.faces)


def local_mesh(each: Collider) -> meshes.Triangles:
    """The collider at the origin."""
    match each:
        case Plane():
            return meshes.plane()
        case Sphere():
            return meshes.sphere(radius=each.radius, detail=48)
        case Box():
            return meshes.box(half_size=each.half_size)
        case Capsule():
            half = float(np.linalg.norm(np.subtract(each.end, each.start))) / 2
            return meshes.capsule((0, -half, 0), (0, half, 0), each.radius, 48)
        case Mesh():
            return meshes.creased(*each.surface)
        case _:
            raise PliantError(f"there is no picture of a {type(each).__name__}; draw a Drawable of your own")


def _floor_height(each: Collider) -> float | None:
    if not isinstance(each, Plane) or each.path is not None:
        return None
    turn, centre = each.placed(0.0)
    return float(centre[1]) if turn[1, 1] > 0.9999 else None  # the second column is the normal
