"""The regular grid that a body is made on, told from its rest shape."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.measures import diagonal
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
UNEVEN = 1e-3  # of the spacing: so far may a particle stand beside its place; files keep six digits
UNFILLED = 1e-6  # of the volume of the box: so much may elements be off it


@dataclass(frozen=True, eq=False)
class Grid:
    """numbers: which particle stands where, an array of one, two or three dimensions; spacing (m) along each."""

    numbers: Ints
    spacing: Array

    @property
    def dimensions(self) -> int:
        return self.numbers.ndim


_kept: "WeakKeyDictionary[Body, Grid | None]" = WeakKeyDictionary()


def grid_of(body: Body) -> Grid | None:
    """The grid of a body, or None if it has none; looked for at the first use of the body."""
    if body not in _kept:
        _kept[body] = _chain(body) if body.kind == "rod" else _box(body)
    return _kept[body]


def need_grid(body: Body, who: str) -> Grid:
    """The grid of a body; refuses others and names the model that would do."""
    found = grid_of(body)
    if found is None:
        what, instead = {
            "rod": ("a chain of equal segments", "MassSpring or OrientedParticles"),
            "shell": ("a flat rectangle of equal cells", "MassSpring or OrientedParticles"),
            "solid": ("a box of equal cells", "Fem or ShapeMatching"),
        }[body.kind]
        raise SettingsError(
            f'actor "{who}": finite differences need a regular grid, and body "{body.name}" is not {what}, '
            f"as pliant.shapes.{ {'rod': 'rope', 'shell': 'sheet', 'solid': 'cuboid'}[body.kind]} makes; use {instead}"
        )
    return found


def _box(body: Body) -> Grid | None:
    """Particles at all crossings of evenly spaced planes, and elements that fill what is between these."""
    rest, near = body.rest, UNEVEN * diagonal(body.rest) / max(1.0, len(body.rest))
    places, spacing, shape = [], [], []
    for axis in range(3):
        planes = _planes(rest[:, axis], near)
        step = float(planes[-1] - planes[0]) / max(1, len(planes) - 1)
        even = planes[0] + step * np.arange(len(planes))
        if len(planes) > 1:
            if np.abs(planes - even).max() > UNEVEN * step:
                return None
            shape.append(len(planes))
            spacing.append(step)
            places.append(np.round((rest[:, axis] - planes[0]) / step).astype(np.int64))
    if len(shape) != {"solid": 3, "shell": 2}[body.kind] or np.prod(shape) != len(rest):
        return None
    at = np.ravel_multi_index(tuple(places), tuple(shape))
    if len(np.unique(at)) < len(rest):
        return None
    filled = float(np.prod([step * (count - 1) for step, count in zip(spacing, shape, strict=True)]))
    if abs(body.volume / (filled * (body.thickness or 1.0)) - 1.0) > UNFILLED:
        return None
    numbers = np.empty(len(rest), np.int64)
    numbers[at] = np.arange(len(rest))
    return Grid(numbers.reshape(shape), np.array(spacing))


def _planes(values: Array, near: float) -> Array:
    """The different values, rising; those nearer to each other are one."""
    rising = np.sort(values)
    return rising[np.append(True, np.diff(rising) > near)]


def _chain(body: Body) -> Grid | None:
    """Particles in the order of an open chain of segments, which may be bent at rest."""
    segments = body.elements.astype(np.int64)
    lengths = np.linalg.norm(body.rest[segments[:, 1]] - body.rest[segments[:, 0]], axis=1)
    step = float(lengths.mean())
    if np.abs(lengths - step).max() > UNEVEN * step or len(segments) != len(body.rest) - 1:
        return None
    near: list[list[int]] = [[] for _ in body.rest]
    for i, j in segments.tolist():
        near[i].append(j)
        near[j].append(i)
    ends = [i for i, others in enumerate(near) if len(others) == 1]
    if len(ends) != 2 or max(map(len, near)) > 2:
        return None
    order, before = [ends[0]], -1
    while len(order) < len(near) and len(step_on := [j for j in near[order[-1]] if j != before]):
        before = order[-1]
        order.append(step_on[0])
    return Grid(np.array(order), np.array([step])) if len(order) == len(near) else None
