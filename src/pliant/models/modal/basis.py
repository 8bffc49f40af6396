"""The vectors that a body is made of: its softest modes, or a nonlinear subspace; then one for what each pose has that
these have not."""

from collections.abc import Hashable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.elastic.elements import Elements, elements_of
from pliant.models.modal.eigenmodes import eigenmodes
from pliant.models.modal.elements import stiffness_matrix, strain_metric, turns_of
from pliant.models.modal.settings import Modal
from pliant.models.modal.subspace import polynomials, settled, subspace
from pliant.models.modal.unrolling import aligned, particle_turns, unrolled

Array = NDArray[np.float64]
NEW = 0.02  # of a pose's displacement: what of it the modes have not is a vector of its own from here on. Half: vectors
# of almost nothing, and hard; twice: a pose that is drawn finely is met less well


@dataclass(frozen=True, eq=False)
class Basis:
    """V particles, R vectors, K poses. rest (V, 3) m about the centre of mass; masses (V,) kg; values (R,) in 1/s^2 for
    1 Pa; phi (3 V, R): M-orthonormal and K-orthogonal; psi (3 V, R): half their curl, that of pose vectors so that
    poses are met; poses (R, K): their coordinates; squares, cubes: of the nonlinear force, else empty."""

    rest: Array
    masses: Array
    values: Array
    phi: Array
    psi: Array
    poses: Array
    squares: Array
    cubes: Array

    @property
    def modes(self) -> int:
        """R."""
        return len(self.values)


_kept: "WeakKeyDictionary[Body, dict[Hashable, Basis]]" = WeakKeyDictionary()


def basis_key(settings: Modal) -> Hashable:
    """What of the settings vectors depend on, but named groups."""
    return settings.modes, settings.poisson, settings.shapes, settings.example_strength > 0


def basis_of(body: Body, settings: Modal, seen: NDArray[np.bool_], parts: list[NDArray[np.bool_]]) -> Basis:
    """Made at the first use of a body. seen (K,): the poses that count; parts: the tets of named groups."""
    known = _kept.setdefault(body, {})
    key = basis_key(settings), tuple(each.tobytes() for each in parts)
    if key not in known:
        known[key] = _make(body, settings, seen, parts)
    return known[key]


def _make(body: Body, settings: Modal, seen: NDArray[np.bool_], parts: list[NDArray[np.bool_]]) -> Basis:
    elements = elements_of(body)
    masses = body.masses
    rest = body.rest - masses @ body.rest / masses.sum()
    if settings.shapes == "nonlinear":
        values, phi = subspace(body, settings.modes, settings.poisson)
    else:
        values, phi = eigenmodes(body, settings.modes, settings.poisson)
    psi = turns_of(elements, phi) if settings.shapes == "warped" else np.zeros_like(phi)
    fields, turns = _of_poses(elements, rest, body, settings)
    coordinates = np.zeros((len(values), len(body.poses)))
    if settings.example_strength > 0 and seen.any():
        fields, turns = fields[:, seen], turns[:, seen]
        poses = fields.shape[1]
        if parts:
            alone = _of_parts(body, settings, fields, parts)
            curls = turns_of(elements, alone) if settings.shapes == "warped" else np.zeros_like(alone)
            fields, turns = np.concatenate([fields, alone], axis=1), np.concatenate([turns, curls], axis=1)
        values, phi, psi, found = _with_poses(
            elements, masses, settings.poisson, (values, phi, psi), fields, turns
        )
        coordinates = np.zeros((len(values), len(body.poses)))
        coordinates[:, seen] = found[:, :poses]
    none = np.zeros(0)
    squares, cubes = none, none
    if settings.shapes == "nonlinear":
        squares, cubes = polynomials(elements, phi, settings.poisson)
    return Basis(rest, masses, values, phi, psi, coordinates, squares, cubes)


def _of_poses(elements: Elements, rest: Array, body: Body, settings: Modal) -> tuple[Array, Array]:
    """(3 V, K) displacements of the poses, unrolled where modes are warped, and rotation vectors."""
    fields, turns = [np.zeros((3 * len(rest), 0))], [np.zeros((3 * len(rest), 0))]
    for pose in body.poses.values():
        placed = aligned(pose, rest, body.masses)
        moved, turn = placed - rest, np.zeros_like(rest)
        if settings.shapes == "warped":
            turn = particle_turns(elements, placed)
            moved = unrolled(moved, turn)
        fields.append(moved.reshape(-1, 1))
        turns.append(turn.reshape(-1, 1))
    return np.concatenate(fields, axis=1), np.concatenate(turns, axis=1)


def _of_parts(body: Body, settings: Modal, fields: Array, parts: list[NDArray[np.bool_]]) -> Array:
    """(3 V, G K) where the body comes to rest if the rest shape of one group's tets is a pose, that of all others what
    it is: K u = K_g d."""
    elements, found = elements_of(body), []
    for chosen in parts:
        forces = stiffness_matrix(elements, settings.poisson, chosen) @ fields
        found.append(settled(body, forces, settings.poisson))
    return np.concatenate(found, axis=1)


def _with_poses(
    elements: Elements, masses: Array, poisson: float, vectors: tuple[Array, Array, Array], fields: Array, turns: Array
) -> tuple[Array, Array, Array, Array]:
    """Modes, and what poses have beside them, made M-orthonormal and K-orthogonal. The stiffness between a mode and
    what is M-orthogonal to all modes is zero: K Phi = M Phi Lambda."""
    values, phi, psi = vectors
    weigh = np.repeat(masses, 3)[:, None]
    within = phi.T @ (weigh * fields)
    beyond, beyond_turns = fields - phi @ within, turns - psi @ within
    for _again in range(2):  # rounding
        more = phi.T @ (weigh * beyond)
        beyond, within = beyond - phi @ more, within + more
    sizes = np.maximum(np.sqrt((weigh * fields * fields).sum(axis=0)), 1e-300)
    u, s, vt = np.linalg.svd(np.sqrt(weigh) * beyond / sizes, full_matrices=False)
    kept = s > NEW
    if not kept.any():
        return values, phi, psi, within
    new = u[:, kept] / np.sqrt(weigh)
    # beyond / sizes = new s vt, and turns go as the vectors go
    new_turns = (beyond_turns / sizes) @ vt[kept].T / s[kept]
    metric = strain_metric(elements, poisson, new, new, np.ones(len(elements.tets), bool))
    new_values, axes = np.linalg.eigh(metric)
    coordinates = axes.T @ (s[kept, None] * vt[kept] * sizes)
    return (
        np.concatenate([values, new_values]),
        np.concatenate([phi, new @ axes], axis=1),
        np.concatenate([psi, new_turns @ axes], axis=1),
        np.concatenate([within, coordinates]),
    )
