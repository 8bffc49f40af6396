"""A surface as a rod along its centre line, or the edges of a file as one."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pliant.files.asset import Asset
from pliant.geometry.embedding import locate
from pliant.geometry.measures import areas, lengths
from pliant.geometry.nearest import closest_on_segments
from pliant.geometry.normals import unit
from pliant.geometry.rings import rings
from pliant.runtime.errors import FileError
from pliant.volume.centre_line import CentreLine, centre_line
from pliant.volume.dirty import MeshFacts, examine
from pliant.volume.draft import (
    Binding,
    Draft,
    Progress,
    direct_fit,
    pieces_note,
    point_areas,
    surface_of,
    worth_keeping,
)
from pliant.volume.mending import Mended
from pliant.volume.solids import facts_of
from pliant.volume.store import key_of, remembered

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

SMALL_AREA = 0.01  # of the area: a piece with less rides on its neighbour
ROD_ARRAYS = (
    "rest", "segments", "data", "indices", "indptr", "slots", "weights", "offsets", "axes", "thickness", "facts"
)  # fmt: skip


def rod(asset: Asset, particles: int, thickness: float | None, cache: bool, progress: Progress = None) -> Draft:
    """The surface of an asset as a rod of at most about `particles` particles along its middle."""
    surface = surface_of(asset)
    points, faces, poses, notes = surface.points, surface.faces, surface.poses, surface.notes
    if progress:
        progress(0, 1)
    key = key_of("rod", points, faces, particles)
    made, known = remembered(key, ROD_ARRAYS, lambda: _make(asset, points, faces, particles), cache)
    facts = facts_of(made["facts"])
    rest, segments = made["rest"], made["segments"]
    binding = Binding(made["slots"], made["weights"], made["offsets"], made["axes"])
    skin = binding.skin(points, faces, "rod")
    middles = csr_array((made["data"], made["indices"], made["indptr"]), shape=(len(rest), len(points)))
    shares = point_areas(points, faces)
    kept, fits = {}, []
    for name, pose in poses.items():
        kept[name] = middles @ pose
        fits.append(direct_fit(name, rest, segments, kept[name], pose, skin.deform(kept[name]), shares))
    if progress:
        progress(1, 1)
    return Draft(
        rest,
        segments,
        binding,
        np.arange(len(asset.vertices), dtype=np.int32),
        surface.welded.points,
        asset.faces,
        facts,
        poses=kept,
        fits=tuple(fits),
        notes=[*facts.findings, *pieces_note(segments, len(rest)), *notes],
        thickness=float(made["thickness"]) if thickness is None else thickness,
        cached=known,
    )


def _make(asset: Asset, points: Array, faces: Indices, particles: int) -> dict[str, NDArray[Any]]:
    facts, mended = examine(len(asset.vertices), points, faces)
    if len(mended.faces) == 0:
        raise FileError(f"{asset.source}: every face is a line or a point; there is no middle to find")
    line = centre_line(points, _large_pieces(points, mended), particles)
    if len(line.segments) == 0:
        raise FileError(f"{asset.source}: it is as wide as long, so it is no rod; load it as a solid: --as solid")
    middles = csr_array(line.middles @ line.fine.mix)
    middles.sum_duplicates()
    rest, segments = middles @ points, line.segments.astype(np.int32)
    chosen, weights = _carriers(points, _homes(line, len(points)), rest, segments)
    foot = np.einsum("nk,nkx->nx", weights, rest[chosen])
    share = point_areas(points, mended.faces)
    radius = float(share @ np.linalg.norm(points - foot, axis=1) / share.sum())
    return {
        "rest": rest,
        "segments": segments,
        "data": middles.data,
        "indices": middles.indices,
        "indptr": middles.indptr,
        "slots": np.concatenate([chosen, chosen[:, :1], chosen[:, :1]], axis=1).astype(np.int32),
        "weights": np.concatenate([weights, np.zeros((len(points), 2))], axis=1),
        "offsets": points - foot,
        "axes": unit(rest[chosen[:, 1]] - rest[chosen[:, 0]]),
        "thickness": np.array(2 * radius),
        "facts": np.array(json.dumps(asdict(facts))),
    }


def _large_pieces(points: Array, mended: Mended) -> Indices:
    area = areas(points, mended.faces)
    part = np.bincount(mended.shell, area, minlength=mended.shells) / area.sum()
    return mended.faces[(part >= min(SMALL_AREA, part.max()))[mended.shell]]


def _homes(line: CentreLine, count: int) -> NDArray[np.int64]:
    """The particle whose ring each of the given points lies in, -1 if none."""
    mix = line.fine.mix
    given = np.flatnonzero(np.diff(mix.indptr) == 1)
    home = np.full(count, -1)
    home[mix.indices[mix.indptr[given]]] = line.home[given]
    return home


def _carriers(points: Array, home: NDArray[np.int64], rest: Array, segments: Indices) -> tuple[Indices, Array]:
    """The segment that each point rides on and the weights of its ends: the closest of those at its particle and
    that one's neighbours; of all for a point without a particle."""
    found = np.zeros(len(points), dtype=np.int64)
    lost = np.flatnonzero(home < 0)
    if len(lost):
        found[lost] = locate(points[lost], rest, segments).elements
    starts, members = rings(segments, len(rest))
    touching: list[list[int]] = [[] for _ in rest]
    for number, (a, b) in enumerate(segments.tolist()):
        touching[a].append(number)
        touching[b].append(number)
    order = np.argsort(home, kind="stable")
    begin = np.searchsorted(home[order], np.arange(len(rest) + 1))
    for p in range(len(rest)):
        who = order[begin[p] : begin[p + 1]]
        if len(who) == 0:
            continue
        near = np.unique(np.concatenate([touching[q] for q in members[starts[p] : starts[p + 1]].tolist()]))
        place = np.repeat(points[who], len(near), axis=0)
        ends = rest[segments[np.tile(near, len(who))]]
        foot = np.einsum("nk,nkx->nx", closest_on_segments(place, ends), ends)
        found[who] = near[np.linalg.norm(place - foot, axis=1).reshape(len(who), len(near)).argmin(axis=1)]
    chosen = segments[found]
    return chosen, closest_on_segments(points, rest[chosen])


