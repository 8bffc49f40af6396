"""Where everything stands in a sparse L D L^T by fronts, found once for a pattern."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.elastic.assembly import Pattern
from pliant.elastic.dissection import dissect
from pliant.elastic.multifrontal import HEAD

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Fronts:
    """For pliant.elastic.multifrontal. sizes: how many numbers L, the stack and the largest rest have; width: the
    largest front."""

    heads: Ints
    children: Ints
    maps: Ints
    map_starts: Ints
    places: Ints
    unknowns: Ints
    sizes: tuple[int, int, int]
    width: int


def make_fronts(pattern: Pattern) -> Fronts:
    """The fronts of a pattern by nested dissection."""
    count = pattern.count
    a, b = pattern.keys // count, pattern.keys % count
    pieces = dissect(pattern.rest, a, b)
    order = np.concatenate([piece.own for piece in pieces])
    place = np.empty(count, np.int64)  # of each particle in the order of elimination
    place[order] = np.arange(count)
    heads = np.zeros((len(pieces), HEAD), np.int64)
    map_starts = np.zeros(len(pieces) + 1, np.int64)
    maps: list[Ints] = []
    children: list[int] = []
    unknowns: list[Ints] = []
    parent = np.full(len(pieces), -1)
    lower = taken = stack = largest = width = first_unknown = known = listed = 0
    piece_of = np.repeat(np.arange(len(pieces)), [len(piece.own) for piece in pieces])[place]
    for t, piece in enumerate(pieces):
        front = np.concatenate([piece.own, piece.border])
        n, c = 3 * len(front), 3 * len(piece.own)
        # the rests of the children are on top of the stack: they are taken off, and this one's put there
        taken -= sum(_rest(heads[child]) for child in piece.children)
        heads[t] = n, c, lower, taken, known, listed, listed + len(piece.children), first_unknown
        taken += (n - c) ** 2
        stack, largest, width = max(stack, taken), max(largest, (n - c) ** 2), max(width, n)
        lower, known, first_unknown = lower + n * c, known + n, first_unknown + c
        listed += len(piece.children)
        children += piece.children
        unknowns.append((3 * front[:, None] + np.arange(3)).ravel())
        for child in piece.children:
            parent[child] = t
    # where the border of a child stands in the front above: both are in the order of elimination
    for t, piece in enumerate(pieces):
        map_starts[t + 1] = map_starts[t] + len(piece.border)
        if len(piece.border):
            above = pieces[parent[t]]
            front = np.concatenate([above.own, above.border])
            maps.append(np.searchsorted(place[front], place[piece.border]))
    # every block of the matrix goes to the front of the one of its two particles that is eliminated first
    early, late = np.where(place[a] <= place[b], a, b), np.where(place[a] <= place[b], b, a)
    owner = piece_of[early]
    row = np.empty(len(a), np.int64)
    column = np.empty(len(a), np.int64)
    by_owner = np.argsort(owner, kind="stable")
    cuts = np.searchsorted(owner[by_owner], np.arange(len(pieces) + 1))
    for t, piece in enumerate(pieces):
        mine = by_owner[cuts[t] : cuts[t + 1]]
        at = place[np.concatenate([piece.own, piece.border])]
        row[mine], column[mine] = np.searchsorted(at, place[late[mine]]), np.searchsorted(at, place[early[mine]])
    places = np.empty(len(pattern.rows), np.int64)
    n, base = heads[owner, 0], heads[owner, 2]
    swapped = early != a
    for k in range(3):  # a value of block (a, b) at row i, column k; a turned-over block gives k its row
        for i in range(3):
            real = np.ones(len(a), bool) if i <= k else a != b
            source = pattern.places + k * pattern.before[b] + k * (k + 1) // 2 + i
            low, high = np.where(swapped, k, i), np.where(swapped, i, k)
            x, y = 3 * column + low, 3 * row + high  # early's component, late's component
            small, large = np.minimum(x, y), np.maximum(x, y)
            places[source[real]] = (base + small * n + large)[real]
    joined = np.concatenate(maps) if maps else np.zeros(0, np.int64)
    return Fronts(
        heads.reshape(-1), np.array(children, np.int64), joined.astype(np.int64), map_starts, places,
        np.concatenate(unknowns), (lower, max(stack, 1), max(largest, 1)), width,
    )  # fmt: skip


def _rest(head: Ints) -> int:
    return int((head[0] - head[1]) ** 2)
