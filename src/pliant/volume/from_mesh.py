"""Poses from other meshes: sculpts and scans of the same thing that share no vertices with it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.files.asset import Asset
from pliant.files.reading import read_asset
from pliant.runtime.errors import FileError, SettingsError
from pliant.volume.draft import point_areas
from pliant.volume.filling.rotations import rigid_motion
from pliant.volume.matching import Match, match_surfaces
from pliant.volume.welding import weld

Array = NDArray[np.float64]
Pairs = Mapping[str, tuple[ArrayLike, ArrayLike]]


@dataclass(frozen=True, eq=False)
class MeshPoses:
    """asset: the file at rest, with a pose for each mesh; matches: how well each is known, by name."""

    asset: Asset
    matches: Mapping[str, Match]


def poses_from_meshes(
    path: str | Path,
    meshes: Mapping[str, str | Path],
    points: Pairs | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> MeshPoses:
    """Poses of the mesh in a file, each from another mesh of the same thing: other vertices, other resolution, another
    place, and another size if that is more than half as large again.

    meshes: name -> file. points: name -> places on the rest shape (P, 3) and where they are on that mesh (P, 3), at
    least three; without them the placement is found, which things that look alike from two sides may mislead.
    A match that leaves a part of either mesh without a partner is refused with the reason.
    """
    asset = read_asset(path)
    if len(asset.faces) == 0:
        raise FileError(f"{path}: there is no surface in it; a mesh is matched to a surface")
    unknown = [name for name in points or {} if name not in meshes]
    if unknown:
        raise SettingsError(f'points of a match: there is no mesh "{unknown[0]}"; the meshes are {", ".join(meshes)}')
    welded = weld(asset.vertices, asset.faces, {})
    rest = np.ascontiguousarray(asset.vertices[welded.vertices])
    shares = point_areas(rest, welded.faces)
    poses, matches = dict(asset.poses), {}
    for name, file in meshes.items():
        if name in poses:
            raise FileError(f'{path}: there is a pose "{name}" in it already; give {file} another name')
        other = read_asset(file)
        if len(other.faces) == 0:
            raise FileError(f"{file}: there is no surface in it; give a mesh of triangles")
        there = weld(other.vertices, other.faces, {})
        found = match_surfaces(
            rest,
            welded.faces,
            np.ascontiguousarray(other.vertices[there.vertices]),
            there.faces,
            (points or {}).get(name),
            progress,
        )
        if found.problem:
            raise FileError(
                f"{file}: cannot be matched to {Path(path).name}: {found.problem}; name points that belong together "
                "(--point), or export the pose from the same mesh"
            )
        poses[name] = _at_rest(found, rest, shares)[welded.points]
        matches[name] = found
    return MeshPoses(replace(asset, poses=poses), matches)


def _at_rest(found: Match, rest: Array, shares: Array) -> Array:
    """The pose as large as the rest shape, and where that is."""
    shape = found.positions / found.scale
    turn, shift = rigid_motion(shape, rest, shares)
    return shape @ turn.T + shift


def pairs_of(texts: Sequence[str]) -> dict[str, tuple[Array, Array]]:
    """Pairs of points as a command has them, "smile:0,1,0=0.2,1.1,0" each.

    >>> here, there = pairs_of(["smile:0,1,0=0.2,1.1,0"])["smile"]
    >>> here.tolist(), there.tolist()
    ([[0.0, 1.0, 0.0]], [[0.2, 1.1, 0.0]])
    """
    found: dict[str, list[tuple[list[float], list[float]]]] = {}
    for text in texts:
        name, colon, rest = text.rpartition(":")
        sides = [_numbers(side) for side in rest.split("=")]
        if not colon or len(sides) != 2 or any(len(side) != 3 for side in sides):
            raise SettingsError(f'--point "{text}"; give NAME:x,y,z=x,y,z, such as smile:0,1,0=0.2,1.1,0')
        found.setdefault(name, []).append((sides[0], sides[1]))
    return {name: (np.array([a for a, _ in each]), np.array([b for _, b in each])) for name, each in found.items()}


def _numbers(text: str) -> list[float]:
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        return []
