"""Contact between bodies: who may meet whom, and how they are parted."""

import math

import numpy as np

from pliant.jit import kernel, part
from pliant.maths.waiting import all_here
from pliant.world.contact.box_kernels import bound_actor, find_couples, lay_out_fields, sort_couples, within
from pliant.world.contact.brace_kernels import brace, sweep_braces, unbrace
from pliant.world.contact.candidate_kernels import carry_over
from pliant.world.contact.crush_kernels import slow_down
from pliant.world.contact.find_kernels import find_contacts
from pliant.world.contact.firm_kernels import begin_ways, carry_all, weigh_all_firm
from pliant.world.contact.ground_kernels import find_ground, hold, let_go
from pliant.world.contact.layout import BOX, CONTACT, COUNT, COUPLED, HEAD, JOURNEY, MANNERS, SEEN, THICK
from pliant.world.contact.place_kernels import place_actor
from pliant.world.contact.push_kernels import push_apart
from pliant.world.contact.rebound_kernels import notice
from pliant.world.contact.sweep_kernels import begin_pushes, fill, give_back, paint, sweep_contacts, weigh_long
from pliant.world.layout import COLLIDER

PIECES = 8  # threads that may share this
PLACED, FOUND, JOINED, PAINTED, FILLED, PARTED = range(1, 7)  # points at which they wait for one another
LEFT, COUNTED, TOTALLED = 2, 3, 4  # on the board: what a thread has to tell the others
SWEEPS = 6
GROUND = 2  # sweeps over obstacles in each
ENOUGH = 1e-6  # m: sweeps end when nobody moves farther
# numbers of a thread: where its lists go on and end, its sights go on and end, contacts found and left out, and the
# couples that it looks at, from the first to the last
ROOMS = 8
ANY, UNLISTED = 4.0, 20.0  # in numbers of a list: effort for each couple, and for one that is not listed
OTHERWISE = 4  # of what the others do with contacts, the first thread does this part while it looks at obstacles


