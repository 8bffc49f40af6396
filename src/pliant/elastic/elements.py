"""The tets of a mesh at rest, as the kernels of elasticity read them.

With the edges of a tet u_m = x_m - x_0 (m = 1, 2, 3) as columns of d, and the same at rest as columns of D, the
deformation gradient is F = d D^-1 = sum of u_m g_m^T, g_m the rows of D^-1: the gradients of the corners' weights."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.measures import volumes
from pliant.runtime.errors import BodyError

Array = NDArray[np.float64]
NO_VOLUME = 1e-12  # of the cube of the longest edge: a tet of less volume has no gradient


@dataclass(frozen=True, eq=False)
class Elements:
    """V particles, T tets. Corners rise in each tet, so that every pair of them stands above the diagonal of a matrix;
    F does not depend on their order.

    rest (V, 3) m; tets (T, 4); inverses (T, 3, 3) 1/m: D^-1, rows g_1, g_2, g_3; volumes (T,) m^3, above zero;
    corner_starts (V + 1,) and corners: for each particle the tets that hold it as 4 * tet + corner, rising.
    """

    rest: Array
    tets: NDArray[np.int64]
    inverses: Array
    volumes: Array
    corner_starts: NDArray[np.int64]
    corners: NDArray[np.int64]

    @property
    def count(self) -> int:
        """Particles."""
        return len(self.rest)

    @property
    def gradients(self) -> Array:
        """(T, 4, 3) 1/m: the gradients of all four corners' weights."""
        return np.concatenate([-self.inverses.sum(axis=1, keepdims=True), self.inverses], axis=1)

    def deformation(self, x: Array) -> Array:
        """The deformation gradients F (T, 3, 3) when the particles stand at x (V, 3) or flat."""
        return deformation_gradients(self.tets, self.inverses, x)

    def strains(self, x: Array) -> Array:
        """Green strains E (T, 3, 3)."""
        f = self.deformation(x)
        return (np.swapaxes(f, 1, 2) @ f - np.eye(3)) / 2


def make_elements(rest: Array, tets: NDArray[np.integer], who: str = "mesh") -> Elements:
    """The elements of a mesh at rest; refuses a tet that is flat or inside out there.

    >>> tent = make_elements(np.eye(4, 3, -1), np.array([[0, 1, 2, 3]]))
    >>> tent.deformation(2 * tent.rest)[0].diagonal().tolist()
    [2.0, 2.0, 2.0]
    """
    shape = np.ascontiguousarray(rest, dtype=np.float64)
    given = np.asarray(tets)
    if shape.ndim != 2 or shape.shape[1] != 3 or given.ndim != 2 or given.shape[1] != 4:
        raise BodyError(f"{who}: rest has shape {shape.shape} and tets {given.shape}; give (V, 3) and (T, 4)")
    if len(given) == 0:
        raise BodyError(f"{who}: there are no tets; finite elements need a solid")
    if not np.isfinite(shape).all():
        raise BodyError(f"{who}: a particle has no finite place at rest")
    if given.min() < 0 or given.max() >= len(shape):
        raise BodyError(f"{who}: tets name particles {given.min()} to {given.max()}; there are {len(shape)}")
    amounts = volumes(shape, given)
    longest = np.linalg.norm(shape[given] - shape[np.roll(given, 1, axis=1)], axis=2).max(axis=1)
    wrong = np.flatnonzero(amounts <= NO_VOLUME * longest**3)
    if len(wrong):
        how = "inside out" if amounts[wrong[0]] < -NO_VOLUME * longest[wrong[0]] ** 3 else "flat"
        raise BodyError(
            f"{who}: tet {wrong[0]} {tuple(given[wrong[0]].tolist())} is {how} at rest "
            f"({amounts[wrong[0]]:.3g} m^3); turn it round or take it out"
        )
    sorted_tets = np.sort(given.astype(np.int64), axis=1)
    inverses = rest_inverses(shape, sorted_tets)
    order = np.argsort(sorted_tets.ravel(), kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(sorted_tets.ravel(), minlength=len(shape)))])
    return Elements(shape, sorted_tets, inverses, amounts, starts.astype(np.int64), order.astype(np.int64))


_kept: "WeakKeyDictionary[Body, Elements]" = WeakKeyDictionary()


def elements_of(body: Body) -> Elements:
    """The elements of a solid body, made at its first use."""
    if body not in _kept:
        if body.tets is None:
            raise BodyError(f'body "{body.name}" is a {body.kind} without tets; finite elements need a solid')
        _kept[body] = make_elements(body.rest, body.tets, f'body "{body.name}"')
    return _kept[body]


def rest_inverses(rest: Array, tets: NDArray[np.int64]) -> Array:
    """D^-1 (T, 3, 3) of tets at these places (V, 3)."""
    corners = rest[tets]
    edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
    return np.ascontiguousarray(np.linalg.inv(edges))


def deformation_gradients(tets: NDArray[np.int64], inverses: Array, x: Array) -> Array:
    """F (T, 3, 3)."""
    corners = x.reshape(-1, 3)[tets]
    return np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2) @ inverses
