"""Bodies are parted where they touch: from where the contact spheres are to where contact leaves the particles.

Threads go through this together, each with a side of the crowd (side_kernels), and wait for one another at a few
points; what is across is left to one of them while the others wait."""

import numpy as np

from pliant.runtime.instructions import room
from pliant.runtime.jit import inline, inner, part
from pliant.runtime.waiting import PLACE as LINE
from pliant.runtime.waiting import all_here
from pliant.world.contact.brace_kernels import LINE as BRACE
from pliant.world.contact.brace_kernels import brace, sweep_braces, unbrace
from pliant.world.contact.cell_kernels import GRID
from pliant.world.contact.crush_kernels import slow_down
from pliant.world.contact.find_kernels import FOUND, LOST, ROOMS, arrange, find_contacts, portion_of, scan
from pliant.world.contact.firm_kernels import begin_ways, carry_all, weigh_all_firm
from pliant.world.contact.ground_kernels import find_ground, hold, let_go, unmark
from pliant.world.contact.layout import CONTACT
from pliant.world.contact.push_kernels import push_apart
from pliant.world.contact.rebound_kernels import notice
from pliant.world.contact.side_kernels import (
    ACROSS,
    BRACED,
    COUNT,
    GROUND,
    HEAVY,
    PARTS,
    ROWS,
    TOP,
    is_mine,
    own_across,
    rows_of,
)  # fmt: skip
from pliant.world.contact.sweep_kernels import (
    COLOURS,
    begin_pushes,
    fill,
    give_back,
    paint,
    sweep_contacts,
    unpaint,
    weigh_long,
)  # fmt: skip
from pliant.world.layout import COLLIDER

PIECES = 8  # threads that may share this
# Places on the board of a thread: whether anybody was moved in its sweep, and across, by turns
STIRRED, STIRRED_ACROSS = 3, 5
SWEEPS = 6
OBSTACLES = 2  # sweeps over obstacles in each
ENOUGH = 1e-6  # m: sweeps end when nobody moves farther
# Points at which threads wait for one another; before them are two in world/kernels.py
SOLVED, PLACED, SCANNING, ARRANGED, GATHERED, JOINED, PAINTED, SLOWED, BEGUN = range(3, 12)
PARTED = BEGUN + 2 * SWEEPS + 2  # after two in each sweep


@part
def find_all(
    riders, traits, rests, owners, spans, sides, manners, hulls, bounces, spins, boxes, places, cases, glances, couples,
    journeys, heads, lists, sights, looked, near, table, grid, groups, pairs, seen, active, order, contacts, bounds, h,
    serial, since, rooms, board, piece, pieces,
):  # fmt: skip
    """Find all contacts, in their order. Several threads may do this together, each a piece of it; rooms: what each of
    them knows (find_kernels). Returns whether all went well: not if contacts had to be left out that one thread alone
    might have room for."""
    n, t, g, q = len(near) // PIECES, len(table) // PIECES, len(groups) // PIECES, len(pairs) // PIECES
    rows, room, count = len(contacts) // CONTACT, rooms[ROOMS * piece : ROOMS * (piece + 1)], couples[0]
    first, last = count * piece // pieces, count * (piece + 1) // pieces
    scan(couples, boxes, spans, sides, heads, manners, journeys, active, room, since, first, last)
    all_here(board, piece, pieces, SCANNING)
    arrange(active, order, rooms, count, piece, pieces)
    all_here(board, piece, pieces, ARRANGED)
    first, last = portion_of(order, rooms, piece, pieces)
    find_contacts(
        riders, traits, rests, owners, spans, manners, hulls, bounces, spins, boxes, places, cases, glances, couples,
        journeys, heads, lists, sights, looked,
        near[n * piece : n * (piece + 1)], table[t * piece : t * (piece + 1)], grid[GRID * piece : GRID * (piece + 1)],
        groups[g * piece : g * (piece + 1)], pairs[q * piece : q * (piece + 1)],
        seen[2 * q * piece : 2 * q * (piece + 1)],
        order, contacts, h, rows * piece // pieces, rows * (piece + 1) // pieces, room, serial, since,
        first, last,
    )  # fmt: skip
    all_here(board, piece, pieces, GATHERED)
    if pieces > 1 and not all_found(rooms, rows, pieces):
        return False
    join(contacts, bounds, rooms, rows, piece, pieces)
    all_here(board, piece, pieces, JOINED)
    return True


