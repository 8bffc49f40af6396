# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Bodies are parted where they touch: from where the contact spheres are to where contact leaves the particles.

Threads go through this together, each with one side of all bodies (side_kernels), and wait for one another at a few
points; what is across is left to one of them while the others wait."""

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inline, inner, part
from pliant.runtime.waiting import PLACE, all_here
from pliant.world.contact.cell_kernels import CELL_GRID
from pliant.world.contact.crush_kernels import slow_down
from pliant.world.contact.find_kernels import FOUND, LEFT_OUT, THREAD_ROOM, arrange, find_contacts, portion_of, scan
from pliant.world.contact.firm_kernels import begin_corrections, carry_all, weigh_all_firm
from pliant.world.contact.ground_kernels import find_ground, hold, let_go, unmark
from pliant.world.contact.layout import CONTACT
from pliant.world.contact.push_kernels import push_apart
from pliant.world.contact.rebound_kernels import notice
from pliant.world.contact.side_kernels import (
    ACROSS,
    CONTACT_COUNT,
    GENERAL_COUNT,
    GROUND_ROWS,
    LAST_ROW,
    PART_ROWS,
    PARTS,
    STATIC_COUNT,
    is_mine,
    own_across,
    rows_of,
)  # fmt: skip
from pliant.world.contact.static_contact_kernels import STATIC_ROW, gather_static, scatter_static, sweep_static
from pliant.world.contact.sweep_kernels import (
    COLOURS,
    begin_pushes,
    clear_colours,
    colour_contacts,
    fill,
    give_back,
    sweep_contacts,
    weigh_general,
)  # fmt: skip
from pliant.world.layout import COLLIDER

PIECES = 8  # threads that may share this
# Places on the board of a thread: whether a particle was moved in its sweep, and across, by turns
MOVED_IN_SWEEP, MOVED_ACROSS = 3, 5
CONTACT_SWEEPS = 6
OBSTACLES = 2  # sweeps over obstacles in each
SWEEP_TOLERANCE = 1e-6  # m: sweeps end when no particle moves farther
# Points at which threads wait for one another; before them are two in world/kernels.py
SOLVED, PLACED, SCANNING, ARRANGED, GATHERED, JOINED, COLOURED, SLOWED, BEGUN = range(3, 12)
PARTED = BEGUN + 2 * CONTACT_SWEEPS + 2  # after two in each sweep


@part
def find_all(
    attachments, proxies, rests, owners, spans, sides, materials, hulls, bounces, angular_velocities, boxes, places,
    proxy_boxes, cull_rows, body_pairs, displacements, heads, lists, candidates, new_candidates, near, table, grid,
    groups, pairs, survivors, active, order, contacts, bounds, h, serial, since, rooms, board, piece, pieces,
):  # fmt: skip
    """Find all contacts, in their order. Several threads may do this together, each a piece of it; rooms: what each of
    them knows (find_kernels). Returns whether all went well: not if contacts had to be left out that one thread alone
    might have room for."""
    n, t, g, q = len(near) // PIECES, len(table) // PIECES, len(groups) // PIECES, len(pairs) // PIECES
    rows, room, count = len(contacts) // CONTACT, rooms[THREAD_ROOM * piece : THREAD_ROOM * (piece + 1)], body_pairs[0]
    first, last = count * piece // pieces, count * (piece + 1) // pieces
    scan(body_pairs, boxes, spans, sides, heads, materials, displacements, active, room, since, first, last)
    all_here(board, piece, pieces, SCANNING)
    arrange(active, order, rooms, count, piece, pieces)
    all_here(board, piece, pieces, ARRANGED)
    first, last = portion_of(order, rooms, piece, pieces)
    find_contacts(
        attachments, proxies, rests, owners, spans, materials, hulls, bounces, angular_velocities, boxes, places,
        proxy_boxes, cull_rows, body_pairs, displacements, heads, lists, candidates, new_candidates,
        near[n * piece : n * (piece + 1)], table[t * piece : t * (piece + 1)],
        grid[CELL_GRID * piece : CELL_GRID * (piece + 1)], groups[g * piece : g * (piece + 1)],
        pairs[q * piece : q * (piece + 1)], survivors[2 * q * piece : 2 * q * (piece + 1)], order, contacts, h,
        rows * piece // pieces, rows * (piece + 1) // pieces, room, serial, since, first, last,
    )  # fmt: skip
    all_here(board, piece, pieces, GATHERED)
    if pieces > 1 and not all_found(rooms, rows, pieces):
        return False
    join(contacts, bounds, rooms, rows, piece, pieces)
    all_here(board, piece, pieces, JOINED)
    return True


@part
def part_bodies(
    x, p, inverse, origins, hulls, bounces, colliders, grids, attachments, attachment_weights, owners, spans, sides,
    materials, awake, boxes, places, marks, contacts, bounds, motion, meetings, impacts, warm_pushes, static_rows,
    general, used, colour_slots, colour_starts, blocks, ends, h, board, piece, pieces,
):  # fmt: skip
    """Part bodies where they touch: changes p, and writes pushes into the rows."""
    for side in range(2):
        if is_mine(side, piece, pieces):
            begin_corrections(owners, sides, contacts, bounds, motion, meetings, side, h)
            first, last = rows_of(bounds, 2 * side)
            notice(contacts, first, last, owners, places, bounces)
            weigh_all_firm(p, inverse, origins, sides, materials, awake, motion, meetings, side)
            slow_down(
                x, p, inverse, origins, owners, materials, awake, places, contacts, first, last, motion, impacts, h
            )
            clear_colours(origins, sides, len(inverse), used, side)
            colour_contacts(
                attachments, contacts, bounds, 2 * side, used, colour_slots, colour_starts_of(colour_starts, 2 * side),
                blocks, ends,
            )  # fmt: skip
    if bounds[CONTACT_COUNT] == 0:
        return
    all_here(board, piece, pieces, COLOURED)
    if piece == 0:
        first, last = rows_of(bounds, ACROSS)
        notice(contacts, first, last, owners, places, bounces)
        slow_down(x, p, inverse, origins, owners, materials, awake, places, contacts, first, last, motion, impacts, h)
    if piece == pieces - 1:
        others = used[len(inverse) :]
        others[:] = 0
        colour_contacts(
            attachments, contacts, bounds, ACROSS, others, colour_slots, colour_starts_of(colour_starts, ACROSS),
            blocks, ends,
        )  # fmt: skip
    all_here(board, piece, pieces, SLOWED)
    scratch = room(np.float64, COLLIDER)
    for side in range(2):
        if is_mine(side, piece, pieces):
            unmark(marks, spans, sides, side)
            find_ground(
                x, p, inverse, origins, hulls, colliders, grids, attachments, attachment_weights, owners, sides,
                materials, awake, boxes, marks, motion, meetings, contacts, bounds, warm_pushes, scratch, side, h,
            )  # fmt: skip
            begin_part(
                p, inverse, attachments, attachment_weights, owners, materials, places, motion, contacts, bounds,
                warm_pushes, colour_slots, general, blocks, ends, colour_starts, 2 * side, True, h,
            )  # fmt: skip
            first, last = bounds[GROUND_ROWS + 2 * side], bounds[GROUND_ROWS + 2 * side + 1]
            bounds[STATIC_COUNT + side] = gather_static(
                materials, contacts, first, last, static_rows_of(static_rows, bounds, side)
            )
    first, last = own_across(bounds, piece, pieces)
    fill(inverse, attachments, places, contacts, first, last, warm_pushes, colour_slots, blocks, ends, h)
    all_here(board, piece, pieces, BEGUN)
    if piece == 0:
        begin_part(
            p, inverse, attachments, attachment_weights, owners, materials, places, motion, contacts, bounds,
            warm_pushes, colour_slots, general, blocks, ends, colour_starts, ACROSS, False, h,
        )  # fmt: skip
    sweep_all(
        p, inverse, attachments, attachment_weights, owners, materials, places, contacts, bounds, motion, static_rows,
        general, colour_starts, blocks, ends, board, piece, pieces,
    )  # fmt: skip
    first, last = own_across(bounds, piece, pieces)
    give_back(contacts, first, last, colour_slots, blocks)
    for side in range(2):
        if is_mine(side, piece, pieces):
            first, last = rows_of(bounds, 2 * side)
            give_back(contacts, first, last, colour_slots, blocks)
            first, last = bounds[GROUND_ROWS + 2 * side], bounds[GROUND_ROWS + 2 * side + 1]
            scatter_static(contacts, static_rows_of(static_rows, bounds, side), bounds[STATIC_COUNT + side])
            let_go(p, inverse, materials, motion, contacts, first, last)
            carry_all(p, inverse, origins, sides, materials, awake, motion, meetings, bounces, side, h)
    all_here(board, piece, pieces, PARTED)


@part
def begin_part(
    p, inverse, attachments, attachment_weights, owners, materials, places, motion, contacts, bounds, warm_pushes,
    colour_slots, general, blocks, ends, colour_starts, part, fills, h,
):  # fmt: skip
    """The contacts of a part begin with the pushes of the last sub-step; fills: whether its blocks are yet to be
    filled."""
    first, last = rows_of(bounds, part)
    bounds[GENERAL_COUNT + part] = weigh_general(
        p, inverse, attachments, attachment_weights, owners, materials, places, motion, contacts, first, last,
        warm_pushes, colour_slots, general[first:], h,
    )  # fmt: skip
    if fills:
        fill(inverse, attachments, places, contacts, first, last, warm_pushes, colour_slots, blocks, ends, h)
    begin_pushes(p, ends, blocks, colour_starts_of(colour_starts, part))


@part
def sweep_all(
    p, inverse, attachments, attachment_weights, owners, materials, places, contacts, bounds, motion, static_rows,
    general, colour_starts, blocks, ends, board, piece, pieces,
):  # fmt: skip
    """The sweeps: each over the contacts of both sides, with their obstacles, and then over those across."""
    sweep = 0
    while True:
        all_here(board, piece, pieces, BEGUN + 1 + 2 * sweep)
        if sweep == CONTACT_SWEEPS or (sweep > 0 and all_still(board, (sweep - 1) % 2, pieces)):
            return
        moved = False
        for side in range(2):
            if is_mine(side, piece, pieces):
                for _again in range(OBSTACLES):
                    sweep_static(p, inverse, static_rows_of(static_rows, bounds, side), bounds[STATIC_COUNT + side])
                    hold(
                        p, inverse, materials, motion, contacts, bounds[GROUND_ROWS + 2 * side],
                        bounds[GROUND_ROWS + 2 * side + 1],
                    )  # fmt: skip
                moved |= sweep_part(
                    p, inverse, attachments, attachment_weights, owners, places, contacts, bounds, motion, general,
                    colour_starts, blocks, ends, 2 * side,
                )  # fmt: skip
        board[PLACE * piece + MOVED_IN_SWEEP + sweep % 2] = moved
        all_here(board, piece, pieces, BEGUN + 2 + 2 * sweep)
        if piece == 0:
            board[MOVED_ACROSS + sweep % 2] = sweep_part(
                p, inverse, attachments, attachment_weights, owners, places, contacts, bounds, motion, general,
                colour_starts, blocks, ends, ACROSS,
            )  # fmt: skip
        sweep += 1


@part
def sweep_part(
    p, inverse, attachments, attachment_weights, owners, places, contacts, bounds, motion, general, colour_starts,
    blocks, ends, part
):  # fmt: skip
    """One sweep over the contacts of a part. Returns whether any particle was moved by more than SWEEP_TOLERANCE."""
    most = sweep_contacts(p, ends, blocks, colour_starts_of(colour_starts, part))
    listed = general[bounds[PART_ROWS + 2 * part] :]
    far = push_apart(
        p, inverse, attachments, attachment_weights, owners, places, motion, contacts, listed,
        bounds[GENERAL_COUNT + part],
    )  # fmt: skip
    return max(most, far) >= SWEEP_TOLERANCE * SWEEP_TOLERANCE


@part
def all_still(board, turn, pieces):
    """Whether no particle was moved in a sweep."""
    moved = board[MOVED_ACROSS + turn]
    for piece in range(pieces):
        moved += board[PLACE * piece + MOVED_IN_SWEEP + turn]
    return moved == 0


@inline
def colour_starts_of(colour_starts, part):
    """Of the contacts of a part."""
    return colour_starts[(COLOURS + 1) * part : (COLOURS + 1) * (part + 1)]


@inline
def static_rows_of(static_rows, bounds, side):
    """The static rows of a side."""
    return static_rows[STATIC_ROW * (bounds[GROUND_ROWS + 2 * side] - bounds[LAST_ROW]) :]


@part
def all_found(rooms, rows, pieces):
    """Whether no thread left any contact out, and all would have room in the rows of one of them."""
    lost = total = 0
    for piece in range(pieces):
        lost += rooms[THREAD_ROOM * piece + LEFT_OUT]
        total += found_by(rooms, piece)
    return lost == 0 and total <= rows // pieces


@part
def join(contacts, bounds, rooms, rows, piece, pieces):
    """Where the contacts of each part are. Those of a part that several threads have found are brought together behind
    those of the first of them; all others stay where they are."""
    if piece == 0:
        bounds[:] = 0
    for each in range(PARTS):
        first = last = 0
        for other in range(pieces):
            count = rooms[THREAD_ROOM * other + FOUND + each]
            begin = rows * other // pieces
            for k in range(each):
                begin += rooms[THREAD_ROOM * other + FOUND + k]
            if first == last:
                first = last = begin
            elif other == piece:
                for k in range(CONTACT * count):
                    contacts[CONTACT * last + k] = contacts[CONTACT * begin + k]
            last += count
        if piece == 0:
            bounds[PART_ROWS + 2 * each], bounds[PART_ROWS + 2 * each + 1] = first, last
            bounds[CONTACT_COUNT] += last - first
            bounds[LAST_ROW] = max(bounds[LAST_ROW], last)


@inner
def found_by(rooms, piece):
    """How many contacts a thread has found."""
    at = THREAD_ROOM * piece + FOUND
    return rooms[at] + rooms[at + 1] + rooms[at + 2]
