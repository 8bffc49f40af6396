"""Young's modulus: how stiff each region has to be, so that a body of any mesh is made of the same material.

A region r of stiffness s_r at the rate of f = 60 Hz has the energy f^2 s_r / 2 * sum m~_i |R q_i + c - x_i|^2. A small
strain e changes that by f^2 s_r / 2 * tr(e A e), A = sum m~ q q^T, and a rotation that lowers it further: in the axes
of A, with b_i its eigenvalues per mass, the modulus of a stretch is rho f^2 s_r b_i, that of a shear the harmonic mean
of two of them, and no stretch narrows what is across it (Poisson's ratio 0). The compliance of a pull in direction n is
then the sum of n_i^2 n_j^2 / 2 (1/b_i + 1/b_j) over all i, j, and its mean over all directions

    1 / E  =  1 / (rho f^2 s_r) * tr(B^-1) / 3,        or / 2 in a sheet, / 1 in a rope (B^-1 a pseudo-inverse)

B is taken about the particle itself, not about the centre of its ring. Inside a body that is the same; at its surface,
where half of the ring is missing, it is the B of the whole ring, and so a bar of few cells, which is mostly surface, is
as stiff as one of many. (About the centre, the ring of a face is thin along the normal, where nothing pulls: a
modulus from that varied by a quarter from 2 to 6 cells across, this one by 3 %.) Next to each other, regions share the
load: the compliance is averaged over the ring."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.geometry.regions import TOLERANCE, regions
from pliant.models.painting import log_factors
from pliant.models.shape_matching.constants import body_constants
from pliant.models.shape_matching.layout import RATE
from pliant.models.shape_matching.settings import ShapeMatching

Array = NDArray[np.float64]
# Dimensionless: alpha, the part of the way to its goal that a particle goes in a step, is at most this. No frequency is
# above sqrt(alpha) / h and up to 2 / h a step is stable, but free bodies that were crumpled by half a cell gained
# energy: 5 % in 4 s at 0.25, 11 % at 0.5, 27 % at 1. Half of it: 1.4 times the sub-steps for the same motion.
MOST_ALPHA = 0.3


@dataclass(frozen=True, eq=False)
class Stiffness:
    """Of the V regions and particles of a body. A region counts by its weight in the goals of its particles, and so the
    forces of each region add up to zero, also where it is stiffer than the next one."""

    weights: Array  # (V,) s_r in units of their mean
    shares: Array  # (V,) 1 / (sum of the weights of the regions that hold a particle)
    particles: Array  # (V,) mean s_r of the regions that hold a particle


_of_one_pascal: "WeakKeyDictionary[Body, Stiffness]" = WeakKeyDictionary()


def stiffness_of(body: Body, settings: ShapeMatching) -> Stiffness:
    """From `young` where it is given, else `stiffness` everywhere; times what is painted on the particle of each
    region."""
    if settings.painted:
        return _painted(body, settings)
    if settings.young is None:
        constants = body_constants(body)
        ones = np.ones(len(constants.shares))
        return Stiffness(ones, constants.shares, settings.stiffness * ones)
    one = _one_pascal(body)
    return Stiffness(one.weights, one.shares, settings.young * one.particles)


def _painted(body: Body, settings: ShapeMatching) -> Stiffness:
    """Forces of each region add up to zero however stiff it is, so no momentum comes from a border in the paint."""
    plain = stiffness_of(body, settings.model_copy(update={"painted": {}}))
    constants = body_constants(body)
    starts = np.asarray(constants.starts[:-1], np.int64)
    sizes = np.diff(constants.starts)
    held = np.add.reduceat(plain.weights[constants.members], starts)
    scale = plain.particles * sizes / held  # s_r over the weight of the region: the same in the whole body
    stiff = scale * plain.weights * np.exp(log_factors(body, settings.painted))
    mean = float(stiff.mean())
    around = np.add.reduceat(stiff[constants.members], starts)
    return Stiffness(stiff / mean, mean / around, around / sizes)


def longest_step(body: Body, settings: ShapeMatching) -> float:
    """The longest sub-step (s) in which no particle goes too far (MOST_ALPHA). A bare `stiffness` makes do with any."""
    if settings.young is None:
        return np.inf
    return float(np.sqrt(MOST_ALPHA / stiffness_of(body, settings).particles.max())) / RATE


def _one_pascal(body: Body) -> Stiffness:
    """The stiffness of a body of 1 Pa, found once."""
    if body not in _of_one_pascal:
        _of_one_pascal[body] = _make(body)
    return _of_one_pascal[body]


def _make(body: Body) -> Stiffness:
    r = regions(body.rest, body.masses, body.elements, body.kind)
    aside = r.centres - body.rest
    about_own = r.moments / r.masses[:, None, None] + aside[:, :, None] * aside[:, None, :]
    values = np.linalg.eigvalsh(about_own)
    kept = values > TOLERANCE[body.kind] * values[:, -1:]
    compliance = np.where(kept, 1.0 / np.where(kept, values, 1.0), 0.0).sum(axis=1) / np.maximum(kept.sum(axis=1), 1)

    def over_ring(numbers: Array) -> Array:
        return np.add.reduceat(numbers[r.members], r.starts[:-1])

    needed = over_ring(r.masses * compliance) / over_ring(r.masses) / (body.density * RATE**2)
    mean = float(needed.mean()) or 1.0
    held = over_ring(needed)  # a region holds those that hold its own particle
    return Stiffness(needed / mean, mean / np.where(held > 0, held, 1.0), held / np.diff(r.starts))
