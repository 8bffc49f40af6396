"""What writers need to know of a skin: which of its drawn vertices are one point, and names that are good for files."""

import re

import numpy as np
from numpy.typing import NDArray

from pliant.body.skin import Skin
from pliant.files.numbering import first_of_equal_rows

Numbers = NDArray[np.int64]


def points_of(skin: Skin) -> tuple[Numbers, Numbers]:
    """The points of a skin: a drawn vertex (P,) for each, in the order they are first met, and the point (N,) of each
    drawn vertex. Those that no face uses are none (-1): who reads the faces would not find them.

    Vertices that begin at the same place and ride on the same particles could be one point for ever. But an artist may
    have put two points there, such as where an eye touches its socket, and counts two. What a file has split stands
    there in a row, or its faces meet at edges; what neither is true of stays apart.
    """
    used, corners = np.unique(skin.faces, return_inverse=True)
    rows = np.concatenate([skin.vertices, skin.indices, skin.weights, skin.offsets, skin.axes], axis=1)[used]
    point = _joined(first_of_equal_rows(rows), corners.reshape(-1, 3))
    _, firsts, which = np.unique(point, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    numbers = np.full(len(skin.vertices), -1)
    numbers[used] = np.argsort(order)[which]
    return used[firsts[order]].astype(np.int64), numbers


def _joined(place: Numbers, faces: Numbers) -> Numbers:
    """The point (N,) of vertices at a place (N,), between which there are faces (M, 3)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ahead = np.flatnonzero(place[1:] == place[:-1])
    pairs = [np.stack([ahead, ahead + 1], axis=1)]
    # The sides of faces, from the lower of their places to the higher: those that run between the same two meet.
    sides = np.concatenate([faces, np.roll(faces, -1, axis=1)]).reshape(2, -1).T
    sides = np.take_along_axis(sides, np.argsort(place[sides], axis=1), axis=1)
    sides = sides[np.lexsort(place[sides].T)]
    meet = np.flatnonzero((place[sides[1:]] == place[sides[:-1]]).all(axis=1))
    pairs += [np.stack([sides[meet, end], sides[meet + 1, end]], axis=1) for end in (0, 1)]
    links = np.concatenate(pairs)
    graph = coo_array((np.ones(len(links), dtype=bool), (links[:, 0], links[:, 1])), shape=(len(place), len(place)))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def is_thin(skin: Skin) -> bool:
    """Whether both sides of a skin are seen: that of a shell, or one on oriented particles that is open somewhere."""
    if skin.kind != "oriented":
        return skin.kind == "shell"
    corners = skin.faces if skin.twins is None else skin.twins[skin.faces]
    sides = np.stack([corners, np.roll(corners, -1, axis=1)]).astype(np.int64)
    _, faces = np.unique(sides.min(axis=0) * len(skin.vertices) + sides.max(axis=0), return_counts=True)
    return bool((faces == 1).any())


def file_name(name: str) -> str:
    """A name without what folders, shells and other systems take amiss.

    >>> file_name("bear: left/right?")
    'bear_left_right'
    """
    kept = re.sub(r"[^\w.()+ -]+", "_", name).strip("_. ")
    return re.sub(r"[_ ]*_[_ ]*", "_", kept)[:80] or "unnamed"


def unlike(name: str, others: set[str]) -> str:
    """The name, or with a number behind it if one of the others has it already (in any case); it joins them."""
    candidate, count = name, 1
    while candidate.lower() in others:
        count += 1
        candidate = f"{name}_{count}"
    others.add(candidate.lower())
    return candidate
