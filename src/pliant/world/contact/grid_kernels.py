"""Kernels of the hash grid: pairs of marked spheres that may touch.

A grid for each size of spheres: cells of level l are 2^l times as wide as those of the smallest, and a sphere is in the
level whose cells are at least as wide as it is. It looks for others of its own level in the cells round its own, each
pair once, and for larger ones in the cells of their levels. So a crumb on a sheet costs no more than two crumbs. Cells
are sorted by counting, a bucket for each hash; the order is that of the hashes and, in a cell, of the numbers."""

import math

import numpy as np

from pliant.jit import part
from pliant.world.contact.box_kernels import bits_of, bucket_of, key_of
from pliant.world.contact.layout import (
    APART,
    ARM,
    BEFORE,
    BEGIN,
    BOUNCE,
    BOUND,
    CONTACT,
    DEPTH,
    DRAG,
    END,
    FRICTION,
    GIVE,
    HOLDS,
    LOOKED,
    MANNERS,
    MET,
    NORMAL,
    ONE,
    OTHER,
    OTHERS_REACH,
    OTHERS_YIELD,
    PLACE,
    PUSH,
    REACH,
    RESTITUTION,
    RUB,
    SELF,
    TRAITS,
    TURN,
    YIELD,
)  # fmt: skip
from pliant.world.contact.pair_kernels import meeting
from pliant.world.layout import BOUNCE as MEMORY

BALL = 8  # middle (3), radius, level, sphere, actor
NEIGHBOURS = 1.1  # of the sum of the bounds: spheres of one body that are nearer at rest never touch
RECOVER = 0.5  # 1/s: how fast those that are inside one another come out, in reaches
PART = 0.2  # of the overlap that is taken back in one sub-step, at most
SLOP = 0.002  # of the reach: overlap that is left alone, so that resting contacts do not come and go
MARGIN = 0.05  # of the reach: who is nearer than this may yet be pushed into contact
MOST = 32  # contacts of a sphere
LOOKS = 512  # pairs that a sphere looks at closely
LEVELS = 12


@part
def swept(places, traits, s):
    """The middle and the radius of a ball round all that a sphere may touch in this sub-step."""
    at = PLACE * s
    m0 = 0.5 * (places[at + END] - places[at + BEGIN])
    m1 = 0.5 * (places[at + END + 1] - places[at + BEGIN + 1])
    m2 = 0.5 * (places[at + END + 2] - places[at + BEGIN + 2])
    r = (1.0 + MARGIN) * traits[TRAITS * s + BOUND] + math.sqrt(m0 * m0 + m1 * m1 + m2 * m2)
    return places[at + END] - m0, places[at + END + 1] - m1, places[at + END + 2] - m2, r


@part
def sort_spheres(traits, owners, places, marks, table, cells, balls):
    """Marked spheres by cell, BALL numbers each in `balls` and their keys in `cells`; the second half of both is
    scratch. Returns how many, the width of the smallest cells and which levels there are."""
    half = len(cells) // 2
    count = 0
    least, largest = 1e300, 0.0
    for s in range(len(marks)):
        if marks[s]:
            at = BALL * (half + count)
            balls[at], balls[at + 1], balls[at + 2], r = swept(places, traits, s)
            balls[at + 3], balls[at + 5], balls[at + 6] = r, s, owners[s]
            least, largest = min(least, r), max(largest, r)
            count += 1
    if count < 2:
        return 0, 0.0, 0
    least = max(least, max(largest / (1 << LEVELS), 1e-9))
    bits = bits_of(len(table) - 1)
    size = 1 << bits
    table[:] = 0
    levels = 0
    for n in range(half, half + count):
        at = BALL * n
        level = 0
        wide = 2.0 * least
        while wide < 2.0 * balls[at + 3] and level < LEVELS:
            wide *= 2.0
            level += 1
        levels |= 1 << level
        balls[at + 4] = level
        cells[n] = key_of(
            level, np.int64(math.floor(balls[at] / wide)), np.int64(math.floor(balls[at + 1] / wide)),
            np.int64(math.floor(balls[at + 2] / wide)),
        )  # fmt: skip
        table[bucket_of(cells[n], bits)] += 1
    for k in range(size):
        table[k + 1] += table[k]
    for n in range(half + count - 1, half - 1, -1):  # backwards, so that each bucket is in order
        bucket = bucket_of(cells[n], bits)
        table[bucket] -= 1
        to = table[bucket]
        cells[to] = cells[n]
        for k in range(BALL):
            balls[BALL * to + k] = balls[BALL * n + k]
    return count, 2.0 * least, levels


