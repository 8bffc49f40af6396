# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Sums over rings and groups: what goes from particle to region and back. Rows of 4 or 16 numbers, added in a fixed
order; the compiler makes vector instructions of the rows."""

import numpy as np

from pliant.models.shape_matching.layout import (
    EXAMPLES,
    GLOBAL,
    GROUP_SPOTS,
    GROUP_STARTS,
    GROUP_WORK,
    GROUPS,
    INVERSE,
    LANES,
    MASS,
    MIDDLE,
    OFFSETS,
    PROJECTIONS,
    REGION_WORK,
    WORK,
)
from pliant.runtime.instructions import prefetch
from pliant.runtime.jit import inline, part

# Unsigned indices: Numba then leaves out the test for negative ones, and LLVM sees that rows are contiguous.
U = np.uint64
U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15 = (U(i) for i in range(1, 16))


@part
def gather(x, origins, starts, members, rows, block, count, work):
    """(1) A_pq = sum m~ p q^T and the centre c, for the regions of a block. x is taken from the region's own particle,
    so that a body far from the origin loses no digits; the sum of m~ q is zero, so the moment does not change. Centres
    (and goals) are taken from the actor's innermost particle for the same reason."""
    zero = x.dtype.type(0)
    first = U(block) * U(LANES)
    last = min(first + U(LANES), U(count))
    for r in range(first, last):
        own = U4 * r
        cx = x[own]
        cy = x[own + U1]
        cz = x[own + U2]
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = a10 = a11 = zero
        for j in range(U(starts[r]), U(starts[r + U1])):
            i = U(members[j])
            m = U4 * j
            dx = x[i] - cx
            dy = x[i + U1] - cy
            dz = x[i + U2] - cz
            q0 = rows[m]
            q1 = rows[m + U1]
            q2 = rows[m + U2]
            q3 = rows[m + U3]
            a0 += dx * q0
            a1 += dx * q1
            a2 += dx * q2
            a3 += dx * q3
            a4 += dy * q0
            a5 += dy * q1
            a6 += dy * q2
            a7 += dy * q3
            a8 += dz * q0
            a9 += dz * q1
            a10 += dz * q2
            a11 += dz * q3
        lane = r - first
        o = U(origins[r])
        work[lane] = a0
        work[lane + U(64)] = a1
        work[lane + U(128)] = a2
        work[lane + U(192)] = a4
        work[lane + U(256)] = a5
        work[lane + U(320)] = a6
        work[lane + U(384)] = a8
        work[lane + U(448)] = a9
        work[lane + U(512)] = a10
        work[lane + U(576)] = a3 + (cx - x[o])
        work[lane + U(640)] = a7 + (cy - x[o + U1])
        work[lane + U(704)] = a11 + (cz - x[o + U2])


@part
def gather_from_rest(
    x, origins, starts, near, rest, masses, constants, block, count, reach, work, examples,
    next_constants, next_rotations, next_work,
):  # fmt: skip
    """The same from the rest positions themselves, for bodies that no cache holds: 16 bytes a particle, which its
    neighbours have just used, instead of 16 for each member of each ring. The sum of m~ dr is not zero, so the centre
    is taken out afterwards: A_pq = sum m~ dx dr^T - (sum m~ dx) (c0 - r)^T, with r the region's own particle. With each
    region go a few requests for what the next block needs."""
    zero = x.dtype.type(0)
    one = x.dtype.type(1)
    first = U(block) * U(LANES)
    last = min(first + U(LANES), U(count))
    front = 4 * np.int64(min(last + U(reach), U(count) - U(LANES)))
    for r in range(first, last):
        own = U4 * r
        cx = x[own]
        cy = x[own + U1]
        cz = x[own + U2]
        r0 = rest[own]
        r1 = rest[own + U1]
        r2 = rest[own + U2]
        r3 = rest[own + U3] - one
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = a10 = a11 = zero
        base = own - U(4 * MIDDLE)
        for j in range(U(starts[r]), U(starts[r + U1])):
            i = base + U4 * U(near[j])
            m = masses[i >> U2]
            dx = x[i] - cx
            dy = x[i + U1] - cy
            dz = x[i + U2] - cz
            q0 = (rest[i] - r0) * m
            q1 = (rest[i + U1] - r1) * m
            q2 = (rest[i + U2] - r2) * m
            q3 = (rest[i + U3] - r3) * m
            a0 += dx * q0
            a1 += dx * q1
            a2 += dx * q2
            a3 += dx * q3
            a4 += dy * q0
            a5 += dy * q1
            a6 += dy * q2
            a7 += dy * q3
            a8 += dz * q0
            a9 += dz * q1
            a10 += dz * q2
            a11 += dz * q3
        lane = r - first
        line = 16 * np.int64(lane)
        prefetch(near, np.int64(starts[min(r + U(LANES), U(count))]))
        prefetch(next_work, line)
        if lane < 4 * (INVERSE + 6):
            prefetch(next_constants, line)
        if lane < 16:
            prefetch(next_rotations, line)
            prefetch(x, front + line)
            prefetch(rest, front + line)
        for more in range(MASS * LANES + line, (OFFSETS + examples) * LANES, 16 * LANES):
            prefetch(next_constants, more)
        o = U(origins[r])
        q0 = constants[lane] - r0
        q1 = constants[lane + U(64)] - r1
        q2 = constants[lane + U(128)] - r2
        share = constants[lane + U(64 * MASS)]
        work[lane] = a0 - a3 * q0
        work[lane + U(64)] = a1 - a3 * q1
        work[lane + U(128)] = a2 - a3 * q2
        work[lane + U(192)] = a4 - a7 * q0
        work[lane + U(256)] = a5 - a7 * q1
        work[lane + U(320)] = a6 - a7 * q2
        work[lane + U(384)] = a8 - a11 * q0
        work[lane + U(448)] = a9 - a11 * q1
        work[lane + U(512)] = a10 - a11 * q2
        work[lane + U(576)] = a3 * share + (cx - x[o])
        work[lane + U(640)] = a7 * share + (cy - x[o + U1])
        work[lane + U(704)] = a11 * share + (cz - x[o + U2])


