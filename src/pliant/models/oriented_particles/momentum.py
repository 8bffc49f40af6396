# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Angular momentum of a body of oriented particles, and how it is kept.

Forces inside a body cannot change its angular momentum, but implicit Euler takes some away in each step (h^2 v x f, a
per cent of 5 rad/s in a 30th of a second), and so does turning a linear prediction into a rotation. So what is missing
after a step is given back as a rigid turn of the velocities, which deforms nothing."""

import math

from pliant.models.oriented_particles.layout import ARMS, HOLD, MASS, MOMENT, PARTICLE, POINT, SPRING
from pliant.runtime.jit import part


@part
def turned_moment(particles, i, r, a, out):
    """R Abar R^T of particle i (6: 00 11 22 01 02 12) from R by columns at r[a]."""
    m = PARTICLE * i + MOMENT
    m00, m11, m22 = float(particles[m]), float(particles[m + 1]), float(particles[m + 2])
    m01, m02, m12 = float(particles[m + 3]), float(particles[m + 4]), float(particles[m + 5])
    r00, r10, r20 = float(r[a]), float(r[a + 1]), float(r[a + 2])
    r01, r11, r21 = float(r[a + 4]), float(r[a + 5]), float(r[a + 6])
    r02, r12, r22 = float(r[a + 8]), float(r[a + 9]), float(r[a + 10])
    t00 = r00 * m00 + r01 * m01 + r02 * m02
    t01 = r00 * m01 + r01 * m11 + r02 * m12
    t02 = r00 * m02 + r01 * m12 + r02 * m22
    t10 = r10 * m00 + r11 * m01 + r12 * m02
    t11 = r10 * m01 + r11 * m11 + r12 * m12
    t12 = r10 * m02 + r11 * m12 + r12 * m22
    t20 = r20 * m00 + r21 * m01 + r22 * m02
    t21 = r20 * m01 + r21 * m11 + r22 * m12
    t22 = r20 * m02 + r21 * m12 + r22 * m22
    out[0] = t00 * r00 + t01 * r01 + t02 * r02
    out[1] = t10 * r10 + t11 * r11 + t12 * r12
    out[2] = t20 * r20 + t21 * r21 + t22 * r22
    out[3] = t00 * r10 + t01 * r11 + t02 * r12
    out[4] = t00 * r20 + t01 * r21 + t02 * r22
    out[5] = t10 * r20 + t11 * r21 + t12 * r22


@part
def mechanics(n, particles, density, x, ahead, h, r, w, room):
    """Into room: centre (3), angular momentum about it (3), inertia (6), and the same two of the particles' own
    rotation alone. The particles go from x to `ahead` in h and turn with w (rows of 4); their moments are turned by
    r."""
    c0 = c1 = c2 = v0 = v1 = v2 = mass = 0.0
    for i in range(n):
        m = float(particles[PARTICLE * i + MASS])
        mass += m
        c0 += m * x[4 * i]
        c1 += m * x[4 * i + 1]
        c2 += m * x[4 * i + 2]
        v0 += m * (ahead[4 * i] - x[4 * i])
        v1 += m * (ahead[4 * i + 1] - x[4 * i + 1])
        v2 += m * (ahead[4 * i + 2] - x[4 * i + 2])
    c0, c1, c2 = c0 / mass, c1 / mass, c2 / mass
    v0, v1, v2 = v0 / mass, v1 / mass, v2 / mass
    rate = 1.0 / h
    l0 = l1 = l2 = i0 = i1 = i2 = i3 = i4 = i5 = 0.0
    s0 = s1 = s2 = j0 = j1 = j2 = j3 = j4 = j5 = 0.0
    a = room[24:30]
    for i in range(n):
        m = float(particles[PARTICLE * i + MASS])
        r0, r1, r2 = x[4 * i] - c0, x[4 * i + 1] - c1, x[4 * i + 2] - c2
        u0 = (ahead[4 * i] - x[4 * i] - v0) * rate
        u1 = (ahead[4 * i + 1] - x[4 * i + 1] - v1) * rate
        u2 = (ahead[4 * i + 2] - x[4 * i + 2] - v2) * rate
        l0 += m * (r1 * u2 - r2 * u1)
        l1 += m * (r2 * u0 - r0 * u2)
        l2 += m * (r0 * u1 - r1 * u0)
        i0 += m * (r1 * r1 + r2 * r2)
        i1 += m * (r0 * r0 + r2 * r2)
        i2 += m * (r0 * r0 + r1 * r1)
        i3 -= m * r0 * r1
        i4 -= m * r0 * r2
        i5 -= m * r1 * r2
        turned_moment(particles, i, r, 12 * i, a)
        # J = rho (tr(A) 1 - A)
        k0, k1, k2 = density * (a[1] + a[2]), density * (a[0] + a[2]), density * (a[0] + a[1])
        k3, k4, k5 = -density * a[3], -density * a[4], -density * a[5]
        w0, w1, w2 = float(w[4 * i]), float(w[4 * i + 1]), float(w[4 * i + 2])
        s0 += k0 * w0 + k3 * w1 + k4 * w2
        s1 += k3 * w0 + k1 * w1 + k5 * w2
        s2 += k4 * w0 + k5 * w1 + k2 * w2
        j0 += k0
        j1 += k1
        j2 += k2
        j3 += k3
        j4 += k4
        j5 += k5
    room[0], room[1], room[2] = c0, c1, c2
    room[3], room[4], room[5] = l0 + s0, l1 + s1, l2 + s2
    room[6], room[7], room[8], room[9], room[10], room[11] = i0 + j0, i1 + j1, i2 + j2, i3 + j3, i4 + j4, i5 + j5
    room[12], room[13], room[14] = s0, s1, s2
    room[15], room[16], room[17], room[18], room[19], room[20] = j0, j1, j2, j3, j4, j5


@part
def angular_velocity_from(inertia, l0, l1, l2):
    """I^-1 l, I symmetric (6: 00 11 22 01 02 12) and positive, by L D L^T."""
    least = 1e-12 * (inertia[0] + inertia[1] + inertia[2]) + 1e-300
    d0 = max(inertia[0], least)
    a10 = inertia[3] / d0
    a20 = inertia[4] / d0
    d1 = max(inertia[1] - a10 * inertia[3], least)
    a21 = (inertia[5] - a20 * inertia[3]) / d1
    d2 = max(inertia[2] - a20 * inertia[4] - a21 * a21 * d1, least)
    l1 -= a10 * l0
    l2 -= a20 * l0 + a21 * l1
    w2 = l2 / d2
    w1 = l1 / d1 - a21 * w2
    return l0 / d0 - a10 * w1 - a20 * w2, w1, w2


@part
def pulled_torque(x, r, holds, springs, first, held, centre, h):
    """What handles add to the angular momentum about a centre in a step: position handles by their force at the point
    they hold, directions by the couple that turns them."""
    t0 = t1 = t2 = 0.0
    for n in range(first, first + held):
        s = springs[SPRING * n : SPRING * (n + 1)]
        p0 = p1 = p2 = 0.0
        for m in range(4):
            j = int(holds[HOLD * n + 1 + m])
            a = 12 * j
            if holds[HOLD * n] == POINT:
                d0, d1, d2 = s[ARMS + 3 * m], s[ARMS + 3 * m + 1], s[ARMS + 3 * m + 2]
                o0, o1, o2 = float(x[4 * j]), float(x[4 * j + 1]), float(x[4 * j + 2])
            else:
                d0, d1, d2 = s[ARMS], s[ARMS + 1], s[ARMS + 2]
                o0 = o1 = o2 = 0.0
            p0 += s[4 + m] * (o0 + r[a] * d0 + r[a + 4] * d1 + r[a + 8] * d2)
            p1 += s[4 + m] * (o1 + r[a + 1] * d0 + r[a + 5] * d1 + r[a + 9] * d2)
            p2 += s[4 + m] * (o2 + r[a + 2] * d0 + r[a + 6] * d1 + r[a + 10] * d2)
        if holds[HOLD * n] == POINT:
            f0, f1, f2 = s[0] * (s[1] - p0), s[0] * (s[2] - p1), s[0] * (s[3] - p2)
            p0 -= centre[0]
            p1 -= centre[1]
            p2 -= centre[2]
        else:
            length = max(math.sqrt(p0 * p0 + p1 * p1 + p2 * p2), 1e-6)
            p0, p1, p2 = p0 / length, p1 / length, p2 / length
            f0, f1, f2 = s[0] * s[1], s[0] * s[2], s[0] * s[3]
        t0 += h * (p1 * f2 - p2 * f1)
        t1 += h * (p2 * f0 - p0 * f2)
        t2 += h * (p0 * f1 - p1 * f0)
    return t0, t1, t2
