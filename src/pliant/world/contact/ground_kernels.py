# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels that know of obstacles while bodies are parted.

Obstacles have the last word after bodies have been parted. But a body that stands on one does not give way into it: a
push that is shared out as if it did would be half undone, and what lies on top would sink. So each particle that an
obstacle is about to hold, and that other bodies push, is held while they are parted, by a push and friction of its own
like those of contacts; at the end these are taken back, and the obstacle itself answers.

Rows follow those of the contacts, for each side by itself: particle (ONE), actor (OTHER), normal, MIN_DISTANCE: how far
along it the particle has to be, where it would be if it did not slip (STICK_PLACE, 3), from the centre of its body if
that is firm (OLD_GAP, 3)."""

import math

import numpy as np

from pliant.runtime.jit import inner, part
from pliant.world.contact.firm_kernels import span_of
from pliant.world.contact.impulse_kernels import apply_impulse, correction_at, inverse_effective_mass
from pliant.world.contact.layout import (
    AABB,
    CONTACT,
    CONTACT_FRICTION,
    FIRM,
    FRICTION_PUSH,
    INV_MASS,
    MATERIAL,
    MEETING,
    MIN_DISTANCE,
    NORMAL,
    OLD_GAP,
    ONE,
    OTHER,
    PUSH,
    STICK_PLACE,
    WARM_ROW,
    WARM_SLOTS,
)  # fmt: skip
from pliant.world.contact.penetration_kernels import end_of_body_pair
from pliant.world.contact.side_kernels import ACROSS, GROUND_ROWS, LAST_ROW, rows_of
from pliant.world.contact.warm_start_kernels import WARM_START
from pliant.world.contact_kernels import FREE, RECOVERY_SPEED, box_near, meet, near
from pliant.world.hull_kernels import grown, near_hull
from pliant.world.layout import BODY_CENTRE, COLLIDER, COLLIDER_FRICTION, CORRECTION, MOTION

U = np.uint64  # unsigned indices: Numba then leaves out the test for negative ones


@inner
def near_ground(colliders, boxes, actor):
    """Whether the box round an actor reaches an obstacle."""
    b = AABB * actor
    return box_near(colliders, boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], boxes[b + 4], boxes[b + 5])


@part
def push_static(p, inverse, motion, row, firm, d0, d1, d2):
    """A push on the particle of a row, or on its firm body."""
    if firm:
        apply_impulse(
            motion, np.int64(row[OTHER]), CORRECTION, d0, d1, d2, row[OLD_GAP], row[OLD_GAP + 1], row[OLD_GAP + 2]
        )
        return
    real = p.dtype.type
    i = np.int64(row[ONE])
    w = float(inverse[i])
    p[4 * i] = real(p[4 * i] + w * d0)
    p[4 * i + 1] = real(p[4 * i + 1] + w * d1)
    p[4 * i + 2] = real(p[4 * i + 2] + w * d2)


@inner
def comes_near(x, p, hulls, colliders, grids, i):
    """Whether a particle might touch an obstacle."""
    f = U(4) * U(i)
    x0, x1, x2 = float(x[f]), float(x[f + U(1)]), float(x[f + U(2)])
    p0, p1, p2 = float(p[f]), float(p[f + U(1)]), float(p[f + U(2)])
    if len(hulls) > 0 and hulls[U(6) * U(i)] > 0:
        return near_hull(colliders, grids, hulls[6 * i : 6 * i + 6], x0, x1, x2, p0, p1, p2)
    return near(colliders, grids, x0, x1, x2, p0, p1, p2)


@part
def add_ground(
    x, p, inverse, hulls, colliders, grids, firm, motion, i, actor, contacts, count, end, warm_pushes, kept, scratch,
    h,
):  # fmt: skip
    """Rows for one particle that is near an obstacle, from `count` to `end`, with the pushes of the last sub-step
    (`kept`: where its own are among those of the warm start). Returns where the rows end now. (How an ellipsoid turns
    is left to the obstacle itself.)"""
    f = 4 * i
    x0, x1, x2 = float(x[f]), float(x[f + 1]), float(x[f + 2])
    p0, p1, p2 = float(p[f]), float(p[f + 1]), float(p[f + 2])
    wide = len(hulls) > 0 and hulls[6 * i] > 0
    k = WARM_START * h * h
    f0, f1, f2 = k * warm_pushes[kept], k * warm_pushes[kept + 1], k * warm_pushes[kept + 2]
    for n in range(len(colliders) // COLLIDER):
        if count == end:
            return count
        c = colliders[COLLIDER * n : COLLIDER * (n + 1)]
        if wide:
            grown(c, grids, hulls[6 * i : 6 * i + 6], 0.0, 0.0, 0.0, p0, p1, p2, scratch)
            c = scratch
        held, _, _, _, n0, n1, n2, push, m0, m1, m2 = meet(c, grids, x0, x1, x2, p0, p1, p2, 0.0, RECOVERY_SPEED * h, h)
        if held == FREE:
            continue
        row = contacts[CONTACT * count : CONTACT * (count + 1)]
        row[ONE], row[OTHER] = i, actor
        row[NORMAL], row[NORMAL + 1], row[NORMAL + 2] = n0, n1, n2
        row[MIN_DISTANCE] = n0 * p0 + n1 * p1 + n2 * p2 + push
        row[STICK_PLACE], row[STICK_PLACE + 1], row[STICK_PLACE + 2] = x0 + h * m0, x1 + h * m1, x2 + h * m2
        row[CONTACT_FRICTION] = c[COLLIDER_FRICTION]
        along = max(0.0, f0 * n0 + f1 * n1 + f2 * n2)
        f0, f1, f2 = f0 - along * n0, f1 - along * n1, f2 - along * n2
        grip, pull = c[COLLIDER_FRICTION] * along, math.sqrt(f0 * f0 + f1 * f1 + f2 * f2)
        keep = min(1.0, grip / pull) if pull > 0.0 else 0.0
        row[PUSH], row[FRICTION_PUSH], row[FRICTION_PUSH + 1], row[FRICTION_PUSH + 2] = (
            along,
            keep * f0,
            keep * f1,
            keep * f2,
        )
        f0, f1, f2 = f0 - row[FRICTION_PUSH], f1 - row[FRICTION_PUSH + 1], f2 - row[FRICTION_PUSH + 2]
        row[INV_MASS] = inverse[i]
        if firm:
            m = MOTION * actor + BODY_CENTRE
            r0, r1, r2 = p0 - motion[m], p1 - motion[m + 1], p2 - motion[m + 2]
            row[OLD_GAP], row[OLD_GAP + 1], row[OLD_GAP + 2] = r0, r1, r2
            row[INV_MASS] = inverse_effective_mass(motion, actor, n0, n1, n2, r0, r1, r2)
        count += 1
        if along > 0.0:
            push_static(
                p, inverse, motion, row, firm, along * n0 + row[FRICTION_PUSH], along * n1 + row[FRICTION_PUSH + 1],
                along * n2 + row[FRICTION_PUSH + 2],
            )  # fmt: skip
    return count


@part
def find_ground(
    x, p, inverse, origins, hulls, colliders, grids, attachments, attachment_weights, owners, sides, materials, awake,
    boxes, marks, motion, meetings, contacts, bounds, warm_pushes, scratch, side, h,
):  # fmt: skip
    """Rows for all particles of a side that contacts push, or whose firm body they push, and that an obstacle holds.
    Where there is no room for more of them the obstacle answers later."""
    top, rows = bounds[LAST_ROW], len(contacts) // CONTACT
    total, end = top + (rows - top) * side // 2, top + (rows - top) * (side + 1) // 2
    bounds[GROUND_ROWS + 2 * side] = total
    own = WARM_ROW * WARM_SLOTS * len(owners)
    for actor in range(len(origins) if len(colliders) > 0 else 0):
        if sides[actor] != side:
            continue
        at = MEETING * actor
        meetings[at] = 0.0
        if meetings[at + 3] > 0.0 and awake[actor] != 0 and near_ground(colliders, boxes, actor):
            meetings[at] = 1.0
            if materials[MATERIAL * actor + FIRM] > 0.0:
                meetings[at] = 0.0
                first, last = span_of(origins, inverse, actor)
                for i in range(first, last):
                    if comes_near(x, p, hulls, colliders, grids, i):
                        total = add_ground(
                            x, p, inverse, hulls, colliders, grids, True, motion, i, actor, contacts, total, end,
                            warm_pushes, own + WARM_ROW * i, scratch, h,
                        )  # fmt: skip
    for turn in range(2 if len(colliders) > 0 else 0):
        first, last = rows_of(bounds, 2 * side if turn == 0 else ACROSS)
        while first < last:
            begin, first = first, end_of_body_pair(contacts, first)
            row = U(CONTACT) * U(begin)
            a = np.int64(owners[U(np.int64(contacts[row + U(ONE)]))])
            b = np.int64(owners[U(np.int64(contacts[row + U(OTHER)]))])
            one = sides[a] == side and meetings[MEETING * a] != 0.0
            two = sides[b] == side and meetings[MEETING * b] != 0.0
            for k in range(2 * (first - begin) if one or two else 0):
                which = k % 2
                s = np.int64(contacts[CONTACT * (begin + k // 2) + ONE + which])
                if not (one if which == 0 else two) or marks[s] != 0:
                    continue
                marks[s] = 1  # once is enough
                for n in range(2):
                    i = np.int64(attachments[2 * s + n])
                    if (
                        attachment_weights[2 * s + n] != 0
                        and inverse[i] > 0
                        and comes_near(x, p, hulls, colliders, grids, i)
                    ):
                        total = add_ground(
                            x, p, inverse, hulls, colliders, grids, False, motion, i, b if which else a, contacts,
                            total, end, warm_pushes, own + WARM_ROW * i, scratch, h,
                        )  # fmt: skip
    bounds[GROUND_ROWS + 2 * side + 1] = total


@part
def unmark(marks, spans, sides, side):
    """No sphere of a side has been asked yet."""
    for actor in range(len(sides)):
        if sides[actor] == side:
            for s in range(U(spans[actor]), U(spans[actor + 1])):
                marks[s] = 0


@part
def hold(p, inverse, materials, motion, contacts, first, last):
    """One sweep over the rows of obstacles that hold firm bodies."""
    for c in range(first, last):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        f = 4 * np.int64(row[ONE])
        actor = np.int64(row[OTHER])
        if materials[MATERIAL * actor + FIRM] == 0.0:  # these are held by sweep_kernels
            continue
        w0, w1, w2 = correction_at(motion, actor, row[OLD_GAP], row[OLD_GAP + 1], row[OLD_GAP + 2])
        a0, a1, a2 = p[f] + w0, p[f + 1] + w1, p[f + 2] + w2
        n0, n1, n2 = row[NORMAL], row[NORMAL + 1], row[NORMAL + 2]
        push = max(0.0, row[PUSH] + (row[MIN_DISTANCE] - n0 * a0 - n1 * a1 - n2 * a2) / row[INV_MASS])
        if push == 0.0 and row[PUSH] == 0.0:
            continue
        more = push - row[PUSH]
        row[PUSH] = push
        s0, s1, s2 = a0 - row[STICK_PLACE], a1 - row[STICK_PLACE + 1], a2 - row[STICK_PLACE + 2]
        along = s0 * n0 + s1 * n1 + s2 * n2
        s0, s1, s2 = s0 - along * n0, s1 - along * n1, s2 - along * n2
        inverse_mass = row[INV_MASS]
        slip = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
        if slip > 0.0:
            inverse_mass = inverse_effective_mass(
                motion, actor, s0 / slip, s1 / slip, s2 / slip, row[OLD_GAP], row[OLD_GAP + 1], row[OLD_GAP + 2]
            )
        t0, t1, t2 = (
            row[FRICTION_PUSH] - s0 / inverse_mass,
            row[FRICTION_PUSH + 1] - s1 / inverse_mass,
            row[FRICTION_PUSH + 2] - s2 / inverse_mass,
        )
        pull = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
        grip = row[CONTACT_FRICTION] * push
        if pull > grip:
            t0, t1, t2 = t0 * grip / pull, t1 * grip / pull, t2 * grip / pull
        push_static(
            p, inverse, motion, row, True, more * n0 + t0 - row[FRICTION_PUSH], more * n1 + t1 - row[FRICTION_PUSH + 1],
            more * n2 + t2 - row[FRICTION_PUSH + 2],
        )  # fmt: skip
        row[FRICTION_PUSH], row[FRICTION_PUSH + 1], row[FRICTION_PUSH + 2] = t0, t1, t2


@part
def let_go(p, inverse, materials, motion, contacts, first, last):
    """Take back what obstacles gave."""
    for c in range(first, last):
        row = contacts[CONTACT * c : CONTACT * (c + 1)]
        push = row[PUSH]
        if push > 0.0:
            firm = materials[MATERIAL * np.int64(row[OTHER]) + FIRM] > 0.0
            push_static(
                p, inverse, motion, row, firm, -push * row[NORMAL] - row[FRICTION_PUSH],
                -push * row[NORMAL + 1] - row[FRICTION_PUSH + 1], -push * row[NORMAL + 2] - row[FRICTION_PUSH + 2],
            )  # fmt: skip
