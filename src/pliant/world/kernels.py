"""Kernels of the step that no model owns: prediction, handles, contact with colliders, velocities and damping.

Positions and velocities stand in rows of 4 numbers (x, y, z, unused). An actor is cut into chunks of at most 4096
particles; sums over an actor are sums of its chunks' sums in their order, so they do not depend on the threads.
"""

import math

import numpy as np

from pliant.jit import inline, kernel, part

MEET, RIGID, COMMIT, ALL = range(4)
SUMS = 16  # of a chunk: mass, m r (3), m v (3), m r x v (3), m r r^T (6), about the actor's first particle
MOTION = 12  # of an actor: velocity (3), angular velocity (3), centre (3), damping factor, drag factor, unused
COLLIDER = 32
FAR = 1e9  # metres: whoever gets there has diverged


@kernel("x[] x[] x[] x[] x[] x[] d d d d i i")
def predict(x, v, y, p, inverse, acceleration, gx, gy, gz, h, first, last):
    """y = x + h v + h^2 a;  p = y. Returns the first particle that leaves the finite world, or -1."""
    real = x.dtype.type
    step = real(h)
    a0 = real(h * h * gx)
    a1 = real(h * h * gy)
    a2 = real(h * h * gz)
    square = real(h * h)
    forced = len(acceleration) > 0
    bad = -1
    for i in range(first, last):
        f = np.uint64(4 * i)
        g = f + np.uint64(1)
        k = f + np.uint64(2)
        if inverse[i] > 0:
            y0 = x[f] + step * v[f] + a0
            y1 = x[g] + step * v[g] + a1
            y2 = x[k] + step * v[k] + a2
            if forced:
                y0 += square * acceleration[f]
                y1 += square * acceleration[g]
                y2 += square * acceleration[k]
        else:
            y0 = x[f]
            y1 = x[g]
            y2 = x[k]
        if not (abs(y0) < FAR and abs(y1) < FAR and abs(y2) < FAR) and bad < 0:
            bad = i
        y[f] = y0
        y[g] = y1
        y[k] = y2
        p[f] = y0
        p[g] = y1
        p[k] = y2
    return bad