@part
def find_contacts(
    riders, traits, rests, owners, manners, awake, hulls, bounces, spins, places, marks, table, cells,
    balls, contacts, h,
):  # fmt: skip
    """Rows of `contacts` for all pairs that touch or nearly do. Returns how many there are, or -1 if there is no room,
    and how many were left out because a sphere had too many."""
    count, width, levels = sort_spheres(traits, owners, places, marks, table, cells, balls)
    bits = bits_of(len(table) - 1)
    found, lost = 0, 0
    for n in range(count):
        at = BALL * n
        own = np.int64(balls[at + 4])
        a = np.int64(balls[at + 5])
        actor = np.int64(balls[at + 6])
        selfish = manners[MANNERS * actor + SELF] > 0.0
        q0, q1, q2, r = balls[at], balls[at + 1], balls[at + 2], balls[at + 3]
        for level in range(own, LEVELS + 1):
            if not (levels >> level) & 1:
                continue
            wide = width * (1 << level)
            c0 = np.int64(math.floor(q0 / wide))
            c1 = np.int64(math.floor(q1 / wide))
            c2 = np.int64(math.floor(q2 / wide))
            for cell in range(13 if level == own else 0, 27):  # from the own cell on, or all of them
                key = key_of(level, c0 + cell // 9 - 1, c1 + cell // 3 % 3 - 1, c2 + cell % 3 - 1)
                bucket = bucket_of(key, bits)
                begin = table[bucket]
                if level == own and cell == 13:
                    begin = n + 1
                for m in range(begin, table[bucket + 1]):
                    to = BALL * m
                    other = np.int64(balls[to + 6])
                    if cells[m] != key or (other == actor and not selfish):
                        continue
                    d0, d1, d2 = q0 - balls[to], q1 - balls[to + 1], q2 - balls[to + 2]
                    far = r + balls[to + 3]
                    if d0 * d0 + d1 * d1 + d2 * d2 > far * far or (awake[actor] == 0 and awake[other] == 0):
                        continue
                    b = np.int64(balls[to + 5])
                    if places[PLACE * a + GIVE] + places[PLACE * b + GIVE] == 0.0:
                        continue
                    if other == actor and together(rests, traits, a, b):
                        continue
                    if found == len(contacts) // CONTACT:
                        return -1, 0
                    crowded = places[PLACE * a + MET] >= MOST and places[PLACE * b + MET] >= MOST
                    if crowded or places[PLACE * a + LOOKED] >= LOOKS:
                        lost += 1
                        continue
                    places[PLACE * a + LOOKED] += 1.0
                    # the lower number first, whatever the order of the cells
                    one, two = min(a, b), max(a, b)
                    row = contacts[CONTACT * found : CONTACT * (found + 1)]
                    if touch(riders, traits, owners, manners, hulls, bounces, spins, places, one, two, row, h):
                        places[PLACE * a + MET] += 1.0
                        places[PLACE * b + MET] += 1.0
                        found += 1
    return found, lost


@part
def together(rests, traits, a, b):
    """Whether two spheres of one body touch at rest."""
    d0, d1, d2 = rests[4 * a] - rests[4 * b], rests[4 * a + 1] - rests[4 * b + 1], rests[4 * a + 2] - rests[4 * b + 2]
    near = NEIGHBOURS * (traits[TRAITS * a + BOUND] + traits[TRAITS * b + BOUND])
    return d0 * d0 + d1 * d1 + d2 * d2 < near * near


@part
def touch(riders, traits, owners, manners, hulls, bounces, spins, places, a, b, row, h):
    """One pair: fills the row of a contact, if there is one."""
    n0, n1, n2, ra, rb = meeting(places, traits, hulls, riders, a, b)
    if ra == 0.0 and rb == 0.0:
        return False
    i, j = PLACE * a, PLACE * b
    end = (
        n0 * (places[i + END] - places[j + END]) + n1 * (places[i + END + 1] - places[j + END + 1])
        + n2 * (places[i + END + 2] - places[j + END + 2]) - ra - rb
    )  # fmt: skip
    if end > MARGIN * (ra + rb):
        return False
    before = (
        n0 * (places[i + BEGIN] - places[j + BEGIN]) + n1 * (places[i + BEGIN + 1] - places[j + BEGIN + 1])
        + n2 * (places[i + BEGIN + 2] - places[j + BEGIN + 2]) - ra - rb
    )  # fmt: skip
    one, two = MANNERS * np.int64(owners[a]), MANNERS * np.int64(owners[b])
    row[ONE], row[OTHER] = a, b
    row[NORMAL], row[NORMAL + 1], row[NORMAL + 2] = n0, n1, n2
    row[APART] = ra + rb + min(0.0, before + min(RECOVER * h * (ra + rb), PART * max(0.0, -before - SLOP * (ra + rb))))
    row[YIELD], row[OTHERS_YIELD] = places[i + GIVE], places[j + GIVE]
    row[PUSH] = row[DRAG] = row[DRAG + 1] = row[DRAG + 2] = row[HOLDS] = 0.0
    row[RUB] = math.sqrt(manners[one + FRICTION] * manners[two + FRICTION])
    row[BEFORE], row[DEPTH] = before, -end
    row[BOUNCE] = max(manners[one + RESTITUTION], manners[two + RESTITUTION])
    row[REACH], row[OTHERS_REACH] = ra, rb
    # The skin at the point of contact turns with its body: that is part of the slip. (What rides on a particle of the
    # skin slips as that does.)
    ra, rb = (ra if traits[TRAITS * a + ARM] == 0 else 0.0), (rb if traits[TRAITS * b + ARM] == 0 else 0.0)
    w0, w1, w2 = spin_of(riders, owners, bounces, spins, a)
    u0, u1, u2 = spin_of(riders, owners, bounces, spins, b)
    s0, s1, s2 = -h * (ra * w0 + rb * u0), -h * (ra * w1 + rb * u1), -h * (ra * w2 + rb * u2)
    row[TURN], row[TURN + 1], row[TURN + 2] = s1 * n2 - s2 * n1, s2 * n0 - s0 * n2, s0 * n1 - s1 * n0
    return True


@part
def spin_of(riders, owners, bounces, spins, s):
    """Angular velocity of a sphere: that of its body, or its own where it is a body by itself."""
    f = 4 * np.int64(riders[2 * s])
    if len(spins) > 0 and spins[f + 3] > 0:
        return float(spins[f]), float(spins[f + 1]), float(spins[f + 2])
    at = MEMORY * np.int64(owners[s]) + 13
    return bounces[at], bounces[at + 1], bounces[at + 2]
