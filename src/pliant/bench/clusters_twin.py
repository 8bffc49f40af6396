"""Clusters with examples in plain NumPy and double precision, a line an equation: what the kernels are tested and timed
against."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples import convex_weights
from pliant.geometry.regions import proper_rotations
from pliant.models.clusters.constants import Cluster, constants_of
from pliant.models.clusters.examples import describe
from pliant.models.clusters.lanes import CRUSHED
from pliant.models.clusters.settings import Clusters
from pliant.models.clusters.stiffness import alphas

Array = NDArray[np.float64]


class ClustersTwin:
    """One actor whose weights are all found."""

    def __init__(self, body: Body, settings: Clusters) -> None:
        self.body, self.settings = body, settings
        self.whole = constants_of(body, settings)
        self.examples = describe(body, settings)
        self.weights = np.zeros((len(self.whole.groups.names), len(self.examples.free)))

    def blend(self, number: int) -> Array:
        """D~ (B, 3) of a cluster."""
        group = self.whole.groups.of[number]
        shape = self.whole.clusters[number].rest
        if group == len(self.weights):
            return shape
        return shape + np.einsum("k,kbi->bi", self.weights[group], self.examples.descriptors[number])

    def fits(self, x: Array) -> list[tuple[Array, Array]]:
        """A~ (B, 3) and c of each cluster."""
        told = []
        for cluster in self.whole.clusters:
            c = cluster.masses @ x[cluster.members]
            told.append(((cluster.masses[:, None] * cluster.basis.phi).T @ (x[cluster.members] - c), c))
        return told

    def rotation(self, number: int, fit: Array) -> Array:
        kept = self.whole.clusters[number].share.kept
        rotation: Array = proper_rotations(np.einsum("b,bi,bj->ij", kept, fit, self.blend(number))[None])[0]
        return rotation

    def step(self, x: Array, y: Array, h: float) -> Array:
        """p from x and y."""
        fits, groups, examples = self.fits(x), self.whole.groups, self.examples
        wishes = np.zeros_like(self.weights)
        for number, cluster in enumerate(self.whole.clusters):
            if groups.of[number] < len(wishes):
                seen = fits[number][0] @ self.rotation(number, fits[number][0]) - cluster.rest
                along = np.einsum("b,bi,kbi->k", cluster.share.kept, seen, examples.descriptors[number])
                wishes[groups.of[number]] += examples.energies[number] * along
        for group, upper in enumerate(examples.upper):
            if len(examples.free):
                strength = self.settings.example_strength
                self.weights[group] = convex_weights(upper.T @ upper, wishes[group], strength)
        p = y.copy()
        way = alphas(self.whole, self.settings, h)
        for number, (cluster, (fit, c)) in enumerate(zip(self.whole.clusters, fits, strict=True)):
            kept = cluster.share.kept[:, None]
            goal = (1 - kept) * fit + kept * (self.blend(number) @ self.rotation(number, fit).T)
            goal[:3] += _grown(cluster, fit[:3], self.blend(number)[:3])
            towards = cluster.basis.phi @ goal + c - x[cluster.members]
            p[cluster.members] += way[number] * cluster.shares[:, None] * towards
        return p


def _grown(cluster: Cluster, fit: Array, blend: Array) -> Any:
    """V l cof(A) with det(A + l cof(A)) = det D~, by the real root that is nearest to none."""
    if cluster.share.volume == 0.0:
        return 0.0
    wanted = max(np.linalg.det(blend), 0.01 * np.linalg.det(cluster.rest[:3]))
    j = np.linalg.det(fit)
    if j <= 0.0:
        return 0.0
    cofactor = j * np.linalg.inv(fit).T
    roots = np.roots([j * j, j * np.square(fit).sum(), np.square(cofactor).sum(), j - wanted])
    real = roots[np.abs(roots.imag) < 1e-9 * np.abs(roots).max()].real
    root = real[np.abs(real).argmin()]
    return cluster.share.volume * min(1.0, j / wanted / CRUSHED) * root * cofactor
