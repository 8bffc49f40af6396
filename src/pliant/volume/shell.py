"""A surface as a shell: triangles between points of it, the skin standing off along their normals."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.files.asset import Asset
from pliant.geometry.embedding import locate
from pliant.geometry.measures import areas
from pliant.geometry.nearest import barycentric_in_plane, closest_on_triangles
from pliant.geometry.normals import face_normals
from pliant.geometry.rings import rings
from pliant.runtime.errors import FileError
from pliant.volume.dirty import examine
from pliant.volume.draft import Binding, Draft, Progress, direct_fit, pieces_note, point_areas, surface_of
from pliant.volume.fine import Fine, cut_finer, finest
from pliant.volume.mending import Mended
from pliant.volume.patches import share_out, triangles_between
from pliant.volume.solids import COUNT, facts_of
from pliant.volume.store import key_of, remembered

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

AS_IT_IS = 1.25  # times the wanted number of particles: a surface of fewer points, down to half, is taken as it is
FINENESS = 3.0  # points of the fine surface between two particles
SLIMMEST = 1e-6  # slimness of a triangle that is a line
SLIM = 0.03  # slimness of a triangle whose normal is not to be trusted
FINE_POINTS = 30  # points of the fine surface at most, about; bounds the time
SMALL_COUNT = 8  # particles that a piece must be worth; a smaller one rides on its neighbour
SHELL_ARRAYS = ("rest", "triangles", "corners", "shares", "slots", "weights", "offsets", "axes", "facts")


def shell(asset: Asset, particles: int, thickness: float | None, cache: bool, progress: Progress = None) -> Draft:
    """The surface of an asset as a shell of about `particles` particles, which are points of it."""
    surface = surface_of(asset)
    points, faces, poses, notes = surface.points, surface.faces, surface.poses, surface.notes
    if progress:
        progress(0, 1)
    key = key_of("shell", points, faces, particles)
    made, known = remembered(key, SHELL_ARRAYS, lambda: _make(asset, points, faces, particles), cache)
    facts = facts_of(made["facts"])
    rest, triangles = made["rest"], made["triangles"]
    binding = Binding(made["slots"], made["weights"], made["offsets"], made["axes"])
    skin = binding.skin(points, faces, "shell")
    shares = point_areas(points, faces)
    kept, fits = {}, []
    for name, pose in poses.items():
        kept[name] = np.einsum("vk,vkx->vx", made["shares"], pose[made["corners"]])
        reached = skin.deform(kept[name])
        fits.append(direct_fit(name, rest, triangles, kept[name], pose, reached, shares))
    if progress:
        progress(1, 1)
    if abs(len(rest) / particles - 1) > COUNT:
        notes.append(f"{len(rest):,} particles instead of {particles:,}: this is as near as the shape allows")
    return Draft(
        rest,
        triangles,
        binding,
        np.arange(len(asset.vertices), dtype=np.int32),
        surface.welded.points,
        asset.faces,
        facts,
        poses=kept,
        fits=tuple(fits),
        notes=[*facts.findings, *pieces_note(triangles, len(rest)), *notes],
        thickness=thickness,
        cached=known,
    )


def _make(asset: Asset, points: Array, faces: Indices, particles: int) -> dict[str, NDArray[Any]]:
    facts, mended = examine(len(asset.vertices), points, faces)
    if len(mended.faces) == 0:
        raise FileError(f"{asset.source}: every face is a line or a point; there is no surface to follow")
    used = len(np.unique(mended.faces))
    if particles / 2 <= used <= AS_IT_IS * particles:
        fine = cut_finer(points, mended.faces, np.inf)
        seeds, triangles, label = np.arange(used), fine.faces.astype(np.int32), np.arange(used)
    else:
        fine, seeds, triangles, label = _sampled(points, mended, particles)
    rest = fine.points[seeds]
    corners, shares = _three_corners(fine, seeds)
    home = np.full(len(points), -1)
    own = np.flatnonzero(np.diff(fine.mix.indptr) == 1)  # points of the fine surface that were given
    home[fine.mix.indices[fine.mix.indptr[own]]] = label[own]
    chosen = triangles[_carriers(points, home, rest, triangles)]
    weights = barycentric_in_plane(points, rest[chosen])
    offsets = points - np.einsum("nk,nkx->nx", weights, rest[chosen])
    return {
        "rest": rest,
        "triangles": triangles,
        "corners": corners,
        "shares": shares,
        "slots": np.concatenate([chosen, chosen[:, :1]], axis=1).astype(np.int32),
        "weights": np.concatenate([weights, np.zeros((len(points), 1))], axis=1),
        "offsets": offsets,
        "axes": face_normals(rest, chosen),
        "facts": np.array(json.dumps(asdict(facts))),
    }


def _sampled(
    points: Array, mended: Mended, particles: int
) -> tuple[Fine, NDArray[np.int64], Indices, NDArray[np.int64]]:
    """Particles spread over the surface, the triangles between them, and the particle nearest to each fine point."""
    area = areas(points, mended.faces)
    # Even triangles of side s hold one particle per s^2 sqrt(3) / 2.
    side = float(np.sqrt(2 / 3**0.5 * area.sum() / particles))
    worth = np.bincount(mended.shell, area, minlength=mended.shells) / area.sum() * particles
    large = worth >= min(SMALL_COUNT, worth.max())
    followed = mended.faces[large[mended.shell]]
    fine = cut_finer(points, followed, finest(points, followed, side / FINENESS, 50_000 + FINE_POINTS * particles))
    seeds, label = share_out(fine, particles)
    triangles = triangles_between(fine, label)
    triangles = triangles[_slimness(fine.points[seeds], triangles) > SLIMMEST]
    if len(triangles) == 0:  # too small a number for the shape: all of its points
        return fine, np.arange(len(fine.points)), fine.faces.astype(np.int32), np.arange(len(fine.points))
    used, compact = np.unique(triangles, return_inverse=True)
    number = np.full(len(seeds) + 1, -1)
    number[used] = np.arange(len(used))
    return fine, seeds[used], compact.reshape(-1, 3).astype(np.int32), number[label]


def _slimness(rest: Array, triangles: Indices) -> Array:
    """Area over the square of the longest side: 0.43 for an even triangle, 0 for one whose corners are in line."""
    corners = rest[triangles]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1, initial=1e-300)
    return areas(rest, triangles) / longest**2


def _three_corners(fine: Fine, seeds: NDArray[np.int64]) -> tuple[Indices, Array]:
    """Each particle as a mean of at most three of the given points: it lies in a face of theirs."""
    mix = fine.mix[seeds].tocsr()
    mix.sort_indices()
    number = np.diff(mix.indptr)
    corners, shares = np.zeros((len(seeds), 3), dtype=np.int32), np.zeros((len(seeds), 3))
    for k in range(3):
        has = number > k
        at = mix.indptr[:-1][has] + k
        corners[has, k], shares[has, k] = mix.indices[at], mix.data[at]
    return corners, shares


def _carriers(points: Array, home: NDArray[np.int64], rest: Array, triangles: Indices) -> NDArray[np.int64]:
    """The triangle that each point rides on: the closest of those at its particle and that one's neighbours. So a
    point on one side of a fold never rides on the other side, however near it is. A point without a particle takes
    the closest of all."""
    found = np.zeros(len(points), dtype=np.int64)
    lost = np.flatnonzero(home < 0)
    if len(lost):
        found[lost] = locate(points[lost], rest, triangles).elements
    slim = _slimness(rest, triangles) < SLIM
    starts, members = rings(triangles, len(rest))
    corner, at = triangles.ravel(), np.repeat(np.arange(len(triangles)), 3)
    order = np.argsort(corner, kind="stable")
    at, first = at[order], np.searchsorted(corner[order], np.arange(len(rest) + 1))
    by_home = np.argsort(home, kind="stable")
    begin = np.searchsorted(home[by_home], np.arange(len(rest) + 1))
    for p in range(len(rest)):
        who = by_home[begin[p] : begin[p + 1]]
        if len(who) == 0:
            continue
        near = np.unique(np.concatenate([at[first[q] : first[q + 1]] for q in members[starts[p] : starts[p + 1]]]))
        place = np.repeat(points[who], len(near), axis=0)
        corners = rest[triangles[np.tile(near, len(who))]]
        foot = np.einsum("nk,nkx->nx", closest_on_triangles(place, corners), corners)
        gap = np.linalg.norm(place - foot, axis=1).reshape(len(who), len(near))
        gap += np.where(slim[near], gap.max(), 0.0)
        found[who] = near[gap.argmin(axis=1)]
    return found
