"""Pressed in at one place."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.poses.frame import Axis, number, point
from pliant.poses.frame import direction as unit_vector
from pliant.runtime.errors import SettingsError

STEEPEST = 8 / (
    3 * np.sqrt(3)
)  # the largest slope of (1 - t^2)^2: a deeper dent than radius / this would fold


def dent(
    body: Body, *, centre: ArrayLike, radius: float, depth: float, direction: Axis = None
) -> NDArray[np.float64]:
    """The body with its particles within `radius` (m) of the point `centre` pushed by up to `depth` (m).

    direction: where to push; by default from `centre` towards the centre of mass. A negative depth pulls a
    bump out.
    """
    place = point(centre, "pose dent: centre")
    radius = number(radius, "pose dent: radius", 0.0)
    depth = number(depth, "pose dent: depth")
    if abs(depth) * STEEPEST >= radius:
        least = abs(depth) * STEEPEST
        raise SettingsError(
            f"pose dent: {depth:g} m deep within {radius:g} m folds; give a radius above {least:.3g}"
        )
    inward = body.masses @ body.rest / body.mass - place
    if direction is None and np.linalg.norm(inward) < 1e-9 * np.linalg.norm(body.size):
        raise SettingsError("pose dent: centre is the body's own centre; say where to push with direction=")
    push = unit_vector(inward if direction is None else direction, "pose dent: direction")

    distance = np.linalg.norm(body.rest - place, axis=1)
    if not (distance < radius).any():
        raise SettingsError(
            f'pose dent: no particle of body "{body.name}" lies within {radius:g} m of the centre; '
            f"the nearest is {distance.min():.3g} m away"
        )
    press = depth * (1.0 - np.minimum(distance / radius, 1.0) ** 2) ** 2
    return body.rest + press[:, None] * push
