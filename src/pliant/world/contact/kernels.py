"""Contact between bodies in one kernel call a sub-step."""

import math

import numpy as np

from pliant.jit import kernel, part
from pliant.world.contact.box_kernels import near_actors
from pliant.world.contact.firm_kernels import begin_ways, carry_all, weigh_all_firm
from pliant.world.contact.grid_kernels import find_contacts
from pliant.world.contact.ground_kernels import find_ground, hold, let_go
from pliant.world.contact.layout import (
    BEGIN,
    BOUND,
    CONTACT,
    END,
    FIRM,
    MANNERS,
    NAPS,
    ONE,
    OTHER,
    PLACE,
    PUSH,
    TRAITS,
)  # fmt: skip
from pliant.world.contact.memory_kernels import keep_pushes
from pliant.world.contact.push_kernels import push_apart, weigh_contacts
from pliant.world.contact.rebound_kernels import notice
from pliant.world.layout import COLLIDER, INERTIA, MASS, MOTION, SPEED

SWEEPS = 6
GROUND = 2  # sweeps over obstacles in each
QUIET = 0.02  # m/s: root mean square of an actor that is at rest
LOUD = 0.05  # m/s: of one that wakes others
PATIENCE = 0.5  # s: who has been quiet for so long is drowsy
ENOUGH = 1e-6  # m: sweeps end when nobody moves farther


@kernel("x[] x[] x[] x[] u[] u[] x[] u[] x[] x[] u[] d[] u[] d[] d[] u[] i[] i[] i[] d d d d")
def haste(
    x, v, y, inverse, origins, riders, shares, roots, holds, traits, spans, manners, awake, boxes, places, marks,
    actor_table, actor_entries, actor_keys, gx, gy, gz, dt,
):  # fmt: skip
    """How far a sphere that may meet another goes within dt, in parts of its own size, at most. y is scratch."""
    real = x.dtype.type
    t, g0, g1, g2 = real(dt), real(dt * dt * gx), real(dt * dt * gy), real(dt * dt * gz)
    for i in range(len(inverse)):
        f = 4 * i
        y[f] = x[f] + t * v[f] + g0
        y[f + 1] = x[f + 1] + t * v[f + 1] + g1
        y[f + 2] = x[f + 2] + t * v[f + 2] + g2
    near_actors(
        x, y, inverse, origins, riders, shares, roots, holds, traits, spans, manners, awake, boxes, places, marks,
        actor_table, actor_entries, actor_keys,
    )  # fmt: skip
    most = 0.0
    for s in range(len(marks)):
        if marks[s]:
            at = PLACE * s
            w0 = places[at + END] - places[at + BEGIN]
            w1 = places[at + END + 1] - places[at + BEGIN + 1]
            w2 = places[at + END + 2] - places[at + BEGIN + 2]
            most = max(most, math.sqrt(w0 * w0 + w1 * w1 + w2 * w2) / traits[TRAITS * s + BOUND])
    return most


@part
def rigid_speed(m):
    """Root mean square of the velocity of a body that moves as one, from the row of its motion."""
    square = 0.0
    turning = 0.0
    for i in range(3):
        square += (m[i] + m[12 + i]) ** 2
        turning += (m[3 + i] + m[15 + i]) ** 2
    return math.sqrt(square + turning * (m[INERTIA] + m[INERTIA + 1] + m[INERTIA + 2]) / (3.0 * m[MASS]))


@kernel("d[] i u[] d[] u[] d[] d[] d")
def doze(contacts, count, owners, motion, awake, naps, manners, h):
    """Who falls asleep and who wakes. An actor that has been quiet for a while is drowsy; it falls asleep when all that
    it touches are, and is woken by whoever touches it and is not. naps: how long each has been quiet (s), -1 for one
    that sleeps. Returns 1 if anything changed."""
    changed = 0
    for actor in range(len(naps)):
        if awake[actor]:
            m = MOTION * actor
            speed = motion[m + SPEED]
            if manners[MANNERS * actor + FIRM] > 0.0:  # its particles do not know yet what it was given as a whole
                speed = rigid_speed(motion[m : m + MOTION])
                motion[m + SPEED] = speed
            if manners[MANNERS * actor + NAPS] > 0.0 and speed < QUIET:
                naps[actor] += h
            else:
                naps[actor] = 0.0
            motion[m + SPEED + 1] = 1.0 if naps[actor] >= PATIENCE else 0.0
    for _again in range(2):
        for c in range(count):
            row = contacts[CONTACT * c : CONTACT * (c + 1)]
            if row[PUSH] == 0.0:
                continue
            a, b = np.int64(owners[np.int64(row[ONE])]), np.int64(owners[np.int64(row[OTHER])])
            for one, two in ((a, b), (b, a)):
                if awake[one] and motion[MOTION * one + SPEED + 1] == 0.0:
                    if awake[two] == 0:
                        if motion[MOTION * one + SPEED] > LOUD:
                            awake[two] = 1
                            naps[two] = 0.0
                            motion[MOTION * two + SPEED] = motion[MOTION * two + SPEED + 1] = 0.0
                            changed = 1
                    else:
                        motion[MOTION * two + SPEED + 1] = 0.0
    for actor in range(len(naps)):
        if awake[actor] and motion[MOTION * actor + SPEED + 1] > 0.0:
            awake[actor] = 0
            naps[actor] = -1.0
            changed = 1
    return changed


@kernel(
    "x[] x[] x[] u[] x[] d[] x[] d[] f[] u[] x[] u[] x[] x[] x[] u[] u[] d[] u[] d[] d[] u[] i[] i[] i[] i[] i[] d[] "
    "d[] d[] d[] x[] d"
)
def part_bodies(
    x, p, inverse, origins, hulls, bounces, spins, colliders, grids, riders, shares, roots, holds, traits, rests,
    owners, spans, manners, awake, boxes, places, marks, actor_table, actor_entries, actor_keys, table, cells, balls,
    contacts, motion, meetings, memory, h,
):  # fmt: skip
    """Find the contacts between bodies and part them: changes p. Returns the number of contacts, or -1 if there is no
    room for them (nothing is moved then), and how many were left out."""
    near_actors(
        x, p, inverse, origins, riders, shares, roots, holds, traits, spans, manners, awake, boxes, places, marks,
        actor_table, actor_entries, actor_keys,
    )  # fmt: skip
    count, lost = find_contacts(
        riders, traits, rests, owners, manners, awake, hulls, bounces, spins, places, marks, table, cells, balls,
        contacts, h,
    )  # fmt: skip
    if count < 0:
        return count, lost
    begin_ways(owners, contacts, count, motion, meetings)
    total = count
    if count > 0:
        notice(contacts, count, owners, places, bounces)
        weigh_all_firm(p, inverse, origins, manners, awake, motion, meetings)
        total = find_ground(
            x, p, inverse, origins, hulls, colliders, grids, riders, shares, owners, manners, awake, boxes, marks,
            motion, meetings, contacts, count, memory, np.empty(COLLIDER), h,
        )  # fmt: skip
        weigh_contacts(p, inverse, riders, shares, owners, manners, places, motion, contacts, count, memory, h)
        for _sweep in range(SWEEPS):
            for _again in range(GROUND):
                hold(p, inverse, manners, motion, contacts, count, total)
            if push_apart(p, inverse, riders, shares, owners, places, motion, contacts, count) < ENOUGH:
                break
        let_go(p, inverse, manners, motion, contacts, count, total)
        carry_all(p, inverse, origins, manners, awake, motion, meetings)
    keep_pushes(memory, owners, contacts, count, total, h)
    return count, lost