@kernel("x[] x[] u[] d[] d")
def pull(p, inverse, particles, handles, h):
    """Handles as springs solved implicitly: a point s = sum b_j p_j held at t with stiffness k moves by
    (t - s) W / (W + 1 / (k h^2)), W = sum b_j^2 / m_j, shared out by b_j / m_j. Eight numbers per handle: k, t, b."""
    for n in range(len(handles) // 8):
        stiffness = handles[8 * n]
        give = 0.0
        s0 = s1 = s2 = 0.0
        for j in range(4):
            b = handles[8 * n + 4 + j]
            i = np.int64(particles[4 * n + j])
            give += b * b * inverse[i]
            s0 += b * p[4 * i]
            s1 += b * p[4 * i + 1]
            s2 += b * p[4 * i + 2]
        if give == 0.0:
            continue
        scale = 1.0 / (give + 1.0 / (stiffness * h * h))
        for j in range(4):
            i = np.int64(particles[4 * n + j])
            share = handles[8 * n + 4 + j] * inverse[i] * scale
            p[4 * i] += share * (handles[8 * n + 1] - s0)
            p[4 * i + 1] += share * (handles[8 * n + 2] - s1)
            p[4 * i + 2] += share * (handles[8 * n + 3] - s2)


@part
def distance(kind, sizes, q0, q1, q2):
    """Signed distance and outward normal at a point in the collider's own frame."""
    if kind == 0:  # plane: the solid is below
        return q1, 0.0, 1.0, 0.0
    if kind == 2:  # box: outside no contact; inside the nearest face
        d0 = abs(q0) - sizes[0]
        d1 = abs(q1) - sizes[1]
        d2 = abs(q2) - sizes[2]
        if d0 >= d1 and d0 >= d2:
            return d0, math.copysign(1.0, q0), 0.0, 0.0
        if d1 >= d2:
            return d1, 0.0, math.copysign(1.0, q1), 0.0
        return d2, 0.0, 0.0, math.copysign(1.0, q2)
    if kind == 3:  # capsule: a sphere round the nearest point of the axis
        q1 -= min(max(q1, -sizes[1]), sizes[1])
    length = math.sqrt(q0 * q0 + q1 * q1 + q2 * q2)
    if length < 1e-12:
        return -sizes[0], 0.0, 1.0, 0.0
    return length - sizes[0], q0 / length, q1 / length, q2 / length


@inline
def to_local(c, d0, d1, d2):
    """Rotation columns of a collider's row (6..14) applied from the left: R^T d."""
    return (
        c[6] * d0 + c[9] * d1 + c[12] * d2,
        c[7] * d0 + c[10] * d1 + c[13] * d2,
        c[8] * d0 + c[11] * d1 + c[14] * d2,
    )


@part
def meet(c, x0, x1, x2, p0, p1, p2, u0, u1, u2, h):
    """One particle against one collider: its new place, and the contact (1 or 0, normal, speed with which the normal
    component must leave, velocity of the obstacle there). (u) is the velocity with which it came.

    Coulomb's law on displacements: the push d along the normal stands for the normal force and the slip s in this step
    for the tangential one. s <= friction * d sticks; else the slip is shortened by friction * d.
    """
    q0, q1, q2 = to_local(c, p0 - c[15], p1 - c[16], p2 - c[17])
    d, l0, l1, l2 = distance(int(c[0]), c[3:6], q0, q1, q2)
    if d >= 0.0:
        return p0, p1, p2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    n0 = c[6] * l0 + c[7] * l1 + c[8] * l2
    n1 = c[9] * l0 + c[10] * l1 + c[11] * l2
    n2 = c[12] * l0 + c[13] * l1 + c[14] * l2
    p0 -= d * n0
    p1 -= d * n1
    p2 -= d * n2
    # the obstacle's own motion at the point of contact: where was this point of it before the step?
    q0 -= d * l0
    q1 -= d * l1
    q2 -= d * l2
    m0 = p0 - (c[18] * q0 + c[19] * q1 + c[20] * q2 + c[27])
    m1 = p1 - (c[21] * q0 + c[22] * q1 + c[23] * q2 + c[28])
    m2 = p2 - (c[24] * q0 + c[25] * q1 + c[26] * q2 + c[29])
    s0 = p0 - x0 - m0
    s1 = p1 - x1 - m1
    s2 = p2 - x2 - m2
    along = s0 * n0 + s1 * n1 + s2 * n2
    s0 -= along * n0
    s1 -= along * n1
    s2 -= along * n2
    slip = math.sqrt(s0 * s0 + s1 * s1 + s2 * s2)
    grip = -d * c[1]
    if slip > 0.0:
        cut = min(1.0, grip / slip)
        p0 -= cut * s0
        p1 -= cut * s1
        p2 -= cut * s2
    m0 /= h
    m1 /= h
    m2 /= h
    approach = -((u0 - m0) * n0 + (u1 - m1) * n1 + (u2 - m2) * n2)
    return p0, p1, p2, 1.0, n0, n1, n2, max(0.0, c[2] * approach), m0, m1, m2


@part
def meet_all(x, v, y, p, inverse, masses, chunks, origins, sums, colliders, h, first, last):
    """Contacts, velocities (kept in y until all is known to be well) and the sums for the rigid motion."""
    count = len(colliders) // COLLIDER
    bad = -1
    for chunk in range(first, last):
        begin = np.int64(chunks[3 * chunk])
        end = np.int64(chunks[3 * chunk + 1])
        origin = 4 * np.int64(origins[np.int64(chunks[3 * chunk + 2])])
        o0 = float(x[origin])
        o1 = float(x[origin + 1])
        o2 = float(x[origin + 2])
        mass = c0 = c1 = c2 = l0 = l1 = l2 = t0 = t1 = t2 = i0 = i1 = i2 = i3 = i4 = i5 = 0.0
        for i in range(begin, end):
            f = np.uint64(4 * i)
            g = f + np.uint64(1)
            k = f + np.uint64(2)
            x0 = float(x[f])
            x1 = float(x[g])
            x2 = float(x[k])
            p0 = float(p[f])
            p1 = float(p[g])
            p2 = float(p[k])
            touched = 0.0
            n0 = n1 = n2 = leave = m0 = m1 = m2 = 0.0
            if inverse[i] > 0:
                for n in range(count):
                    c = colliders[COLLIDER * n : COLLIDER * (n + 1)]
                    p0, p1, p2, hit, a0, a1, a2, speed, b0, b1, b2 = meet(
                        c, x0, x1, x2, p0, p1, p2, float(v[f]), float(v[g]), float(v[k]), h
                    )
                    if hit > 0.0:
                        touched, n0, n1, n2, leave, m0, m1, m2 = hit, a0, a1, a2, speed, b0, b1, b2
                if touched > 0.0:
                    p[f] = p0
                    p[g] = p1
                    p[k] = p2
            if not (abs(p0) < FAR and abs(p1) < FAR and abs(p2) < FAR) and bad < 0:
                bad = i
            v0 = (p0 - x0) / h
            v1 = (p1 - x1) / h
            v2 = (p2 - x2) / h
            if touched > 0.0:
                # Being pushed out must not throw the particle: it leaves with what restitution gives, no more; and it
                # keeps approaching if it only just arrived.
                out = (v0 - m0) * n0 + (v1 - m1) * n1 + (v2 - m2) * n2
                more = (leave if leave > 0.02 else min(out, 0.0)) - out
                v0 += more * n0
                v1 += more * n1
                v2 += more * n2
            y[f] = v0
            y[g] = v1
            y[k] = v2
            m = float(masses[i])
            r0 = p0 - o0
            r1 = p1 - o1
            r2 = p2 - o2
            mass += m
            c0 += m * r0
            c1 += m * r1
            c2 += m * r2
            l0 += m * v0
            l1 += m * v1
            l2 += m * v2
            t0 += m * (r1 * v2 - r2 * v1)
            t1 += m * (r2 * v0 - r0 * v2)
            t2 += m * (r0 * v1 - r1 * v0)
            i0 += m * r0 * r0
            i1 += m * r1 * r1
            i2 += m * r2 * r2
            i3 += m * r0 * r1
            i4 += m * r0 * r2
            i5 += m * r1 * r2
        s = sums[SUMS * chunk : SUMS * (chunk + 1)]
        s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7] = mass, c0, c1, c2, l0, l1, l2, t0
        s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15] = t1, t2, i0, i1, i2, i3, i4, i5
    return bad


