"""From points and tets that a file lists to an asset: turned right, without flat ones and without loose points."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.body.checks import FLAT
from pliant.files import limits
from pliant.files.asset import Asset
from pliant.files.numbering import Numbering, of_elements
from pliant.files.surface import check_points
from pliant.geometry.measures import volumes
from pliant.runtime.errors import FileError

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]


def tet_asset_of(
    path: Path, positions: Array, tets: Numbers, groups: Mapping[str, Numbers], notes: list[str]
) -> tuple[Asset, Numbering]:
    """positions (P, 3), tets (T, 4); groups: name -> points. The asset, and how its vertices are numbered in the
    file."""
    check_points(path, positions, "node {}".format)
    limits.check(path, "tets", len(tets), limits.MOST_ELEMENTS)
    wrong = np.flatnonzero(((tets < 0) | (tets >= len(positions))).any(axis=1))
    if len(wrong):
        row = ", ".join(map(str, tets[wrong[0]].tolist()))
        raise FileError(
            f"{path}: tet {wrong[0]} joins nodes {row}, counted from 0; there are {len(positions):,}; export it again"
        )
    corners = positions[tets]
    sizes = volumes(positions, tets.astype(np.int32))
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1, initial=0.0)
    flat = ~(np.abs(sizes) > FLAT * longest**3)
    left_handed = (sizes < 0) & ~flat
    tets = np.where(left_handed[:, None], tets[:, [0, 2, 1, 3]], tets)[~flat]
    if left_handed.any():
        notes.append(f"{left_handed.sum():,} of {len(sizes):,} tets were left-handed and have been turned")
    if flat.any():
        notes.append(f"{flat.sum():,} of {len(sizes):,} tets are flat and were left out")
    if len(tets) == 0:
        raise FileError(f"{path}: there is no tet in it that has an inside; export a mesh of tets")
    origin, renamed = np.unique(tets, return_inverse=True)
    loose = len(positions) - len(origin)
    if loose:
        notes.append(f"{loose:,} of {len(positions):,} nodes belong to no tet and were left out")
    places = np.full(len(positions), -1)
    places[origin] = np.arange(len(origin))
    kept = {name: np.unique(places[members]).astype(np.int32) for name, members in groups.items()}
    asset = Asset(
        name=path.stem,
        source=path,
        vertices=positions[origin],
        faces=np.zeros((0, 3), np.int32),
        tets=renamed.reshape(-1, 4).astype(np.int32),
        groups={name: members[members >= 0] for name, members in kept.items() if (members >= 0).any()},
        notes=tuple(notes),
    )
    return asset, Numbering(positions, origin, lambda: of_elements(tets))
