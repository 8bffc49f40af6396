"""Bodies to fill, and poses drawn on their skin."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from pliant import shapes
from pliant.geometry.measures import areas, diagonal
from pliant.volume.filling import fill


@dataclass(frozen=True, eq=False)
class Case:
    """A mesh with its bound skin; `fill` fills one pose of the skin."""

    rest: np.ndarray
    tets: np.ndarray
    slots: np.ndarray
    weights: np.ndarray
    areas: np.ndarray
    faces: np.ndarray
    skin: np.ndarray

    @property
    def diagonal(self):
        return diagonal(self.skin)

    @property
    def bound(self):
        return self.rest, self.tets, self.slots, self.weights, self.areas, self.faces

    def fill(self, *targets):
        filled = fill(*self.bound, targets)
        return filled[0] if len(filled) == 1 else filled

    def reached(self, positions):
        return np.einsum("nk,nkj->nj", self.weights, positions[self.slots])

    def twisted(self, degrees):
        """The skin twisted from end to end."""
        axis, s, x, y, length = self._along()
        angle = np.radians(degrees) * s / length
        turned = [s, np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y]
        return np.roll(np.stack(turned, axis=1), axis, axis=1)

    def bent(self, degrees):
        """The skin laid along an arc, on which the middle line keeps its length."""
        axis, s, x, y, length = self._along()
        radius = length / np.radians(degrees)
        arc = [(radius - x) * np.sin(s / radius), radius - (radius - x) * np.cos(s / radius), y]
        return np.roll(np.stack(arc, axis=1), axis, axis=1)

    def _along(self):
        """The longest axis of the skin, the coordinates along and across it from the middle, and its length."""
        axis = int(np.argmax(np.ptp(self.skin, axis=0)))
        middle = (self.skin.max(axis=0) + self.skin.min(axis=0)) / 2
        s, x, y = np.roll(self.skin - middle, -axis, axis=1).T
        return axis, s, x, y, float(np.ptp(s))

    def volumes(self, positions):
        """J of each tet."""
        return np.linalg.det(edges(positions, self.tets)) / np.linalg.det(edges(self.rest, self.tets))


def edges(positions, tets):
    corners = positions[tets]
    return corners[:, 1:] - corners[:, :1]


def case_of(rest, tets, skin):
    third = np.repeat(areas(skin.vertices, skin.faces) / 3, 3)
    share = np.bincount(skin.faces.ravel(), third, minlength=len(skin.vertices))
    return Case(rest, tets, skin.indices, skin.weights, share, skin.faces, skin.vertices)


@cache
def make(name):
    if name == "bar":
        body = shapes.cuboid(size=(0.4, 0.4, 2.0), cells=(4, 4, 20))
    elif name == "cylinder":
        body = shapes.cylinder(radius=0.25, height=2.0, particles=600, skin="solid")
    else:
        body = getattr(shapes, name)(particles=600)
    return case_of(body.rest, body.tets, body.skin)


@pytest.fixture
def case(request):
    return make(request.param)


@pytest.fixture
def bar():
    return make("bar")


@pytest.fixture
def cylinder():
    return make("cylinder")