@part
def rigid_motion(x, chunks, origins, sums, motion):
    """Velocity, angular velocity and centre of each actor from the sums of its chunks."""
    total = np.zeros(SUMS)
    chunk = 0
    count = len(chunks) // 3
    for actor in range(len(origins)):
        total[:] = 0.0
        while chunk < count and np.int64(chunks[3 * chunk + 2]) == actor:
            for j in range(SUMS):
                total[j] += sums[SUMS * chunk + j]
            chunk += 1
        mass = total[0]
        c0, c1, c2 = total[1] / mass, total[2] / mass, total[3] / mass
        v0, v1, v2 = total[4] / mass, total[5] / mass, total[6] / mass
        # about the centre: L = sum m r x v - M c x v,  I = tr(Q) 1 - Q with Q = sum m r r^T - M c c^T
        l0 = total[7] - mass * (c1 * v2 - c2 * v1)
        l1 = total[8] - mass * (c2 * v0 - c0 * v2)
        l2 = total[9] - mass * (c0 * v1 - c1 * v0)
        q0 = total[10] - mass * c0 * c0
        q1 = total[11] - mass * c1 * c1
        q2 = total[12] - mass * c2 * c2
        j01 = -(total[13] - mass * c0 * c1)
        j02 = -(total[14] - mass * c0 * c2)
        j12 = -(total[15] - mass * c1 * c2)
        # a straight rope has no inertia about its own line: a trace of it keeps the inverse finite
        tiny = 1e-12 * (q0 + q1 + q2) + 1e-300
        j00 = q1 + q2 + tiny
        j11 = q0 + q2 + tiny
        j22 = q0 + q1 + tiny
        k00 = j11 * j22 - j12 * j12
        k01 = j02 * j12 - j01 * j22
        k02 = j01 * j12 - j02 * j11
        k11 = j00 * j22 - j02 * j02
        k12 = j01 * j02 - j00 * j12
        k22 = j00 * j11 - j01 * j01
        det = j00 * k00 + j01 * k01 + j02 * k02
        det = det if det > 1e-300 else 1e-300
        m = motion[MOTION * actor : MOTION * (actor + 1)]
        origin = 4 * np.int64(origins[actor])
        m[0], m[1], m[2] = v0, v1, v2
        m[3] = (k00 * l0 + k01 * l1 + k02 * l2) / det
        m[4] = (k01 * l0 + k11 * l1 + k12 * l2) / det
        m[5] = (k02 * l0 + k12 * l1 + k22 * l2) / det
        m[6], m[7], m[8] = c0 + x[origin], c1 + x[origin + 1], c2 + x[origin + 2]


