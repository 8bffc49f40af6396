"""What is in a picture: surfaces, a ground, a camera. Plain data; the renderer reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.errors import PliantError
from pliant.geometry.normals import vertex_normals
from pliant.session.render import meshes
from pliant.session.render.camera import Camera
from pliant.session.render.meshes import Mesh
from pliant.session.render.palette import COLLIDER, HANDLE, Colour, colour_of, rgb

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Drawable:
    """A surface with a look. Both sides are lit, so open skins (sheets, tubes) need nothing special.

    >>> Drawable([[0, 0, 0], [1, 0, 0], [0, 1, 0]], faces=[[0, 1, 2]]).normals[0].tolist()
    [0.0, 0.0, 1.0]
    """

    vertices: ArrayLike  # (N, 3) metres
    faces: ArrayLike  # (M, 3)
    normals: ArrayLike | None = None  # (N, 3) unit; None: made from the faces
    colour: Colour = field(default_factory=lambda: colour_of(0))  # one, or (N, 3): one per vertex
    inside: Colour | None = None  # colour of the back of open surfaces; None: the same
    roughness: float = 0.45  # 0 mirror-like highlights, 1 chalk
    sheen: float = 0.18  # light along the silhouette, as on felt and soft rubber
    wire: bool = False  # thin dark lines along the edges

    def __post_init__(self) -> None:
        vertices = np.asarray(self.vertices, np.float64)
        faces = np.asarray(self.faces, np.int32).reshape(-1, 3)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or not np.isfinite(vertices).all():
            raise PliantError(f"drawable: vertices must be finite and of shape (N, 3), not {vertices.shape}")
        if len(faces) and not 0 <= faces.min() <= faces.max() < len(vertices):
            raise PliantError(f"drawable: a face names a vertex outside 0..{len(vertices) - 1}")
        normals = vertex_normals(vertices, faces) if self.normals is None else np.asarray(self.normals)
        colour = rgb(self.colour)
        if normals.shape != vertices.shape or colour.shape not in ((3,), vertices.shape):
            count = len(vertices)
            raise PliantError(f"drawable: {count} vertices need {count} normals, and one colour or {count}")
        if not (0.0 <= self.roughness <= 1.0 and self.sheen >= 0.0):
            raise PliantError("drawable: roughness lies between 0 and 1, sheen is not negative")
        checked = {"vertices": vertices, "faces": faces, "normals": normals, "colour": colour}
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, mesh: Mesh, colour: Colour = COLLIDER, **look: Any) -> Drawable:
        """A mesh of `meshes` with a look."""
        return cls(mesh.vertices, mesh.faces, mesh.normals, colour, **look)


@dataclass(frozen=True)
class Ground:
    """A floor without end: it takes shadows and fades into the wall. `grid`: metres between its lines."""

    height: float = 0.0
    grid: float | None = None


@dataclass(frozen=True)
class Backdrop:
    """The studio wall behind: from `low` at the lower edge of the picture to `high` at the upper, sRGB."""

    low: Colour = "#f6f5f3"
    high: Colour = "#e1e5ea"


@dataclass(frozen=True, eq=False)
class View:
    """One picture: what is in it, from where, on what ground."""

    drawables: Sequence[Drawable]
    camera: Camera
    ground: Ground | None = Ground()
    backdrop: Backdrop = Backdrop()


def collider(mesh: Mesh, colour: Colour = COLLIDER) -> Drawable:
    """A thing that does not bend: matte and pale."""
    return Drawable.of(mesh, colour, roughness=0.8, sheen=0.05)


def handle(grip: ArrayLike, target: ArrayLike, radius: float, colour: Colour = HANDLE) -> Drawable:
    """A handle: a ball where it grips, a larger one where it pulls to, a line between them."""
    ends = [meshes.sphere(grip, 0.7 * radius, 12), meshes.sphere(target, radius, 16)]
    if not np.array_equal(np.asarray(grip), np.asarray(target)):
        ends.append(meshes.tube(grip, target, 0.25 * radius))
    return Drawable.of(meshes.join(ends), colour, roughness=0.35, sheen=0.0)


def particles(points: ArrayLike, radius: float, colour: Colour = HANDLE) -> Drawable:
    """A small ball at each point."""
    return Drawable.of(meshes.balls(points, radius), colour, roughness=0.4, sheen=0.0)
