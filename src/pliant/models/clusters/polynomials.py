"""The functions that a cluster is deformed by: linear and quadratic polynomials of the rest shape, orthonormal.

[Mueller+05] writes q~ = (x, y, z, x^2, y^2, z^2, xy, yz, zx) and A~ = (sum m p q~^T)(sum m q~ q~^T)^-1. Here the same
space has another basis phi:  sum m phi_a phi_b = delta_ab  and  sum m phi = 0,  masses adding up to 1. Then the
inverse is gone, A~ is a plain sum, and goals keep the centre of mass, which those of x^2 as printed do not. Functions
that the particles cannot tell apart (a flat cluster, fewer than ten particles) drop out: that is the pseudo-inverse.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LINEAR, QUADRATIC = 3, 9  # functions
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
# Dimensionless: squared length of a quadratic function that is left when linear ones are taken out, against the
# largest; below, particles do not tell it apart. Half or twice of it changes nothing: what is there is above 1e-2.
UNTOLD = 1e-4


@dataclass(frozen=True, eq=False)
class Basis:
    """phi (n, B): each function at the particles, zero where the particles do not tell it; slopes (B,) 1/m^2: the mean
    of |grad phi|^2, 0 for those; missing (3, 3): the projector on the axes along which a cluster is flat."""

    phi: Array
    slopes: Array
    missing: Array


def basis(offsets: Array, masses: Array, functions: int, flat: float) -> Basis:
    """offsets (n, 3) m about the centre, masses (n,) that add up to 1; `flat`: second moments below this part of the
    largest count as none.

    >>> corners = np.array([[x, y, z] for x in (-1.0, 1) for y in (-1, 1) for z in (-1, 1)])
    >>> made = basis(corners, np.full(8, 1 / 8), QUADRATIC, 1e-6)
    >>> int((made.slopes > 0).sum())  # x^2, y^2 and z^2 are the same at all corners
    6
    """
    moments = np.einsum("n,ni,nj->ij", masses, offsets, offsets)
    values, axes = np.linalg.eigh(moments)
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1.0
    kept = values > flat * max(values[-1], 1e-300)
    scale = np.where(kept, 1.0 / np.sqrt(np.where(kept, values, 1.0)), 0.0)
    linear = offsets @ (axes * scale)
    slope = axes * scale  # columns: the gradients of the linear functions
    missing = (axes * ~kept) @ axes.T
    if functions == LINEAR:
        return Basis(linear, scale**2, missing)
    products = np.stack([linear[:, i] * linear[:, j] for i, j in PAIRS], axis=1)
    slopes = np.stack([linear[:, i, None] * slope[:, j] + linear[:, j, None] * slope[:, i] for i, j in PAIRS], axis=1)
    along = np.einsum("n,na,nb->ab", masses, linear, products)
    products -= masses @ products + linear @ along
    slopes -= np.einsum("ia,ab->bi", slope, along)
    lengths, turn = np.linalg.eigh(np.einsum("n,na,nb->ab", masses, products, products))
    there = lengths > UNTOLD * max(lengths[-1], 1.0)
    whiten = turn * np.where(there, 1.0 / np.sqrt(np.where(there, lengths, 1.0)), 0.0)
    # Of all orthonormal bases the one whose gradients are orthogonal, too: each function has a stiffness of its own.
    energies = np.einsum("n,nai,nbi->ab", masses, slopes, slopes)
    values, turn = np.linalg.eigh(whiten.T @ energies @ whiten)
    quadratic = products @ whiten @ turn
    values = np.where(np.einsum("n,na,na->a", masses, quadratic, quadratic) > 0.5, values, 0.0)
    return Basis(np.concatenate([linear, quadratic], axis=1), np.append(scale**2, values), missing)
