"""Assets made by formulas: surfaces, poses drawn on them, and what goes wrong with them."""

from functools import cache
from pathlib import Path

import numpy as np

from pliant.files.asset import Asset
from pliant.geometry import distance as d
from pliant.geometry.isosurface import isosurface
from pliant.geometry.surfaces import ball

Array = np.ndarray


def asset(vertices: Array, faces: Array, name: str = "thing", **more: object) -> Asset:
    """An asset as a reader would give it."""
    return Asset(name, Path(f"{name}.obj"), np.array(vertices, float), np.array(faces, np.int32), **more)  # type: ignore[arg-type]


def together(*surfaces: tuple[Array, Array]) -> tuple[Array, Array]:
    """Several surfaces as one, without joining them."""
    shifts = np.cumsum([0] + [len(vertices) for vertices, _ in surfaces[:-1]])
    faces = [faces + shift for (_, faces), shift in zip(surfaces, shifts, strict=True)]
    return np.concatenate([vertices for vertices, _ in surfaces]), np.concatenate(faces)


def ball_at(place: tuple[float, float, float], radius: float = 0.5, step: float = 0.06) -> tuple[Array, Array]:
    vertices, faces = ball(radius, step)
    return vertices + place, faces


@cache
def bar() -> tuple[Array, Array]:
    """A round bar along y, 2 m long."""
    return isosurface(d.capsule((0, -0.8, 0), (0, 0.8, 0), 0.2), (-0.3, -1.1, -0.3), (0.3, 1.1, 0.3), 0.04)


@cache
def two_legs() -> tuple[Array, Array]:
    """A block on two legs that are 0.03 m apart, much closer than cells are wide."""
    field = d.union(
        d.rounded_box((0, 0.8, 0), (0.6, 0.25, 0.25), 0.1),
        d.mirror(d.rounded_box((0.215, -0.1, 0), (0.2, 0.8, 0.2), 0.08)),
        blend=0.03,
    )
    return isosurface(field, (-0.8, -1.1, -0.5), (0.8, 1.2, 0.5), 0.02)


def twisted(vertices: Array, degrees: float) -> Array:
    """Twisted about y, from end to end."""
    angle = np.radians(degrees) * vertices[:, 1] / np.ptp(vertices[:, 1])
    x, y, z = vertices.T
    return np.stack([np.cos(angle) * x - np.sin(angle) * z, y, np.sin(angle) * x + np.cos(angle) * z], axis=1)


def bent(vertices: Array, degrees: float) -> Array:
    """Laid along an arc, on which the y axis keeps its length."""
    radius = np.ptp(vertices[:, 1]) / np.radians(degrees)
    x, y, z = vertices.T
    return np.stack([radius - (radius - x) * np.cos(y / radius), (radius - x) * np.sin(y / radius), z], axis=1)


def sheet(cells: int = 40, size: float = 1.0) -> tuple[Array, Array]:
    """A flat square in the plane y = 0."""
    line = np.linspace(-size / 2, size / 2, cells + 1)
    x, z = (side.ravel() for side in np.meshgrid(line, line, indexing="ij"))
    numbers = np.arange(len(x)).reshape(cells + 1, cells + 1)
    a, b, c, e = (side.ravel() for side in (numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, 1:], numbers[1:, :-1]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, e], axis=1)])
    return np.stack([x, 0 * x, z], axis=1), faces


def split_everywhere(vertices: Array, faces: Array) -> tuple[Array, Array]:
    """The same surface with three vertices of its own for each face, as files with flat shading have it."""
    return vertices[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)