@part
def part_bodies(
    x, p, inverse, origins, hulls, bounces, colliders, grids, riders, shares, owners, spans, sides, manners, awake,
    boxes, places, marks, contacts, bounds, motion, meetings, impacts, memory, lines, long, used, paints, palettes,
    blocks, ends, h, board, piece, pieces,
):  # fmt: skip
    """Part bodies where they touch: changes p, and writes pushes into the rows."""
    for side in range(2):
        if is_mine(side, piece, pieces):
            begin_ways(owners, sides, contacts, bounds, motion, meetings, side, h)
            first, last = rows_of(bounds, 2 * side)
            notice(contacts, first, last, owners, places, bounces)
            weigh_all_firm(p, inverse, origins, sides, manners, awake, motion, meetings, side)
            slow_down(x, p, inverse, origins, owners, manners, awake, places, contacts, first, last, motion, impacts, h)
            unpaint(origins, sides, len(inverse), used, side)
            paint(
                riders, contacts, bounds, 2 * side, used, paints, palette_of(palettes, 2 * side), blocks, ends
            )
    if bounds[COUNT] == 0:
        return
    all_here(board, piece, pieces, PAINTED)
    if piece == 0:
        first, last = rows_of(bounds, ACROSS)
        notice(contacts, first, last, owners, places, bounces)
        slow_down(x, p, inverse, origins, owners, manners, awake, places, contacts, first, last, motion, impacts, h)
    if piece == pieces - 1:
        others = used[len(inverse) :]
        others[:] = 0
        paint(riders, contacts, bounds, ACROSS, others, paints, palette_of(palettes, ACROSS), blocks, ends)
    all_here(board, piece, pieces, SLOWED)
    scratch = room(np.float64, COLLIDER)
    for side in range(2):
        if is_mine(side, piece, pieces):
            unmark(marks, spans, sides, side)
            find_ground(
                x, p, inverse, origins, hulls, colliders, grids, riders, shares, owners, sides, manners, awake, boxes,
                marks, motion, meetings, contacts, bounds, memory, scratch, side, h,
            )  # fmt: skip
            begin_part(
                p, inverse, riders, shares, owners, manners, places, motion, contacts, bounds, memory, paints, long,
                blocks, ends, palettes, 2 * side, True, h,
            )  # fmt: skip
            first, last = bounds[GROUND + 2 * side], bounds[GROUND + 2 * side + 1]
            bounds[BRACED + side] = brace(manners, contacts, first, last, braces(lines, bounds, side))
    first, last = own_across(bounds, piece, pieces)
    fill(inverse, riders, places, contacts, first, last, memory, paints, blocks, ends, h)
    all_here(board, piece, pieces, BEGUN)
    if piece == 0:
        begin_part(
            p, inverse, riders, shares, owners, manners, places, motion, contacts, bounds, memory, paints, long, blocks,
            ends, palettes, ACROSS, False, h,
        )  # fmt: skip
    sweep_all(
        p, inverse, riders, shares, owners, manners, places, contacts, bounds, motion, lines, long, palettes, blocks,
        ends, board, piece, pieces,
    )  # fmt: skip
    first, last = own_across(bounds, piece, pieces)
    give_back(contacts, first, last, paints, blocks)
    for side in range(2):
        if is_mine(side, piece, pieces):
            first, last = rows_of(bounds, 2 * side)
            give_back(contacts, first, last, paints, blocks)
            first, last = bounds[GROUND + 2 * side], bounds[GROUND + 2 * side + 1]
            unbrace(contacts, braces(lines, bounds, side), bounds[BRACED + side])
            let_go(p, inverse, manners, motion, contacts, first, last)
            carry_all(p, inverse, origins, sides, manners, awake, motion, meetings, bounces, side, h)
    all_here(board, piece, pieces, PARTED)


