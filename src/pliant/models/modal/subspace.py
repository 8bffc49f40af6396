"""The nonlinear subspace [Barbic & James 2005]: modes, their derivatives, mass-PCA; forces as cubic polynomials.

With displacements U q the deformation gradient of a tet is F = 1 + sum_a G_a q_a, and its strain is
E = sum_a e_a q_a + sum_ab e_ab q_a q_b  with  e_a = sym G_a,  e_ab = sym(G_a^T G_b) / 2.  St. Venant-Kirchhoff's energy
is half of V E : C E, so the force along a mode j is

    sum_a q_a <e_a, e_j> + sum_ab q_a q_b (<e_ab, e_j> + 2 <e_b, e_aj>) + 2 sum_abc q_a q_b q_c <e_bc, e_aj>

with  <e, e'> = sum over the tets of V e : C e'."""

from itertools import combinations_with_replacement
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.elastic.elements import Elements, elements_of
from pliant.elastic.materials.lame import lame
from pliant.models.modal.eigenmodes import RIGID, eigenmodes, most_modes
from pliant.models.modal.elements import gradients_of, stiffness_matrix

Array = NDArray[np.float64]
# linear modes for a subspace of R vectors: with their derivatives some three times as many columns to choose from
LINEAR = 1.5
SHIFT = 1e-7  # of the softest mode


def subspace(body: Body, size: int, poisson: float) -> tuple[Array, Array]:
    """Eigenvalues (R,) for a modulus of 1 Pa, and vectors (3 V, R), M-orthonormal and K-orthogonal."""
    elements = elements_of(body)
    count = min(max(4, round(LINEAR * np.sqrt(2 * size))), size, most_modes(body))
    values, phi = eigenmodes(body, count, poisson)
    matrix = stiffness_matrix(elements, poisson)
    weigh = np.repeat(body.masses, 3)
    # K Psi_ij = -d^2 f / dq_i dq_j, of weight as the product of the two modes' own [Barbic & James 2005, 4.2]
    pairs = list(combinations_with_replacement(range(count), 2))
    forces = np.stack([_second(elements, phi[:, i], phi[:, j], poisson) for i, j in pairs], axis=1)
    weights = np.array([values[0] ** 2 / (values[i] * values[j]) for i, j in pairs])
    columns = [phi * (values[0] / values), weights * settled(body, -forces, poisson)]
    every = np.concatenate(columns, axis=1)
    scale = np.sqrt((weigh[:, None] * every[:, :count] ** 2).sum(axis=0).max())
    bends = np.sqrt((weigh[:, None] * every[:, count:] ** 2).sum(axis=0).max())
    every[:, count:] *= scale / bends
    u, s, _ = np.linalg.svd(np.sqrt(weigh)[:, None] * every, full_matrices=False)
    kept = min(size, int((s > 1e-9 * s[0]).sum()), most_modes(body))
    vectors = u[:, :kept] / np.sqrt(weigh)[:, None]
    stiff, axes = np.linalg.eigh(vectors.T @ (matrix @ vectors))
    return stiff, vectors @ axes


_factors: "WeakKeyDictionary[Body, dict[float, Any]]" = WeakKeyDictionary()


