"""Kernels that keep the pushes of a sub-step for the next one.

A heap at rest needs the same pushes again and again; found anew each time in a few sweeps they would always be a little
too small, and what lies on top would sink in. A sphere has room for two partners; a contact is kept with the first of
its spheres that has room, else forgotten. Kept are forces, so that another sub-step may follow; and those between
bodies that sleep, so that they are found as they were when they wake."""

import math

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.deep_kernels import is_deep
from pliant.world.contact.layout import (
    CONTACT,
    DRAG,
    KEPT,
    NORMAL,
    ONE,
    OTHER,
    PUSH,
    RUB,
    SLOTS,
)  # fmt: skip

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
# How much of a push is kept. All of it would add up without bound where bodies are wedged so that no push is enough.
WARM = 0.85


@inner
def slot_of(memory, sphere, partner):
    """Where a sphere keeps what it knows of a partner (0: of nobody); -1 if nowhere."""
    for slot in range(SLOTS):
        at = KEPT * (SLOTS * sphere + slot)
        if memory[at] == partner:
            return at
    return -1


@inner
def recollect(memory, row, h):
    """The push and the friction of a contact in the last sub-step. True if there were any."""
    if is_deep(row):  # no push would ever be enough
        return False
    a, b = np.int64(row[ONE]), np.int64(row[OTHER])
    at = slot_of(memory, a, b + 1)
    if at < 0:
        at = slot_of(memory, b, a + 1)
        if at < 0:
            return False
    k = WARM * h * h
    j0, j1, j2 = k * memory[at + 1], k * memory[at + 2], k * memory[at + 3]
    push = j0 * row[NORMAL] + j1 * row[NORMAL + 1] + j2 * row[NORMAL + 2]
    if push <= 0.0:
        return False
    j0, j1, j2 = j0 - push * row[NORMAL], j1 - push * row[NORMAL + 1], j2 - push * row[NORMAL + 2]
    pull = math.sqrt(j0 * j0 + j1 * j1 + j2 * j2)
    keep = min(1.0, row[RUB] * push / pull) if pull > 0.0 else 0.0
    row[PUSH] = push
    row[DRAG], row[DRAG + 1], row[DRAG + 2] = keep * j0, keep * j1, keep * j2
    return True


@part
def forget(memory, origins, owners, spans, sides, awake, side):
    """All pushes on bodies of a side, but those on ones that sleep, by others that do or by obstacles."""
    own = KEPT * SLOTS * len(owners)
    last = len(memory) - KEPT * len(origins)
    for actor in range(len(origins)):
        if sides[actor] != side:
            continue
        begin, end = KEPT * SLOTS * np.int64(spans[actor]), KEPT * SLOTS * np.int64(spans[actor + 1])
        if awake[actor]:
            memory[begin:end] = 0
            begin = own + KEPT * np.int64(origins[actor])
            memory[begin : own + KEPT * np.int64(origins[actor + 1]) if actor + 1 < len(origins) else last] = 0
            continue
        for at in range(begin, end, KEPT):
            if memory[at] > 0 and awake[np.int64(owners[np.int64(memory[at]) - 1])]:
                memory[at : at + KEPT] = 0


@part
def keep_pushes(memory, contacts, first, last, h):
    """Those of the contacts from first to last, for the next sub-step."""
    rate = memory.dtype.type(1.0 / (h * h))
    for c in range(first, last):
        row = U(CONTACT) * U(c)
        if contacts[row + U(PUSH)] > 0.0:
            a, b = np.int64(contacts[row + U(ONE)]), np.int64(contacts[row + U(OTHER)])
            at, partner = slot_of(memory, a, 0), b + 1
            if at < 0:
                at, partner = slot_of(memory, b, 0), a + 1
            if at >= 0:
                memory[at] = partner
                add_push(memory, contacts, row, at + 1, rate)


@part
def keep_ground(memory, owners, contacts, first, last, h):
    """Pushes of obstacles, in rows behind the contacts (ground_kernels): those of a particle all together."""
    rate = memory.dtype.type(1.0 / (h * h))
    own = KEPT * SLOTS * len(owners)
    for c in range(first, last):
        row = U(CONTACT) * U(c)
        add_push(memory, contacts, row, own + KEPT * np.int64(contacts[row + U(ONE)]), rate)


@inner
def add_push(memory, contacts, row, at, rate):
    """The push of a row, as a force."""
    push = contacts[row + U(PUSH)]
    for k in range(U(3)):
        memory[U(at) + k] += rate * (push * contacts[row + U(NORMAL) + k] + contacts[row + U(DRAG) + k])