@part
def gather_shapes(x, starts, members, scale, step, middle, shapes, columns, block, count, moments):
    """A_pu = sum m~ p u^T of each shape that is blended, nine rows a shape. The sum of m~ u is zero, so any origin will
    do: the region's own particle. Member j is at  scale * members[j] + step * r - middle  in x."""
    zero = x.dtype.type(0)
    first = U(block) * U(LANES)
    last = min(first + U(LANES), U(count))
    columns = U(columns)
    for r in range(first, last):
        own = U4 * r
        cx = x[own]
        cy = x[own + U1]
        cz = x[own + U2]
        base = step * r - middle
        lane = r - first
        for c in range(columns):
            a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = a10 = a11 = zero
            for j in range(U(starts[r]), U(starts[r + U1])):
                i = scale * U(members[j]) + base
                m = U4 * (columns * j + c)
                dx = x[i] - cx
                dy = x[i + U1] - cy
                dz = x[i + U2] - cz
                u0 = shapes[m]
                u1 = shapes[m + U1]
                u2 = shapes[m + U2]
                u3 = shapes[m + U3]
                a0 += dx * u0
                a1 += dx * u1
                a2 += dx * u2
                a3 += dx * u3
                a4 += dy * u0
                a5 += dy * u1
                a6 += dy * u2
                a7 += dy * u3
                a8 += dz * u0
                a9 += dz * u1
                a10 += dz * u2
                a11 += dz * u3
            at = lane + U(9 * LANES) * c
            moments[at] = a0
            moments[at + U(64)] = a1
            moments[at + U(128)] = a2
            moments[at + U(192)] = a4
            moments[at + U(256)] = a5
            moments[at + U(320)] = a6
            moments[at + U(384)] = a8
            moments[at + U(448)] = a9
            moments[at + U(512)] = a10


@part
def sum_bodies(projections, starts, sums, groups, examples, rows):
    """The same where all regions of a body are one group: they stand side by side in the lanes of its blocks."""
    for group in range(groups):
        target = (group >> 6) * examples * LANES + (group & 63)
        for k in range(examples):
            total = sums.dtype.type(0)
            region = np.int64(starts[group])
            while region < np.int64(starts[group + 1]):
                lane = region & 63
                count = min(LANES - lane, np.int64(starts[group + 1]) - region)
                total += sum_run(projections, U(((region >> 6) * rows + k) * LANES + lane), U(count))
                region += count
            sums[target + k * LANES] = total


@part
def sum_run(numbers, first, count):
    """The sum of so many numbers, eight at a time."""
    a = b = c = d = e = f = g = h = numbers.dtype.type(0)
    eights = first + (count & ~U7)
    for j in range(first, eights, U8):
        a += numbers[j]
        b += numbers[j + U1]
        c += numbers[j + U2]
        d += numbers[j + U3]
        e += numbers[j + U4]
        f += numbers[j + U5]
        g += numbers[j + U6]
        h += numbers[j + U7]
    for j in range(eights, first + count):
        a += numbers[j]
    return ((a + e) + (b + f)) + ((c + g) + (d + h))