@kernel("x[] x[] x[] x[] u[] d[] u[] d[] i[] i[] i[] i[] d[] d d d d d")
def haste(
    x, v, y, inverse, origins, manners, awake, boxes, actor_table, actor_entries, actor_keys, couples, ways, gx, gy, gz,
    dt, enough,
):  # fmt: skip
    """How far two actors that may meet go past each other within dt, in parts of the size of their spheres, at most;
    who they are is not asked if nobody is so fast that it would be more than enough. y is scratch; ways: of each actor
    its mean way (3) and how far any particle goes beside that."""
    real = x.dtype.type
    t, g0, g1, g2 = real(dt), real(dt * dt * gx), real(dt * dt * gy), real(dt * dt * gz)
    farthest = real(0)
    for i in range(len(inverse)):
        f = 4 * i
        d0, d1, d2 = t * v[f] + g0, t * v[f + 1] + g1, t * v[f + 2] + g2
        y[f] = x[f] + d0
        y[f + 1] = x[f + 1] + d1
        y[f + 2] = x[f + 2] + d2
        farthest = max(farthest, d0 * d0 + d1 * d1 + d2 * d2)
    thinnest = math.inf
    for actor in range(len(origins)):
        thinnest = min(thinnest, manners[MANNERS * actor + THICK])
    if math.sqrt(farthest) <= enough * thinnest:  # two of them at most twice as far, and twice as thick
        return math.sqrt(farthest) / thinnest
    for actor in range(len(origins)):
        bound_actor(x, y if awake[actor] else x, origins, manners, actor, len(inverse), boxes)
    find_couples(boxes, manners, awake, actor_table, actor_entries, actor_keys, couples)
    if couples[0] == 0:
        return 0.0
    for actor in range(len(origins)):
        way_of(x, y, origins, awake, len(inverse), actor, ways)
    most = 0.0
    for c in range(min(couples[0], (len(couples) - 2) // 2)):
        a, b = couples[2 + 2 * c], couples[3 + 2 * c]
        d0, d1, d2 = ways[4 * a] - ways[4 * b], ways[4 * a + 1] - ways[4 * b + 1], ways[4 * a + 2] - ways[4 * b + 2]
        way = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) + ways[4 * a + 3] + ways[4 * b + 3]
        most = max(most, way / (manners[MANNERS * a + THICK] + manners[MANNERS * b + THICK]))
    return most


@part
def way_of(x, y, origins, awake, count, actor, ways):
    """The mean way of an actor from x to y, and how far any of its particles goes beside that."""
    way = ways[4 * actor : 4 * actor + 4]
    way[:] = 0.0
    if awake[actor] == 0:
        return
    first = np.int64(origins[actor])
    last = np.int64(origins[actor + 1]) if actor + 1 < len(origins) else count
    for i in range(first, last):
        for k in range(3):
            way[k] += y[4 * i + k] - x[4 * i + k]
    for k in range(3):
        way[k] /= last - first
    most = 0.0
    for i in range(first, last):
        d0, d1, d2 = (
            y[4 * i] - x[4 * i] - way[0],
            y[4 * i + 1] - x[4 * i + 1] - way[1],
            y[4 * i + 2] - x[4 * i + 2] - way[2],
        )
        most = max(most, d0 * d0 + d1 * d1 + d2 * d2)
    way[3] = math.sqrt(most)


@part
def place_bodies(
    x, p, inverse, origins, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes, fields, places,
    cases, glances, journeys, serial, first, last,
):  # fmt: skip
    """Where the actors from first to last are, and the spheres of those that may meet somebody. Returns how many have
    left their fields."""
    left = 0
    for actor in range(first, last):
        place_actor(
            x, p, inverse, origins, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes, fields,
            places, cases, glances, journeys, serial, actor,
        )  # fmt: skip
        left += not within(boxes, fields, actor)
    return left


@kernel("x[] x[] x[] u[] x[] u[] x[] u[] x[] x[] u[] d[] u[] d[] d[] x[] d[] f[] d[] d i[] i[] i[] i[] i[]")
def couple_bodies(
    x, p, inverse, origins, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes, fields, places,
    cases, glances, journeys, serial, table, entries, keys, couples, scratch,
):  # fmt: skip
    """Which actors may meet until one of them leaves its field; the spheres of those that were alone before are placed.
    Returns how many couples there are, or -1 if there is no room for all of them."""
    lay_out_fields(boxes, manners, journeys, fields)
    find_couples(fields, manners, awake, table, entries, keys, couples)
    if 2 + 2 * couples[0] > len(couples):
        return -1
    for actor in range(len(origins)):
        if fields[BOX * actor + COUPLED] > 0.0 and journeys[JOURNEY * actor + SEEN] != serial:
            place_actor(
                x, p, inverse, origins, hulls, riders, shares, roots, holds, traits, spans, manners, awake, boxes,
                fields, places, cases, glances, journeys, serial, actor,
            )  # fmt: skip
    sort_couples(couples, len(origins), table, scratch)
    return couples[0]


@kernel("i[] i d[] d[] u[] i d[] u[] b i[] i")
def recall_couples(couples, actors, journeys, heads, lists, listed, new_heads, new_lists, fresh, rooms, pieces):
    """What is known of those among new couples that were listed before, and which of them each thread takes. Returns
    where the lists end."""
    room = carry_over(couples, actors, journeys, heads, lists, listed, new_heads, new_lists, fresh)
    total = 0.0
    for c in range(couples[0]):
        total += effort(new_heads, c)
    piece, done = 0, 0.0
    rooms[6] = 0
    for c in range(couples[0]):
        if done * pieces >= total * (piece + 1) and piece + 1 < pieces:
            piece += 1
            rooms[ROOMS * piece - 1] = rooms[ROOMS * piece + 6] = c
        done += effort(new_heads, c)
    while piece + 1 < pieces:
        piece += 1
        rooms[ROOMS * piece - 1] = rooms[ROOMS * piece + 6] = couples[0]
    rooms[ROOMS * pieces - 1] = couples[0]
    return room


@part
def effort(heads, c):
    """About how much work a couple is."""
    listed = heads[HEAD * c + COUNT]
    return UNLISTED if listed < 0.0 else ANY + listed


@part
def part_bodies(
    x, p, spins, inverse, origins, hulls, bounces, colliders, grids, riders, shares, traits, rests, owners, spans,
    manners, awake, boxes, places, cases, glances, couples, journeys, heads, lists, sights, looked, near, table, grid,
    pairs, queue, seen, marks, contacts, motion, meetings, impacts, memory, lines, long, paints, palette, blocks, ends,
    h, rooms, board, piece, pieces,
):  # fmt: skip
    """Find all contacts of the couples, in their order, and part bodies where they touch: changes p. Several threads
    may do this together, each a piece of it; rooms: for each of them where its lists and sights go on and where they
    end, then how many contacts it found and left out. The first thread writes on the board how many contacts there are,
    and how many rows with those of obstacles. Returns whether all went well: not if contacts had to be left out that
    one thread alone might have room for."""
    n, t, g, q = len(near) // PIECES, len(table) // PIECES, len(grid) // PIECES, len(pairs) // PIECES
    rows, room = len(contacts) // CONTACT, rooms[ROOMS * piece : ROOMS * (piece + 1)]
    room[4], room[5], room[0], room[2] = find_contacts(
        riders, traits, rests, owners, spans, manners, hulls, bounces, spins, boxes, places, cases, glances, couples,
        journeys, heads, lists, sights, looked,
        near[n * piece : n * (piece + 1)], table[t * piece : t * (piece + 1)], grid[g * piece : g * (piece + 1)],
        pairs[q * piece : q * (piece + 1)], queue[q * piece : q * (piece + 1)], seen[q * piece : q * (piece + 1)],
        contacts, h, rows * piece // pieces, rows * (piece + 1) // pieces, room[0], room[1], room[2], room[3],
        room[6], room[7],
    )  # fmt: skip
    if not all_here(board, piece, pieces, FOUND) or (pieces > 1 and not all_found(rooms, pieces)):
        return False
    count = join(contacts, rooms, rows, piece, pieces)
    if piece == 0:
        board[COUNTED] = board[TOTALLED] = count
    if not all_here(board, piece, pieces, JOINED):
        return False
    if piece == 0:
        begin_ways(owners, contacts, count, motion, meetings, h)
        if count > 0:
            notice(contacts, count, owners, places, bounces)
            weigh_all_firm(p, inverse, origins, manners, awake, motion, meetings)
            slow_down(x, p, inverse, origins, owners, manners, awake, places, contacts, count, motion, impacts, h)
    if piece == pieces - 1 and count > 0:
        paint(inverse, riders, shares, places, contacts, count, paints, palette, blocks, ends)
    if count == 0:
        return True
    if not all_here(board, piece, pieces, PAINTED):
        return False
    total, heavy = count, 0
    if piece == 0:
        marks[:] = 0
        total = find_ground(
            x, p, inverse, origins, hulls, colliders, grids, riders, shares, owners, manners, awake, boxes, marks,
            motion, meetings, contacts, count, memory, np.empty(COLLIDER), h,
        )  # fmt: skip
        board[TOTALLED] = total
        heavy = weigh_long(
            p, inverse, riders, shares, owners, manners, places, motion, contacts, count, memory, paints, long, h
        )
    first, last = portion(count, piece, pieces)
    fill(inverse, riders, places, contacts, first, last, memory, paints, blocks, ends, h)
    if not all_here(board, piece, pieces, FILLED):
        return False
    if piece == 0:
        sweep_all(
            p, inverse, origins, riders, shares, owners, manners, awake, places, contacts, count, total, motion,
            meetings, bounces, lines, long, heavy, paints, palette, blocks, ends, h,
        )  # fmt: skip
    return all_here(board, piece, pieces, PARTED)


@part
def sweep_all(
    p, inverse, origins, riders, shares, owners, manners, awake, places, contacts, count, total, motion, meetings,
    bounces, lines, long, heavy, paints, palette, blocks, ends, h,
):  # fmt: skip
    """The sweeps: changes p, and writes pushes into the rows."""
    begin_pushes(p, ends, blocks, palette)
    held = brace(manners, contacts, count, total, lines)
    for _sweep in range(SWEEPS):
        for _again in range(GROUND):
            sweep_braces(p, inverse, lines, held)
            hold(p, inverse, manners, motion, contacts, count, total)
        most = sweep_contacts(p, ends, blocks, palette)
        most = max(most, push_apart(p, inverse, riders, shares, owners, places, motion, contacts, long, heavy))
        if most < ENOUGH * ENOUGH:
            break
    give_back(contacts, count, paints, blocks)
    unbrace(contacts, lines, held)
    let_go(p, inverse, manners, motion, contacts, count, total)
    carry_all(p, inverse, origins, manners, awake, motion, meetings, bounces, h)


@part
def portion(count, piece, pieces):
    """Which of so many contacts a thread takes: the first one, which has more to do beside, takes fewer."""
    if pieces == 1:
        return 0, count
    least = count // (OTHERWISE * pieces)
    if piece == 0:
        return 0, least
    rest = count - least
    return least + rest * (piece - 1) // (pieces - 1), least + rest * piece // (pieces - 1)


@part
def all_found(rooms, pieces):
    """Whether no thread left any contact out."""
    lost = 0
    for piece in range(pieces):
        lost += rooms[ROOMS * piece + 5]
    return lost == 0


@part
def join(contacts, rooms, rows, piece, pieces):
    """Bring the rows that the threads have found together. Returns how many there are."""
    total = 0
    for other in range(pieces):
        total += rooms[ROOMS * other + 4]
    at = 0
    for other in range(pieces):
        count = rooms[ROOMS * other + 4]
        # Each moves its own; where these would write over others that are yet to be moved, the first moves all in order
        mine = other == piece if total <= rows // pieces else piece == 0
        if mine and other > 0:
            source = CONTACT * (rows * other // pieces)
            for k in range(CONTACT * count):
                contacts[CONTACT * at + k] = contacts[source + k]
        at += count
    return total
