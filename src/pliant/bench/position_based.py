"""The contrast: position-based oriented particles [Mueller & Chentanez 2011], the method that [Choi+17] replaces.

Each particle and its neighbours are a group. Generalised shape matching finds the rigid motion that fits a group best,
moves its members there and turns the particle in its middle; groups take turns, again and again. Nothing in it is a
stiffness in newtons: how stiff a body looks comes from how often this is done. Plain NumPy, double precision.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from pliant.bench.oriented_arrays import Array, Particles, rotation_of


class PositionBased:
    """One body; the state is `x` (N, 3), `R` (N, 3, 3), `v` (N, 3), `omega` (N, 3). `stiffness` is the part of the way
    that is gone in one projection; `pins` maps a particle to its fixed position and rotation.

    >>> from pliant.bench.oriented_arrays import serial_bar
    >>> bar = serial_bar(5)
    >>> body = PositionBased(bar, gravity=(0, -9, 0))
    >>> body.step(1 / 30)
    >>> bool(np.allclose(body.x - bar.rest, (0, -0.01, 0)))
    True
    """

    def __init__(
        self,
        particles: Particles,
        *,
        iterations: int = 10,
        stiffness: float = 1.0,
        gravity: ArrayLike = (0.0, -9.81, 0.0),
    ) -> None:
        self.iterations, self.stiffness = iterations, stiffness
        self.gravity: Array = np.asarray(gravity, dtype=np.float64)
        self.X, self.m = particles.rest, particles.masses
        self.moments = particles.density * particles.moments
        self.x, self.v = self.X.copy(), np.zeros_like(self.X)
        self.R, self.omega = np.tile(np.eye(3), (len(self.X), 1, 1)), np.zeros_like(self.X)
        self.pins: dict[int, tuple[Array, Array]] = {}
        rings = [{i} for i in range(len(self.X))]
        for i, j in particles.edges.tolist():
            rings[i].add(j)
            rings[j].add(i)
        self.groups = [np.array(sorted(ring)) for ring in rings]
        self.centres = [self.m[group] @ self.X[group] / self.m[group].sum() for group in self.groups]

    def step(self, h: float) -> None:
        """The state `h` seconds later."""
        x_before, R_before = self.x.copy(), self.R.copy()
        self.x = self.x + h * self.v + h**2 * self.gravity
        self.R = Rotation.from_rotvec(h * self.omega).as_matrix() @ self.R
        self.free = np.ones((len(self.x), 1))  # 0 for the pinned
        for i, (position, rotation) in self.pins.items():
            self.x[i], self.R[i], self.free[i] = position, rotation, 0
        for _ in range(self.iterations):
            for i in range(len(self.x)):
                self.match(i)
        self.v = (self.x - x_before) / h
        self.omega = Rotation.from_matrix(self.R @ np.swapaxes(R_before, 1, 2)).as_rotvec() / h

    def match(self, i: int) -> None:
        """Draws the group of particle `i` to the rigid motion that fits it best."""
        group, rest = self.groups[i], self.X[self.groups[i]] - self.centres[i]
        m = self.m[group]
        c = m @ self.x[group] / m.sum()
        # moments of the group about its centre: those of each particle about its own, and those of the centres
        moment = (self.R[group] @ self.moments[group]).sum(axis=0) + (self.x[group] - c).T @ (m[:, None] * rest)
        rotation = rotation_of(moment)
        self.x[group] += self.stiffness * self.free[group] * (c + rest @ rotation.T - self.x[group])
        if i in self.pins:
            return
        if self.stiffness < 1:
            way = Rotation.from_matrix(rotation @ self.R[i].T).as_rotvec()
            rotation = Rotation.from_rotvec(self.stiffness * way).as_matrix() @ self.R[i]
        self.R[i] = rotation