@part
def sum_groups(ints, work):
    """The projections of groups that hold many regions. Four sums at a time hide the latency."""
    examples = np.int64(ints[EXAMPLES])
    starts = ints[np.int64(ints[GROUP_STARTS]) :]
    spots = ints[np.int64(ints[GROUP_SPOTS]) :]
    projections = work[np.int64(ints[REGION_WORK]) + PROJECTIONS * LANES :]
    sums = work[np.int64(ints[GROUP_WORK]) :]
    zero = work.dtype.type(0)
    if ints[GLOBAL] != 0:
        sum_bodies(projections, starts, sums, np.int64(ints[GROUPS]), examples, np.int64(ints[WORK]))
        return
    for group in range(np.int64(ints[GROUPS])):
        first = U(starts[group])
        last = U(starts[group + 1])
        fours = first + ((last - first) & ~U3)
        target = (group >> 6) * examples * LANES + (group & 63)
        for k in range(examples):
            shift = U(k * LANES)
            a = b = c = d = zero
            for j in range(first, fours, U4):
                ahead = min(j + U(8 * LANES), last - U1)
                prefetch(projections, np.int64(spots[ahead]) + np.int64(shift))
                a += projections[U(spots[j]) + shift]
                b += projections[U(spots[j + U1]) + shift]
                c += projections[U(spots[j + U2]) + shift]
                d += projections[U(spots[j + U3]) + shift]
            for j in range(fours, last):
                a += projections[U(spots[j]) + shift]
            sums[target + k * LANES] = (a + b) + (c + d)


@inline
def goals(
    transforms, size, origins, starts, members, each, own, base, to_region, region_base, columns, shapes, mix, rest,
    shares, stiffness, x, y, p, first, last, rate,
):  # fmt: skip
    """(3) g_i = mean of the goals R q~ + c of its regions; (4)(5) p = y + alpha (g - x).

    With q~ = q + sum mix_c u_c the first part needs only the sum of the transforms, and one product; the second the
    products of R with what the particle's place in each ring is in the blend. The transforms of a member stand at
    each * member + base , base growing by `own` from particle to particle; they begin anew after `size` numbers. The
    number of its region is  (member >> to_region) + region_base , which grows by one if base grows."""
    zero = x.dtype.type(0)
    one = x.dtype.type(1)
    faster = x.dtype.type(rate)
    columns = U(columns)
    for i in range(U(first), U(last)):
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = a8 = a9 = a10 = a11 = a12 = a13 = a14 = a15 = zero
        for j in range(U(starts[i]), U(starts[i + U1])):
            m = each * U(members[j]) + base
            m = m - size if m >= size else m
            a0 += transforms[m]
            a1 += transforms[m + U1]
            a2 += transforms[m + U2]
            a3 += transforms[m + U3]
            a4 += transforms[m + U4]
            a5 += transforms[m + U5]
            a6 += transforms[m + U6]
            a7 += transforms[m + U7]
            a8 += transforms[m + U8]
            a9 += transforms[m + U9]
            a10 += transforms[m + U10]
            a11 += transforms[m + U11]
            a12 += transforms[m + U12]
            a13 += transforms[m + U13]
            a14 += transforms[m + U14]
            a15 += transforms[m + U15]
        if columns > U(0):
            for j in range(U(starts[i]), U(starts[i + U1])):
                m = each * U(members[j]) + base
                m = m - size if m >= size else m
                s = columns * ((U(members[j]) >> to_region) + region_base)
                u = U4 * columns * j
                q0 = q1 = q2 = zero
                for c in range(columns):
                    part_of = mix[s + c]
                    q0 += part_of * shapes[u + U4 * c]
                    q1 += part_of * shapes[u + U4 * c + U1]
                    q2 += part_of * shapes[u + U4 * c + U2]
                a12 += transforms[m] * q0 + transforms[m + U4] * q1 + transforms[m + U8] * q2
                a13 += transforms[m + U1] * q0 + transforms[m + U5] * q1 + transforms[m + U9] * q2
                a14 += transforms[m + U2] * q0 + transforms[m + U6] * q1 + transforms[m + U10] * q2
                a15 += transforms[m + U3] * q0 + transforms[m + U7] * q1 + transforms[m + U11] * q2
        base += own
        region_base += U(1) if own > U(0) else U(0)
        f = U4 * i
        q0 = rest[f]
        q1 = rest[f + U1]
        q2 = rest[f + U2]
        o = U(origins[i])
        share = shares[i]
        alpha = stiffness[i] * faster
        alpha = alpha if alpha < one else one
        p[f] = y[f] + alpha * ((a0 * q0 + a4 * q1 + a8 * q2 + a12) * share - (x[f] - x[o]))
        p[f + U1] = y[f + U1] + alpha * ((a1 * q0 + a5 * q1 + a9 * q2 + a13) * share - (x[f + U1] - x[o + U1]))
        p[f + U2] = y[f + U2] + alpha * ((a2 * q0 + a6 * q1 + a10 * q2 + a14) * share - (x[f + U2] - x[o + U2]))
        p[f + U3] = y[f + U3] + alpha * ((a3 * q0 + a7 * q1 + a11 * q2 + a15) * share - (x[f + U3] - x[o + U3]))
