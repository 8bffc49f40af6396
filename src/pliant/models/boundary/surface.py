"""The surface of a solid: its outer triangles, and how what is inside follows them."""

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.boundary import boundary_triangles
from pliant.geometry.surfaces import enclosed_volume
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST_TRIANGLES = 2000  # the matrices of more would not fit: 9 n^2 numbers, made in n^3 operations


@dataclass(frozen=True, eq=False)
class Surface:
    """outer (N,): the particles on it; triangles (T, 3) of these, outwards; rest (N, 3) m; inside (V - N,): others."""

    outer: Ints
    triangles: Ints
    rest: Array
    inside: Ints
    body: Body

    @cached_property
    def follow(self) -> Array:
        """(V - N, N) how the inside follows: the harmonic displacement, which is linear where that of the surface is.
        It does not act on anything."""
        from scipy.sparse import coo_array
        from scipy.sparse.linalg import splu

        tets = self.body.tets
        if tets is None or not len(self.inside):
            return np.zeros((len(self.inside), len(self.outer)))
        corners = self.body.rest[tets]
        slopes = np.linalg.inv(np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2))
        slopes = np.concatenate([-slopes.sum(axis=1, keepdims=True), slopes], axis=1)
        sizes = np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1]))
        values = np.einsum("t,tai,tbi->tab", sizes, slopes, slopes)
        count = len(self.body.rest)
        rows, columns = np.repeat(tets, 4, axis=1).reshape(-1), np.tile(tets, (1, 4)).reshape(-1)
        matrix = coo_array((values.reshape(-1), (rows, columns)), shape=(count, count)).tocsr()
        within = matrix[self.inside]
        inner = within[:, self.inside].tocsc()
        found: Array = splu(inner).solve(-within[:, self.outer].toarray())
        return found

    def shares(self, particles: Ints, weights: Array) -> Array:
        """(n, N) how points that ride on particles (n, k) with weights (n, k) ride on the surface."""
        place = np.full(len(self.body.rest), -1)
        place[self.outer] = np.arange(len(self.outer))
        place[self.inside] = np.arange(len(self.inside))
        is_outer = np.zeros(len(place), bool)
        is_outer[self.outer] = True
        found = np.zeros((len(particles), len(self.outer)))
        for row, (some, parts) in enumerate(zip(particles, weights, strict=True)):
            for particle, part in zip(some.tolist(), parts.tolist(), strict=True):
                if part == 0.0:
                    continue
                if is_outer[particle]:
                    found[row, place[particle]] += part
                else:
                    found[row] += part * self.follow[place[particle]]
        return found


_kept: "WeakKeyDictionary[Body, Surface | str]" = WeakKeyDictionary()


def surface_of(body: Body) -> Surface | str:
    """The surface of a body, or why it has none that will do: "body ... {reason}"."""
    if body not in _kept:
        _kept[body] = _find(body)
    return _kept[body]


def need_surface(body: Body, who: str) -> Surface:
    """The surface; refuses what has none in one line."""
    found = surface_of(body)
    if isinstance(found, str):
        raise SettingsError(f'actor "{who}": boundary elements need a closed surface, and body "{body.name}" {found}')
    return found


def _find(body: Body) -> Surface | str:
    if body.kind == "rod":
        return "is a rod; use OrientedParticles or MassSpring"
    triangles = boundary_triangles(body.tets) if body.tets is not None else body.elements
    triangles = np.asarray(triangles, np.int64)
    if len(triangles) > MOST_TRIANGLES:
        return f"has {len(triangles):,} triangles (at most {MOST_TRIANGLES:,}); use fewer particles, or Fem"
    ways = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    count = len(body.rest)
    there, back = np.sort(ways @ (count, 1)), np.sort(ways @ (1, count))
    if not np.array_equal(there, back) or (body.tets is None and (np.diff(there) == 0).any()):
        return "is open, or not the clean skin of a solid; use MassSpring, or ShapeMatching"
    if enclosed_volume(body.rest, triangles) <= 0.0:
        return "is inside out; turn its triangles round"
    outer = np.unique(triangles).astype(np.int64)
    inside = np.setdiff1d(np.arange(count), outer)
    if len(inside) and body.tets is None:
        return f"has {len(inside)} particles that no triangle has; take them out"
    place = np.full(count, -1)
    place[outer] = np.arange(len(outer))
    return Surface(outer, place[triangles].astype(np.int64), np.array(body.rest[outer]), inside, body)
