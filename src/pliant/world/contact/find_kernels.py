"""Kernels that find contacts: pairs of spheres that touch or nearly do, in the order of their parts (side_kernels), of
the couples of actors, and of the spheres' numbers.

Who has to be looked at is listed (candidate_kernels). What a close look tells of a pair, along which direction the two
part and how far each reaches along it, is a sight of it; pairs that are a little apart are kept in sight too. Within a
step sights stay good until two actors have moved so far against each other that somebody who is not in sight might
touch: then all their pairs are looked at again. Each step begins with a fresh look, so that what follows from a state
depends on nothing before it."""

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part
from pliant.world.contact.box_kernels import cross
from pliant.world.contact.candidate_kernels import head_list, look_now, margin_of, still_good, still_in_sight
from pliant.world.contact.cell_kernels import find_pairs
from pliant.world.contact.deep_kernels import untangle_all
from pliant.world.contact.glance_kernels import sieve
from pliant.world.contact.lane_kernels import LANES, ROOM
from pliant.world.contact.layout import BOUND, COUNT, HEAD, ROOMY, SIGHT, SIGHTED, SIGHTS, START, TRAITS, WHEN
from pliant.world.contact.look_kernels import look_through
from pliant.world.contact.note_kernels import note_all
from pliant.world.contact.side_kernels import PARTS, part_of

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
# Numbers of a thread: where its lists go on and end, where its sights go on and end, how many contacts it left out, how
# many it found of each part, and how many couples it scanned of each part
LISTS, VIEWS, LOST, FOUND, SCANNED = 0, 2, 4, 5, 8
ROOMS = 16
BOTH = 2 * LANES
# Effort, in about 2.5 ns: for a couple that is still in sight, and for each of its sights; for one that is looked at,
# beside the length of its list, and for each that was in sight last; and for each sphere of one that has to be listed
IN_SIGHT, AGAIN, NEW, ANEW, UNLISTED = 8, 14, 16, 22, 6
SPARE = 2  # sights for which there is room beside those of a couple
NEIGHBOURS = 1.1  # of the sum of the bounds: spheres of one body that are nearer at rest never touch


@inner
def list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, groups, pairs):
    """All pairs of two actors that may touch before they have moved against each other by the margin. Returns how many
    numbers there are in `pairs`, and whether there was no room for more."""
    count = find_pairs(cases, spans, boxes, a, b, margin, near, table, grid, groups, pairs)
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
def scan(couples, boxes, spans, sides, heads, manners, journeys, active, room, since, first, last):
    """Which of the couples from first to last have anybody in sight or to be looked at: number, four times the part and
    1 if what was seen of them is still good, 2 if only their list is, and how much work they are; three numbers each,
    into `active`, from three times the first on. room: how many there are of each part."""
    room[SCANNED] = room[SCANNED + 1] = room[SCANNED + 2] = 0
    to = U(3 * first)
    for c in range(first, last):
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        if not cross(boxes, a, b):
            continue
        head = heads[HEAD * c : HEAD * (c + 1)]
        part = part_of(sides, a, b)
        if still_in_sight(head, manners, journeys, a, b, since):
            effort, seen = IN_SIGHT + AGAIN * np.int64(head[SIGHTED]), 1
            if head[SIGHTED] == 0.0:
                continue
        elif still_good(head, journeys, a, b):
            effort, seen = NEW + np.int64(head[COUNT] + ANEW * head[SIGHTED]), 2
            if head[COUNT] == 0.0:
                continue
        else:
            spheres = np.int64(spans[a + 1]) - np.int64(spans[a]) + np.int64(spans[b + 1]) - np.int64(spans[b])
            effort, seen = NEW + UNLISTED * spheres + np.int64(ANEW * head[SIGHTED]), 0
        active[to], active[to + U(1)], active[to + U(2)] = c, 4 * part + seen, effort
        to += U(3)
        room[SCANNED + part] += 1


