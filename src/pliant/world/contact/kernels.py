"""Contact between bodies in one kernel call a sub-step."""

import math

import numpy as np

from pliant.jit import kernel, part
from pliant.world.contact.box_kernels import bound_actor, find_couples, lay_out_fields, sort_couples, within
from pliant.world.contact.brace_kernels import brace, sweep_braces, unbrace
from pliant.world.contact.candidate_kernels import carry_over
from pliant.world.contact.crush_kernels import slow_down
from pliant.world.contact.find_kernels import find_contacts
from pliant.world.contact.firm_kernels import begin_ways, carry_all, weigh_all_firm
from pliant.world.contact.ground_kernels import find_ground, hold, let_go
from pliant.world.contact.layout import (
    BEFORE,
    BOX,
    CONTACT,
    COUPLED,
    FIRM,
    JOURNEY,
    KEPT,
    MANNERS,
    NAPS,
    ONE,
    OTHER,
    OTHERS_REACH,
    PUSH,
    REACH,
    SEEN,
    THICK,
)  # fmt: skip
from pliant.world.contact.memory_kernels import keep_pushes
from pliant.world.contact.moment_kernels import keep_moments
from pliant.world.contact.place_kernels import place_actor
from pliant.world.contact.push_kernels import push_apart
from pliant.world.contact.rebound_kernels import notice
from pliant.world.contact.sweep_kernels import begin_pushes, fill, give_back, paint, sweep_contacts
from pliant.world.layout import COLLIDER, INERTIA, MASS, MOTION, SPEED

PIECES = 8  # threads that may look for contacts at once
SWEEPS = 6
GROUND = 2  # sweeps over obstacles in each
QUIET = 0.05  # m/s: root mean square of an actor that is at rest; in a heap pushes come and go a little
LOUD = 0.15  # m/s: of one that wakes others
LATELY = 0.1  # s: over which speeds are averaged; in a heap a contact that slips off another gives a jolt now and then
PATIENCE = 0.4  # s: who has been quiet for so much longer than not is drowsy
STIRRED = 0.04  # who is inside another is to come out first, and gets drowsy so much slower
INSIDE = 0.4  # of the smaller reach of the two: how deep that is
ENOUGH = 1e-6  # m: sweeps end when nobody moves farther


@kernel("x[] x[] x[] x[] u[] d[] u[] d[] i[] i[] i[] i[] d[] d d d d")
def haste(
    x, v, y, inverse, origins, manners, awake, boxes, actor_table, actor_entries, actor_keys, couples, ways, gx, gy, gz,
    dt,
):  # fmt: skip
    """How far two actors that may meet go past each other within dt, in parts of the size of their spheres, at most. y
    is scratch; ways: of each actor its mean way (3) and how far any particle goes beside that."""
    real = x.dtype.type
    t, g0, g1, g2 = real(dt), real(dt * dt * gx), real(dt * dt * gy), real(dt * dt * gz)
    for i in range(len(inverse)):
        f = 4 * i
        y[f] = x[f] + t * v[f] + g0
        y[f + 1] = x[f + 1] + t * v[f + 1] + g1
        y[f + 2] = x[f + 2] + t * v[f + 2] + g2
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
def rigid_speed(m):
    """Root mean square of the velocity of a body that moves as one, from the row of its motion."""
    square = 0.0
    turning = 0.0
    for i in range(3):
        square += (m[i] + m[12 + i]) ** 2
        turning += (m[3 + i] + m[15 + i]) ** 2
    return math.sqrt(square + turning * (m[INERTIA] + m[INERTIA + 1] + m[INERTIA + 2]) / (3.0 * m[MASS]))


@kernel("d[] i u[] d[] u[] d[] d[] x[] d")
def doze(contacts, count, owners, motion, awake, naps, manners, memory, h):
    """Who falls asleep and who wakes. An actor that has been quiet for a while is drowsy; it falls asleep when nobody
    that it touches is loud. It is woken by whoever touches it and is loud, or may not sleep and moves. naps: how long
    each has been quiet (s), -1 for one that sleeps; the last rows of the memory hold how fast each was lately. Returns
    1 if anything changed."""
    changed = 0
    real = memory.dtype.type
    share = 1.0 - math.exp(-h / LATELY)
    lately = len(memory) - KEPT * len(naps) + 3
    for actor in range(len(naps)):
        motion[MOTION * actor + SPEED + 1] = 1.0
    for c in range(count):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if row[BEFORE] < -INSIDE * min(row[REACH], row[OTHERS_REACH]):
            for side in range(2):
                actor = np.int64(owners[np.int64(row[ONE + side])])
                motion[MOTION * actor + SPEED + 1] = STIRRED
    for actor in range(len(naps)):
        if awake[actor]:
            m = MOTION * actor
            speed = motion[m + SPEED]
            if manners[MANNERS * actor + FIRM] > 0.0:  # its particles do not know yet what it was given as a whole
                speed = rigid_speed(motion[m : m + MOTION])
                motion[m + SPEED] = speed
            at = lately + KEPT * actor
            memory[at] = real(memory[at] + share * (speed - memory[at]))
            mean = float(memory[at])
            tired = manners[MANNERS * actor + NAPS] > 0.0
            if tired and mean < QUIET:
                naps[actor] += h * motion[m + SPEED + 1]
            elif tired and mean < LOUD:
                naps[actor] = max(0.0, naps[actor] - h)
            else:
                naps[actor] = 0.0
            motion[m + SPEED + 1] = 1.0 if naps[actor] >= PATIENCE and speed < QUIET else 0.0
    for c in range(count):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if row[PUSH] == 0.0:
            continue
        a, b = np.int64(owners[np.int64(row[ONE])]), np.int64(owners[np.int64(row[OTHER])])
        for one, two in ((a, b), (b, a)):
            bearable = LOUD if manners[MANNERS * one + NAPS] > 0.0 else QUIET
            if awake[one] and memory[lately + KEPT * one] > bearable:
                if awake[two] == 0:
                    awake[two] = 1
                    naps[two] = 0.0
                    motion[MOTION * two + SPEED] = memory[lately + KEPT * two] = 0.0
                    changed = 1
                motion[MOTION * two + SPEED + 1] = 0.0
    for actor in range(len(naps)):
        if awake[actor] and motion[MOTION * actor + SPEED + 1] > 0.0:
            awake[actor] = 0
            naps[actor] = -1.0
            changed = 1
    return changed


