"""Where a fill begins: every connected piece of the mesh moved rigidly, the way its skin moves."""

import numpy as np
from numpy.typing import NDArray

from pliant.volume.filling.rotations import covariance, nearest_rotations
from pliant.volume.filling.system import FillingSystem

Array = NDArray[np.float64]

HINT = 1e-3  # weight of the skin around a piece against its own


def rigid_start(system: FillingSystem, surface: Array) -> tuple[Array, Array]:
    """Positions (V, 3) and one rotation for each tet (T, 3, 3).

    A piece without skin, or with a point or two of it, turns like the skin around it. `surface` has been
    brought back to rest as a whole, so a mesh of one piece begins at rest.
    """
    if len(system.pieces) == 1:
        return system.rest.copy(), np.broadcast_to(np.eye(3), (len(system.tets), 3, 3))
    at_rest = system.skin @ system.rest
    positions = np.empty_like(system.rest)
    rotations = np.empty((len(system.pieces), 3, 3))
    for number, piece in enumerate(system.pieces):
        near = piece.nearby
        centre, image, relation = covariance(at_rest[near], surface[near], system.shares[near])
        if len(own := piece.points):
            hint = HINT * relation
            centre, image, relation = covariance(at_rest[own], surface[own], system.shares[own])
            relation = relation + hint
        rotations[number] = nearest_rotations(relation[None])[0]
        positions[piece.particles] = (system.rest[piece.particles] - centre) @ rotations[number].T + image
    return positions, rotations[system.component[system.tets[:, 0]]]
