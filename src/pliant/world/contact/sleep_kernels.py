"""Kernels of sleep: bodies that have come to rest are left where they are until somebody stirs them."""

import math

import numpy as np

from pliant.runtime.jit import part
from pliant.world.contact.deep_kernels import end_of_couple
from pliant.world.contact.layout import CONTACT, FIRM, KEPT, MANNERS, MEETING, NAPS, ONE, OTHER, PUSHING
from pliant.world.contact.side_kernels import PARTS, rows_of
from pliant.world.layout import INERTIA, MASS, MOTION, SPEED

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
QUIET = 0.05  # m/s: root mean square of an actor that is at rest; in a heap pushes come and go a little
LOUD = 0.15  # m/s: of one that wakes others
LATELY = 0.1  # s: over which speeds are averaged; in a heap a contact that slips off another gives a jolt now and then
PATIENCE = 0.4  # s: who has been quiet for so much longer than not is drowsy
STIRRED = 0.04  # who is inside another is to come out first, and gets drowsy so much slower


@part
def rigid_speed(m):
    """Root mean square of the velocity of a body that moves as one, from the row of its motion."""
    square = 0.0
    turning = 0.0
    for i in range(3):
        square += (m[i] + m[12 + i]) ** 2
        turning += (m[3 + i] + m[15 + i]) ** 2
    return math.sqrt(square + turning * (m[INERTIA] + m[INERTIA + 1] + m[INERTIA + 2]) / (3.0 * m[MASS]))


@part
def doze(contacts, bounds, owners, motion, meetings, awake, naps, manners, memory, h):
    """Who falls asleep and who wakes. An actor that has been quiet for a while is drowsy; it falls asleep when nobody
    that it touches is loud. It is woken by whoever touches it and is loud, or may not sleep and moves. naps: how long
    each has been quiet (s), -1 for one that sleeps; the last rows of the memory hold how fast each was lately. Returns
    1 if anything changed."""
    changed = 0
    real = memory.dtype.type
    share = 1.0 - math.exp(-h / LATELY)
    lately = len(memory) - KEPT * len(naps) + 3
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
                naps[actor] += h * (STIRRED if meetings[MEETING * actor + 1] > 0.0 else 1.0)
            elif tired and mean < LOUD:
                naps[actor] = max(0.0, naps[actor] - h)
            else:
                naps[actor] = 0.0
            motion[m + SPEED + 1] = 1.0 if naps[actor] >= PATIENCE and speed < QUIET else 0.0
    for each in range(PARTS):
        first, last = rows_of(bounds, each)
        while first < last:
            row = U(CONTACT) * U(first)
            first = end_of_couple(contacts, first)
            if contacts[row + U(PUSHING)] == 0.0:
                continue
            a = np.int64(owners[U(np.int64(contacts[row + U(ONE)]))])
            b = np.int64(owners[U(np.int64(contacts[row + U(OTHER)]))])
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
