"""The twin of the oriented particles [Choi+17]: plain NumPy, a line an equation, double precision.

The kernels are tested against it. It shares nothing with them but the graph. No contact, no damping.

Different from the paper, as in the model: the density that (10) and (11) lost is back; rotations are predicted by
exp(h omega) R, which is a rotation, where the paper adds h Rdot to R; example poses; angular momentum kept.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from pliant.bench.oriented_arrays import Array, DirectionHandle, Particles, PositionHandle, rotation_of
from pliant.bench.oriented_examples import Examples, Groups

LEAST_BLEND = 1e-3  # where the particles of a direction handle look in opposite directions, the blend has no direction


class OrientedTwin:
    """One body; the state is `x` (N, 3) m, `R` (N, 3, 3), `v` (N, 3) m/s, `omega` (N, 3) rad/s, free to be written.

    `k` is the stiffness in N/m^5 ((3): energy per volume and per squared distance). `pins` maps a particle to the
    position and the rotation it is held at; `positions` and `directions` are the handles.

    >>> from pliant.bench.oriented_arrays import serial_bar
    >>> bar = serial_bar(5)
    >>> twin = OrientedTwin(bar, k=1e5, gravity=(0, -9, 0))
    >>> twin.step(1 / 30)
    >>> bool(np.allclose(twin.x - bar.rest, (0, -0.01, 0))), bool(np.allclose(twin.R, np.eye(3)))
    (True, True)
    """

    def __init__(
        self,
        particles: Particles,
        k: float,
        *,
        iterations: int = 10,
        gravity: ArrayLike = (0.0, -9.81, 0.0),
        examples: Groups = "global",
        example_strength: float = 1.0,
    ) -> None:
        self.k, self.iterations, self.example_strength = k, iterations, example_strength
        self.gravity: Array = np.asarray(gravity, dtype=np.float64)
        self.X, self.volumes, self.moments = particles.rest, particles.volumes, particles.moments
        self.rho, self.m = particles.density, particles.masses
        self.x, self.v = self.X.copy(), np.zeros_like(self.X)
        self.R, self.omega = np.tile(np.eye(3), (len(self.X), 1, 1)), np.zeros_like(self.X)
        self.order: list[int] = list(range(len(self.X)))  # in which the particles take their turn
        self.pins: dict[int, tuple[Array, Array]] = {}
        self.positions: list[PositionHandle] = []
        self.directions: list[DirectionHandle] = []
        # directed edges i -> j; the first half has the one direction, the second half the other
        self.owner = np.concatenate([particles.edges[:, 0], particles.edges[:, 1]])
        self.other = np.concatenate([particles.edges[:, 1], particles.edges[:, 0]])
        self.edges_of = [np.flatnonzero(self.owner == i) for i in range(len(self.X))]
        self.examples = Examples(particles, self.owner, self.other, examples)
        self.weights = self.examples.weights(self.x, self.R)  # (groups, 1 + K), rest first
        self.D, self.Q = self.examples.blend(self.weights)
        self.h, self.y, self.R_star = 1.0, self.x.copy(), self.R.copy()

    # One step

    def step(self, h: float) -> None:
        """The state `h` seconds later."""
        self.begin(h)
        for _ in range(self.iterations):
            self.local_step()
            self.global_step()
        self.finish()

    def begin(self, h: float) -> None:
        """Predicts, finds the weights of the examples from the state before the step, and makes the matrix of (7)."""
        self.h = h
        self.x_before, self.R_before = self.x.copy(), self.R.copy()
        self.y = self.x + h * self.v + h**2 * self.gravity
        self.R_star = Rotation.from_rotvec(h * self.omega).as_matrix() @ self.R
        self.weights = self.examples.weights(self.x, self.R, self.example_strength)
        self.D, self.Q = self.examples.blend(self.weights)
        self.M = self.turning()
        self.L = self.matrix()
        self.x, self.R = self.y.copy(), self.R_star.copy()
        for i, (position, rotation) in self.pins.items():
            self.x[i], self.R[i] = position, rotation

    def local_step(self) -> None:
        """Each rotation at its best, one after the other, each knowing the new ones before it."""
        for i in self.order:
            self.turn(i)

    def turn(self, i: int) -> None:
        """The rotation R_i of least energy while all else stands still."""
        if i in self.pins:
            return
        c = self.rho / self.h**2 * self.R_star[i] @ self.moments[i]  # (11)
        for edge in self.edges_of[i]:
            j = self.other[edge]
            offset = (self.x[j] - self.x[i])[:, None] * self.D[edge]
            c += self.k * (self.R[j] @ self.M[edge] + self.volumes[j] * offset)  # (5)
        for handle in self.positions:
            arm = handle.weights[handle.indices == i].sum() * (handle.point - self.X[i])
            u = handle.target - self.place(handle) + self.R[i] @ arm  # what is left for R_i to reach
            c += handle.strength * np.outer(u, arm)
        for direction in self.directions:
            blend = self.blended(direction)
            m = length(blend)  # counts as fixed while R_i is sought
            arm = direction.weights[direction.indices == i].sum() / m * direction.normal
            c += direction.strength * np.outer(direction.target - blend / m + self.R[i] @ arm, arm)
        self.R[i] = rotation_of(c)

    def global_step(self) -> None:
        """(7)(12)(14) All positions at their best while the rotations stand still."""
        b = self.m[:, None] / self.h**2 * self.y
        pull = np.einsum("e,eij,ej->ei", self.k * self.volumes[self.other], self.R[self.owner], self.D)
        np.add.at(b, self.owner, -pull)
        np.add.at(b, self.other, pull)
        for handle in self.positions:
            arms = self.R[handle.indices] @ (handle.point - self.X[handle.indices])[:, :, None]
            rest = handle.target - handle.weights @ arms[:, :, 0]
            np.add.at(b, handle.indices, handle.strength * np.outer(handle.weights, rest))
        pinned = np.isin(np.arange(len(self.x)), list(self.pins))
        free = np.flatnonzero(~pinned)
        right = b[free] - self.L[np.ix_(free, np.flatnonzero(pinned))] @ self.x[pinned]
        self.x[free] = np.linalg.solve(self.L[np.ix_(free, free)], right)

    def turning(self) -> Array:
        """What R_j is multiplied by in (5), for every edge i -> j (2 E, 3, 3): the owner compares R_i Q_ij with R_j,
        the other end R_j Q_ji with R_i. Without examples it is Abar_j + Abar_i."""
        opposite = np.roll(self.Q, len(self.Q) // 2, axis=0)
        return self.moments[self.other] @ np.swapaxes(self.Q, 1, 2) + opposite @ self.moments[self.owner]

    def matrix(self) -> Array:
        """L of (8) with the masses of (12) and the handles of (14); the same for x, y and z."""
        matrix = np.diag(self.m / self.h**2)
        for i, j in zip(self.owner, self.other, strict=True):  # both directions: v_j from the one, v_i from the other
            matrix[[i, j], [i, j]] += self.k * self.volumes[j]
            matrix[[i, j], [j, i]] -= self.k * self.volumes[j]
        for handle in self.positions:
            spread = np.zeros(len(self.x))
            np.add.at(spread, handle.indices, handle.weights)
            matrix += handle.strength * np.outer(spread, spread)
        return matrix

    def finish(self) -> None:
        """Velocities from the way that was gone; the angular momentum changes by what handles add, and no more."""
        before = self.angular_momentum(self.x_before, self.R_before, (self.y - self.x_before) / self.h, self.omega)
        self.v = (self.x - self.x_before) / self.h
        self.omega = Rotation.from_matrix(self.R @ np.swapaxes(self.R_before, 1, 2)).as_rotvec() / self.h
        if not self.pins:
            centre = self.m @ self.x / self.m.sum()
            arms = self.x - centre
            for handle in self.positions:
                point = self.place(handle)
                before = before + self.h * handle.strength * np.cross(point - centre, handle.target - point)
            for direction in self.directions:
                blend = self.blended(direction)
                before = before + self.h * direction.strength * np.cross(blend / length(blend), direction.target)
            inertia = self.spin_inertia(self.R).sum(axis=0)
            for mass, arm in zip(self.m, arms, strict=True):
                inertia += mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
            missing = before - self.angular_momentum(self.x, self.R, self.v, self.omega)
            turn = np.linalg.solve(inertia, missing)
            self.v = self.v + np.cross(turn, arms)
            self.omega = self.omega + turn

    # What a step works on

    def place(self, handle: PositionHandle) -> Array:
        """(2) Where the point of a handle is: sum w_j (R_j (point - X_j) + x_j)."""
        arms = self.R[handle.indices] @ (handle.point - self.X[handle.indices])[:, :, None]
        return handle.weights @ (arms[:, :, 0] + self.x[handle.indices])

    def blended(self, handle: DirectionHandle) -> Array:
        """Where the vector of a handle points: sum w_j R_j normal, not of unit length."""
        return handle.weights @ (self.R[handle.indices] @ handle.normal)

    # Energies, in J

    def deformation_energy(self) -> float:
        """(4) with the blended targets: k/2 sum |(R_i Q_ij - R_j) E_j A_j^1/2|^2 + v_j |R_i D_ij - (x_j - x_i)|^2."""
        i, j = self.owner, self.other
        turns = self.R[i] @ self.Q - self.R[j]
        offsets = np.einsum("eij,ej->ei", self.R[i], self.D) - (self.x[j] - self.x[i])
        turning = np.einsum("eij,ejk,eik->", turns, self.moments[j], turns)
        return float(self.k / 2 * (turning + self.volumes[j] @ (offsets**2).sum(axis=1)))

    def momentum_energy(self) -> float:
        """(10) with its density: 1/(2 h^2) sum rho |R_i - R*_i|^2_Abar + m_i |x_i - y_i|^2."""
        turns = self.R - self.R_star
        turning = self.rho * np.einsum("nij,njk,nik->", turns, self.moments, turns)
        return float((turning + self.m @ ((self.x - self.y) ** 2).sum(axis=1)) / (2 * self.h**2))

    def position_energy(self) -> float:
        """(13)"""
        return sum(h.strength / 2 * float(((self.place(h) - h.target) ** 2).sum()) for h in self.positions)

    def direction_energy(self, lengths: list[float] | None = None) -> float:
        """(15); with `lengths` of the blends that are kept from before, what the local step takes it for."""
        blends = [self.blended(h) for h in self.directions]
        lengths = lengths or [length(blend) for blend in blends]
        parts = zip(self.directions, blends, lengths, strict=True)
        return sum(h.strength / 2 * float(((blend / m - h.target) ** 2).sum()) for h, blend, m in parts)

    def energy(self) -> float:
        """(1) What local and global steps lower."""
        return self.momentum_energy() + self.deformation_energy() + self.position_energy() + self.direction_energy()

    # Angular momentum

    def spin_inertia(self, turns: Array) -> Array:
        """J_i = rho (tr(M) 1 - M) with M = R_i Abar_i R_i^T: each particle about its own centre (N, 3, 3)."""
        moments = turns @ self.moments @ np.swapaxes(turns, 1, 2)
        traces = np.trace(moments, axis1=1, axis2=2)
        return self.rho * (traces[:, None, None] * np.eye(3) - moments)

    def angular_momentum(self, x: Array, turns: Array, v: Array, omega: Array) -> Array:
        """About the centre of mass: sum m_i (x_i - c) x v_i + J_i omega_i."""
        arms = x - self.m @ x / self.m.sum()
        return self.m @ np.cross(arms, v) + np.einsum("nij,nj->i", self.spin_inertia(turns), omega)


def length(blend: Array) -> float:
    """Of the blended vector of a direction handle."""
    return max(float(np.linalg.norm(blend)), LEAST_BLEND)
