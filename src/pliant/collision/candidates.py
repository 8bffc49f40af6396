# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Which proxies have to be looked at: most are so far from the other body that they cannot touch it for a while.

For every proxy of a pair of bodies the gap is kept as it was when it was last found, and for the pair the distance that
the two may have come nearer since (`travel`). A proxy is looked at again when that could have used up its gap. The
distances are bounds, so the contacts that are found are the same as if all were looked at in every sub-step; but for
soft bodies, whose gap is that of the rest shape stretched as they are, and so a guess away from the skin: a contact may
be found a sub-step late.

    slack = gap - ahead + travel then;   looked at when  slack - travel now < what the sub-step may close

Pairs are those whose fat boxes overlap. They are found anew when a body leaves its fat box; the slack of pairs that
stay is taken over. What moved without the solver, as when positions are set by hand, is known by its centre."""

import math

from pliant.collision.broad_phase.pairs import find_pairs
from pliant.collision.constants import FAT_MARGIN, FAT_STEPS
from pliant.collision.layout import (
    AABB,
    BODY,
    BODY_ROW,
    BODY_SIZE,
    DEVIATION,
    FIELD,
    HALF,
    LEVER,
    MOTION,
    PAIR_COUNT,
    PAIRS_STALE,
    PROXY,
    PROXY_END,
)
from pliant.runtime.jit import inner, part

SLACK_UNKNOWN = -1e300  # in place of a slack: to be looked at now


@inner
def relative_motion(shapes, motions, a, b):
    """How fast, or how far, any points of two bodies may go against one another."""
    i, j = MOTION * a, MOTION * b
    d0, d1, d2 = motions[i] - motions[j], motions[i + 1] - motions[j + 1], motions[i + 2] - motions[j + 2]
    most = shapes.materials[BODY_ROW * a + LEVER] * motions[i + DEVIATION]
    most += shapes.materials[BODY_ROW * b + LEVER] * motions[j + DEVIATION]
    return math.sqrt(d0 * d0 + d1 * d1 + d2 * d2) + most


@inner
def own_motion(shapes, motions, a):
    """How fast, or how far, any point of a body may go."""
    i = MOTION * a
    most = shapes.materials[BODY_ROW * a + LEVER] * motions[i + DEVIATION]
    return math.sqrt(motions[i] ** 2 + motions[i + 1] ** 2 + motions[i + 2] ** 2) + most


@part
def left_fat_box(work):
    """Whether any body is not within its fat box any more."""
    for body in range(len(work.awake)):
        if work.awake[body]:
            b = AABB * body
            for k in range(3):
                # not (inside), so that a box that was never set counts as left
                if not (work.boxes[b + k] >= work.fat[b + k] and work.boxes[b + 3 + k] <= work.fat[b + 3 + k]):
                    return True
    return False


@part
def fatten(shapes, work, h):
    """A fat box for every body: room for some sub-steps of its motion, and a part of its size."""
    for body in range(len(work.awake)):
        b, m = AABB * body, MOTION * body
        margin = FAT_MARGIN * shapes.materials[BODY_ROW * body + BODY_SIZE]
        for k in range(3):
            way = FAT_STEPS * h * work.motions[m + k]
            work.fat[b + k] = work.boxes[b + k] - margin + min(way, 0.0)
            work.fat[b + 3 + k] = work.boxes[b + 3 + k] + margin + max(way, 0.0)


@inner
def proxies_of(shapes, body):
    return shapes.bodies[BODY * body + PROXY_END] - shapes.bodies[BODY * body + PROXY]


@inner
def has_field(shapes, body):
    return shapes.bodies[BODY * body + FIELD] >= 0


@part
def room_for(shapes, a, b):
    """How many slacks a pair has: those of the proxies of a, if b has an inside, then those of b."""
    if a == b:
        return 0
    size = proxies_of(shapes, a) if has_field(shapes, b) else 0
    return size + (proxies_of(shapes, b) if has_field(shapes, a) else 0)


@part
def refresh_pairs(shapes, work, h):
    """All pairs anew. Returns whether there is room for them."""
    fatten(shapes, work, h)
    old = work.counts[PAIR_COUNT]
    for m in range(old):
        work.last_pairs[2 * m], work.last_pairs[2 * m + 1] = work.pairs[2 * m], work.pairs[2 * m + 1]
        work.last_slacks[m], work.last_travel[m], work.last_nearest[m] = work.slacks[m], work.travel[m], work.nearest[m]
    count = find_pairs(shapes, work.fat, work.order, work.pairs, len(work.pairs) // 2 - len(work.awake))
    if count < 0:
        return False
    half = 1 - work.counts[HALF]
    place, end = half * (len(work.slack) // 2), (half + 1) * (len(work.slack) // 2)
    known = 0
    for m in range(count):
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        size = room_for(shapes, a, b)
        if place + size > end:
            return False
        while known < old and comes_before(work.last_pairs[2 * known], work.last_pairs[2 * known + 1], a, b):
            known += 1
        work.slacks[m] = place
        if known < old and work.last_pairs[2 * known] == a and work.last_pairs[2 * known + 1] == b:
            source, travel = work.last_slacks[known], work.last_travel[known]
            for k in range(size):
                work.slack[place + k] = work.slack[source + k] - travel
            work.nearest[m] = work.last_nearest[known] - travel
        else:
            for k in range(size):
                work.slack[place + k] = SLACK_UNKNOWN
            work.nearest[m] = SLACK_UNKNOWN
        work.travel[m] = 0.0
        place += size
    work.counts[HALF], work.counts[PAIR_COUNT], work.counts[PAIRS_STALE] = half, count, 0
    return True


@inner
def comes_before(a, b, c, d):
    return a < c or (a == c and b < d)


@part
def forget(shapes, work, m, a, b):
    """Nothing is known of a pair."""
    for k in range(work.slacks[m], work.slacks[m] + room_for(shapes, a, b)):
        work.slack[k] = SLACK_UNKNOWN
    work.nearest[m], work.travel[m] = SLACK_UNKNOWN, 0.0


@part
def follow(shapes, work, h):
    """Before contacts are found: pairs as they have to be, and how far each may have come since the last sub-step.
    Returns whether there is room."""
    for m in range(work.counts[PAIR_COUNT]):
        a, b = work.pairs[2 * m], work.pairs[2 * m + 1]
        if a != b:
            if work.displaced[a] or work.displaced[b]:
                forget(shapes, work, m, a, b)
            else:
                work.travel[m] += relative_motion(shapes, work.moved, a, b)
    return not (work.counts[PAIRS_STALE] or left_fat_box(work)) or refresh_pairs(shapes, work, h)
