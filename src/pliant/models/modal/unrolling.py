"""Poses as the modes see them: how each particle is turned, and how far it has gone in the frame that turns with it."""

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.elements import Elements
from pliant.geometry.regions import proper_rotations
from pliant.geometry.turning import quaternions, rotation_vectors
from pliant.models.modal.elements import around

Array = NDArray[np.float64]
STRAIGHT = 0.05  # of a displacement: what W makes less of it than this is not undone (a turn by nearly 360 degrees)


def aligned(pose: Array, rest: Array, masses: Array) -> Array:
    """(V, 3) a pose about its centre, turned to lie on the rest shape (about its own): the mean axes."""
    moved = pose - masses @ pose / masses.sum()
    fit = np.einsum("v,vi,vj->ij", masses, rest, moved)
    aligned_pose: Array = moved @ proper_rotations(fit[None])[0].T
    return aligned_pose


def particle_turns(elements: Elements, pose: Array) -> Array:
    """(V, 3) rotation vectors, those of neighbours next to one another: a twist goes on beyond half a turn."""
    rotations = proper_rotations(around(elements, elements.deformation(pose)))
    turns = rotation_vectors(np.tile([0.0, 0.0, 0.0, 1.0], (len(rotations), 1)), quaternions(rotations))
    near: list[set[int]] = [set() for _ in range(elements.count)]
    for tet in elements.tets.tolist():
        for a in tet:
            near[a].update(tet)
    known = np.zeros(elements.count, bool)
    while not known.all():
        left = np.flatnonzero(~known)
        seed = int(left[np.linalg.norm(turns[left], axis=1).argmin()])
        known[seed] = True
        front = [seed]
        while front:
            ahead = []
            for a in front:
                for b in sorted(near[a]):
                    if not known[b]:
                        turns[b] = _nearest(turns[b], turns[a])
                        known[b] = True
                        ahead.append(b)
            front = ahead
    return turns


def _nearest(turn: Array, to: Array) -> Array:
    """The same rotation, by as many full turns more as bring its vector nearest."""
    angle = float(np.linalg.norm(turn))
    axis = turn / angle if angle > 1e-6 else to / max(float(np.linalg.norm(to)), 1e-300)
    whole: Array = turn + axis * 2.0 * np.pi * np.round((float(axis @ to) - float(axis @ turn)) / (2.0 * np.pi))
    return whole


def warps(turns: Array) -> Array:
    """(V, 3, 3) W = integral of exp(s w) ds."""
    angle = np.linalg.norm(turns, axis=1)
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    b = np.where(small, 0.5 - angle**2 / 24.0, (1.0 - np.cos(safe)) / safe**2)
    c = np.where(small, 1.0 / 6.0 - angle**2 / 120.0, (1.0 - np.sin(safe) / safe) / safe**2)
    cross = np.zeros((len(turns), 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        cross[:, k, j], cross[:, j, k] = turns[:, i], -turns[:, i]
    found: Array = np.eye(3) + b[:, None, None] * cross + c[:, None, None] * (cross @ cross)
    return found


def unrolled(displacements: Array, turns: Array) -> Array:
    """(V, 3) u with W u = displacements."""
    u, s, vt = np.linalg.svd(warps(turns))
    back = np.where(s > STRAIGHT, 1.0 / np.maximum(s, STRAIGHT), 0.0)
    found: Array = np.einsum("vji,vj,vkj,vk->vi", vt, back, u, displacements)
    return found
