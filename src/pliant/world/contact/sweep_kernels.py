"""Kernels of the sweeps that part bodies, eight contacts at a time.

Most contacts are between two particles of soft bodies: then all that a sweep needs of one are a few numbers. They stand
in blocks of eight, each number in a row of eight lanes, so that a processor does eight contacts at once:

    block:   n0 n0 n0 n0 n0 n0 n0 n0 | n1 n1 … | n2 … | how far apart … | mass … | push … | friction …

Two contacts of a block may not share a particle, so contacts are painted: each gets the first colour that neither of
its particles has yet, and those of one colour fill blocks, in their order; a sweep goes from colour to colour. What
rides on two particles or on a firm body, and what found no colour, is done the long way (push_kernels), behind them in
each sweep; obstacles have lines of their own (brace_kernels)."""

import math

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import (
    APART,
    CONTACT,
    DRAG,
    HOLDS,
    HULLS,
    LIGHT,
    NORMAL,
    OFFSET,
    ONE,
    OTHER,
    PLACE,
    PUSH,
    RUB,
    SLIP,
    STIFF,
)  # fmt: skip
from pliant.world.contact.memory_kernels import recollect
from pliant.world.contact.push_kernels import weigh_contact
from pliant.world.contact.side_kernels import rows_of

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
LANES = 8
COLOURS = 30
ALONG = 0  # normal (3)
FAR = 3  # m: how far they have to be apart along the normal
HEAVY = 4  # kg: the mass that a push moves
PRESS = 5  # kg m: push along the normal
GRIP = 6  # kg m: friction (3)
ROUGH = 9  # coefficient of friction
SINCE = 10  # m: slip less the difference of the places (3)
STICKS = 13  # 1: friction holds it
GIVES = 14  # 1/kg: inverse masses of both particles (2)
WAY = 16  # m: how the one is away from the other (3); then how the push changes (3), kg m
MOVED = 19  # m^2: how far that moves both, squared
BLOCK = 20 * LANES
AHEAD = 4  # blocks whose places are fetched together: what was just written one by one cannot be read by eights yet
TINY = 1e-30  # (kg m)^2: what is smaller than a single number can tell exactly has no root
NOWHERE = 0xFFFFFFFF
LONG = NOWHERE - 1


@part
def unpaint(origins, sides, count, used, side):
    """No particle of a side has a colour yet."""
    for actor in range(len(origins)):
        if sides[actor] == side:
            last = np.int64(origins[actor + 1]) if actor + 1 < len(origins) else count
            for i in range(np.int64(origins[actor]), last):
                used[i] = 0


@part
def paint(riders, contacts, bounds, part, used, paints, palette, blocks, ends):
    """For the contacts of a part: the colour of each of two particles, and blocks with nobody in them yet. used: the
    colours that each particle has; paints: the slot of each contact among the blocks, or NOWHERE, or LONG for what is
    done the long way; palette: the first block of each colour."""
    first, last = rows_of(bounds, part)
    palette[:] = 0
    for c in range(first, last):
        row = U(CONTACT) * U(c)
        a, b = U(np.int64(contacts[row + U(ONE)])), U(np.int64(contacts[row + U(OTHER)]))
        paints[c] = LONG
        if contacts[row + U(LIGHT)] > 0.0:
            if contacts[row + U(STIFF)] == 0.0:
                paints[c] = NOWHERE
                continue
            i, j = U(riders[U(2) * a]), U(riders[U(2) * b])
            taken = used[i] | used[j]
            colour = 0
            while taken & np.uint32(1):
                taken >>= np.uint32(1)
                colour += 1
            if colour < COLOURS:
                mark = np.uint32(1) << np.uint32(colour)
                used[i] |= mark
                used[j] |= mark
                paints[c] = COLOURS * palette[colour + 1] + colour
                palette[colour + 1] += 1
    before = 0  # room for all blocks of the parts before it
    for other in range(part):
        begin, end = rows_of(bounds, other)
        before += (end - begin) // LANES + COLOURS
    palette[0] = before
    for colour in range(COLOURS):
        palette[colour + 1] = palette[colour] + (palette[colour + 1] + LANES - 1) // LANES
    for c in range(first, last):
        if paints[c] < LONG:
            paints[c] = LANES * palette[paints[c] % COLOURS] + paints[c] // COLOURS
    blocks[BLOCK * palette[0] : BLOCK * palette[COLOURS]] = 0
    ends[2 * LANES * palette[0] : 2 * LANES * palette[COLOURS]] = 0


