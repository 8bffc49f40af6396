"""A graph of oriented particles as plain arrays, and the handles on it: what the twin and the contrast start from."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

if TYPE_CHECKING:
    from pliant.graph import Graph

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Particles:
    """Rest centres X (N, 3) m, edges (E, 2), volumes v (N,) m^3, moments Abar = E A E^T (N, 3, 3) m^5 with
    A = v/5 diag(a^2, b^2, c^2), density rho kg/m^3; the centres (K, N, 3) and turns (K, N, 3, 3) of K example poses.
    """

    rest: Array
    edges: Indices
    volumes: Array
    moments: Array
    density: float = 1000.0
    centres: Array = field(default_factory=lambda: np.zeros((0, 0, 3)))
    turns: Array = field(default_factory=lambda: np.zeros((0, 0, 3, 3)))

    @classmethod
    def of(cls, graph: "Graph") -> "Particles":
        """The arrays of a graph; its poses in their order."""
        e = graph.ellipsoids
        moments = np.einsum("nia,na,nja->nij", e.axes, e.volumes[:, None] / 5 * e.radii**2, e.axes)
        count, names = len(graph.rest), list(graph.poses)
        centres = np.array([graph.poses[name] for name in names], dtype=np.float64).reshape(-1, count, 3)
        turns = [Rotation.from_quat(graph.turns[name]).as_matrix() for name in names]
        return cls(
            rest=np.asarray(graph.rest, dtype=np.float64),
            edges=np.asarray(graph.elements, dtype=np.int64),
            volumes=np.asarray(e.volumes, dtype=np.float64),
            moments=moments,
            density=float(graph.density),
            centres=centres,
            turns=np.array(turns).reshape(-1, count, 3, 3),
        )

    @property
    def masses(self) -> Array:
        """m = rho v (N,) kg."""
        return self.density * self.volumes

    def nearest(self, point: Array, count: int = 4) -> tuple[Indices, Array]:
        """The particles that carry a point at rest and their weights: smooth, 0 at the next one, their sum is 1."""
        distances = np.linalg.norm(self.rest - point, axis=1)
        order = np.argsort(distances, kind="stable")
        chosen = order[: min(count, len(order))]
        far = distances[order[count]] if len(order) > count else 2 * distances[chosen[-1]] + 1e-9
        weights = (1 - distances[chosen] / far) ** 2
        return chosen, weights / weights.sum()


def serial_bar(
    count: int = 20, size: tuple[float, float, float] = (10.0, 1.0, 1.0), density: float = 1000.0
) -> Particles:
    """A bar along x, from x = 0, as a chain of equal particles: the paper's Figs. 1 to 3.

    A box has the covariance diag(size^2)/12, a uniform ellipsoid diag(radii^2)/5; the radii are then scaled so that the
    ellipsoid has the volume of its share.

    >>> bar = serial_bar(4, (2, 1, 1), density=100)
    >>> bar.rest[:, 0].tolist(), float(bar.masses.sum())
    ([0.25, 0.75, 1.25, 1.75], 200.0)
    """
    share = np.array([size[0] / count, size[1], size[2]])
    volume = share.prod()
    radii = np.sqrt(5 / 12) * share
    radii *= (volume / (4 / 3 * np.pi * radii.prod())) ** (1 / 3)
    rest = np.zeros((count, 3))
    rest[:, 0] = (np.arange(count) + 0.5) * share[0]
    chain = np.arange(count - 1)
    moments = np.tile(np.diag(volume / 5 * radii**2), (count, 1, 1))
    return Particles(rest, np.column_stack([chain, chain + 1]), np.full(count, volume), moments, density)


@dataclass
class PositionHandle:
    """(13) Draws a point of the skin to `target`. `point` (3,) is where it is at rest; `strength` is w_p in N/m."""

    point: Array
    indices: Indices
    weights: Array
    target: Array
    strength: float


@dataclass
class DirectionHandle:
    """(15) Turns a unit vector on the skin to `target`. `normal` (3,) is what it is at rest; `strength` is w_d in J."""

    normal: Array
    indices: Indices
    weights: Array
    target: Array
    strength: float


def rotation_of(matrix: Array) -> Array:
    """The rotation nearest to a matrix (3, 3), a proper one also where the determinant is negative [Umeyama 1991]."""
    u, _, vt = np.linalg.svd(matrix)
    u[:, 2] *= np.sign(np.linalg.det(u @ vt))
    return u @ vt
