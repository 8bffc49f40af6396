# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The warm start: kernels that keep the pushes of a sub-step for the next one.

A heap at rest needs the same pushes again and again; found anew each time in a few sweeps they would always be a little
too small, and what lies on top would sink in. A sphere has room for two partners; a contact is kept with the first of
its spheres that has room, else forgotten. Kept are forces, so that another sub-step may follow; and those between
bodies that sleep, so that they are found as they were when they wake."""

import math

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.layout import (
    CONTACT,
    CONTACT_FRICTION,
    FRICTION_PUSH,
    NORMAL,
    ONE,
    OTHER,
    PUSH,
    WARM_ROW,
    WARM_SLOTS,
)  # fmt: skip
from pliant.world.contact.penetration_kernels import is_deep_contact

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
# How much of a push is kept. All of it would add up without bound where bodies are wedged so that no push is enough.
WARM_START = 0.85


@inner
def slot_of(warm_pushes, sphere, partner):
    """Where a sphere keeps the push of a partner, by its number and one (0: a free slot); -1 if nowhere."""
    for slot in range(WARM_SLOTS):
        at = WARM_ROW * (WARM_SLOTS * sphere + slot)
        if warm_pushes[at] == partner:
            return at
    return -1


@inner
def warm_start(warm_pushes, row, h):
    """The push and the friction of a contact in the last sub-step. True if there were any."""
    if is_deep_contact(row):  # no push would ever be enough
        return False
    a, b = np.int64(row[ONE]), np.int64(row[OTHER])
    at = slot_of(warm_pushes, a, b + 1)
    if at < 0:
        at = slot_of(warm_pushes, b, a + 1)
        if at < 0:
            return False
    k = WARM_START * h * h
    j0, j1, j2 = k * warm_pushes[at + 1], k * warm_pushes[at + 2], k * warm_pushes[at + 3]
    push = j0 * row[NORMAL] + j1 * row[NORMAL + 1] + j2 * row[NORMAL + 2]
    if push <= 0.0:
        return False
    j0, j1, j2 = j0 - push * row[NORMAL], j1 - push * row[NORMAL + 1], j2 - push * row[NORMAL + 2]
    pull = math.sqrt(j0 * j0 + j1 * j1 + j2 * j2)
    keep = min(1.0, row[CONTACT_FRICTION] * push / pull) if pull > 0.0 else 0.0
    row[PUSH] = push
    row[FRICTION_PUSH], row[FRICTION_PUSH + 1], row[FRICTION_PUSH + 2] = keep * j0, keep * j1, keep * j2
    return True


@part
def forget(warm_pushes, origins, owners, spans, sides, awake, side):
    """All pushes on bodies of a side, but those on ones that sleep, by others that do or by obstacles."""
    own = WARM_ROW * WARM_SLOTS * len(owners)
    last = len(warm_pushes) - WARM_ROW * len(origins)
    for actor in range(len(origins)):
        if sides[actor] != side:
            continue
        begin, end = WARM_ROW * WARM_SLOTS * np.int64(spans[actor]), WARM_ROW * WARM_SLOTS * np.int64(spans[actor + 1])
        if awake[actor]:
            warm_pushes[begin:end] = 0
            begin = own + WARM_ROW * np.int64(origins[actor])
            warm_pushes[begin : own + WARM_ROW * np.int64(origins[actor + 1]) if actor + 1 < len(origins) else last] = 0
            continue
        for at in range(begin, end, WARM_ROW):
            if warm_pushes[at] > 0 and awake[np.int64(owners[np.int64(warm_pushes[at]) - 1])]:
                warm_pushes[at : at + WARM_ROW] = 0


@part
def keep_pushes(warm_pushes, contacts, first, last, h):
    """Those of the contacts from first to last, for the next sub-step."""
    rate = warm_pushes.dtype.type(1.0 / (h * h))
    for c in range(first, last):
        row = U(CONTACT) * U(c)
        if contacts[row + U(PUSH)] > 0.0:
            a, b = np.int64(contacts[row + U(ONE)]), np.int64(contacts[row + U(OTHER)])
            at, partner = slot_of(warm_pushes, a, 0), b + 1
            if at < 0:
                at, partner = slot_of(warm_pushes, b, 0), a + 1
            if at >= 0:
                warm_pushes[at] = partner
                add_push(warm_pushes, contacts, row, at + 1, rate)


@part
def keep_ground(warm_pushes, owners, contacts, first, last, h):
    """Pushes of obstacles, in rows behind the contacts (ground_kernels): those of a particle all together."""
    rate = warm_pushes.dtype.type(1.0 / (h * h))
    own = WARM_ROW * WARM_SLOTS * len(owners)
    for c in range(first, last):
        row = U(CONTACT) * U(c)
        add_push(warm_pushes, contacts, row, own + WARM_ROW * np.int64(contacts[row + U(ONE)]), rate)


@inner
def add_push(warm_pushes, contacts, row, at, rate):
    """The push of a row, as a force."""
    push = contacts[row + U(PUSH)]
    for k in range(U(3)):
        warm_pushes[U(at) + k] += rate * (push * contacts[row + U(NORMAL) + k] + contacts[row + U(FRICTION_PUSH) + k])
