"""Nested dissection: in which order the unknowns of a mesh are eliminated.

A mesh is cut in two across its longest side; particles of one half that touch the other come last, what is left of the
halves is cut in turn. What goes together (a leaf, or a cut) is a piece; with its border, the particles of later
pieces that it touches, it makes a front: one dense matrix. Small cuts make small fronts.    [George 1973, Duff 1983]"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
LEAF = 4  # particles that are not cut any more


@dataclass(frozen=True, eq=False)
class Separator:
    """own: particles that are eliminated here; border: those of later pieces that are coupled to them or to what was
    eliminated below; children: the pieces below, by number."""

    own: Ints
    border: Ints
    children: tuple[int, ...]


def dissect(rest: Array, a: Ints, b: Ints) -> list[Separator]:
    """The pieces of a mesh of V particles at `rest` (V, 3) with couplings a, b (each pair once), children first."""
    count = len(rest)
    both = np.concatenate([np.stack([a, b], 1), np.stack([b, a], 1)])
    both = both[both[:, 0] != both[:, 1]]
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    starts = np.searchsorted(both[:, 0], np.arange(count + 1))
    neighbours = both[:, 1]
    pieces: list[tuple[Ints, tuple[int, ...]]] = []
    side = np.zeros(count, np.int8)

    def around(chosen: Ints) -> tuple[Ints, Ints]:
        """All couplings of some particles: the particle's place among them, and the other end."""
        sizes = starts[chosen + 1] - starts[chosen]
        owner = np.repeat(np.arange(len(chosen)), sizes)
        at = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(starts[chosen], sizes)
        return owner, neighbours[at]

    def cut(chosen: Ints) -> int:
        """The number of the piece that comes last of these particles."""
        if len(chosen) <= LEAF:
            pieces.append((chosen, ()))
            return len(pieces) - 1
        places = rest[chosen]
        along = places[:, int(np.argmax(np.ptp(places, axis=0)))]
        order = np.argsort(along, kind="stable")
        # between two layers of a lattice a cut is thinner than through one: take the widest gap near the middle
        half = len(chosen) // 2
        near = max(1, len(chosen) // 8)
        window = along[order][half - near : half + near + 1]
        gap = int(np.argmax(np.diff(window))) if len(window) > 1 else 0
        half = half - near + gap + 1
        low, high = chosen[order[:half]], chosen[order[half:]]
        side[low], side[high] = 1, 2
        owner, other = around(low)
        on_cut = np.zeros(len(low), bool)
        on_cut[owner[side[other] == 2]] = True
        owner, other = around(high)
        on_other = np.zeros(len(high), bool)
        on_other[owner[side[other] == 1]] = True
        side[chosen] = 0
        if on_other.sum() < on_cut.sum():
            low, high, on_cut = high, low, on_other
        children = []
        if (~on_cut).any():
            children.append(cut(low[~on_cut]))
        if len(high):
            children.append(cut(high))
        pieces.append((low[on_cut], tuple(children)))  # empty between two parts that do not touch
        return len(pieces) - 1

    cut(np.arange(count))
    place = np.empty(count, np.int64)
    place[np.concatenate([own for own, _ in pieces])] = np.arange(count)
    found: list[Separator] = []
    last = 0
    for own, children in pieces:
        own = own[np.argsort(place[own])]
        last += len(own)
        touched = [around(own)[1], *(found[child].border for child in children)]
        border = np.unique(np.concatenate(touched))
        border = border[place[border] >= last]
        found.append(Separator(own, border[np.argsort(place[border])], children))
    return found