@part
def arrange(active, order, rooms, count, piece, pieces):
    """Bring what a thread has scanned where it belongs, in the order of parts and of couples."""
    room = rooms[ROOMS * piece : ROOMS * (piece + 1)]
    t0 = t1 = t2 = 0
    for other in range(pieces):
        each = rooms[ROOMS * other + SCANNED : ROOMS * (other + 1)]
        t1, t2 = t1 + each[0], t2 + each[0] + each[1]
    for other in range(piece):
        each = rooms[ROOMS * other + SCANNED : ROOMS * (other + 1)]
        t0, t1, t2 = t0 + each[0], t1 + each[1], t2 + each[2]
    at = 3 * (count * piece // pieces)
    for k in range(U(at), U(at + 3 * (room[SCANNED] + room[SCANNED + 1] + room[SCANNED + 2])), U(3)):
        part = active[k + U(1)] >> 2
        to = U(3) * U(t0 if part == 0 else (t1 if part == 1 else t2))
        order[to], order[to + U(1)], order[to + U(2)] = active[k], active[k + U(1)], active[k + U(2)]
        t0, t1, t2 = t0 + (part == 0), t1 + (part == 1), t2 + (part == 2)


@part
def portion_of(order, rooms, piece, pieces):
    """Which of those that have to be looked at a thread takes: about as much work as the others."""
    count = 0
    for other in range(pieces):
        for k in range(PARTS):
            count += rooms[ROOMS * other + SCANNED + k]
    total = done = 0
    for k in range(U(count)):
        total += np.int64(order[U(3) * k + U(2)])
    first = last = count
    for k in range(count):
        if first == count and done * pieces >= total * piece:
            first = k
        if done * pieces >= total * (piece + 1):
            last = k
            break
        done += np.int64(order[3 * k + 2])
    return first, max(first, last)


@part
def find_contacts(
    riders, traits, rests, owners, spans, manners, hulls, bounces, spins, boxes, places, cases, glances, couples,
    journeys, heads, lists, sights, looked, near, table, grid, groups, pairs, seen, order, contacts, h, row, end, rooms,
    serial, since, first, last,
):  # fmt: skip
    """Rows of `contacts`, from `row` to `end`, for all pairs of the couples from first to last in order that touch or
    nearly do. rooms: where new lists and new sights go on and where they end, then how many contacts there are of each
    part, and how many were left out. serial: of the sub-step; since: of that with which the step began."""
    lost, some, look = 0, 0, row
    lanes, in_lanes = room(np.float32, ROOM), room(np.uint32, BOTH)
    lanes[:] = 0
    for k in range(first, last):
        if order[3 * k + 1] & np.uint32(1):
            continue
        c = np.int64(order[3 * k])
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        head = heads[HEAD * c : HEAD * (c + 1)]
        if 2 * some > len(seen):  # there has to be room for all pairs of two actors
            look, lost = look_through(
                riders, traits, hulls, places, cases, glances, seen, some, lanes, in_lanes, looked, look, lost, end
            )
            some = 0
        if order[3 * k + 1] & np.uint32(2):
            some = sieve(glances, lists, np.int64(head[START]), np.int64(head[COUNT]), seen, some)
            continue
        margin = margin_of(manners, journeys, a, b)
        count, much = list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, groups, pairs)
        if much and margin > 0.0:
            margin = 0.0
            count, much = list_pairs(cases, rests, traits, spans, boxes, a, b, margin, near, table, grid, groups, pairs)
        lost += much
        head_list(head, count, margin, journeys, a, b)
        if margin > 0.0 and not much and rooms[LISTS] + count <= rooms[LISTS + 1]:
            head[START] = rooms[LISTS]
            for m in range(count):
                lists[rooms[LISTS] + m] = pairs[m]
            rooms[LISTS] += count
        else:
            head[COUNT] = -1.0
        some = sieve(glances, pairs, 0, count, seen, some)
    looks, lost = look_through(
        riders, traits, hulls, places, cases, glances, seen, some, lanes, in_lanes, looked, look, lost, end
    )
    to, look = row, row
    for k in range(PARTS):
        rooms[FOUND + k] = 0
    for k in range(first, last):
        c, part = np.int64(order[3 * k]), np.int64(order[3 * k + 1]) >> 2
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        head = heads[HEAD * c : HEAD * (c + 1)]
        if not order[3 * k + 1] & np.uint32(1):
            before = look
            while look < looks and of_couple(owners, looked, look, a, b):
                look += 1
            if head[WHEN] < since:  # its room is taken by others
                head[ROOMY] = 0.0
            rooms[VIEWS] = take_sights(head, looked, before, look, sights, rooms[VIEWS], rooms[VIEWS + 1])
            lost += look - before - np.int64(head[SIGHTED])
            look_now(head, journeys, a, b, serial)
        begin, before = np.int64(head[SIGHTS]), to
        to, missed = note_all(
            riders, traits, owners, manners, bounces, spins, places, sights, begin, begin + np.int64(head[SIGHTED]),
            contacts, to, end, a, b, h,
        )  # fmt: skip
        lost += missed
        rooms[FOUND + part] += to - before
    untangle_all(owners, contacts, row, to)
    rooms[LOST] = lost


@inner
def take_sights(head, looked, first, last, sights, view, edge):
    """Keep the sights of two actors: where they had some before if there is room, else behind all others. Returns where
    those end."""
    count = last - first
    if count > head[ROOMY]:
        more = min(count + SPARE, edge - view)
        head[SIGHTS], head[ROOMY] = view, more
        view += more
        count = min(count, more)
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
