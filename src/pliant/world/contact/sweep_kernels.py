# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of the sweeps that part bodies, eight contacts at a time.

Most contacts are between two particles of soft bodies: then all that a sweep needs of one are a few numbers. They stand
in blocks of eight, each number in a row of eight lanes, so that a processor does eight contacts at once:

    block:   n0 n0 n0 n0 n0 n0 n0 n0 | n1 n1 … | n2 … | how far apart … | mass … | push … | friction …

Two contacts of a block may not share a particle, so their graph is coloured: each contact gets the first colour that
neither of its particles has yet, and those of one colour fill blocks, in their order; a sweep goes from colour to
colour. What is attached to two particles or to a firm body, and what found no colour, is done the general way
(push_kernels), behind them in each sweep; obstacles have rows of their own (static_contact_kernels)."""

import math

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import (
    CENTRE_OFFSET,
    CONTACT,
    CONTACT_FRICTION,
    CONTACT_LANES,
    EFFECTIVE_MASS,
    ELLIPSOIDS_ONLY,
    FRICTION_PUSH,
    MIN_DISTANCE,
    NORMAL,
    ONE,
    OTHER,
    PARTICLES_ONLY,
    PROXY_PLACE,
    PUSH,
    SLIP_OFFSET,
    STICKS,
)  # fmt: skip
from pliant.world.contact.push_kernels import weigh_contact
from pliant.world.contact.side_kernels import rows_of
from pliant.world.contact.warm_start_kernels import warm_start

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
COLOURS = 30
BLOCK_NORMAL = 0  # normal (3)
BLOCK_DISTANCE = 3  # m: how far they have to be apart along the normal
BLOCK_MASS = 4  # kg: the mass that a push moves
BLOCK_PUSH = 5  # kg m: push along the normal
BLOCK_FRICTION_PUSH = 6  # kg m: friction (3)
BLOCK_FRICTION = 9  # coefficient of friction
BLOCK_SLIP = 10  # m: slip less the difference of the places (3)
BLOCK_STICKS = 13  # 1: friction holds it
BLOCK_INV_MASS = 14  # 1/kg: inverse masses of both particles (2)
BLOCK_RELATIVE = 16  # m: how the one is away from the other (3); then how the push changes (3), kg m
BLOCK_MOVED = 19  # m^2: how far that moves both, squared
CONTACT_BLOCK = 20 * CONTACT_LANES
# blocks whose places are fetched together: what was just written one by one cannot be read by eights yet
BLOCKS_AHEAD = 4
TINY = 1e-30  # (kg m)^2: what is smaller than a single number can tell exactly has no root
NO_SLOT = 0xFFFFFFFF
GENERAL_SLOT = NO_SLOT - 1


@part
def clear_colours(origins, sides, count, used, side):
    """No particle of a side has a colour yet."""
    for actor in range(len(origins)):
        if sides[actor] == side:
            last = np.int64(origins[actor + 1]) if actor + 1 < len(origins) else count
            for i in range(np.int64(origins[actor]), last):
                used[i] = 0


@part
def colour_contacts(attachments, contacts, bounds, part, used, colour_slots, starts, blocks, ends):
    """For the contacts of a part: the colour of each of two particles, and blocks with nothing in them yet. used: the
    colours that each particle has; colour_slots: the slot of each contact among the blocks, or NO_SLOT, or GENERAL_SLOT
    for what is done the general way; starts: the first block of each colour."""
    first, last = rows_of(bounds, part)
    starts[:] = 0
    for c in range(first, last):
        row = U(CONTACT) * U(c)
        a, b = U(np.int64(contacts[row + U(ONE)])), U(np.int64(contacts[row + U(OTHER)]))
        colour_slots[c] = GENERAL_SLOT
        if contacts[row + U(PARTICLES_ONLY)] > 0.0:
            if contacts[row + U(EFFECTIVE_MASS)] == 0.0:
                colour_slots[c] = NO_SLOT
                continue
            i, j = U(attachments[U(2) * a]), U(attachments[U(2) * b])
            taken = used[i] | used[j]
            colour = 0
            while taken & np.uint32(1):
                taken >>= np.uint32(1)
                colour += 1
            if colour < COLOURS:
                mark = np.uint32(1) << np.uint32(colour)
                used[i] |= mark
                used[j] |= mark
                colour_slots[c] = COLOURS * starts[colour + 1] + colour
                starts[colour + 1] += 1
    before = 0  # room for all blocks of the parts before it
    for other in range(part):
        begin, end = rows_of(bounds, other)
        before += (end - begin) // CONTACT_LANES + COLOURS
    starts[0] = before
    for colour in range(COLOURS):
        starts[colour + 1] = starts[colour] + (starts[colour + 1] + CONTACT_LANES - 1) // CONTACT_LANES
    for c in range(first, last):
        if colour_slots[c] < GENERAL_SLOT:
            colour_slots[c] = CONTACT_LANES * starts[colour_slots[c] % COLOURS] + colour_slots[c] // COLOURS
    blocks[CONTACT_BLOCK * starts[0] : CONTACT_BLOCK * starts[COLOURS]] = 0
    ends[2 * CONTACT_LANES * starts[0] : 2 * CONTACT_LANES * starts[COLOURS]] = 0


@part
def weigh_general(
    p, inverse, attachments, attachment_weights, owners, materials, places, motion, contacts, first, last, warm_pushes,
    colour_slots, general, h
):  # fmt: skip
    """Inverse masses of both sides of those contacts from first to last that are done the general way. Returns how many
    there are, as numbers in `general`."""
    heavy = 0
    for c in range(first, last):
        if colour_slots[c] == GENERAL_SLOT:
            row = contacts[CONTACT * c : CONTACT * (c + 1)]
            weigh_contact(
                p, inverse, attachments, attachment_weights, owners, materials, places, motion, row, warm_pushes, h
            )
            if row[EFFECTIVE_MASS] != 0.0:
                general[heavy] = c
                heavy += 1
    return heavy


@part
def fill(inverse, attachments, places, contacts, first, last, warm_pushes, colour_slots, blocks, ends, h):
    """The blocks of the contacts from first to last, with the pushes of the last sub-step. ends: the particles of each
    block (8 and 8)."""
    real = contacts.dtype.type
    for c in range(first, last):
        if colour_slots[c] >= GENERAL_SLOT:
            continue
        row = U(CONTACT) * U(c)
        slot = np.int64(colour_slots[c])
        block, lane = slot // CONTACT_LANES, slot % CONTACT_LANES
        a, b = U(np.int64(contacts[row + U(ONE)])), U(np.int64(contacts[row + U(OTHER)]))
        i, j = attachments[U(2) * a], attachments[U(2) * b]
        end = U(2 * CONTACT_LANES * block + lane)
        ends[end], ends[end + U(CONTACT_LANES)] = i, j
        warm_start(warm_pushes, contacts[CONTACT * c : CONTACT * (c + 1)], h)
        line = U(CONTACT_BLOCK * block + lane)
        far, push = contacts[row + U(MIN_DISTANCE)], contacts[row + U(PUSH)]
        for k in range(U(3)):
            normal, drag = contacts[row + U(NORMAL) + k], contacts[row + U(FRICTION_PUSH) + k]
            at = line + k * U(CONTACT_LANES)
            blocks[at + U(BLOCK_NORMAL * CONTACT_LANES)], blocks[at + U(BLOCK_FRICTION_PUSH * CONTACT_LANES)] = (
                normal,
                drag,
            )
            blocks[at + U(BLOCK_SLIP * CONTACT_LANES)] = contacts[row + U(SLIP_OFFSET) + k]
            blocks[at + U(BLOCK_RELATIVE * CONTACT_LANES)] = push * normal + drag
        if contacts[row + U(PARTICLES_ONLY)] != real(ELLIPSOIDS_ONLY):  # the particles are not the centres
            one, two = U(PROXY_PLACE) * a + U(CENTRE_OFFSET), U(PROXY_PLACE) * b + U(CENTRE_OFFSET)
            for k in range(U(3)):
                gap = places[one + k] - places[two + k]
                far -= contacts[row + U(NORMAL) + k] * gap
                blocks[line + U(BLOCK_SLIP * CONTACT_LANES) + k * U(CONTACT_LANES)] += gap
        blocks[line + U(BLOCK_DISTANCE * CONTACT_LANES)], blocks[line + U(BLOCK_MASS * CONTACT_LANES)] = (
            real(far),
            contacts[row + U(EFFECTIVE_MASS)],
        )
        blocks[line + U(BLOCK_PUSH * CONTACT_LANES)] = push
        blocks[line + U(BLOCK_FRICTION * CONTACT_LANES)] = contacts[row + U(CONTACT_FRICTION)]
        blocks[line + U(BLOCK_STICKS * CONTACT_LANES)] = contacts[row + U(STICKS)]
        blocks[line + U(BLOCK_INV_MASS * CONTACT_LANES)], blocks[line + U((BLOCK_INV_MASS + 1) * CONTACT_LANES)] = (
            inverse[i],
            inverse[j],
        )


@inner
def fetch(p, ends, blocks, block):
    """How the two of each contact are away from each other now."""
    e, w = U(2 * CONTACT_LANES) * block, U(CONTACT_BLOCK) * block + U(BLOCK_RELATIVE * CONTACT_LANES)
    for k in range(U(CONTACT_LANES)):
        f, g = U(4) * U(ends[e + k]), U(4) * U(ends[e + U(CONTACT_LANES) + k])
        blocks[w + k] = p[f] - p[g]
        blocks[w + U(CONTACT_LANES) + k] = p[f + U(1)] - p[g + U(1)]
        blocks[w + U(2 * CONTACT_LANES) + k] = p[f + U(2)] - p[g + U(2)]


@inner
def press(blocks, block):
    """Pushes and friction of eight contacts, and by how much they change."""
    real = blocks.dtype.type
    zero, one, tiny = real(0), real(1), real(TINY)
    for k in range(U(CONTACT_BLOCK) * block, U(CONTACT_BLOCK) * block + U(CONTACT_LANES)):
        n0, n1, n2 = blocks[k], blocks[k + U(CONTACT_LANES)], blocks[k + U(2 * CONTACT_LANES)]
        d0, d1, d2 = (
            blocks[k + U(BLOCK_RELATIVE * CONTACT_LANES)],
            blocks[k + U((BLOCK_RELATIVE + 1) * CONTACT_LANES)],
            blocks[k + U((BLOCK_RELATIVE + 2) * CONTACT_LANES)],
        )
        heavy, old = blocks[k + U(BLOCK_MASS * CONTACT_LANES)], blocks[k + U(BLOCK_PUSH * CONTACT_LANES)]
        push = old + (blocks[k + U(BLOCK_DISTANCE * CONTACT_LANES)] - n0 * d0 - n1 * d1 - n2 * d2) * heavy
        push = push if push > zero else zero
        more = push - old
        s0 = d0 + blocks[k + U(BLOCK_SLIP * CONTACT_LANES)]
        s1 = d1 + blocks[k + U((BLOCK_SLIP + 1) * CONTACT_LANES)]
        s2 = d2 + blocks[k + U((BLOCK_SLIP + 2) * CONTACT_LANES)]
        along = s0 * n0 + s1 * n1 + s2 * n2
        g0, g1, g2 = (
            blocks[k + U(BLOCK_FRICTION_PUSH * CONTACT_LANES)],
            blocks[k + U((BLOCK_FRICTION_PUSH + 1) * CONTACT_LANES)],
            blocks[k + U((BLOCK_FRICTION_PUSH + 2) * CONTACT_LANES)],
        )
        t0 = g0 - (s0 - along * n0) * heavy
        t1 = g1 - (s1 - along * n1) * heavy
        t2 = g2 - (s2 - along * n2) * heavy
        pull, grip = t0 * t0 + t1 * t1 + t2 * t2, blocks[k + U(BLOCK_FRICTION * CONTACT_LANES)] * push
        slides = pull > grip * grip + tiny
        share = grip / math.sqrt(pull if slides else one)
        share = share if slides else one
        t0, t1, t2 = share * t0, share * t1, share * t2
        d0, d1, d2 = more * n0 + t0 - g0, more * n1 + t1 - g1, more * n2 + t2 - g2
        both = blocks[k + U(BLOCK_INV_MASS * CONTACT_LANES)] + blocks[k + U((BLOCK_INV_MASS + 1) * CONTACT_LANES)]
        blocks[k + U(BLOCK_PUSH * CONTACT_LANES)] = push
        blocks[k + U(BLOCK_FRICTION_PUSH * CONTACT_LANES)] = t0
        blocks[k + U((BLOCK_FRICTION_PUSH + 1) * CONTACT_LANES)] = t1
        blocks[k + U((BLOCK_FRICTION_PUSH + 2) * CONTACT_LANES)] = t2
        blocks[k + U(BLOCK_STICKS * CONTACT_LANES)] = zero if slides else one
        blocks[k + U(BLOCK_RELATIVE * CONTACT_LANES)] = d0
        blocks[k + U((BLOCK_RELATIVE + 1) * CONTACT_LANES)] = d1
        blocks[k + U((BLOCK_RELATIVE + 2) * CONTACT_LANES)] = d2
        blocks[k + U(BLOCK_MOVED * CONTACT_LANES)] = (d0 * d0 + d1 * d1 + d2 * d2) * both * both


@inner
def apply_pushes(p, ends, blocks, block, most):
    """Particles take their share of the changes. Returns how far one was moved, squared, at most so far."""
    e, w, v = (
        U(2 * CONTACT_LANES) * block,
        U(CONTACT_BLOCK) * block + U(BLOCK_RELATIVE * CONTACT_LANES),
        U(CONTACT_BLOCK) * block + U(BLOCK_INV_MASS * CONTACT_LANES),
    )
    for k in range(U(CONTACT_LANES)):
        d0, d1, d2 = blocks[w + k], blocks[w + U(CONTACT_LANES) + k], blocks[w + U(2 * CONTACT_LANES) + k]
        f, g = U(4) * U(ends[e + k]), U(4) * U(ends[e + U(CONTACT_LANES) + k])
        i, j = blocks[v + k], blocks[v + U(CONTACT_LANES) + k]
        if i + j == 0:  # an empty lane
            break
        p[f] += i * d0
        p[f + U(1)] += i * d1
        p[f + U(2)] += i * d2
        p[g] -= j * d0
        p[g + U(1)] -= j * d1
        p[g + U(2)] -= j * d2
        most = max(most, blocks[w + U((BLOCK_MOVED - BLOCK_RELATIVE) * CONTACT_LANES) + k])
    return most


@part
def begin_pushes(p, ends, blocks, starts):
    """The pushes of the last sub-step act."""
    zero = blocks.dtype.type(0)
    for block in range(U(starts[0]), U(starts[COLOURS])):
        apply_pushes(p, ends, blocks, block, zero)


@part
def sweep_contacts(p, ends, blocks, starts):
    """One sweep over all blocks. Returns the square of the largest change of a place, in metres."""
    most = blocks.dtype.type(0)
    for colour in range(COLOURS):
        first, last = U(starts[colour]), U(starts[colour + 1])
        while first < last:
            end = min(first + U(BLOCKS_AHEAD), last)
            for block in range(first, end):
                fetch(p, ends, blocks, block)
            for block in range(first, end):
                press(blocks, block)
            for block in range(first, end):
                most = apply_pushes(p, ends, blocks, block, most)
            first = end
    return float(most)


@part
def give_back(contacts, first, last, colour_slots, blocks):
    """Back from the blocks to the rows from first to last."""
    for c in range(first, last):
        if colour_slots[c] >= GENERAL_SLOT:
            continue
        slot = np.int64(colour_slots[c])
        line, row = U(CONTACT_BLOCK * (slot // CONTACT_LANES) + slot % CONTACT_LANES), U(CONTACT) * U(c)
        contacts[row + U(PUSH)] = blocks[line + U(BLOCK_PUSH * CONTACT_LANES)]
        contacts[row + U(STICKS)] = blocks[line + U(BLOCK_STICKS * CONTACT_LANES)]
        for k in range(U(3)):
            contacts[row + U(FRICTION_PUSH) + k] = blocks[
                line + U(BLOCK_FRICTION_PUSH * CONTACT_LANES) + k * U(CONTACT_LANES)
            ]
