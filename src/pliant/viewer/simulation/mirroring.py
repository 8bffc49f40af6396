"""Left and right of a pose exchanged, or made alike."""

from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.viewer.simulation.brushes import carrying_of

Array = NDArray[np.float64]

SAME_PLACE = 1e-6  # of the diagonal: a particle so near to the mirror image of another is its twin
LEAST_HALF = 0.02  # of the particles: a half with fewer is none
_twins: "WeakKeyDictionary[Body, tuple[float, NDArray[np.int64], Array]]" = WeakKeyDictionary()


def mirrored(body: Body, shape: Array, how: Literal["flip", "left", "right"]) -> Array:
    """A shape (V, 3) seen in the plane that divides the rest shape in a left and a right half; or with what one half
    does done by both.

    >>> import pliant
    >>> bar = pliant.shapes.cuboid(cells=(2, 1, 1))
    >>> lean = bar.rest + (bar.rest[:, 0] > 0)[:, None] * (0.1, 0.2, 0)
    >>> both = mirrored(bar, lean, "right")
    >>> sorted({(round(float(x), 9), round(float(y), 9)) for x, y, _ in both - bar.rest})
    [(-0.1, 0.2), (0.0, 0.0), (0.1, 0.2)]
    """
    middle, twin, rest_away = _twins_of(body)
    gradients = carrying_of(body).regions.gradients(shape) if np.abs(rest_away).max() > 0 else None
    image = shape[twin] if gradients is None else shape[twin] + np.einsum("vij,vj->vi", gradients[twin], rest_away)
    image = image * (-1.0, 1.0, 1.0) + (2 * middle, 0.0, 0.0)
    if how == "flip":
        return image
    side = np.sign((body.rest[:, 0] - middle).round(9)) * (1 if how == "right" else -1)
    mean: Array = np.where(side[:, None] > 0, shape, np.where(side[:, None] < 0, image, (shape + image) / 2))
    return mean


def _twins_of(body: Body) -> tuple[float, NDArray[np.int64], Array]:
    """Where the plane is (x, m); for each particle the one nearest to its mirror image at rest, and how far (V, 3) the
    image is from that one: nothing in a body that is the same on both sides."""
    if body not in _twins:
        from scipy.spatial import cKDTree

        x = body.rest[:, 0]
        halves = (x < 0).mean(), (x > 0).mean()
        middle = 0.0 if min(halves) >= LEAST_HALF else float(body.masses @ x / body.mass)
        images = body.rest * (-1.0, 1.0, 1.0) + (2 * middle, 0.0, 0.0)
        _, twin = cKDTree(body.rest).query(images)
        away = images - body.rest[twin]
        away[np.linalg.norm(away, axis=1) < SAME_PLACE * np.linalg.norm(body.size)] = 0.0
        _twins[body] = middle, np.asarray(twin, np.int64), away
    return _twins[body]
