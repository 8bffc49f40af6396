"""Numbers that a page can paint on the skin: one for each particle, made from where the particles are shown.

    stretch    by how much a region is longer or shorter than at rest along the axis where it changed most:
               the largest |s - 1| over the eigenvalues s of its stretch tensor (1 is 100 %)
    weights    the weight of a pose in the group of a region
    groups     the number of the group of a region, in the list that `group_list` gives
    distance   how far a region is from its shape in an example: the root of the mean square distance (m) of its
               particles, by mass, when the example's region is laid on it as well as a rigid motion can

What has no such number (a particle in no group, an actor without the pose) is given as NOTHING.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pliant.body import Body
from pliant.geometry.regions import Regions, regions
from pliant.geometry.selection import select

Array = NDArray[np.float64]

NOTHING = -1.0
REST = "rest"
NEAREST = "nearest"


def stretch(body: Body, positions: Array) -> Array:
    """(V,): see above. A region that is turned inside out counts from -s.

    >>> import pliant
    >>> bar = pliant.shapes.cuboid(cells=(1, 1, 2))
    >>> stretch(bar, bar.rest * (1, 1, 1.25)).round(3).max()
    np.float64(0.25)
    """
    return probe_of(body).stretch(np.asarray(positions, np.float64))


def distance(body: Body, positions: Array, pose: str = NEAREST) -> Array:
    """(V,) metres to a pose, to the rest shape, or to the nearest pose of the body; a body without poses is
    compared with its rest shape."""
    probe, x = probe_of(body), np.asarray(positions, np.float64)
    if pose == NEAREST:
        return np.min([probe.distance(x, each) for each in body.poses or (REST,)], axis=0)
    if pose != REST and pose not in body.poses:
        return np.full(len(x), NOTHING)
    return probe.distance(x, pose)


def weight(body: Body, groups: NDArray[np.int64], weights: Array, pose: str) -> Array:
    """(V,): weights (groups, 1 + poses) as an actor has them, rest first; groups (V,) as `group_numbers` gives."""
    names = (REST, *body.poses)
    if pose not in names or len(weights) == 0:
        return np.full(len(groups), NOTHING)
    column = weights[:, names.index(pose)]
    return np.where(groups >= 0, np.clip(column[groups], 0.0, 1.0), 1.0 if pose == REST else 0.0)


def group_numbers(body: Body, settings: Any, names: Sequence[str]) -> NDArray[np.int64]:
    """(V,): which of an actor's groups (rows of its weights) each region belongs to, -1 for none."""
    count = len(body.rest)
    examples = getattr(settings, "examples", None)
    if isinstance(examples, Mapping):
        numbers = np.full(count, -1)
        for number, name in enumerate(names):
            chosen = examples.get(name)
            if chosen is not None:
                numbers[particles_in(body, chosen)] = number
        return numbers
    return np.arange(count) if len(names) == count else np.zeros(count, np.int64)


def particles_in(body: Body, chosen: Any) -> NDArray[Any]:
    """The particles of a group: where few particles stand for many, those that mostly belong to it."""
    from pliant.graph import Graph

    if isinstance(chosen, str):
        return body.groups[chosen]
    return body.chosen(chosen) if isinstance(body, Graph) else select(chosen, body.rest)


def group_list(names: Sequence[Sequence[str]]) -> list[str]:
    """All names of groups of all actors, each once.

    >>> group_list([("left", "right"), ("all",), ("left",)])
    ['left', 'right', 'all']
    """
    return list(dict.fromkeys(name for each in names for name in each))


_probes: "WeakKeyDictionary[Body, Probe]" = WeakKeyDictionary()


def probe_of(body: Body) -> "Probe":
    """Made when it is first asked for."""
    if body not in _probes:
        _probes[body] = Probe(body)
    return _probes[body]