@part
def begin_part(
    p, inverse, riders, shares, owners, manners, places, motion, contacts, bounds, memory, paints, long, blocks, ends,
    palettes, part, fills, h,
):  # fmt: skip
    """The contacts of a part begin with the pushes of the last sub-step; fills: whether its blocks are yet to be
    filled."""
    first, last = rows_of(bounds, part)
    bounds[HEAVY + part] = weigh_long(
        p, inverse, riders, shares, owners, manners, places, motion, contacts, first, last, memory, paints,
        long[first:], h,
    )  # fmt: skip
    if fills:
        fill(inverse, riders, places, contacts, first, last, memory, paints, blocks, ends, h)
    begin_pushes(p, ends, blocks, palette_of(palettes, part))


@part
def sweep_all(
    p, inverse, riders, shares, owners, manners, places, contacts, bounds, motion, lines, long, palettes, blocks, ends,
    board, piece, pieces,
):  # fmt: skip
    """The sweeps: each over the contacts of both sides, with their obstacles, and then over those across."""
    sweep = 0
    while True:
        all_here(board, piece, pieces, BEGUN + 1 + 2 * sweep)
        if sweep == SWEEPS or (sweep > 0 and all_still(board, (sweep - 1) % 2, pieces)):
            return
        stirred = False
        for side in range(2):
            if is_mine(side, piece, pieces):
                for _again in range(OBSTACLES):
                    sweep_braces(p, inverse, braces(lines, bounds, side), bounds[BRACED + side])
                    hold(
                        p, inverse, manners, motion, contacts, bounds[GROUND + 2 * side], bounds[GROUND + 2 * side + 1]
                    )
                stirred |= sweep_part(
                    p, inverse, riders, shares, owners, places, contacts, bounds, motion, long, palettes, blocks, ends,
                    2 * side,
                )  # fmt: skip
        board[LINE * piece + STIRRED + sweep % 2] = stirred
        all_here(board, piece, pieces, BEGUN + 2 + 2 * sweep)
        if piece == 0:
            board[STIRRED_ACROSS + sweep % 2] = sweep_part(
                p, inverse, riders, shares, owners, places, contacts, bounds, motion, long, palettes, blocks, ends,
                ACROSS,
            )  # fmt: skip
        sweep += 1


@part
def sweep_part(
    p, inverse, riders, shares, owners, places, contacts, bounds, motion, long, palettes, blocks, ends, part
):  # fmt: skip
    """One sweep over the contacts of a part. Returns whether anybody was moved by more than enough."""
    most = sweep_contacts(p, ends, blocks, palette_of(palettes, part))
    listed = long[bounds[ROWS + 2 * part] :]
    far = push_apart(p, inverse, riders, shares, owners, places, motion, contacts, listed, bounds[HEAVY + part])
    return max(most, far) >= ENOUGH * ENOUGH


@part
def all_still(board, turn, pieces):
    """Whether nobody was moved in a sweep."""
    stirred = board[STIRRED_ACROSS + turn]
    for piece in range(pieces):
        stirred += board[LINE * piece + STIRRED + turn]
    return stirred == 0


@inline
def palette_of(palettes, part):
    """Of the contacts of a part."""
    return palettes[(COLOURS + 1) * part : (COLOURS + 1) * (part + 1)]


@inline
def braces(lines, bounds, side):
    """The lines of the obstacles of a side."""
    return lines[BRACE * (bounds[GROUND + 2 * side] - bounds[TOP]) :]


@part
def all_found(rooms, rows, pieces):
    """Whether no thread left any contact out, and all would have room in the rows of one of them."""
    lost = total = 0
    for piece in range(pieces):
        lost += rooms[ROOMS * piece + LOST]
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
            count = rooms[ROOMS * other + FOUND + each]
            begin = rows * other // pieces
            for k in range(each):
                begin += rooms[ROOMS * other + FOUND + k]
            if first == last:
                first = last = begin
            elif other == piece:
                for k in range(CONTACT * count):
                    contacts[CONTACT * last + k] = contacts[CONTACT * begin + k]
            last += count
        if piece == 0:
            bounds[ROWS + 2 * each], bounds[ROWS + 2 * each + 1] = first, last
            bounds[COUNT] += last - first
            bounds[TOP] = max(bounds[TOP], last)


@inner
def found_by(rooms, piece):
    """How many contacts a thread has found."""
    at = ROOMS * piece + FOUND
    return rooms[at] + rooms[at + 1] + rooms[at + 2]
