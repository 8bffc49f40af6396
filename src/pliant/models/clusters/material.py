"""What a stiffness is as a material. Poisson's ratio nu, Young's modulus E (Pa), density rho.

A cluster goes to goals that keep its fit A~ up to the matrix 1 - K (diagonal, one number for each function) and go to
the matched blend R D~ by K; what no function explains goes to zero. On top, a part V of the way to the volume of the
blend. Per mass and with k = alpha / h^2 that is the energy

    k / 2 [ sum_b K_b |A~_b - R D~_b|^2  +  V (J - J~)^2 / tr(B^-1)  +  |rest|^2 ],      B the second moments per mass

A linear function has A~ = F sqrt(B), so a strain e costs  k / 2 K_b B_b e^2  along axis b, and a solid
1 / rho (mu e^2 + lambda / 2 tr(e)^2):

    rho k K_b = 2 mu / B_b = 2 mu slope_b,        rho k V = lambda tr(B^-1)

where slope_b is the mean of |grad phi_b|^2. A quadratic function is given 2 mu slope_b / 3: for a cube a pure bend
costs a third, a pure twist a fourth of what its functions cost one by one, since half of such a motion is a rotation of
the parts. Together with the volume no motion of a cluster shall be harder than k, which settles k:

    rho k = 2 mu max(slope) + lambda tr(B^-1)

[Mueller+05] has one number beta for K = 1 - beta, V = beta: that is a cube of Poisson's ratio beta = 3 nu / (1 + nu),
and so a bare `stiffness` has it. Rigid modes have K = 1 and V = 0."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.models.clusters.polynomials import LINEAR, Basis
from pliant.models.clusters.settings import Clusters

Array = NDArray[np.float64]
RATE = 60.0  # `stiffness` is meant for this many steps per second
# Dimensionless: alpha, the part of the way to its goal that a particle of a material goes in a step, is at most this.
MOST_ALPHA = 0.3
BENT = 1.0 / 3.0  # of the cost of quadratic functions one by one: a bend of a cube


@dataclass(frozen=True, eq=False)
class Share:
    """Of one cluster: K (B,), V, and the stiffness for 1 Pa, or 1 where it does not depend on the cluster."""

    kept: Array
    volume: float
    stiffness: float


def share_of(basis: Basis, density: float, settings: Clusters) -> Share:
    """How the material of a cluster is spread over its functions."""
    there = basis.slopes > 0
    solid = bool(there[:LINEAR].all()) and settings.modes != "rigid"
    nu = settings.poisson if solid else 0.0
    if settings.young is None:
        beta = 3.0 * nu / (1.0 + nu)
        return Share(np.where(there, 1.0 - beta, 0.0), beta, 1.0)
    slopes = np.append(basis.slopes[:LINEAR], BENT * basis.slopes[LINEAR:])
    if settings.modes == "rigid":
        mean = float(slopes[there].mean()) if there.any() else 0.0
        return Share(np.where(there, 1.0, 0.0), 0.0, mean / (density * RATE**2))
    mu_twice, lame = 1.0 / (1.0 + nu), nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    across = float(slopes[:LINEAR].sum())
    whole = mu_twice * float(slopes.max()) + lame * across
    if whole == 0.0:  # all particles in one place
        return Share(np.zeros_like(slopes), 0.0, 0.0)
    return Share(mu_twice * slopes / whole, lame * across / whole, whole / (density * RATE**2))
