# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Who sleeps: a body that stayed where it was for a while, and all that it touches did.

Told by places, not by speeds: a body that shivers on the spot is at rest, one that creeps is not. The time is 2.5
sqrt(size / gravity), in which a body in free fall goes three times its size. Islands were rejected: one shivering body
keeps a whole heap awake."""

import math

from pliant.collision.layout import AABB, BODY, BODY_END, BODY_FIRST, BODY_ROW, BODY_SIZE, IMPULSES, ROW
from pliant.dynamics.constants import SLEEP_MOTION, SLEEP_TIME
from pliant.runtime.jit import part

TRACKED = 3  # particles that are watched, beside the box round all of them
REFERENCE = 6 + 3 * TRACKED
SLEEPING = -1.0  # in place of a time at rest


@part
def watch(shapes, work, p, body, h):
    """Count for how long a body has been where it is."""
    box, ref = AABB * body, REFERENCE * body
    first, last = shapes.bodies[BODY * body + BODY_FIRST], shapes.bodies[BODY * body + BODY_END]
    far = 0.0
    for k in range(6):
        far = max(far, abs(work.boxes[box + k] - work.references[ref + k]))
    for t in range(TRACKED):
        i = 4 * (first + (last - first) * t // TRACKED)
        for k in range(3):
            far = max(far, abs(p[i + k] - work.references[ref + 6 + 3 * t + k]))
    if far < SLEEP_MOTION * shapes.materials[BODY_ROW * body + BODY_SIZE]:
        work.timers[body] += h
        return
    work.timers[body] = 0.0
    for k in range(6):
        work.references[ref + k] = work.boxes[box + k]
    for t in range(TRACKED):
        i = 4 * (first + (last - first) * t // TRACKED)
        for k in range(3):
            work.references[ref + 6 + 3 * t + k] = p[i + k]


@part
def resting_time(shapes, body, gravity):
    """For how long a body has to stay before it sleeps (s)."""
    return SLEEP_TIME * math.sqrt(shapes.materials[BODY_ROW * body + BODY_SIZE] / gravity) if gravity > 0.0 else 1e300


@part
def fall_asleep(shapes, work, found, count, may_sleep, gravity):
    """After the rows are solved: wake those that are touched by what moves, and let those sleep that may. Returns
    whether others are awake than before."""
    changed = False
    bodies = len(work.awake)
    for body in range(bodies):
        time = resting_time(shapes, body, gravity)
        work.used[body] = work.awake[body] and may_sleep[body] and work.timers[body] >= time
    for m in range(count):  # of two bodies
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        if b < 0 or a == b or not touching(found, found.spans[2 * m], found.spans[2 * m + 1]):
            continue
        if work.awake[a] and work.awake[b]:
            if not work.used[a]:
                work.used[b] = 0
            elif not work.used[b]:
                work.used[a] = 0
            continue
        awake, asleep = (a, b) if work.awake[a] else (b, a)
        time = 0.5 * resting_time(shapes, awake, gravity)
        if work.timers[awake] < time:
            work.awake[asleep] = 1
            work.used[asleep] = 0
            work.timers[asleep] = 0.5 * resting_time(shapes, asleep, gravity)
            changed = True
    for body in range(bodies):
        if work.used[body]:
            work.awake[body] = 0
            work.timers[body] = SLEEPING
            changed = True
    return changed


@part
def touching(found, first, last):
    """Whether any row of a pair carries load."""
    load = 0.0
    for n in range(first, last):
        load += found.rows[ROW * n + IMPULSES]
    return load > 0.0
