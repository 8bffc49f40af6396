"""Graphs of oriented particles made by chance, and what is done to them."""

import numpy as np
from scipy.spatial.transform import Rotation

from pliant.bench.oriented_arrays import DirectionHandle, Particles, PositionHandle
from pliant.bench.oriented_twin import OrientedTwin


def random_particles(rng: np.random.Generator, count: int, poses: int = 0) -> Particles:
    """A connected graph of ellipsoids of all shapes in a box of 1 m, with poses in which nothing is as it was."""
    rest = rng.uniform(-0.5, 0.5, (count, 3))
    tree = [(int(rng.integers(i)), i) for i in range(1, count)]
    more = [(i, j) for i in range(count) for j in range(i + 1, count) if rng.uniform() < 0.2]
    edges = np.array(sorted({*tree, *more}), dtype=np.int64).reshape(-1, 2)
    radii = rng.uniform(0.05, 0.3, (count, 3))
    volumes = 4 / 3 * np.pi * radii.prod(axis=1)
    axes = Rotation.random(count, rng=rng).as_matrix()
    moments = np.einsum("nia,na,nja->nij", axes, volumes[:, None] / 5 * radii**2, axes)
    centres = rest + 0.3 * rng.normal(size=(poses, count, 3))
    turns = Rotation.from_rotvec(0.5 * rng.normal(size=(poses * count, 3)) if poses else np.zeros((1, 3))).as_matrix()
    turns = turns[: poses * count].reshape(poses, count, 3, 3)
    return Particles(rest, edges, volumes, moments, float(rng.uniform(100, 2000)), centres, turns)


def scramble(twin: OrientedTwin, rng: np.random.Generator, amount: float = 1.0) -> None:
    """Everything somewhere else, turned, moving and spinning."""
    count = len(twin.x)
    twin.x = twin.X + amount * rng.normal(size=(count, 3))
    twin.R = Rotation.from_rotvec(3 * amount * rng.normal(size=(count, 3))).as_matrix()
    twin.v, twin.omega = amount * rng.normal(size=(count, 3)), 5 * amount * rng.normal(size=(count, 3))


def random_handles(
    rng: np.random.Generator, twin: OrientedTwin, count: int
) -> tuple[list[PositionHandle], list[DirectionHandle]]:
    """`count` handles of each kind, each carried by up to three particles."""
    positions, directions = [], []
    for _ in range(count):
        carriers = rng.permutation(len(twin.x))[: rng.integers(1, 4)]
        weights = rng.dirichlet(np.ones(len(carriers)))
        point, target, normal, aim = rng.normal(size=(4, 3))
        strength = float(10 ** rng.uniform(2, 8))
        positions.append(PositionHandle(point, carriers, weights, target, strength))
        normal, aim = normal / np.linalg.norm(normal), aim / np.linalg.norm(aim)
        directions.append(DirectionHandle(normal, carriers, weights, aim, strength))
    return positions, directions


def twist(twin: OrientedTwin) -> float:
    """Of a chain along x: how far its end is turned about it, in degrees, summed from particle to particle."""
    relative = np.swapaxes(twin.R[:-1], 1, 2) @ twin.R[1:]
    return float(np.degrees(Rotation.from_matrix(relative).as_rotvec()[:, 0].sum()))
