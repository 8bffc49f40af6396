"""Poses from further files: the same mesh, saved in another shape."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.files.asset import Asset
from pliant.files.checks import checked
from pliant.files.limits import MOST_POSES, check
from pliant.files.numbering import Numbering, first_of_equal_rows
from pliant.files.reading import read_numbering
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]

FAMILIES = ((".glb", ".gltf"), (".usd", ".usda", ".usdc", ".usdz"), (".node", ".ele"))
BETWEEN = " _-."  # what stands between the words of a file's name
SAME_MESH = 0.5  # of the edges have to join the same points: faces may be cut into triangles in different ways


def with_siblings(asset: Asset, numbering: Numbering, files: Mapping[str, str | Path], folder: Path | None) -> Asset:
    """The asset with the poses that the files show."""
    found = {name: Path(file) for name, file in files.items()}
    if folder is not None:
        for name, file in poses_in(folder, asset.source).items():
            if name in found:
                raise FileError(f'{file}: there is a pose "{name}" already ({found[name]}); rename one of them')
            found[name] = file
    check(asset.source, "poses", len(asset.poses) + len(found), MOST_POSES)
    poses = dict(asset.poses)
    for name, file in found.items():
        if name in poses:
            raise FileError(f'{asset.source}: there is a pose "{name}" in it already; give {file} another name')
        poses[name] = _posed(asset, numbering, file)
    return checked(replace(asset, poses=poses))


def poses_in(folder: Path, rest: Path) -> dict[str, Path]:
    """The files in a folder that may show the rest shape in other poses, by the names that the poses get."""
    endings = next((family for family in FAMILIES if rest.suffix.lower() in family), (rest.suffix.lower(),))
    if rest.suffix.lower() in (".node", ".ele"):
        endings = (".node",)  # the tets are those of the rest shape
    try:
        files = [file for file in folder.iterdir() if file.suffix.lower() in endings and file.is_file()]
    except OSError as error:
        raise FileError(f"{folder}: the folder of poses cannot be read: {error.strerror or error}") from error
    same = {rest.resolve(), rest.with_suffix(".node").resolve()}
    files = sorted((file for file in files if file.resolve() not in same), key=_natural)
    if not files:
        raise FileError(f"{folder}: there is no {' or '.join(endings)} file in it that could be a pose of {rest.name}")
    names = pose_names([file.stem for file in files], rest.stem)
    poses: dict[str, Path] = {}
    for name, file in zip(names, files, strict=True):
        if name in poses:
            raise FileError(f'{file}: there is a pose "{name}" already ({poses[name]}); rename one of them')
        poses[name] = file
    return poses


def pose_names(stems: list[str], rest: str) -> list[str]:
    """What is left of the names of files when the words they begin with in common are taken away.

    >>> pose_names(["bear_smile", "bear_big_frown"], "bear")
    ['smile', 'big_frown']
    >>> pose_names(["squash 01", "squash 02"], "ball")
    ['01', '02']
    >>> pose_names(["smile"], "bear")
    ['smile']
    """
    prefix = _common([*stems, rest]) or (_common(stems) if len(stems) > 1 else "")
    return [stem[len(prefix) :].strip(BETWEEN) or stem for stem in stems]


def _common(stems: list[str]) -> str:
    """The words that all begin with."""
    low, high = min(stems), max(stems)  # what the first and the last in order share, all share
    prefix = low[: next((k for k, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))]
    if all(len(stem) == len(prefix) or stem[len(prefix)] in BETWEEN for stem in stems):
        return prefix
    return prefix[: max(prefix.rfind(mark) for mark in BETWEEN) + 1]


def _natural(file: Path) -> list[tuple[int, str]]:
    """For sorting: 2 before 10."""
    pieces = re.split(r"(\d+)", file.name.lower())
    return [(int(piece) if piece.isdecimal() else -1, piece) for piece in pieces]


def _posed(asset: Asset, rest: Numbering, file: Path) -> Array:
    """Where the vertices (N, 3) of the asset are in a file that shows it in another shape."""
    if file.suffix.lower() == ".ele":
        file = file.with_suffix(".node")
    pose = read_numbering(file)
    matched = _matched(rest, pose)
    if matched is None:
        here, there = len(pose.positions), len(rest.positions)
        if here == there:
            raise FileError(
                f"{file}: the pose has {here:,} vertices as {asset.source.name} has, but in another order: its faces "
                f"join other ones; export both with the same settings"
            )
        raise FileError(
            f"{file}: the pose has {here:,} vertices, the rest shape {asset.source.name} has {there:,}; export both "
            f"from the same mesh, with modifiers that add vertices off{_different(rest, pose)}"
        )
    return matched


def _different(rest: Numbering, pose: Numbering) -> str:
    """Said in addition, where files count otherwise: split and doubled vertices set aside."""
    here, there = (len(np.unique(first_of_equal_rows(each.positions))) for each in (pose, rest))
    if (here, there) == (len(pose.positions), len(rest.positions)):
        return ""
    return f" (different places: {here:,} and {there:,})"


def _matched(rest: Numbering, pose: Numbering) -> Array | None:
    """By the files' own numbers if there are as many points; else by the order of different places, as where one file
    repeats points that lie on a seam and the other does not."""
    if len(rest.positions) == len(pose.positions):
        return pose.positions[rest.origin] if _same_mesh(rest.edges(), pose.edges()) else None
    (here, here_number), (there, there_number) = _places(pose), _places(rest)
    if len(here) != len(there):
        return None
    if not _same_mesh(there_number[rest.edges()], here_number[pose.edges()]):
        return None
    return here[there_number[rest.origin]]


def _places(numbering: Numbering) -> tuple[Array, Numbers]:
    """Different positions (K, 3), in the order they are first met, and the number of each point's."""
    firsts, number = np.unique(first_of_equal_rows(numbering.positions), return_inverse=True)
    return numbering.positions[firsts], number


def _same_mesh(a: Numbers, b: Numbers) -> bool:
    """Whether most edges join the same points; a file that has none is believed."""
    if len(a) == 0 or len(b) == 0:
        return True
    width = int(max(a.max(), b.max())) + 1
    keys = [np.unique(pairs.min(axis=1) * width + pairs.max(axis=1)) for pairs in (a, b)]
    shared = len(np.intersect1d(keys[0], keys[1], assume_unique=True))
    return shared >= SAME_MESH * min(len(keys[0]), len(keys[1]))


