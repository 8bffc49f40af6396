# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that find contacts: pairs of spheres that touch or nearly do, in the order of their parts (side_kernels), of
the body pairs, and of the spheres' numbers.

Pairs that have to be checked are listed (pair_list_kernels). The narrow phase tells of a pair along which direction the
two part and how far each reaches along it; it is a candidate if they touch or are only a little apart. Within a step
candidates stay valid until two actors have moved so far against each other that other spheres might touch: then all
their pairs are checked again. Each step begins with a fresh check, so that what follows from a state depends on nothing
before it."""

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inner, part
from pliant.world.contact.box_kernels import overlap
from pliant.world.contact.cell_kernels import find_pairs
from pliant.world.contact.cull_kernels import cull
from pliant.world.contact.lane_kernels import CONTACT_LANES, LANE_ROOM
from pliant.world.contact.layout import (
    BOUND,
    CANDIDATE,
    CANDIDATE_COUNT,
    CANDIDATE_ROOM,
    CHECKED_AT,
    FIRST_CANDIDATE,
    LIST_COUNT,
    LIST_START,
    PAIR_HEAD,
    PROXY,
)
from pliant.world.contact.narrow_phase_kernels import narrow_phase
from pliant.world.contact.note_kernels import note_all
from pliant.world.contact.pair_list_kernels import candidates_are_valid, head_list, list_is_valid, margin_of, note_check
from pliant.world.contact.penetration_kernels import untangle_all
from pliant.world.contact.side_kernels import PARTS, part_of

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
# Numbers of a thread: where its lists go on and end, where its candidates go on and end, how many contacts it left out,
# how many it found of each part, and how many body pairs it scanned of each part
NEXT_LIST, NEXT_CANDIDATE, LEFT_OUT, FOUND, SCANNED = 0, 2, 4, 5, 8
THREAD_ROOM = 16
LANE_PAIRS = 2 * CONTACT_LANES
# Effort, in about 2.5 ns: for a body pair whose candidates are still valid, and for each of these; for one that is
# checked, beside the length of its list, and for each candidate it had; and for each sphere of one to be listed
EFFORT_VALID, EFFORT_CANDIDATE, EFFORT_CHECK, EFFORT_OLD_CANDIDATE, EFFORT_PROXY = 8, 14, 16, 22, 6
SPARE_CANDIDATES = 2  # candidates for which there is room beside those of a body pair
NEIGHBOUR_REACH = 1.1  # of the sum of the bounds: spheres of one body that are nearer at rest never touch


@inner
def list_pairs(proxy_boxes, rests, proxies, spans, boxes, a, b, margin, near, table, grid, groups, pairs):
    """All pairs of two actors that may touch before they have moved against each other by the margin. Returns how many
    numbers there are in `pairs`, and whether there was no room for more."""
    count = find_pairs(proxy_boxes, spans, boxes, a, b, margin, near, table, grid, groups, pairs)
    full = count == len(pairs) - 2
    if a != b:
        return count, full
    kept = 0
    for k in range(0, count, 2):
        s, t = np.int64(pairs[k]), np.int64(pairs[k + 1])
        if t > s and not together(rests, proxies, s, t):
            pairs[kept], pairs[kept + 1] = s, t
            kept += 2
    return kept, full


@inner
def together(rests, proxies, a, b):
    """Whether two spheres of one body touch at rest."""
    d0, d1, d2 = rests[4 * a] - rests[4 * b], rests[4 * a + 1] - rests[4 * b + 1], rests[4 * a + 2] - rests[4 * b + 2]
    near = NEIGHBOUR_REACH * (proxies[PROXY * a + BOUND] + proxies[PROXY * b + BOUND])
    return d0 * d0 + d1 * d1 + d2 * d2 < near * near


@part
def scan(body_pairs, boxes, spans, sides, heads, materials, displacements, active, room, since, first, last):
    """Which of the body pairs from first to last have candidates or pairs to be checked: number, four times the part
    and 1 if their candidates are still valid, 2 if only their list is, and how much work they are; three numbers each,
    into `active`, from three times the first on. room: how many there are of each part."""
    room[SCANNED] = room[SCANNED + 1] = room[SCANNED + 2] = 0
    to = U(3 * first)
    for c in range(first, last):
        a, b = body_pairs[2 + 2 * c], body_pairs[3 + 2 * c]
        if not overlap(boxes, a, b):
            continue
        head = heads[PAIR_HEAD * c : PAIR_HEAD * (c + 1)]
        part = part_of(sides, a, b)
        if candidates_are_valid(head, materials, displacements, a, b, since):
            effort, valid = EFFORT_VALID + EFFORT_CANDIDATE * np.int64(head[CANDIDATE_COUNT]), 1
            if head[CANDIDATE_COUNT] == 0.0:
                continue
        elif list_is_valid(head, displacements, a, b):
            effort, valid = EFFORT_CHECK + np.int64(head[LIST_COUNT] + EFFORT_OLD_CANDIDATE * head[CANDIDATE_COUNT]), 2
            if head[LIST_COUNT] == 0.0:
                continue
        else:
            spheres = np.int64(spans[a + 1]) - np.int64(spans[a]) + np.int64(spans[b + 1]) - np.int64(spans[b])
            effort, valid = (
                EFFORT_CHECK + EFFORT_PROXY * spheres + np.int64(EFFORT_OLD_CANDIDATE * head[CANDIDATE_COUNT]),
                0,
            )
        active[to], active[to + U(1)], active[to + U(2)] = c, 4 * part + valid, effort
        to += U(3)
        room[SCANNED + part] += 1


@part
def arrange(active, order, rooms, count, piece, pieces):
    """Bring what a thread has scanned where it belongs, in the order of parts and of body pairs."""
    room = rooms[THREAD_ROOM * piece : THREAD_ROOM * (piece + 1)]
    t0 = t1 = t2 = 0
    for other in range(pieces):
        each = rooms[THREAD_ROOM * other + SCANNED : THREAD_ROOM * (other + 1)]
        t1, t2 = t1 + each[0], t2 + each[0] + each[1]
    for other in range(piece):
        each = rooms[THREAD_ROOM * other + SCANNED : THREAD_ROOM * (other + 1)]
        t0, t1, t2 = t0 + each[0], t1 + each[1], t2 + each[2]
    at = 3 * (count * piece // pieces)
    for k in range(U(at), U(at + 3 * (room[SCANNED] + room[SCANNED + 1] + room[SCANNED + 2])), U(3)):
        part = active[k + U(1)] >> 2
        to = U(3) * U(t0 if part == 0 else (t1 if part == 1 else t2))
        order[to], order[to + U(1)], order[to + U(2)] = active[k], active[k + U(1)], active[k + U(2)]
        t0, t1, t2 = t0 + (part == 0), t1 + (part == 1), t2 + (part == 2)


@part
def portion_of(order, rooms, piece, pieces):
    """Which of those that have to be checked a thread takes: about as much work as the others."""
    count = 0
    for other in range(pieces):
        for k in range(PARTS):
            count += rooms[THREAD_ROOM * other + SCANNED + k]
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
    attachments, proxies, rests, owners, spans, materials, hulls, bounces, angular_velocities, boxes, places,
    proxy_boxes, cull_rows, body_pairs, displacements, heads, lists, candidates, new_candidates, near, table, grid,
    groups, pairs, survivors, order, contacts, h, row, end, rooms, serial, since, first, last,
):  # fmt: skip
    """Rows of `contacts`, from `row` to `end`, for all pairs of the body pairs from first to last in order that touch
    or nearly do. rooms: where new lists and new candidates go on and where they end, then how many contacts there are
    of each part, and how many were left out. serial: of the sub-step; since: of that with which the step began."""
    lost, some, next_new = 0, 0, row
    lanes, in_lanes = room(np.float32, LANE_ROOM), room(np.uint32, LANE_PAIRS)
    lanes[:] = 0
    for k in range(first, last):
        if order[3 * k + 1] & np.uint32(1):
            continue
        c = np.int64(order[3 * k])
        a, b = body_pairs[2 + 2 * c], body_pairs[3 + 2 * c]
        head = heads[PAIR_HEAD * c : PAIR_HEAD * (c + 1)]
        if 2 * some > len(survivors):  # there has to be room for all pairs of two actors
            next_new, lost = narrow_phase(
                attachments, proxies, hulls, places, proxy_boxes, cull_rows, survivors, some, lanes, in_lanes,
                new_candidates, next_new, lost, end,
            )  # fmt: skip
            some = 0
        if order[3 * k + 1] & np.uint32(2):
            some = cull(cull_rows, lists, np.int64(head[LIST_START]), np.int64(head[LIST_COUNT]), survivors, some)
            continue
        margin = margin_of(materials, displacements, a, b)
        count, much = list_pairs(
            proxy_boxes, rests, proxies, spans, boxes, a, b, margin, near, table, grid, groups, pairs
        )
        if much and margin > 0.0:
            margin = 0.0
            count, much = list_pairs(
                proxy_boxes, rests, proxies, spans, boxes, a, b, margin, near, table, grid, groups, pairs
            )
        lost += much
        head_list(head, count, margin, displacements, a, b)
        if margin > 0.0 and not much and rooms[NEXT_LIST] + count <= rooms[NEXT_LIST + 1]:
            head[LIST_START] = rooms[NEXT_LIST]
            for m in range(count):
                lists[rooms[NEXT_LIST] + m] = pairs[m]
            rooms[NEXT_LIST] += count
        else:
            head[LIST_COUNT] = -1.0
        some = cull(cull_rows, pairs, 0, count, survivors, some)
    last_new, lost = narrow_phase(
        attachments, proxies, hulls, places, proxy_boxes, cull_rows, survivors, some, lanes, in_lanes, new_candidates,
        next_new, lost, end,
    )  # fmt: skip
    to, next_new = row, row
    for k in range(PARTS):
        rooms[FOUND + k] = 0
    for k in range(first, last):
        c, part = np.int64(order[3 * k]), np.int64(order[3 * k + 1]) >> 2
        a, b = body_pairs[2 + 2 * c], body_pairs[3 + 2 * c]
        head = heads[PAIR_HEAD * c : PAIR_HEAD * (c + 1)]
        if not order[3 * k + 1] & np.uint32(1):
            before = next_new
            while next_new < last_new and is_of_body_pair(owners, new_candidates, next_new, a, b):
                next_new += 1
            if head[CHECKED_AT] < since:  # its room is taken by others
                head[CANDIDATE_ROOM] = 0.0
            rooms[NEXT_CANDIDATE] = keep_candidates(
                head, new_candidates, before, next_new, candidates, rooms[NEXT_CANDIDATE], rooms[NEXT_CANDIDATE + 1]
            )
            lost += next_new - before - np.int64(head[CANDIDATE_COUNT])
            note_check(head, displacements, a, b, serial)
        begin, before = np.int64(head[FIRST_CANDIDATE]), to
        to, missed = note_all(
            attachments, proxies, owners, materials, bounces, angular_velocities, places, candidates, begin,
            begin + np.int64(head[CANDIDATE_COUNT]), contacts, to, end, a, b, h,
        )  # fmt: skip
        lost += missed
        rooms[FOUND + part] += to - before
    untangle_all(owners, contacts, row, to)
    rooms[LEFT_OUT] = lost


@inner
def keep_candidates(head, new_candidates, first, last, candidates, next_row, last_row):
    """Keep the candidates of two actors: where they had some before if there is room, else behind all others. Returns
    where those end."""
    count = last - first
    if count > head[CANDIDATE_ROOM]:
        more = min(count + SPARE_CANDIDATES, last_row - next_row)
        head[FIRST_CANDIDATE], head[CANDIDATE_ROOM] = next_row, more
        next_row += more
        count = min(count, more)
    head[CANDIDATE_COUNT] = count
    at = CANDIDATE * np.int64(head[FIRST_CANDIDATE])
    for k in range(CANDIDATE * count):
        candidates[at + k] = new_candidates[CANDIDATE * first + k]
    return next_row


@inner
def is_of_body_pair(owners, new_candidates, next_new, a, b):
    """Whether a candidate is of two actors."""
    s, t = np.int64(new_candidates[CANDIDATE * next_new]), np.int64(new_candidates[CANDIDATE * next_new + 1])
    return owners[s] == a and owners[t] == b