@part
def weigh_long(
    p, inverse, riders, shares, owners, manners, places, motion, contacts, first, last, memory, paints, long, h
):  # fmt: skip
    """How much both sides yield of those contacts from first to last that are done the long way. Returns how many there
    are, as numbers in `long`."""
    heavy = 0
    for c in range(first, last):
        if paints[c] == LONG:
            row = contacts[CONTACT * c : CONTACT * (c + 1)]
            weigh_contact(p, inverse, riders, shares, owners, manners, places, motion, row, memory, h)
            if row[STIFF] != 0.0:
                long[heavy] = c
                heavy += 1
    return heavy


@part
def fill(inverse, riders, places, contacts, first, last, memory, paints, blocks, ends, h):
    """The blocks of the contacts from first to last, with the pushes of the last sub-step. ends: the particles of each
    block (8 and 8)."""
    real = contacts.dtype.type
    for c in range(first, last):
        if paints[c] >= LONG:
            continue
        row = U(CONTACT) * U(c)
        slot = np.int64(paints[c])
        block, lane = slot // LANES, slot % LANES
        a, b = U(np.int64(contacts[row + U(ONE)])), U(np.int64(contacts[row + U(OTHER)]))
        i, j = riders[U(2) * a], riders[U(2) * b]
        end = U(2 * LANES * block + lane)
        ends[end], ends[end + U(LANES)] = i, j
        recollect(memory, contacts[CONTACT * c : CONTACT * (c + 1)], h)
        line = U(BLOCK * block + lane)
        far, push = contacts[row + U(APART)], contacts[row + U(PUSH)]
        for k in range(U(3)):
            normal, drag = contacts[row + U(NORMAL) + k], contacts[row + U(DRAG) + k]
            at = line + k * U(LANES)
            blocks[at + U(ALONG * LANES)], blocks[at + U(GRIP * LANES)] = normal, drag
            blocks[at + U(SINCE * LANES)] = contacts[row + U(SLIP) + k]
            blocks[at + U(WAY * LANES)] = push * normal + drag
        if contacts[row + U(LIGHT)] != real(HULLS):  # the particles are not the centres
            one, two = U(PLACE) * a + U(OFFSET), U(PLACE) * b + U(OFFSET)
            for k in range(U(3)):
                gap = places[one + k] - places[two + k]
                far -= contacts[row + U(NORMAL) + k] * gap
                blocks[line + U(SINCE * LANES) + k * U(LANES)] += gap
        blocks[line + U(FAR * LANES)], blocks[line + U(HEAVY * LANES)] = real(far), contacts[row + U(STIFF)]
        blocks[line + U(PRESS * LANES)] = push
        blocks[line + U(ROUGH * LANES)] = contacts[row + U(RUB)]
        blocks[line + U(STICKS * LANES)] = contacts[row + U(HOLDS)]
        blocks[line + U(GIVES * LANES)], blocks[line + U((GIVES + 1) * LANES)] = inverse[i], inverse[j]


@inner
def fetch(p, ends, blocks, block):
    """How the two of each contact are away from each other now."""
    e, w = U(2 * LANES) * block, U(BLOCK) * block + U(WAY * LANES)
    for k in range(U(LANES)):
        f, g = U(4) * U(ends[e + k]), U(4) * U(ends[e + U(LANES) + k])
        blocks[w + k] = p[f] - p[g]
        blocks[w + U(LANES) + k] = p[f + U(1)] - p[g + U(1)]
        blocks[w + U(2 * LANES) + k] = p[f + U(2)] - p[g + U(2)]