@part
def commit(x, v, y, p, inverse, chunks, motion, first, last):
    """v: the part beyond the rigid motion decays by one factor, everything by another;  x = p."""
    real = x.dtype.type
    for chunk in range(first, last):
        begin = np.int64(chunks[3 * chunk])
        end = np.int64(chunks[3 * chunk + 1])
        actor = np.int64(chunks[3 * chunk + 2])
        m = motion[MOTION * actor : MOTION * (actor + 1)]
        keep = m[9] * m[10]
        rigid = (1.0 - m[9]) * m[10]
        plain = keep == 1.0 and rigid == 0.0
        for i in range(begin, end):
            f = np.uint64(4 * i)
            g = f + np.uint64(1)
            k = f + np.uint64(2)
            if plain or inverse[i] == 0:
                v[f] = y[f]
                v[g] = y[g]
                v[k] = y[k]
            else:
                r0 = p[f] - m[6]
                r1 = p[g] - m[7]
                r2 = p[k] - m[8]
                v[f] = real(keep * y[f] + rigid * (m[0] + m[4] * r2 - m[5] * r1))
                v[g] = real(keep * y[g] + rigid * (m[1] + m[5] * r0 - m[3] * r2))
                v[k] = real(keep * y[k] + rigid * (m[2] + m[3] * r1 - m[4] * r0))
            x[f] = p[f]
            x[g] = p[g]
            x[k] = p[k]


@kernel("x[] x[] x[] x[] x[] x[] u[] u[] d[] d[] d[] d i i i")
def finish(x, v, y, p, inverse, masses, chunks, origins, sums, motion, colliders, h, stage, first, last):
    """Contact, velocity, damping; nothing is written to x and v unless all numbers are finite (returns -1 then)."""
    bad = -1
    if stage == ALL or stage == MEET:
        bad = meet_all(x, v, y, p, inverse, masses, chunks, origins, sums, colliders, h, first, last)
    if stage == RIGID or (stage == ALL and bad < 0):
        rigid_motion(x, chunks, origins, sums, motion)
    if stage == COMMIT or (stage == ALL and bad < 0):
        commit(x, v, y, p, inverse, chunks, motion, first, last)
    return bad
