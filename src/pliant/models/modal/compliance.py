"""What the modes that a body has not would yield where it is held [MacNeal 1971; Rubin 1975].

Modes of a free body are slow to show what a pin does close to it: with few of them a clamped beam is much too hard.
Under slow forces all modes together are the compliance K^+ of the free body; what is left of it without those that are
there,

    G = P^T K^+ P - sum phi_p phi_p^T / lambda        P: unit forces at the points that are held

acts as a spring between pin and modes. A spring for each point stands for it, all of them as soft together as G is
against the rigid motion of what is held that it resists least: for a clamped beam that is its slope."""

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.models.modal.basis import Basis
from pliant.models.modal.subspace import settled

Array = NDArray[np.float64]
LEAST = 1e-6  # of the compliance itself: what rounding leaves of it


def springs_at(
    body: Body, basis: Basis, poisson: float, particles: NDArray[np.int64], weights: Array
) -> Array:
    """(H,) N/m for a modulus of 1 Pa, between the modes and points that ride on four particles each (H, 4)."""
    count, points = len(basis.masses), len(particles)
    at = np.zeros((count, points))
    for corner in range(4):
        np.add.at(at, (particles[:, corner], np.arange(points)), weights[:, corner])
    unit = np.einsum("vh,ij->vihj", at, np.eye(3)).reshape(3 * count, 3 * points)
    whole = unit.T @ settled(body, unit, poisson)
    shares = unit.T @ basis.phi
    left = whole - (shares / basis.values) @ shares.T
    left = 0.5 * (left + left.T)
    values, axes = np.linalg.eigh(left)
    values = np.maximum(values, LEAST * float(np.trace(whole)) / len(whole))
    own = 1.0 / np.maximum(np.diagonal((axes * values) @ axes.T).reshape(points, 3).mean(axis=1), 1e-300)
    places = at.T @ basis.rest
    moves = [np.tile(axis, (points, 1)) for axis in np.eye(3)]
    if points > 1:
        arms = places - places.mean(axis=0)
        moves += [np.cross(axis, arms) for axis in np.eye(3)]
    softest = 1.0
    for move in moves:
        if float(np.square(move).sum()) > 1e-12 * float(np.square(basis.rest).sum()):
            along = axes.T @ move.reshape(-1)
            softest = min(softest, float(along @ (along / values)) / float(own @ np.square(move).sum(axis=1)))
    return softest * own
