"""Where particles are, as frame and modes: for an actor that begins, or that has been moved by hand."""

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.regions import proper_rotations
from pliant.geometry.turning import rotation_matrices
from pliant.models.modal import layout as at
from pliant.models.modal.prepare import Player
from pliant.models.modal.unrolling import warps

Array = NDArray[np.float64]
ROUNDS = 60  # of the search for q. Poses are met at once, what is bent by a right angle in ten
CLOSE = 1e-12  # of the size


def begin(player: Player, row: Array, x: Array, v: Array) -> None:
    """Fills what an actor remembers from places (V, 3) and velocities (V, 3). The mean axes are those of the best
    rotation; momentum and angular momentum are kept as they are."""
    basis, masses = player.basis, player.basis.masses
    count, modes, k = player.count, basis.modes, player.weight_count
    total = masses.sum()
    centre, velocity = masses @ x / total, masses @ v / total
    arms = x - centre
    rotation = proper_rotations(np.einsum("v,vi,vj->ij", masses, arms, basis.rest)[None])[0]
    q = amounts(player, arms @ rotation - basis.rest)
    displaced, turns = displacements(player, q)
    made = basis.rest + displaced
    made = centre + (made - masses @ made / total) @ rotation.T
    arms = x - centre
    momentum = np.einsum("v,vi->i", masses, np.cross(arms, v - velocity))
    rigid = made - centre
    inertia = np.einsum("v,vi,vi->", masses, rigid, rigid) * np.eye(3) - np.einsum("v,vi,vj->ij", masses, rigid, rigid)
    spin = np.linalg.pinv(inertia, hermitian=True) @ momentum
    loose = ((v - velocity - np.cross(spin, rigid)) @ rotation)[:, :, None]
    if player.settings.shapes == "warped":
        loose = np.swapaxes(rotations(turns), 1, 2) @ loose
    head = row[: at.HEAD]
    head[:] = 0.0
    head[at.STARTED], head[at.HEAVIER] = at.FRESH, 1.0
    head[at.CENTRE : at.CENTRE + 3], head[at.ROTATION : at.ROTATION + 9] = centre, rotation.reshape(-1)
    head[at.VELOCITY : at.VELOCITY + 3], head[at.MOMENTUM : at.MOMENTUM + 3] = velocity, momentum
    rest = row[at.HEAD :]
    rest[:modes] = q
    rest[modes : 2 * modes] = basis.phi.T @ (np.repeat(masses, 3) * loose.reshape(-1))
    rest[2 * modes : 3 * modes] = 0.0
    rest[3 * modes + k : 3 * modes + k + 3 * count] = made.reshape(-1)
    rest[3 * modes + k + 3 * count : 3 * modes + k + 6 * count] = v.reshape(-1)
    rest[3 * modes + k + 6 * count :] = turns.reshape(-1)


def rotations(turns: Array) -> Array:
    """(V, 3, 3) exp(w)."""
    angle = np.linalg.norm(turns, axis=1, keepdims=True)
    half = 0.5 * np.sinc(angle / (2.0 * np.pi)) * turns
    return rotation_matrices(np.concatenate([half, np.cos(0.5 * angle)], axis=1))


def displacements(player: Player, q: Array) -> tuple[Array, Array]:
    """(V, 3) of modes in the amounts q, in the frame, and rotation vectors (V, 3)."""
    basis = player.basis
    moved = (basis.phi @ q).reshape(-1, 3)
    if player.settings.shapes != "warped":
        return moved, np.zeros_like(moved)
    turns = (basis.psi @ q).reshape(-1, 3)
    return (warps(turns) @ moved[:, :, None])[:, :, 0], turns


def amounts(player: Player, wanted: Array) -> Array:
    """(R,) q whose displacements are nearest to those wanted (V, 3). Linear modes are orthonormal; warped ones are
    sought from there, or from the pose that is nearest."""
    basis = player.basis
    weigh = np.repeat(basis.masses, 3)

    def away(q: Array) -> tuple[float, Array, Array]:
        moved, turns = displacements(player, q)
        left = wanted - moved
        return float(basis.masses @ np.square(left).sum(axis=1)), left, turns

    linear: Array = basis.phi.T @ (weigh * wanted.reshape(-1))
    if player.settings.shapes != "warped":
        return linear
    starts = [np.zeros(basis.modes), linear, *basis.poses.T]
    best = min(starts, key=lambda q: away(q)[0])
    miss, left, turns = away(best)
    close = (CLOSE * player.size) ** 2 * basis.masses.sum()
    part = 1.0
    for _ in range(ROUNDS):
        if miss <= close or part < 1e-3:
            break
        local = (np.swapaxes(rotations(turns), 1, 2) @ left[:, :, None]).reshape(-1)
        step = basis.phi.T @ (weigh * local)
        there = best + part * step
        miss_there, left_there, turns_there = away(there)
        if miss_there < miss:
            done = miss_there > miss * (1.0 - 1e-9)
            best, miss, left, turns = there, miss_there, left_there, turns_there
            part = min(1.0, 1.5 * part)
            if done:
                break
        else:
            part *= 0.5
    return best