class Probe:
    """What has to be known of a body to measure its regions many times a second: sparse matrices whose product with
    the positions gives a 3x3 matrix for each region."""

    def __init__(self, body: Body) -> None:
        r = regions(body.rest, body.masses, body.elements, body.kind)
        # a body must not be held by what is kept for it: only its arrays are
        self._shapes = {**body.poses, REST: body.rest}
        self._regions: Regions = r
        self._shares = r.effective[r.members] / np.repeat(r.masses, np.diff(r.starts))
        self._gradient = self._rows(r.coefficients)
        self._full = ~r.missing.any(axis=(1, 2))
        self._examples: dict[str, Example] = {}

    @cached_property
    def _mean(self) -> csr_array:
        return csr_array((self._shares, self._regions.members, self._regions.starts))

    def stretch(self, x: Array) -> Array:
        gradients = self._apply(self._gradient, x)
        squares = gradients @ np.swapaxes(gradients, 1, 2) + self._regions.missing
        s = np.sqrt(np.maximum(eigenvalues(squares), 0.0))
        s[:, 2] *= np.where(self._full & (determinant(gradients) < 0), -1.0, 1.0)
        return np.abs(s - 1.0).max(axis=1)

    def distance(self, x: Array, pose: str) -> Array:
        """With M = sum of m x q^T the best rotation leaves the square |x|^2 + |q|^2 - 2 (s1 + s2 +- s3) of its
        singular values, the last with the sign of det M: the rotation itself is not needed."""
        if pose not in self._examples:
            self._examples[pose] = self._example(self._shapes[pose])
        example = self._examples[pose]
        x = x - x.mean(axis=0)
        moments = self._apply(example.rows, x)
        s = np.sqrt(np.maximum(eigenvalues(moments @ np.swapaxes(moments, 1, 2)), 0.0))
        best = s[:, 0] + s[:, 1] + np.where(determinant(moments) < 0, -s[:, 2], s[:, 2])
        square = self._spread(x) + example.spread - 2.0 * best
        return np.sqrt(np.maximum(square, 0.0))

    def _example(self, pose: Array) -> "Example":
        r, sizes = self._regions, np.diff(self._regions.starts)
        x = pose - pose.mean(axis=0)
        offsets = x[r.members] - np.repeat(self._mean @ x, sizes, axis=0)
        return Example(self._rows(self._shares[:, None] * offsets), self._spread(x))

    def _spread(self, x: Array) -> Array:
        """(V,): the mean square distance of the particles of a region from their centre."""
        both = self._mean @ np.column_stack([x, np.square(x).sum(axis=1)])
        spread: Array = both[:, 3] - np.square(both[:, :3]).sum(axis=1)
        return spread

    def _rows(self, factors: Array) -> csr_array:
        """(3 V, V): row 3 r + j has factor j of each member of region r."""
        r = self._regions
        sizes, count = np.diff(r.starts), len(r.starts) - 1
        region = np.repeat(np.arange(count), sizes)
        rows = (3 * region[:, None] + np.arange(3)).ravel()
        return csr_array((factors.ravel(), (rows, np.repeat(r.members, 3))), shape=(3 * count, count))

    @staticmethod
    def _apply(matrix: csr_array, x: Array) -> Array:
        """(V, 3, 3): transposed sums of x times the factors."""
        product: Array = (matrix @ x).reshape(-1, 3, 3)
        return product


@dataclass(frozen=True, eq=False)
class Example:
    """A shape to compare with: m q / M of every member of every region, and the mean of |q|^2."""

    rows: csr_array
    spread: Array


def eigenvalues(matrices: Array) -> Array:
    """Of symmetric matrices (N, 3, 3), the largest first: the trigonometric solution of the cubic, for all at once.

    >>> eigenvalues(np.diag([1.0, 5.0, 3.0])[None]).round(9).tolist()
    [[5.0, 3.0, 1.0]]
    """
    a, b, c = (matrices[:, i, i] for i in range(3))
    d, e, f = matrices[:, 0, 1], matrices[:, 0, 2], matrices[:, 1, 2]
    middle = (a + b + c) / 3.0
    a, b, c = a - middle, b - middle, c - middle
    radius = np.sqrt((a * a + b * b + c * c + 2.0 * (d * d + e * e + f * f)) / 6.0)
    half = (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)) / 2.0
    cube = radius**3
    angle = np.arccos(np.clip(half / np.where(cube > 0, cube, 1.0), -1.0, 1.0)) / 3.0
    first = middle + 2.0 * radius * np.cos(angle)
    last = middle + 2.0 * radius * np.cos(angle + 2.0 * np.pi / 3.0)
    return np.column_stack([first, 3.0 * middle - first - last, last])


def determinant(m: Array) -> Array:
    """Of matrices (N, 3, 3)."""
    result: Array = np.einsum("ni,ni->n", m[:, 0], np.cross(m[:, 1], m[:, 2]))
    return result
