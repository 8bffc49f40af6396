"""What writers need to know of a skin: which of its drawn vertices are one point, and names that are good for files."""

import re

import numpy as np
from numpy.typing import NDArray

from pliant.body.skin import Skin
from pliant.files.numbering import first_of_equal_rows

Numbers = NDArray[np.int64]


def points_of(skin: Skin) -> tuple[Numbers, Numbers]:
    """The points of a skin: a drawn vertex (P,) for each, in the order they are first met, and the point (N,) of each
    drawn vertex. Vertices that begin at the same place and ride on the same particles are one point for ever. Those
    that no face uses are none (-1): who reads the faces would not find them."""
    used = np.unique(skin.faces)
    rows = np.concatenate([skin.vertices, skin.indices, skin.weights, skin.offsets, skin.axes], axis=1)[used]
    firsts, number = np.unique(first_of_equal_rows(rows), return_inverse=True)
    numbers = np.full(len(skin.vertices), -1)
    numbers[used] = number
    return used[firsts].astype(np.int64), numbers


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