def settled(body: Body, forces: Array, poisson: float) -> Array:
    """(3 V, N) displacements of a free body under forces (3 V, N), in equilibrium but for its rigid motion."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import splu

    weigh, rigid = np.repeat(body.masses, 3), _rigid(body)
    known = _factors.setdefault(body, {})
    if poisson not in known:
        # free as it is, K is factored a little above 0, and rigid motions are taken out before and after
        values, _ = eigenmodes(body, 1, poisson)
        shift = SHIFT * values[0] * diags_array(weigh)
        known[poisson] = splu((stiffness_matrix(elements_of(body), poisson) + shift).tocsc())
    found: Array = known[poisson].solve(np.ascontiguousarray(forces - weigh[:, None] * (rigid @ (rigid.T @ forces))))
    return found - rigid @ (rigid.T @ (weigh[:, None] * found))


def _rigid(body: Body) -> Array:
    """(3 V, 6) M-orthonormal rigid motions."""
    arms = body.rest - body.masses @ body.rest / body.masses.sum()
    moves = [np.tile(axis, (len(arms), 1)) for axis in np.eye(3)]
    moves += [np.cross(axis, arms) for axis in np.eye(3)]
    columns = np.stack([move.reshape(-1) for move in moves], axis=1)
    root = np.sqrt(np.repeat(body.masses, 3))[:, None]
    q, _ = np.linalg.qr(root * columns)
    found: Array = q[:, :RIGID] / root
    return found


def _symmetric(a: Array) -> Array:
    return 0.5 * (a + np.swapaxes(a, 1, 2))


def _stress(e: Array, poisson: float) -> Array:
    """C e of (T, 3, 3)."""
    mu, lam = lame(1.0, poisson)
    return 2.0 * mu * e + lam * np.trace(e, axis1=1, axis2=2)[:, None, None] * np.eye(3)


def _second(elements: Elements, one: Array, other: Array, poisson: float) -> Array:
    """(3 V,) the part of the internal force that is bilinear in two displacements."""
    a, b = (gradients_of(elements, each.reshape(-1, 1))[..., 0] for each in (one, other))
    stress = _stress(_symmetric(np.swapaxes(a, 1, 2) @ b) * 0.5, poisson)
    stress = stress + 0.5 * (a @ _stress(_symmetric(b), poisson) + b @ _stress(_symmetric(a), poisson))
    pulls = np.einsum("t,tij,taj->tai", elements.volumes, stress, elements.gradients)
    out = np.zeros((elements.count, 3))
    np.add.at(out, elements.tets, pulls)
    return out.reshape(-1)


def polynomials(elements: Elements, phi: Array, poisson: float) -> tuple[Array, Array]:
    """Coefficients of q_a q_b (a <= b) and of q_a q_b q_c (a <= b <= c), each for R forces, flat."""
    r = phi.shape[1]
    mu, lam = lame(1.0, poisson)
    g = np.moveaxis(gradients_of(elements, phi), 3, 0)  # (R, T, 3, 3)
    pairs = list(combinations_with_replacement(range(r), 2))
    first = np.stack([_packed(_symmetric(g[a]), elements.volumes, mu, lam) for a in range(r)])
    second = np.stack(
        [_packed(0.5 * _symmetric(np.swapaxes(g[a], 1, 2) @ g[b]), elements.volumes, mu, lam) for a, b in pairs]
    )
    place = np.zeros((r, r), np.int64)
    for number, (a, b) in enumerate(pairs):
        place[a, b] = place[b, a] = number
    mixed = first @ second.T  # <e_j, e_ab>
    both = second @ second.T
    square = mixed[:, place].transpose(1, 2, 0) + 2.0 * mixed[:, place].transpose(1, 0, 2)  # [a, b, j]
    square = 0.5 * (square + square.transpose(1, 0, 2))
    cube = 2.0 * both[place[:, None, None, :], place[None, :, :, None]]  # [a, b, c, j] = 2 <e_aj, e_bc>
    cube = (cube + cube.transpose(1, 2, 0, 3) + cube.transpose(2, 0, 1, 3)) / 3.0
    squares = np.stack([(1.0 if a == b else 2.0) * square[a, b] for a, b in pairs])
    triples = list(combinations_with_replacement(range(r), 3))
    times = {1: 1.0, 2: 3.0, 3: 6.0}  # by how many different modes are in it
    cubes = np.stack([times[len({a, b, c})] * cube[a, b, c] for a, b, c in triples])
    return squares.reshape(-1), cubes.reshape(-1)


def _packed(e: Array, volumes: Array, mu: float, lam: float) -> Array:
    """(7 T,) numbers whose products add up to V e : C e'."""
    root = np.sqrt(volumes)
    axes = np.stack([e[:, 0, 0], e[:, 1, 1], e[:, 2, 2]]) * np.sqrt(2.0 * mu)
    across = np.stack([e[:, 0, 1], e[:, 0, 2], e[:, 1, 2]]) * np.sqrt(4.0 * mu)
    trace = np.trace(e, axis1=1, axis2=2)[None] * np.sqrt(lam)
    packed: Array = (root * np.concatenate([axes, across, trace])).reshape(-1)
    return packed
