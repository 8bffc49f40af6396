# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of oriented particles. Numbers in brackets are equations of [Choi+17]; layout.py draws the data.

A step of one body, one after the other for all bodies that a thread was given:

    begin      y, R* from inertia; what the iterations share                          momentum energy (9) (10)
    weigh      which blend of the examples the body is nearest to, once a step        beyond the paper
    turn       R_i of every particle                                                  local.py, (5) (11)
    place      x of all particles together                                            place.py, (7) (12) (14)
    finish     angular velocities from the change of rotation, angular momentum kept, hulls"""

import math

import numpy as np

import pliant.models.oriented_particles.layout as at  # not from the package: kernels depend on what they import
from pliant.examples.plastic_kernels import LASTING_ROWS, flow_groups
from pliant.maths.convex import choose, convex_room
from pliant.maths.quaternion import product
from pliant.models.oriented_particles.local import turn_all, write_rotation
from pliant.models.oriented_particles.momentum import angular_velocity_from, mechanics, pulled_torque, turned_moment
from pliant.models.oriented_particles.place import by_factor, constant_side, right_side, times_inverse
from pliant.models.oriented_particles.turning import TOLERANCE_DOUBLE, TOLERANCE_SINGLE
from pliant.models.oriented_particles.weigh import aim, describe
from pliant.runtime.jit import kernel, part

BODY_ROOM = 64
LOCAL_HALF, GLOBAL_HALF, BOTH_HALVES = 1, 2, 3  # halves of an iteration


@part
def turn_by(x, y, z, w, o0, o1, o2):
    """The quaternion turned by the rotation vector o (rad), in double precision."""
    angle = math.sqrt(o0 * o0 + o1 * o1 + o2 * o2)
    s = 0.5 if angle < 1e-9 else math.sin(0.5 * angle) / angle
    a, b, c, d = product(s * o0, s * o1, s * o2, math.cos(0.5 * angle), float(x), float(y), float(z), float(w))
    length = 1.0 / math.sqrt(a * a + b * b + c * c + d * d)
    return a * length, b * length, c * length, d * length


@part
def begin(n, particles, x, y, q, w, inverse, places, r, quaternions, momenta, weight, h):
    """Places and rotations as inertia would have them, and rho/h^2 R* Abar (times `weight` instead of rho/h^2).

    The paper predicts R + h Rdot, which is no rotation; turning by h omega is one, and keeps an angular velocity as it
    is."""
    real = x.dtype.type
    one = real(1)
    for i in range(n):
        for m in range(4):
            places[4 * i + m] = y[4 * i + m]
        if inverse[i] == 0:
            t0, t1, t2, t3 = float(q[4 * i]), float(q[4 * i + 1]), float(q[4 * i + 2]), float(q[4 * i + 3])
        else:
            t0, t1, t2, t3 = turn_by(
                q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], h * w[4 * i], h * w[4 * i + 1], h * w[4 * i + 2]
            )
        quaternions[4 * i] = real(t0)
        quaternions[4 * i + 1] = real(t1)
        quaternions[4 * i + 2] = real(t2)
        quaternions[4 * i + 3] = real(t3)
        write_rotation(
            r, i, quaternions[4 * i], quaternions[4 * i + 1], quaternions[4 * i + 2], quaternions[4 * i + 3], one
        )
        m = at.PARTICLE * i + at.MOMENT
        m00, m11, m22 = particles[m], particles[m + 1], particles[m + 2]
        m01, m02, m12 = particles[m + 3], particles[m + 4], particles[m + 5]
        a = 12 * i
        for row in range(3):
            r0 = weight * r[a + row]
            r1 = weight * r[a + 4 + row]
            r2 = weight * r[a + 8 + row]
            momenta[a + 3 * row] = r0 * m00 + r1 * m01 + r2 * m02
            momenta[a + 3 * row + 1] = r0 * m01 + r1 * m11 + r2 * m12
            momenta[a + 3 * row + 2] = r0 * m02 + r1 * m12 + r2 * m22


@part
def finish(
    n, particles, scalars, x, y, p, q, w, hulls, inverse, places, r, quaternions, holds, springs, first, held, pinned,
    h, room
):  # fmt: skip
    """Settled places, new rotations and angular velocities; the angular momentum that inertia brought is kept."""
    real = x.dtype.type
    density = scalars[at.DENSITY]
    free = pinned == 0
    g0, g1, g2 = room[44], room[45], room[46]  # as it was before the step
    for i in range(n):
        for m in range(3):
            p[4 * i + m] = places[4 * i + m]
        if inverse[i] == 0:
            w[4 * i] = w[4 * i + 1] = w[4 * i + 2] = 0
            continue
        a, b, c, d = product(
            float(quaternions[4 * i]), float(quaternions[4 * i + 1]), float(quaternions[4 * i + 2]),
            float(quaternions[4 * i + 3]),
            -float(q[4 * i]), -float(q[4 * i + 1]), -float(q[4 * i + 2]), float(q[4 * i + 3]),
        )  # fmt: skip
        if d < 0.0:
            a, b, c, d = -a, -b, -c, -d
        sine = math.sqrt(a * a + b * b + c * c)
        rate = 2.0 / h if sine < 1e-9 else 2.0 * math.atan2(sine, d) / (sine * h)
        w[4 * i] = real(rate * a)
        w[4 * i + 1] = real(rate * b)
        w[4 * i + 2] = real(rate * c)
        for m in range(4):
            q[4 * i + m] = quaternions[4 * i + m]
    if free:
        # backwards: from p the particles came from x
        mechanics(n, particles, density, p, x, -h, r, w, room)
        if held > 0:
            t0, t1, t2 = pulled_torque(places, r, holds, springs, first, held, room[:3], h)
            g0 += t0
            g1 += t1
            g2 += t2
        d0, d1, d2 = angular_velocity_from(room[6:12], g0 - room[3], g1 - room[4], g2 - room[5])
        s0, s1, s2 = angular_velocity_from(room[15:21], room[12], room[13], room[14])
        keep = math.exp(-h * scalars[at.DAMPING])
        drag = math.exp(-h * scalars[at.DRAG])
        for i in range(n):
            r0, r1, r2 = p[4 * i] - room[0], p[4 * i + 1] - room[1], p[4 * i + 2] - room[2]
            # the world finds v from p - y: so y is where the particle would have come from with the velocity it gets
            y[4 * i] -= real(h * (d1 * r2 - d2 * r1))
            y[4 * i + 1] -= real(h * (d2 * r0 - d0 * r2))
            y[4 * i + 2] -= real(h * (d0 * r1 - d1 * r0))
            w[4 * i] = real(drag * (s0 + d0 + keep * (w[4 * i] - s0)))
            w[4 * i + 1] = real(drag * (s1 + d1 + keep * (w[4 * i + 1] - s1)))
            w[4 * i + 2] = real(drag * (s2 + d2 + keep * (w[4 * i + 2] - s2)))
    else:
        keep = math.exp(-h * (scalars[at.DAMPING] + scalars[at.DRAG]))
        for i in range(4 * n):
            w[i] = real(keep * w[i])
    a = room[24:30]
    for i in range(n):
        w[4 * i + 3] = real(1) if n == 1 else real(0)
        turned_moment(particles, i, r, 12 * i, a)
        scale = 5.0 / particles[at.PARTICLE * i + at.VOLUME]
        for m in range(6):
            hulls[6 * i + m] = real(scale * a[m])


@kernel("u[] u[] x[] d[] x[] x[] u[] d[] x[] x[] x[] x[] x[] x[] x[] d i i i")
def advance(
    bodies, ints, floats, scalars, memory, work, holds, springs, x, y, p, q, w, hulls, inverse, h, halves, first, last
):  # fmt: skip
    """A step of some of the bodies, from `first` to `last` in their list. `halves`: which halves of an iteration are
    done; to be measured and tested one by one."""
    real = x.dtype.type
    tolerance = TOLERANCE_SINGLE if x.itemsize == 4 else TOLERANCE_DOUBLE
    room = np.empty(BODY_ROOM)
    lanes = np.empty(14 * at.LANES, x.dtype)
    members = np.empty(at.LANES, np.int64)
    for number in range(first, last):
        body = int(bodies[number])
        head = ints[at.HEAD * body : at.HEAD * (body + 1)]
        s = scalars[at.SCALARS * body : at.SCALARS * (body + 1)]
        n = int(head[at.COUNT])
        wide = (n + 7) // 8 * 8
        begin_at = int(head[at.FIRST])
        rows = ints[int(head[at.ROWS]) : int(head[at.ROWS]) + n + 1]
        links = ints[int(head[at.LINKS]) :]
        turn_sets = ints[int(head[at.TURN_SETS]) :]
        particles = floats[int(head[at.PARTICLES]) :]
        edges = floats[int(head[at.EDGES]) :]
        scratch = work[int(head[at.WORK]) :]
        places = scratch[at.PLACES * n :]
        r = scratch[at.ROTATIONS * n :]
        momenta = scratch[at.MOMENTA * n :]
        quaternions = scratch[at.QUATERNIONS * n :]
        constant = scratch[at.SIDES * n :]
        side = scratch[at.SIDES * n + 3 * wide :]
        z = scratch[at.SIDES * n + 6 * wide :]
        x_ = x[4 * begin_at : 4 * (begin_at + n)]
        y_ = y[4 * begin_at : 4 * (begin_at + n)]
        q_ = q[4 * begin_at : 4 * (begin_at + n)]
        w_ = w[4 * begin_at : 4 * (begin_at + n)]
        inverse_ = inverse[begin_at : begin_at + n]
        held = int(head[at.HELD])
        first_hold = int(head[at.HOLDS])
        k = s[at.STIFFNESS]
        examples = int(head[at.EXAMPLES])
        arms = particles[at.ARM :]
        step = at.PARTICLE
        for i in range(n):
            write_rotation(r, i, q_[4 * i], q_[4 * i + 1], q_[4 * i + 2], q_[4 * i + 3], real(1))
        if head[at.PINNED] == 0:
            # y moves along with x by the mean acceleration, which has no moment about the centre
            mechanics(n, particles, s[at.DENSITY], x_, y_, h, r, w_, room)
            room[44], room[45], room[46] = room[3], room[4], room[5]
        if examples > 0:
            count = int(head[at.GROUPS])
            rows_end = int(rows[n])
            bends = floats[int(head[at.BENDS]) :]
            group_of = ints[int(head[at.GROUP_OF]) :]
            weights = memory[int(head[at.WEIGHTS]) :]
            aims = scratch[at.SIDES * n + 9 * wide :]
            arms = scratch[at.SIDES * n + 9 * wide + at.EDGE * rows_end :]
            step = 3
            wish = np.empty(count * examples)
            more = np.empty(examples * examples + 2 * examples + convex_room(examples))
            describe(n, examples, rows, links, group_of, bends, x_, r, count, wish)
            grams = scalars[int(head[at.GRAMS]) :]
            given = scalars[int(s[at.GIVEN]) :]
            stays = memory[:0]
            if s[at.RULES] > 0:
                stays = memory[int(head[at.LASTING]) :][: count * (examples + LASTING_ROWS)]
                flow_groups(weights, stays, scalars[int(s[at.RULES]) :], count, examples, h)
            choose(examples, count, grams, given, wish, s[at.STRENGTH], stays, weights, more)
            goals = floats[int(head[at.GOALS]) :]
            aim(n, examples, rows, links, group_of, count, weights, edges, goals, aims, arms, particles, at.ARM)
            edges = aims
        scale = s[at.SCALE]
        weight = real(scale * s[at.DENSITY] / (h * h))
        begin(n, particles, x_, y_, q_, w_, inverse_, places, r, quaternions, momenta, weight, h)
        constant_side(n, wide, rows, links, edges, y_, constant, real(k))
        for i in range(n, wide):
            side[i] = side[wide + i] = side[2 * wide + i] = 0
        matrix = floats[int(head[at.MATRIX]) :]
        for _iteration in range(int(head[at.ITERATIONS])):
            if halves & LOCAL_HALF:
                turn_all(
                    turn_sets, int(head[at.TURN_SET_COUNT]), rows, links, edges, places, r, quaternions, momenta,
                    inverse_, real(scale * k), tolerance, holds, springs, first_hold, held, scale, members, lanes, room,
                )  # fmt: skip
            if not halves & GLOBAL_HALF:
                continue
            right_side(
                n, wide, rows, links, edges, arms, step, r, y_, inverse_, constant, side, real(k),
                holds, springs, first_hold, held,
            )  # fmt: skip
            if head[at.SPARSE] == 0:
                times_inverse(n, wide, matrix, side, z)
            else:
                by_factor(n, wide, ints[int(head[at.FACTOR]) :], matrix, side, z)
            for i in range(n):
                places[4 * i] = y_[4 * i] + z[i]
                places[4 * i + 1] = y_[4 * i + 1] + z[wide + i]
                places[4 * i + 2] = y_[4 * i + 2] + z[2 * wide + i]
        finish(
            n, particles, s, x_, y_, p[4 * begin_at : 4 * (begin_at + n)], q_, w_, hulls[6 * begin_at :], inverse_,
            places, r, quaternions, holds, springs, first_hold, held, int(head[at.PINNED]), h, room,
        )  # fmt: skip