@inner
def press(blocks, block):
    """Pushes and friction of eight contacts, and by how much they change."""
    real = blocks.dtype.type
    zero, one, tiny = real(0), real(1), real(TINY)
    for k in range(U(BLOCK) * block, U(BLOCK) * block + U(LANES)):
        n0, n1, n2 = blocks[k], blocks[k + U(LANES)], blocks[k + U(2 * LANES)]
        d0, d1, d2 = blocks[k + U(WAY * LANES)], blocks[k + U((WAY + 1) * LANES)], blocks[k + U((WAY + 2) * LANES)]
        heavy, old = blocks[k + U(HEAVY * LANES)], blocks[k + U(PRESS * LANES)]
        push = old + (blocks[k + U(FAR * LANES)] - n0 * d0 - n1 * d1 - n2 * d2) * heavy
        push = push if push > zero else zero
        more = push - old
        s0 = d0 + blocks[k + U(SINCE * LANES)]
        s1 = d1 + blocks[k + U((SINCE + 1) * LANES)]
        s2 = d2 + blocks[k + U((SINCE + 2) * LANES)]
        along = s0 * n0 + s1 * n1 + s2 * n2
        g0, g1, g2 = blocks[k + U(GRIP * LANES)], blocks[k + U((GRIP + 1) * LANES)], blocks[k + U((GRIP + 2) * LANES)]
        t0 = g0 - (s0 - along * n0) * heavy
        t1 = g1 - (s1 - along * n1) * heavy
        t2 = g2 - (s2 - along * n2) * heavy
        pull, grip = t0 * t0 + t1 * t1 + t2 * t2, blocks[k + U(ROUGH * LANES)] * push
        slides = pull > grip * grip + tiny
        share = grip / math.sqrt(pull if slides else one)
        share = share if slides else one
        t0, t1, t2 = share * t0, share * t1, share * t2
        d0, d1, d2 = more * n0 + t0 - g0, more * n1 + t1 - g1, more * n2 + t2 - g2
        both = blocks[k + U(GIVES * LANES)] + blocks[k + U((GIVES + 1) * LANES)]
        blocks[k + U(PRESS * LANES)] = push
        blocks[k + U(GRIP * LANES)] = t0
        blocks[k + U((GRIP + 1) * LANES)] = t1
        blocks[k + U((GRIP + 2) * LANES)] = t2
        blocks[k + U(STICKS * LANES)] = zero if slides else one
        blocks[k + U(WAY * LANES)] = d0
        blocks[k + U((WAY + 1) * LANES)] = d1
        blocks[k + U((WAY + 2) * LANES)] = d2
        blocks[k + U(MOVED * LANES)] = (d0 * d0 + d1 * d1 + d2 * d2) * both * both


@inner
def hand_out(p, ends, blocks, block, most):
    """Particles take their share of the changes. Returns how far one was moved, squared, at most so far."""
    e, w, v = U(2 * LANES) * block, U(BLOCK) * block + U(WAY * LANES), U(BLOCK) * block + U(GIVES * LANES)
    for k in range(U(LANES)):
        d0, d1, d2 = blocks[w + k], blocks[w + U(LANES) + k], blocks[w + U(2 * LANES) + k]
        f, g = U(4) * U(ends[e + k]), U(4) * U(ends[e + U(LANES) + k])
        i, j = blocks[v + k], blocks[v + U(LANES) + k]
        if i + j == 0:  # an empty lane
            break
        p[f] += i * d0
        p[f + U(1)] += i * d1
        p[f + U(2)] += i * d2
        p[g] -= j * d0
        p[g + U(1)] -= j * d1
        p[g + U(2)] -= j * d2
        most = max(most, blocks[w + U((MOVED - WAY) * LANES) + k])
    return most


@part
def begin_pushes(p, ends, blocks, palette):
    """The pushes of the last sub-step act."""
    zero = blocks.dtype.type(0)
    for block in range(U(palette[0]), U(palette[COLOURS])):
        hand_out(p, ends, blocks, block, zero)


@part
def sweep_contacts(p, ends, blocks, palette):
    """One sweep over all blocks. Returns the square of the largest change of a place, in metres."""
    most = blocks.dtype.type(0)
    for colour in range(COLOURS):
        first, last = U(palette[colour]), U(palette[colour + 1])
        while first < last:
            end = min(first + U(AHEAD), last)
            for block in range(first, end):
                fetch(p, ends, blocks, block)
            for block in range(first, end):
                press(blocks, block)
            for block in range(first, end):
                most = hand_out(p, ends, blocks, block, most)
            first = end
    return float(most)


@part
def give_back(contacts, first, last, paints, blocks):
    """Back from the blocks to the rows from first to last."""
    for c in range(first, last):
        if paints[c] >= LONG:
            continue
        slot = np.int64(paints[c])
        line, row = U(BLOCK * (slot // LANES) + slot % LANES), U(CONTACT) * U(c)
        contacts[row + U(PUSH)] = blocks[line + U(PRESS * LANES)]
        contacts[row + U(HOLDS)] = blocks[line + U(STICKS * LANES)]
        for k in range(U(3)):
            contacts[row + U(DRAG) + k] = blocks[line + U(GRIP * LANES) + k * U(LANES)]
