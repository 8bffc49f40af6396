"""How hard a body from a file has to be to carry its own weight, and how strong its poses may be without being held in
one by it.

A body of the height H that stands on the floor carries at each height y what is above it: its weight shortens it by the
integral of g M(y) / (E A(y)), A the area of its section there. So thin legs decide, and the modulus E that keeps this
below PRESSED of H follows. What bends under its own weight, a wide roof or an arm, is not seen by that. (The sag of all
of it, from the Hessian at rest, was tried: it is as large as one likes for a body that stands on a point and topples.)

Along a pose it resists with 1 / beta - 1 of the energy that the pose has (pliant.examples), beta being the strength.
On the way its weight does the work m g (h(0) - h(w)), h(w) the height of its centre above what it stands on. With all
weights w, K the Gram matrix of the poses in the energy's measure:

    U(w) = (1 / beta - 1) w' K w / 2 + m g h(w)

The first part is convex, and so is h (where a blend x + w u touches the floor is the least of numbers linear in w): a
body at rest has one equilibrium only. It is where (1 / beta - 1) K w = m g (-dh/dw), and beta follows for a sum of
weights of at most PRESSED. Where weight does not press a body into its poses, they are to let go of it in time: the
slowest motion along them, x'' + d x' + (1 - beta) K/M x = 0 with the damping d, is to die out within BACK.
"""

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.examples import factors, visible
from pliant.geometry.measures import volumes
from pliant.models.shape_matching.constants import body_constants, pose_constants
from pliant.models.shape_matching.material import RATE, stiffness_of
from pliant.models.shape_matching.settings import ShapeMatching
from pliant.world.courses import laid_on

Array = NDArray[np.float64]
# Dimensionless: of its height, and of the way into its poses, that the weight of a body may press it. Squashed to half
# it loses 1.5 times that of its height by both, less than a twentieth, which is hardly seen. With half of it a body is
# a brick that shows little of a pose at an impact, with twice it slumps.
PRESSED = 0.03
BACK = 2.0  # s: the time in which a pose that nothing holds any more goes back to PRESSED of it
DIRECTIONS = 1000  # down, seen from the body: about 6 degrees apart
TIPS = np.cos(np.radians(45))  # how far it may tip


def stiffness_to_stand(body: Body, gravity: float) -> float:
    """The least `stiffness` with which a solid that stands upright keeps its height; 0 for sheets and ropes, which bend
    long before they are pressed."""
    if body.kind != "solid" or gravity == 0.0:
        return 0.0
    filled = np.abs(volumes(body.rest, body.elements))
    layer = 2.0 * float(filled.sum() / len(body.rest)) ** (1 / 3)  # two particles: the least that has a thickness
    corners = body.rest[:, 1][body.elements]
    low, high = corners.min(axis=1), corners.max(axis=1)
    edges = np.arange(low.min(), high.max() + layer, layer)
    below = [float(filled @ np.clip((y - low) / (high - low), 0.0, 1.0)) for y in edges]
    slices = np.diff(below)
    slices = slices[slices > 0.0]
    above = np.cumsum(slices[::-1])[::-1] - 0.5 * slices
    height = float(edges[-1] - edges[0])
    young = gravity * body.density * layer**2 * float((above / slices).sum()) / (PRESSED * height)
    return young * float(stiffness_of(body, ShapeMatching(young=1.0)).particles.mean())


def strength_to_stand(body: Body, stiffness: float, damping: float, gravity: float) -> float:
    """The largest `example_strength` with which a body is not held in its poses; without any, the usual one."""
    grams = pose_constants(body, "held").grams.sum(axis=0)
    seen = np.flatnonzero(visible(grams.diagonal(), 3.0 * body_constants(body).scales.sum()))
    if not len(seen):
        return float(ShapeMatching().example_strength)
    energies = RATE**2 * stiffness * grams[np.ix_(seen, seen)]
    rest = laid_on(body.rest, body.rest, body.masses) - body.masses @ body.rest / body.mass
    poses = [pose for number, pose in enumerate(body.poses.values()) if number in seen]
    moved = np.array([laid_on(pose, rest, body.masses) - rest for pose in poses])
    _, inverse = (each[0] for each in factors(energies[None]))
    held = _pressed(inverse, body.mass * gravity * lowered(rest, moved) / PRESSED) / PRESSED
    masses = np.einsum("v,kvi,lvi->kl", body.masses, moved, moved)
    slowest = float(np.linalg.eigvalsh(inverse.T @ masses @ inverse)[-1])  # M / K
    rate = min(-np.log(PRESSED) / BACK, 0.5 * damping)
    strength = min(1.0 / (1.0 + held), 1.0 - rate * (damping - rate) * slowest)
    return float(np.floor(100.0 * max(strength, 0.0)) / 100.0)


def _pressed(inverse: Array, forces: Array) -> float:
    """The sum of the weights w >= 0 that minimise w' K w / 2 - f' w, with K = U' U and the inverse of U."""
    from scipy.optimize import nnls

    weights, _ = nnls(np.linalg.inv(inverse), inverse.T @ np.maximum(forces, 0.0))
    return float(weights.sum())


def lowered(rest: Array, moved: Array) -> Array:
    """(K,) m: by how much the centre of a shape (V, 3; about it) comes lower when it goes PRESSED of the way (K, V, 3)
    into a pose. It stands as it was drawn, or lies where it ends when it has toppled, and may tip meanwhile."""
    steps = np.arange(DIRECTIONS) + 0.5
    turn, z = np.pi * (1.0 + np.sqrt(5.0)) * steps, 1.0 - 2.0 * steps / DIRECTIONS
    down = np.column_stack([np.sqrt(1.0 - z * z) * np.cos(turn), z, np.sqrt(1.0 - z * z) * np.sin(turn)])
    down = np.concatenate([[[0.0, -1.0, 0.0]], down])
    cosines = down @ down.T

    def lowest(shape: Array) -> Array:
        heights = (shape @ down.T).max(axis=0)
        return np.array([heights[cosines[lies] > TIPS].min() for lies in stances])

    stances = (0, int((rest @ down.T).max(axis=0).argmin()))
    before = lowest(rest)
    return np.array([(before - lowest(rest + PRESSED * way)).max() for way in moved])
