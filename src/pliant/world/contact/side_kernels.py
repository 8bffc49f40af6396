# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that cut all bodies in two sides, so that two threads can part them together.

Each actor is on one of two sides of a plane, with about as many particles that are awake on either. Contacts are in
three parts then: those of one side, those across, those of the other side. What is done with contacts one after the
other, each thread does with those of its own side, and one of them with those across, when both are done. The sides are
those of where the actors are when a step begins, however many threads there are: so results do not depend on that."""

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part

ACROSS = 1  # the part of contacts between the sides; the others are 0 and 2
PARTS = 3
MUCH_WIDER = 2.0
BINS = 128  # along the axis that is cut
BIN_EDGES = BINS + 1
# Numbers of a sub-step: of each part the first row of its contacts and the one after the last (6); how many contacts
# there are, and behind which row nothing is; where the rows of obstacles of each side begin and end (4); how many of
# each part are done the general way (3); and how many static rows each side has (2)
PART_ROWS, CONTACT_COUNT, LAST_ROW, GROUND_ROWS, GENERAL_COUNT, STATIC_COUNT = 0, 6, 7, 8, 12, 15
BOUNDS_SIZE = 24


@part
def choose_sides(x, origins, awake, count, sides):
    """Which side of a plane each actor is on. The plane is across x, because actors stand in memory in the order in
    which they stood along it at first (actor_registry.py), and threads that write next to each other in memory slow
    each other down; unless the actors are spread much wider along another axis."""
    actors = len(origins)
    l0 = l1 = l2 = 1e300
    h0 = h1 = h2 = -1e300
    for actor in range(actors):
        if awake[actor]:
            f = 4 * np.int64(origins[actor])
            l0, l1, l2 = min(l0, x[f]), min(l1, x[f + 1]), min(l2, x[f + 2])
            h0, h1, h2 = max(h0, x[f]), max(h1, x[f + 1]), max(h2, x[f + 2])
    w0, w1, w2 = h0 - l0, h1 - l1, h2 - l2
    axis, least, wide = 0, l0, w0
    if max(w1, w2) > MUCH_WIDER * w0:
        axis, least, wide = (1, l1, w1) if w1 > w2 else (2, l2, w2)
    scale = BINS / wide if wide > 0.0 else 0.0
    bins = room(np.float64, BIN_EDGES)
    bins[:] = 0.0
    for actor in range(actors):
        if awake[actor]:
            first = np.int64(origins[actor])
            last = np.int64(origins[actor + 1]) if actor + 1 < actors else count
            bins[np.int64(scale * (x[4 * first + axis] - least))] += last - first
    half, cut = 0.5 * bins.sum(), 0
    while cut < BINS and half > 0.0:
        half -= bins[cut]
        cut += 1
    for actor in range(actors):
        sides[actor] = np.int64(scale * (x[4 * np.int64(origins[actor]) + axis] - least)) >= cut


@inner
def is_mine(side, piece, pieces):
    """Whether a thread sees to a side: the first two have one each, a thread that is alone has both."""
    return side % pieces == piece


@inner
def part_of(sides, a, b):
    """The part to which contacts of two actors belong."""
    return np.int64(sides[a]) + np.int64(sides[b])


@inner
def rows_of(bounds, part):
    """The first contact of a part, and the one after the last."""
    return bounds[PART_ROWS + 2 * part], bounds[PART_ROWS + 2 * part + 1]


@inner
def own_across(bounds, piece, pieces):
    """Which of the contacts across a thread takes, where it does not matter which thread does."""
    first, last = rows_of(bounds, ACROSS)
    return first + (last - first) * piece // pieces, first + (last - first) * (piece + 1) // pieces
