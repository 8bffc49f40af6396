"""Momentum of a body that nothing holds, and how it is kept.

Forces inside a body change neither its momentum nor its angular momentum. Implicit Euler takes some of the latter away
in each step (h^2 v x f), and iterations that end early leave something of both. What is missing after a step is given
back as a rigid motion, which deforms nothing."""

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.springs import Springs

Array = NDArray[np.float64]


def keep_momentum(masses: Array, x: Array, y: Array, p: Array, springs: Springs, h: float) -> None:
    """Move p (3 V,) rigidly such that the step from x has the momentum that inertia, weight (both in y) and handles
    give it.

    The angular momentum about a point is sum m x cross (p - x) / h. A turn p += w cross r, r from the centre, alters it
    by J w / h with J = sum m ((a . r) 1 - r a^T), a from the point to x."""
    now, ahead, there = x.reshape(-1, 3), y.reshape(-1, 3), p.reshape(-1, 3)
    mass = masses.sum()
    about = masses @ now / mass
    pulls = -springs.stiffness[:, None] * springs.reach(p) if len(springs) else np.zeros((0, 3))
    there += masses @ (ahead - there) / mass + h * h * pulls.sum(axis=0) / mass
    a = masses[:, None] * (now - about)
    wanted = np.cross(a, ahead - now).sum(axis=0)
    if len(springs):
        wanted += h * h * np.cross(springs.reach(p) + springs.targets - about, pulls).sum(axis=0)
    missing = wanted - np.cross(a, there - now).sum(axis=0)
    r = there - masses @ there / mass
    inertia = np.einsum("vi,vi->", a, r) * np.eye(3) - np.einsum("vi,vj->ij", r, a)
    if np.isfinite(inertia).all() and abs(np.linalg.det(inertia)) > 1e-12 * abs(np.trace(inertia)) ** 3:
        there += np.cross(np.linalg.solve(inertia, missing), r)
