"""From a surface to a solid: tets, how the surface rides on them, and the poses filled in."""

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.files.asset import Asset
from pliant.geometry.measures import volumes
from pliant.runtime.errors import FileError
from pliant.volume.cage import cage
from pliant.volume.dirty import MeshFacts, examine
from pliant.volume.draft import Binding, Draft, Progress, pieces_note, point_areas, surface_of
from pliant.volume.filling import Fit, fill
from pliant.volume.store import fetch, keep, key_of, remembered

Array = NDArray[np.float64]
Indices = NDArray[np.int32]

THIN = 1e-3  # of the diagonal: what is thinner on average (2 volume / area) is no solid
VOLUME = 0.15  # part by which the tets' volume may differ from the surface's without a word
COUNT = 0.25  # the same for the number of particles
SOLID_ARRAYS = ("rest", "tets", "slots", "weights", "facts")


def solid(asset: Asset, particles: int, mesher: str, cache: bool, progress: Progress = None) -> Draft:
    """The surface of an asset as a solid of about `particles` particles."""
    surface = surface_of(asset)
    points, faces, poses, notes = surface.points, surface.faces, surface.poses, surface.notes
    steps = 1 + len(poses)
    if progress:
        progress(0, steps)
    key = key_of("solid", points, faces, particles, mesher)
    made, known = remembered(key, SOLID_ARRAYS, lambda: _make(asset, points, faces, particles, mesher), cache)
    facts = facts_of(made["facts"])
    if progress:
        progress(1, steps)
    filled = _fill(key, made, points, faces, poses, cache, progress)
    rest, tets = made["rest"], made["tets"]
    kept = {}
    for name, (positions, fit) in filled.items():
        if fit.usable:
            kept[name] = positions
        else:
            notes.append(f'pose "{name}" was left out, it is {fit.verdict}: {fit.remedy}')
    return Draft(
        rest,
        tets,
        Binding(made["slots"], made["weights"]),
        np.arange(len(asset.vertices), dtype=np.int32),
        surface.welded.points,
        asset.faces,
        facts,
        poses=kept,
        fits=tuple(fit for _, fit in filled.values()),
        notes=[*facts.findings, *_remarks(rest, tets, facts, particles), *notes],
        cached=known,
    )


def _make(asset: Asset, points: Array, faces: Indices, particles: int, mesher: str) -> dict[str, NDArray[Any]]:
    facts, mended = examine(len(asset.vertices), points, faces)
    if len(mended.faces) == 0:
        raise FileError(f"{asset.source}: every face is a line or a point; there is nothing to fill")
    if too_thin(facts):
        raise FileError(f"{asset.source}: {_no_solid(facts)}")
    if mesher == "wild":
        from pliant.volume.wild import wild

        made = wild(asset.source, points, mended.faces, particles)
    else:
        made = cage(points, mended.faces, particles)
    return {
        "rest": made.rest,
        "tets": made.tets,
        "slots": made.slots,
        "weights": made.weights,
        "facts": np.array(json.dumps(asdict(facts))),
    }


def too_thin(facts: MeshFacts) -> bool:
    """Whether a surface encloses so little that it cannot be filled."""
    return 2 * facts.volume < THIN * facts.area * facts.diagonal


def _no_solid(facts: MeshFacts) -> str:
    """Why a surface cannot be filled, and what to do instead."""
    if facts.open_edges:
        return (
            f"the surface is flat or open and encloses {facts.volume:.2g} m3, so it is no solid; load it as a shell: "
            f'--as shell (in Python: kind="shell")'
        )
    return (
        f"it is {2 * facts.volume / facts.area:.2g} m thick on average and {facts.diagonal:.2g} m long, too thin for a "
        f'solid; load it as a shell or a rod: --as shell (in Python: kind="shell")'
    )


def facts_of(kept: NDArray[Any]) -> MeshFacts:
    """Facts that were kept as text."""
    values = json.loads(str(kept))
    return MeshFacts(**(values | {"low": tuple(values["low"]), "high": tuple(values["high"])}))


def _fill(
    mesh_key: str,
    made: dict[str, NDArray[Any]],
    points: Array,
    faces: Indices,
    poses: dict[str, Array],
    cache: bool,
    progress: Progress,
) -> dict[str, tuple[Array, Fit]]:
    """Positions and fit of each pose: those known from before, and the others filled together."""
    keys = {name: key_of("pose", mesh_key, np.ascontiguousarray(target)) for name, target in poses.items()}
    found: dict[str, tuple[Array, Fit]] = {}
    for name in poses:
        kept = fetch(keys[name], ("positions", "fit")) if cache else None
        if kept is not None:
            found[name] = kept["positions"], Fit(**(json.loads(str(kept["fit"])) | {"name": name}))
    missing = [name for name in poses if name not in found]
    if missing:

        def tell(done: int, _all: int) -> None:
            if progress:
                progress(1 + len(found) + done, 1 + len(poses))

        targets = [poses[name] for name in missing]
        bound = made["rest"], made["tets"], made["slots"], made["weights"], point_areas(points, faces), faces
        results = fill(*bound, targets, tell, names=missing)
        for name, result in zip(missing, results, strict=True):
            if cache:
                text = json.dumps(asdict(replace(result.fit, name="")))
                keep(keys[name], {"positions": result.positions, "fit": np.array(text)})
            found[name] = result.positions, result.fit
    return {name: found[name] for name in poses}


def _remarks(rest: Array, tets: Indices, facts: MeshFacts, particles: int) -> list[str]:
    """What to say about the tets: what was taken for the inside, volume, number, pieces."""
    said = []
    if facts.open_edges:
        said.append("the surface is open: its inside is what most rays say")
    inside = float(volumes(rest, tets).sum())
    if abs(inside / facts.volume - 1) > VOLUME:
        more = "more" if inside > facts.volume else "less"
        said.append(
            f"the tets hold {inside:.3g} m3, {abs(inside / facts.volume - 1):.0%} {more} than the surface "
            f"({facts.volume:.3g} m3); give more particles"
        )
    if abs(len(rest) / particles - 1) > COUNT:
        said.append(f"{len(rest):,} particles instead of {particles:,}: this is as near as the shape allows")
    pieces = pieces_note(tets, len(rest))
    if facts.shells > 1 and not pieces:
        said.append("the shells hold together where they overlap or nearly touch")
    return said + pieces
