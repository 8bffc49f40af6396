# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels for deep penetration: bodies that are far inside one another come out, but not at any price."""

import math

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import (
    CONTACT,
    DEEP_COUNT,
    DEPTH,
    MIN_DISTANCE,
    NORMAL,
    OLD_GAP,
    ONE,
    OTHER,
    OTHERS_REACH,
    PAIR_CONTACTS,
    REACH,
)  # fmt: skip
from pliant.world.layout import BODY_MASS, CORRECTION, FARTHEST, INERTIA

DEEP_PENETRATION = 0.25  # of the reach: what is so deep inside another comes out first, and has friction later
MEETING_FAST = 0.1  # of the reach: how far they come nearer in a sub-step
EXIT_SPEED = 0.5  # m/s: how fast one that moves as a whole may be made to go


@inner
def is_deep_contact(row):
    """Whether the two of a contact were deep inside one another when the sub-step began."""
    return row[OLD_GAP] < -DEEP_PENETRATION * (row[REACH] + row[OTHERS_REACH])


@inner
def end_of_body_pair(contacts, first):
    """Of two bodies whose contacts begin with the first, the one after the last."""
    return first + np.int64(contacts[CONTACT * first + PAIR_CONTACTS])


@part
def untangle_all(owners, contacts, first, last):
    """For each two bodies that have a deep contact among those from first to last."""
    while first < last:
        row, end = CONTACT * first, end_of_body_pair(contacts, first)
        a, b = owners[np.int64(contacts[row + ONE])], owners[np.int64(contacts[row + OTHER])]
        if contacts[row + DEEP_COUNT] > 0.0 and a != b:
            untangle(contacts, first, end)
        first = end


@part
def untangle(contacts, begin, end):
    """Of the contacts of two bodies, from begin to end, those that are deep and push against most of the others do
    nothing: a limb that has got through another one would be held there by its far side. But two that are just meeting
    fast would get through each other that way."""
    s0 = s1 = s2 = 0.0
    for c in range(begin, end):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if row[OLD_GAP] + row[DEPTH] > MEETING_FAST * (row[REACH] + row[OTHERS_REACH]):
            return
        s0, s1, s2 = s0 + row[NORMAL], s1 + row[NORMAL + 1], s2 + row[NORMAL + 2]
    for c in range(begin, end):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        if row[NORMAL] * s0 + row[NORMAL + 1] * s1 + row[NORMAL + 2] * s2 < 0.0 and is_deep_contact(row):
            row[MIN_DISTANCE] = -FARTHEST


@part
def restrain(m, before, came, h):
    """A body that moves as a whole and is deep inside another: contacts that contradict each other would throw it out.
    They may make it as fast as EXIT_SPEED, or as it was before (velocity, angular velocity), but no faster, unless they
    change its velocity by less than that with which others came (m/s): those may well hit it. m: the row of its
    motion."""
    round = math.sqrt(m[BODY_MASS] / (m[INERTIA] + m[INERTIA + 1] + m[INERTIA + 2] + 1e-300))
    for k in range(0, 6, 3):
        square = along = speed = 0.0
        for i in range(k, k + 3):
            change = m[CORRECTION + i] / h
            square += change * change
            along += change * before[i]
            speed += before[i] * before[i]
        scale = 1.0 if k == 0 else round
        room = max(0.0, (scale * EXIT_SPEED) ** 2 - speed)
        if square > (scale * came) ** 2 and square + 2.0 * along > room:  # |before + keep change|^2 = most^2
            keep = (math.sqrt(along * along + square * room) - along) / square
            keep = max(keep, scale * came / math.sqrt(square))
            for i in range(k, k + 3):
                m[CORRECTION + i] *= keep
