"""Kernels that find contacts: pairs of spheres that touch or nearly do, in the order of the couples of actors and of
the spheres' numbers.

Who has to be looked at is listed (candidate_kernels). What a close look tells of a pair, along which direction the two
part and how far each reaches along it, is a sight of it; pairs that are a little apart are kept in sight too. Within a
step sights stay good until two actors have moved so far against each other that somebody who is not in sight might
touch: then all their pairs are looked at again. Each step begins with a fresh look, so that what follows from a state
depends on nothing before it."""

import numpy as np

from pliant.jit import inner, part
from pliant.world.contact.box_kernels import cross
from pliant.world.contact.candidate_kernels import head_list, look_now, margin_of, still_good, still_in_sight
from pliant.world.contact.cell_kernels import find_pairs
from pliant.world.contact.deep_kernels import untangle_all
from pliant.world.contact.lane_kernels import LANES, ROOM
from pliant.world.contact.layout import BOUND, COUNT, HEAD, ROOMY, SIGHT, SIGHTED, SIGHTS, START, TRAITS
from pliant.world.contact.look_kernels import look_through
from pliant.world.contact.note_kernels import note_all

SPARE = 2  # sights for which there is room beside those of a couple
NEIGHBOURS = 1.1  # of the sum of the bounds: spheres of one body that are nearer at rest never touch


@inner
def list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, pairs):
    """All pairs of two actors that may touch before they have moved against each other by the margin. Returns how many
    numbers there are in `pairs`, and whether there was no room for more."""
    count = find_pairs(cases, spans, boxes, a, b, margin, near, table, grid, pairs)
    full = count == len(pairs) - 2
    if a != b:
        return count, full
    kept = 0
    for k in range(0, count, 2):
        s, t = np.int64(pairs[k]), np.int64(pairs[k + 1])
        if t > s and not together(rests, traits, s, t):
            pairs[kept], pairs[kept + 1] = s, t
            kept += 2
    return kept, full


@inner
def together(rests, traits, a, b):
    """Whether two spheres of one body touch at rest."""
    d0, d1, d2 = rests[4 * a] - rests[4 * b], rests[4 * a + 1] - rests[4 * b + 1], rests[4 * a + 2] - rests[4 * b + 2]
    near = NEIGHBOURS * (traits[TRAITS * a + BOUND] + traits[TRAITS * b + BOUND])
    return d0 * d0 + d1 * d1 + d2 * d2 < near * near


@part
def find_contacts(
    riders, traits, rests, owners, spans, manners, hulls, bounces, spins, boxes, places, cases, glances, couples,
    journeys, heads, lists, sights, looked, near, table, grid, pairs, queue, seen, contacts, h, row, end, room, full,
    view, edge, first, last,
):  # fmt: skip
    """Rows of `contacts`, from `row` to `end`, for all pairs of the couples from first to last that touch or nearly do.
    New lists go between `room` and `full`, new sights between `view` and `edge`. Returns how many contacts there are,
    how many were left out, and where lists and sights end now."""
    lost, waiting, look = 0, 0, row
    lanes = np.zeros(ROOM, np.float32)
    in_lanes = np.zeros(2 * LANES, np.uint32)
    for c in range(first, last):
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        head = heads[HEAD * c : HEAD * (c + 1)]
        if not cross(boxes, a, b) or still_in_sight(head, manners, journeys, a, b):
            continue
        head[SIGHTED] = -1.0
        begin, count, source = np.int64(head[START]), np.int64(head[COUNT]), lists
        if not still_good(head, journeys, a, b):
            margin = margin_of(manners, journeys, a, b)
            count, much = list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, pairs)
            if much and margin > 0.0:
                margin = 0.0
                count, much = list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, pairs)
            lost += much
            head_list(head, count, margin, journeys, a, b)
            begin, source = 0, pairs
            if margin > 0.0 and not much and room + count <= full:
                head[START] = room
                for k in range(count):
                    lists[room + k] = pairs[k]
                room += count
            else:
                head[COUNT] = -1.0
        if waiting + count > len(queue):
            look, lost = look_through(
                riders, traits, hulls, places, cases, glances, queue, waiting, seen, lanes, in_lanes, looked, look,
                lost, end,
            )  # fmt: skip
            waiting = 0
        for k in range(count):
            queue[waiting + k] = source[begin + k]
        waiting += count
    looks, lost = look_through(
        riders, traits, hulls, places, cases, glances, queue, waiting, seen, lanes, in_lanes, looked, look, lost, end
    )
    to, look = row, row
    for c in range(first, last):
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        if not cross(boxes, a, b):
            continue
        head = heads[HEAD * c : HEAD * (c + 1)]
        if head[SIGHTED] < 0.0:
            before = look
            while look < looks and of_couple(owners, looked, look, a, b):
                look += 1
            view = take_sights(head, looked, before, look, sights, view, edge)
            lost += look - before - np.int64(head[SIGHTED])
            look_now(head, journeys, a, b)
        begin = np.int64(head[SIGHTS])
        to, missed = note_all(
            riders, traits, owners, manners, bounces, spins, places, sights, begin, begin + np.int64(head[SIGHTED]),
            contacts, to, end, a, b, h,
        )  # fmt: skip
        lost += missed
    untangle_all(owners, contacts, row, to)
    return to - row, lost, room, view


@inner
def take_sights(head, looked, first, last, sights, view, edge):
    """Keep the sights of two actors: where they had some before if there is room, else behind all others. Returns where
    those end."""
    count = last - first
    if count > head[ROOMY]:
        room = min(count + SPARE, edge - view)
        head[SIGHTS], head[ROOMY] = view, room
        view += room
        count = min(count, room)
    head[SIGHTED] = count
    at = SIGHT * np.int64(head[SIGHTS])
    for k in range(SIGHT * count):
        sights[at + k] = looked[SIGHT * first + k]
    return view


@inner
def of_couple(owners, looked, look, a, b):
    """Whether a sight is of two actors."""
    s, t = np.int64(looked[SIGHT * look]), np.int64(looked[SIGHT * look + 1])
    return owners[s] == a and owners[t] == b
