"""What is in a picture: surfaces, a ground, a camera. Plain data; the renderer reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.geometry.normals import vertex_normals
from pliant.runtime.errors import PliantError
from pliant.session.render import meshes
from pliant.session.render.camera import Camera
from pliant.session.render.meshes import Triangles
from pliant.session.render.palette import COLLIDER, HANDLE, Colour, colour_of, rgb
from pliant.session.render.simplify import is_closed
from pliant.session.render.textures import Texture

Array = NDArray[np.float64]

ALPHAS = ("opaque", "mask", "blend")  # in the order in which they are drawn


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
    metallic: float = 0.0  # 0 paint, 1 bare metal
    opacity: float = 1.0
    texture: Texture | None = None  # its colour and alpha multiply `colour` and `opacity`; needs `uv`
    uv: ArrayLike | None = None  # (N, 2) places in the texture, from its top left corner
    alpha: str = "opaque"  # "mask": nothing is shown where alpha is below `cutoff`; "blend": what is behind shows
    cutoff: float = 0.5
    closed: bool = False  # the surface has an inside that is never seen

    def __post_init__(self) -> None:
        vertices = np.asarray(self.vertices, np.float64)
        faces = np.asarray(self.faces, np.int32)
        faces = faces if faces.ndim == 2 and faces.shape[1] == 3 else faces.reshape(-1, 3)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or not np.isfinite(vertices).all():
            raise PliantError(f"drawable: vertices must be finite and of shape (N, 3), not {vertices.shape}")
        if len(faces) and not 0 <= faces.min() <= faces.max() < len(vertices):
            raise PliantError(f"drawable: a face names a vertex outside 0..{len(vertices) - 1}")
        normals = vertex_normals(vertices, faces) if self.normals is None else np.asarray(self.normals)
        colour = rgb(self.colour)
        if normals.shape != vertices.shape or colour.shape not in ((3,), vertices.shape):
            count = len(vertices)
            raise PliantError(f"drawable: {count} vertices need {count} normals, and one colour or {count}")
        parts = self.roughness, self.metallic, self.opacity, self.cutoff
        if not (all(0.0 <= part <= 1.0 for part in parts) and self.sheen >= 0.0):
            raise PliantError(
                "drawable: roughness, metallic, opacity and cutoff lie between 0 and 1, sheen is not negative"
            )
        if self.alpha not in ALPHAS:
            raise PliantError(f'drawable: alpha is {self.alpha!r}; give "opaque", "mask" or "blend"')
        uv = None if self.uv is None else np.asarray(self.uv, np.float64)
        if (uv is None and self.texture is not None) or (uv is not None and uv.shape != (len(vertices), 2)):
            raise PliantError(f"drawable: a texture needs uv of shape ({len(vertices)}, 2), one place a vertex")
        checked = {"vertices": vertices, "faces": faces, "normals": normals, "colour": colour, "uv": uv}
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def moved(self, vertices: ArrayLike, normals: ArrayLike) -> Drawable:
        """The same surface elsewhere: as many vertices, the same look."""
        there, facing = np.asarray(vertices, np.float64), np.asarray(normals)
        if there.shape != np.shape(self.vertices) or facing.shape != there.shape or not np.isfinite(there).all():
            raise PliantError(f"drawable: moved vertices must be finite and of shape {np.shape(self.vertices)}")
        copy = object.__new__(Drawable)  # the look was checked before
        copy.__dict__.update(self.__dict__, vertices=there, normals=facing)
        return copy

    def looks_like(self, other: Drawable) -> bool:
        """Whether the other is the same surface, perhaps elsewhere."""

        def same(mine: Any, theirs: Any) -> bool:
            if isinstance(mine, np.ndarray) and isinstance(theirs, np.ndarray):
                return mine is theirs or np.array_equal(mine, theirs)
            return mine is theirs or (not isinstance(mine, np.ndarray | Texture) and bool(mine == theirs))

        fixed = (each.name for each in fields(self) if each.name not in ("vertices", "normals"))
        return np.shape(self.vertices) == np.shape(other.vertices) and all(
            same(getattr(self, name), getattr(other, name)) for name in fixed
        )

    @classmethod
    def of(cls, mesh: Triangles, colour: Colour = COLLIDER, **look: Any) -> Drawable:
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


def collider(mesh: Triangles, colour: Colour = COLLIDER) -> Drawable:
    """A thing that does not bend: matte and pale."""
    closed = is_closed(mesh.vertices, mesh.faces)
    return Drawable.of(mesh, colour, roughness=0.8, sheen=0.05, closed=closed)


def handle(grip: ArrayLike, target: ArrayLike, radius: float, colour: Colour = HANDLE) -> Drawable:
    """A handle: a ball where it grips, a larger one where it pulls to, a line between them."""
    ends = [meshes.sphere(grip, 0.7 * radius, 12), meshes.sphere(target, radius, 16)]
    if not np.array_equal(np.asarray(grip), np.asarray(target)):
        ends.append(meshes.tube(grip, target, 0.25 * radius))
    return Drawable.of(meshes.join(ends), colour, roughness=0.35, sheen=0.0)


def particles(points: ArrayLike, radius: float, colour: Colour = HANDLE) -> Drawable:
    """A small ball at each point."""
    return Drawable.of(meshes.balls(points, radius), colour, roughness=0.4, sheen=0.0)
