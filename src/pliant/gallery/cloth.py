"""What exhibits of cloth have in common: hanging sheets, patterns, and how many folds there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import pliant
from pliant.gallery.paint import Colour

Array = NDArray[np.float64]
UPRIGHT = (2**-0.5, 0.0, 0.0, 2**-0.5)  # turns the z of a sheet downwards
LINEN: Colour = (0.95, 0.92, 0.85)
MIDDLE = 1e-6  # m: a vertex on a border belongs to what is after it


def striped_sheet(body: pliant.Body, colours: Sequence[Colour], axis: int) -> pliant.Body:
    """A sheet in as many stripes across an axis (0 or 2) as there are colours."""
    at = body.skin.vertices[:, axis]
    whole = float(body.size[axis])
    stripe = np.clip(np.floor((at + whole / 2 + MIDDLE) / whole * len(colours)), 0, len(colours) - 1).astype(int)
    return body.with_skin(replace(body.skin, colours=np.asarray(colours, np.float64)[stripe]))


def rows_of(body: pliant.Body, axis: int) -> tuple[Array, NDArray[np.int64]]:
    """Where the particles of a sheet stand along an axis at rest, and for each of these places its particles, in their
    order along the other axis (places, particles)."""
    at = np.round(body.rest[:, axis], 9)
    places = np.unique(at)
    other = body.rest[:, 2 - axis]
    rows = [np.flatnonzero(at == place) for place in places]
    return places, np.stack([row[np.argsort(other[row])] for row in rows])


def folds(heights: Array, least: float) -> int:
    """How many times a line of heights (N,) swings back by more than `least`, there and back being one."""
    turns, last, way = 0, heights[0], 0
    for height in heights:
        if way >= 0 and height < last - least:
            turns, way, last = turns + 1, -1, height
        elif way <= 0 and height > last + least:
            turns, way, last = turns + 1, 1, height
        elif (way > 0 and height > last) or (way < 0 and height < last):
            last = height
    return turns // 2


def stretch(body: pliant.Body, positions: Array, part: float = 1.0) -> float:
    """The largest strain of the edges of a sheet, or that which a part of them stay below."""
    edges = np.concatenate([body.elements[:, pair] for pair in ([0, 1], [1, 2], [2, 0])])
    before, now = (np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1) for x in (body.rest, positions))
    return float(np.quantile(now / before - 1.0, part))
