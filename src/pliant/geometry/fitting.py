"""Outer particles of a cage moved onto the surface it carries."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.spatial import cKDTree

from pliant.geometry.boundary import OUTWARD_FACES, boundary_triangles
from pliant.geometry.carrying import Kin
from pliant.geometry.carving import Carver
from pliant.geometry.normals import face_normals, vertex_normals
from pliant.geometry.symmetry import symmetric_steps, upper_half, with_images

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

FITTING_ROUNDS = 10  # of moving between two looks for flat tets
LEAST_QUALITY = 0.25  # least quality of a tet, 1 for a regular one
LEAST_QUALITIES = (0.1, 0.1, 0.1, LEAST_QUALITY)  # lower at first, to let flat tets show themselves
FLAT_QUALITY = 0.4  # quality below which a tet with two outer faces is taken off
ASTRAY = 0.3  # of a cell: a particle further from the surface may go together with its only tet
POOR = 0.4  # quality below which the corners of a tet are pushed apart
SHARE = 6  # surface samples for each outer particle when they share out the surface
CANDIDATES = 12  # surface points a particle looks at
MORE_CANDIDATES = 100  # if all of those are strangers


def fit(
    rest: Array,
    tets: Indices,
    surface: Array,
    normals: Array,
    cell: float,
    mirror: tuple[int, NDArray[np.int64]] | None = None,
    kin: Kin | None = None,
) -> tuple[Array, Indices, NDArray[np.int64]]:
    """The cage with its boundary drawn onto the surface samples, as far as no tet gets bad; and which of its tets
    are left.

    A particle goes only to surface that faces the way it does: across a narrow gap the other part's surface
    is near but turned against it. A tet all of whose corners end up on the surface gets flat: such caps are
    taken off. `mirror`, an axis and the twin of each particle, keeps a symmetric cage symmetric. With `kin` a
    particle goes to surface of its own part only, also where another part's is nearer and faces the same way.
    """
    kept = np.arange(len(tets))
    for least in LEAST_QUALITIES:
        rest = _drawn(rest, tets, surface, normals, cell, least, mirror, kin)
        if least < LEAST_QUALITY:
            if mirror is None:
                left = _without_caps(rest, tets, surface, cell, None)
                tets, kept = tets[left], kept[left]
            else:
                twin = mirror[1]
                half = upper_half(tets, twin)
                left = _without_caps(rest, half, surface, cell, twin == np.arange(len(twin)))
                tets, kept = with_images(half[left], twin), kept[np.concatenate([left, left])]
    used, compact = np.unique(tets, return_inverse=True)
    return rest[used], compact.reshape(-1, 4).astype(np.int32), kept


def _without_caps(
    rest: Array, tets: Indices, surface: Array, cell: float, wall: NDArray[np.bool_] | None
) -> NDArray[np.bool_]:
    """Which tets stay: not flat ones that have two faces outside, nor thorns that did not reach the surface."""
    quality, _ = _measure(rest, tets, cell)
    astray = cKDTree(surface).query(rest)[0] > ASTRAY * cell
    mesh = Carver(tets, wall)
    for t in np.argsort(quality, kind="stable").tolist():
        outer = mesh.outer_faces(t)
        flat = len(outer) == 2 and quality[t] < FLAT_QUALITY
        thorn = len(outer) == 3 and astray[tets[t, 6 - sum(outer)]]
        if (flat or thorn) and mesh.removable(t):
            mesh.remove(t)
    return mesh.present


def _drawn(
    rest: Array,
    tets: Indices,
    surface: Array,
    normals: Array,
    cell: float,
    least: float,
    mirror: tuple[int, NDArray[np.int64]] | None,
    kin: Kin | None,
) -> Array:
    triangles = boundary_triangles(tets)
    outer = np.unique(triangles).astype(np.int64)
    mean = _averages(tets, len(rest))
    tree = cKDTree(surface)
    inner = np.ones(len(rest), dtype=bool)
    inner[outer] = False
    # Some samples for each particle are enough to tell the middle of its share.
    some = slice(None, None, max(len(surface) // (SHARE * len(outer)), 1))
    for turn in range(FITTING_ROUNDS):
        facing = vertex_normals(rest, triangles)[outer]
        target, direction, found = _targets(rest, outer, facing, tree, surface, normals, cell, kin)
        if turn % 3 == 0:
            middle = _shares(rest, outer, facing, surface, normals, some, kin)
        spread = middle - rest[outer]
        spread -= np.einsum("ij,ij->i", spread, direction)[:, None] * direction
        # One that sees no surface to go to stays with its neighbours.
        spread = np.where(found[:, None], spread, (mean @ rest)[outer] - rest[outer])
        step = np.zeros_like(rest)
        step[outer] = 0.5 * (target - rest[outer]) + 0.3 * spread
        step[inner] = 0.5 * (mean @ rest - rest)[inner]
        step += _unfolding(rest, tets, cell)
        if mirror is not None:
            # Only particles of the high side know their kin.
            step = symmetric_steps(step, mirror[1], mirror[0], leading=kin is not None)
        rest = _guarded(rest, step, tets, cell, least)
    return rest


def _shares(
    rest: Array, outer: NDArray[np.int64], facing: Array, surface: Array, normals: Array, some: slice, kin: Kin | None
) -> Array:
    """The middle of the surface samples nearest to each point: going there spreads the points over all of the
    surface (Lloyd), tips included, while the mean of their neighbours would draw them back from tips."""
    points, surface, normals = rest[outer], surface[some], normals[some]
    looks = 3 if kin is None else 6  # others' particles may be among them
    _, near = cKDTree(points).query(surface, k=np.arange(1, min(looks, len(points)) + 1))
    agree = np.einsum("nkx,nx->nk", facing[near], normals) > 0.1
    if kin is not None:
        agree &= kin.related(outer[near], np.arange(len(kin.copy))[some][:, None])
    owner = near[np.arange(len(surface)), agree.argmax(axis=1)][agree.any(axis=1)]
    taken = surface[agree.any(axis=1)]
    count = np.bincount(owner, minlength=len(points))
    total = np.stack([np.bincount(owner, taken[:, axis], minlength=len(points)) for axis in range(3)], axis=1)
    return np.where(count[:, None] > 0, total / np.maximum(count, 1)[:, None], points)


def _unfolding(rest: Array, tets: Indices, cell: float) -> Array:
    """Steps that lift every corner of a poor tet away from the opposite face."""
    quality, _ = _measure(rest, tets, cell)
    poor = np.flatnonzero(quality < POOR)
    step = np.zeros_like(rest)
    for k in range(4):
        tip, face = tets[poor, k], tets[poor][:, OUTWARD_FACES[k]]
        away = -face_normals(rest, face)
        np.add.at(step, tip, (0.1 * cell * (1 - quality[poor] / POOR))[:, None] * away)
    return step


def _averages(elements: Indices, count: int) -> coo_array:
    """A matrix that takes each particle to the mean of its neighbours."""
    corners = elements.shape[1]
    pairs = [(elements[:, a], elements[:, b]) for a in range(corners) for b in range(corners) if a != b]
    keys = np.unique(np.concatenate([a.astype(np.int64) * count + b for a, b in pairs]))
    first, second = np.divmod(keys, count)
    share = 1 / np.maximum(np.bincount(first, minlength=count), 1)
    return coo_array((share[first], (first, second)), shape=(count, count)).tocsr()


def _targets(
    rest: Array,
    outer: NDArray[np.int64],
    facing: Array,
    tree: cKDTree,
    surface: Array,
    normals: Array,
    cell: float,
    kin: Kin | None,
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """For each point its foot on the surface, the normal there, and whether there is one (else the point
    itself)."""
    points = rest[outer]

    def nearest(who: NDArray[np.int64], candidates: int) -> tuple[NDArray[np.int64], Array]:
        """The nearest sample that is turned as the particle is and its kin; three cells further if none is."""
        _, near = tree.query(points[who], k=np.arange(1, min(candidates, len(surface)) + 1))
        wrong = np.einsum("nkx,nx->nk", normals[near], facing[who]) < 0.1
        if kin is not None:
            wrong |= ~kin.related(outer[who][:, None], near)
        distance = np.linalg.norm(surface[near] - points[who][:, None], axis=2) + np.where(wrong, 3 * cell, 0)
        best = distance.argmin(axis=1)[:, None]
        return np.take_along_axis(near, best, axis=1)[:, 0], np.take_along_axis(distance, best, axis=1)[:, 0]

    chosen, distance = nearest(np.arange(len(points)), CANDIDATES)
    lost = np.flatnonzero(distance > 2 * cell)
    if len(lost) and kin is not None:  # deep in another part: look further
        chosen[lost], distance[lost] = nearest(lost, MORE_CANDIDATES)
    normal = normals[chosen]
    away = points - surface[chosen]
    height = np.einsum("ij,ij->i", away, normal)[:, None] * normal
    aside = away - height
    # Along the tangent plane of the nearest sample as far as the next sample, so that particles do not pile
    # up on it.
    length = np.linalg.norm(aside, axis=1, keepdims=True)
    foot = surface[chosen] + aside * np.minimum(1.0, 0.15 * cell / np.maximum(length, 1e-300))
    found = distance <= 2 * cell
    return np.where(found[:, None], foot, points), normal, found


def _guarded(rest: Array, step: Array, tets: Indices, cell: float, least: float) -> Array:
    """One step, shortened at particles where it would spoil a tet (or spoil a bad one further)."""
    quality, volume = _measure(rest, tets, cell)
    least_quality, least_volume = np.minimum(quality, least), np.minimum(volume, least / 2)
    scale = np.ones(len(rest))
    attempt = 0
    while True:
        moved = rest + scale[:, None] * step
        quality, volume = _measure(moved, tets, cell)
        bad = (quality < least_quality) | (volume < least_volume)
        if not bad.any():
            return moved
        # Stopping all corners of a tet makes it good again, so this ends.
        scale[np.unique(tets[bad])] *= 0.5 if attempt < 4 else 0.0
        attempt += 1


def _measure(rest: Array, tets: Indices, cell: float) -> tuple[Array, Array]:
    """Quality (mean ratio, 1 for a regular tet) and volume as a share of a lattice tet's."""
    corner = rest[tets]
    a, b, c = (corner[:, k] - corner[:, 0] for k in (1, 2, 3))
    volume = np.einsum("ij,ij->i", np.cross(a, b), c) / 6
    # All six edges at once: the sum over pairs of |xi - xj|^2 is 4 sum |xi|^2 - |sum xi|^2.
    squares = 4 * ((a * a).sum(axis=1) + (b * b).sum(axis=1) + (c * c).sum(axis=1)) - ((a + b + c) ** 2).sum(axis=1)
    quality = 12 * np.cbrt(3 * np.maximum(volume, 0)) ** 2 / squares
    return np.where(volume > 0, quality, volume / cell**3), 6 * volume / cell**3