def wire(asset: Asset, thickness: float | None) -> Draft:
    """The edges of an asset as a rod, drawn as a tube. Its vertices are the particles."""
    vertices = asset.vertices
    given = np.sort(np.asarray(asset.segments, dtype=np.int32), axis=1)
    proper = np.unique(given[lengths(vertices, given) > 0], axis=0)
    if len(proper) == 0:
        raise FileError(f"{asset.source}: no edge in it has a length; export it again")
    notes = []
    if len(proper) < len(given):
        notes.append(f"{len(given) - len(proper):,} edges without length or given twice: left out")
    used, compact = np.unique(proper, return_inverse=True)
    segments = compact.reshape(-1, 2).astype(np.int32)
    rest = vertices[used]
    if len(used) < len(vertices):
        notes.append(f"{len(vertices) - len(used):,} of {len(vertices):,} vertices belong to no edge: left out")
    poses, more = worth_keeping(rest, {name: pose[used] for name, pose in asset.poses.items()})
    share = np.ones(len(rest))
    return Draft(
        rest,
        segments,
        Binding(np.zeros((0, 4), dtype=np.int32), np.zeros((0, 4))),
        np.zeros(0, dtype=np.int32),
        np.zeros(0, dtype=np.int32),
        np.zeros((0, 3), dtype=np.int32),
        facts_of_wire(rest, len(vertices)),
        poses=poses,
        fits=tuple(direct_fit(name, rest, segments, pose, pose, pose, share) for name, pose in poses.items()),
        notes=[*notes, *pieces_note(segments, len(rest)), *more],
        thickness=thickness,
        nodes=used.astype(np.int32),
    )


def facts_of_wire(rest: Array, vertices: int) -> MeshFacts:
    """A wire has no surface: all that is left is its size."""
    low, high = (tuple(map(float, corner)) for corner in (rest.min(axis=0), rest.max(axis=0)))
    numbers = dict.fromkeys((name for name, kind in MeshFacts.__annotations__.items() if kind is int), 0)
    sizes = dict.fromkeys((name for name, kind in MeshFacts.__annotations__.items() if kind is float), 0.0)
    known: dict[str, Any] = {"vertices": vertices, "points": len(rest), "crossings_complete": True}
    return MeshFacts(**(numbers | sizes | known | {"low": low, "high": high}))
