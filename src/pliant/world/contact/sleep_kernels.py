# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of sleep: bodies that have come to rest are left where they are until another one wakes them."""

import math

import numpy as np

from pliant.runtime.jit import part
from pliant.world.contact.layout import CONTACT, FIRM, MATERIAL, MAY_SLEEP, MEETING, ONE, OTHER, PUSHING, WARM_ROW
from pliant.world.contact.penetration_kernels import end_of_body_pair
from pliant.world.contact.side_kernels import PARTS, rows_of
from pliant.world.layout import ADDED, ANGULAR_VELOCITY, BODY_MASS, FALLS_ASLEEP, INERTIA, MOTION, RMS_SPEED, VELOCITY

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones
REST_SPEED = 0.05  # m/s: root mean square of an actor that is at rest; in a heap pushes come and go a little
WAKE_SPEED = 0.15  # m/s: of one that wakes others
# s: over which speeds are averaged; in a heap a contact that slips off another gives a jolt now and then
SPEED_AVERAGE_TIME = 0.1
TIME_TO_SLEEP = 0.4  # s: a sleep timer that has come so far lets its actor fall asleep
INSIDE_TIMER_RATE = 0.04  # of an actor that is inside another and is to come out first: how fast its sleep timer goes


@part
def rigid_speed(m):
    """Root mean square of the velocity of a body that moves as one, from the row of its motion."""
    square = 0.0
    turning = 0.0
    for i in range(3):
        square += (m[VELOCITY + i] + m[ADDED + i]) ** 2
        turning += (m[ANGULAR_VELOCITY + i] + m[ADDED + 3 + i]) ** 2
    return math.sqrt(square + turning * (m[INERTIA] + m[INERTIA + 1] + m[INERTIA + 2]) / (3.0 * m[BODY_MASS]))


@part
def update_sleep(contacts, bounds, owners, motion, meetings, awake, sleep_timers, materials, warm_pushes, h):
    """Which actors fall asleep and which wake. One whose sleep timer has come to TIME_TO_SLEEP falls asleep when no
    actor that it touches is faster than WAKE_SPEED. It is woken by any that touches it and is that fast, or that may
    not sleep and is faster than REST_SPEED. sleep_timers: how long each has been at rest (s), -1 for one that sleeps;
    the last rows of `warm_pushes` hold how fast each was lately. Returns 1 if anything changed."""
    changed = 0
    real = warm_pushes.dtype.type
    share = 1.0 - math.exp(-h / SPEED_AVERAGE_TIME)
    lately = len(warm_pushes) - WARM_ROW * len(sleep_timers) + 3
    for actor in range(len(sleep_timers)):
        if awake[actor]:
            m = MOTION * actor
            speed = motion[m + RMS_SPEED]
            if materials[MATERIAL * actor + FIRM] > 0.0:  # its particles do not know yet what it was given as a whole
                speed = rigid_speed(motion[m : m + MOTION])
                motion[m + RMS_SPEED] = speed
            at = lately + WARM_ROW * actor
            warm_pushes[at] = real(warm_pushes[at] + share * (speed - warm_pushes[at]))
            mean = float(warm_pushes[at])
            tired = materials[MATERIAL * actor + MAY_SLEEP] > 0.0
            if tired and mean < REST_SPEED:
                sleep_timers[actor] += h * (INSIDE_TIMER_RATE if meetings[MEETING * actor + 1] > 0.0 else 1.0)
            elif tired and mean < WAKE_SPEED:
                sleep_timers[actor] = max(0.0, sleep_timers[actor] - h)
            else:
                sleep_timers[actor] = 0.0
            motion[m + FALLS_ASLEEP] = 1.0 if sleep_timers[actor] >= TIME_TO_SLEEP and speed < REST_SPEED else 0.0
    for each in range(PARTS):
        first, last = rows_of(bounds, each)
        while first < last:
            row = U(CONTACT) * U(first)
            first = end_of_body_pair(contacts, first)
            if contacts[row + U(PUSHING)] == 0.0:
                continue
            a = np.int64(owners[U(np.int64(contacts[row + U(ONE)]))])
            b = np.int64(owners[U(np.int64(contacts[row + U(OTHER)]))])
            for one, two in ((a, b), (b, a)):
                bearable = WAKE_SPEED if materials[MATERIAL * one + MAY_SLEEP] > 0.0 else REST_SPEED
                if awake[one] and warm_pushes[lately + WARM_ROW * one] > bearable:
                    if awake[two] == 0:
                        awake[two] = 1
                        sleep_timers[two] = 0.0
                        motion[MOTION * two + RMS_SPEED] = warm_pushes[lately + WARM_ROW * two] = 0.0
                        changed = 1
                    motion[MOTION * two + FALLS_ASLEEP] = 0.0
    for actor in range(len(sleep_timers)):
        if awake[actor] and motion[MOTION * actor + FALLS_ASLEEP] > 0.0:
            awake[actor] = 0
            sleep_timers[actor] = -1.0
            changed = 1
    return changed