@kernel("x[] x[] x[] u[] x[] u[] x[] u[] x[] x[] u[] d[] u[] d[] d[] d[] d[] f[] d[] d i i")
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


@kernel("x[] x[] x[] u[] x[] u[] x[] u[] x[] x[] u[] d[] u[] d[] d[] d[] d[] f[] d[] d i[] i[] i[] i[] i[]")
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


@kernel("i[] i d[] d[] u[] i d[] u[] b")
def recall_couples(couples, actors, journeys, heads, lists, listed, new_heads, new_lists, fresh):
    """What is known of those among new couples that were listed before. Returns where the lists end."""
    return carry_over(couples, actors, journeys, heads, lists, listed, new_heads, new_lists, fresh)


@kernel(
    "x[] d[] x[] u[] x[] x[] u[] u[] d[] d[] d[] d[] f[] i[] d[] d[] u[] d[] d[] u[] i[] d[] u[] u[] u[] d[] d i i i i "
    "i i i i i"
)  # fmt: skip
def meet_bodies(
    hulls, bounces, spins, riders, traits, rests, owners, spans, manners, boxes, places, cases, glances, couples,
    journeys, heads, lists, sights, looked, near, table, grid, pairs, queue, seen, contacts, h, piece, row, end, room,
    full, view, edge, first, last,
):  # fmt: skip
    """The contacts of some of the couples, as rows of `contacts` from `row` to `end`, new lists of who is near whom
    between `room` and `full`, new sights between `view` and `edge`; the piece says which part of the scratch is ours.
    Returns how many contacts there are, how many were left out, and where lists and sights end now."""
    n, t, g, q = len(near) // PIECES, len(table) // PIECES, len(grid) // PIECES, len(pairs) // PIECES
    return find_contacts(
        riders, traits, rests, owners, spans, manners, hulls, bounces, spins, boxes, places, cases, glances, couples,
        journeys, heads, lists, sights, looked,
        near[n * piece : n * (piece + 1)], table[t * piece : t * (piece + 1)], grid[g * piece : g * (piece + 1)],
        pairs[q * piece : q * (piece + 1)], queue[q * piece : q * (piece + 1)], seen[q * piece : q * (piece + 1)],
        contacts, h, row, end, room, full, view, edge, first, last,
    )  # fmt: skip


@kernel(
    "x[] x[] x[] x[] u[] x[] d[] d[] f[] u[] x[] u[] d[] u[] d[] d[] u[] d[] i d[] d[] d[] x[] d[] u[] u[] i[] x[] u[] "
    "d"
)
def part_bodies(
    x, p, spins, inverse, origins, hulls, bounces, colliders, grids, riders, shares, owners, manners, awake, boxes,
    places, marks, contacts, count, motion, meetings, impacts, memory, lines, long, paints, palette, blocks, ends, h,
):  # fmt: skip
    """Part bodies where they touch: changes p."""
    begin_ways(owners, contacts, count, motion, meetings, h)
    total = count
    if count > 0:
        marks[:] = 0
        notice(contacts, count, owners, places, bounces)
        weigh_all_firm(p, inverse, origins, manners, awake, motion, meetings)
        slow_down(x, p, inverse, origins, owners, manners, awake, places, contacts, count, motion, impacts, h)
        total = find_ground(
            x, p, inverse, origins, hulls, colliders, grids, riders, shares, owners, manners, awake, boxes, marks,
            motion, meetings, contacts, count, memory, np.empty(COLLIDER), h,
        )  # fmt: skip
        heavy = paint(
            p, inverse, riders, shares, owners, manners, places, motion, contacts, count, memory, paints, palette, long,
            h,
        )  # fmt: skip
        fill(inverse, riders, places, contacts, count, memory, paints, palette, blocks, ends, h)
        begin_pushes(p, ends, blocks, palette)
        held = brace(manners, contacts, count, total, lines)
        for _sweep in range(SWEEPS):
            for _again in range(GROUND):
                sweep_braces(p, inverse, lines, held)
                hold(p, inverse, manners, motion, contacts, count, total)
            most = sweep_contacts(p, ends, blocks, palette)
            most = max(
                most, push_apart(p, inverse, riders, shares, owners, places, motion, contacts, long, heavy)
            )
            if most < ENOUGH * ENOUGH:
                break
        give_back(contacts, count, paints, blocks)
        unbrace(contacts, lines, held)
        let_go(p, inverse, manners, motion, contacts, count, total)
        carry_all(p, inverse, origins, manners, awake, motion, meetings, bounces, h)
    keep_pushes(memory, origins, owners, awake, contacts, count, total, h)
    keep_moments(
        x, spins, inverse, riders, shares, owners, manners, awake, places, contacts, count, meetings, memory, h
    )
