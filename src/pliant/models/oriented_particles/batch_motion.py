# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""How the bodies of a batch fly, turn and keep their angular momentum, a lane each: as kernels.py and momentum.py,
written for rows of lanes."""

import math

from pliant.maths.quaternion import product
from pliant.models.oriented_particles.kernels import turn_by
from pliant.models.oriented_particles.layout import BATCH
from pliant.runtime.jit import part

W = BATCH


@part
def inertia_turn(q, s, out, far, h):
    """q turned by h s, s the angular velocity: tan of half the angle by its series. `far`: half the angle squared,
    beyond some of which the series would be off."""
    real = q.dtype.type
    one = real(1)
    third = real(1 / 3)
    b = real(2 / 15)
    c = real(17 / 315)
    d = real(62 / 2835)
    e = real(1382 / 155925)
    half = real(0.5 * h)
    for lane in range(W):
        o0 = half * s[lane]
        o1 = half * s[lane + W]
        o2 = half * s[lane + 2 * W]
        t = o0 * o0 + o1 * o1 + o2 * o2
        far[lane] = t
        k = one + t * (third + t * (b + t * (c + t * (d + t * e))))
        n0, n1, n2, n3 = product(k * o0, k * o1, k * o2, one, q[lane], q[lane + W], q[lane + 2 * W], q[lane + 3 * W])
        length = one / math.sqrt(n0 * n0 + n1 * n1 + n2 * n2 + n3 * n3)
        out[lane] = n0 * length
        out[lane + W] = n1 * length
        out[lane + 2 * W] = n2 * length
        out[lane + 3 * W] = n3 * length


@part
def angular_velocity_between(q, b, s, far, h):
    """The angular velocity that took the quaternion b to q in h: 2 atan(|v| / w) / |v| by its series. `far`: the
    tangent squared, beyond some of which the series would be off."""
    real = q.dtype.type
    one = real(1)
    rate = real(2.0 / h)
    s1, s2, s3, s4, s5, s6 = real(1 / 3), real(1 / 5), real(1 / 7), real(1 / 9), real(1 / 11), real(1 / 13)
    for lane in range(W):
        v0, v1, v2, v3 = product(
            q[lane], q[lane + W], q[lane + 2 * W], q[lane + 3 * W],
            -b[lane], -b[lane + W], -b[lane + 2 * W], b[lane + 3 * W],
        )  # fmt: skip
        k = one / v3
        v0 = v0 * k
        v1 = v1 * k
        v2 = v2 * k
        t = v0 * v0 + v1 * v1 + v2 * v2
        far[lane] = t
        k = rate * (one - t * (s1 - t * (s2 - t * (s3 - t * (s4 - t * (s5 - t * s6))))))
        s[lane] = k * v0
        s[lane + W] = k * v1
        s[lane + 2 * W] = k * v2


@part
def exact_turn(q, s, out, h):
    """As `inertia_turn`, for any angle."""
    real = q.dtype.type
    for lane in range(W):
        a, b, c, d = turn_by(
            q[lane], q[lane + W], q[lane + 2 * W], q[lane + 3 * W], h * s[lane], h * s[lane + W], h * s[lane + 2 * W]
        )
        out[lane] = real(a)
        out[lane + W] = real(b)
        out[lane + 2 * W] = real(c)
        out[lane + 3 * W] = real(d)


@part
def exact_angular_velocity(q, b, s, h):
    """As `angular_velocity_between`, for any angle."""
    real = q.dtype.type
    for lane in range(W):
        v0, v1, v2, v3 = product(
            float(q[lane]), float(q[lane + W]), float(q[lane + 2 * W]), float(q[lane + 3 * W]),
            -float(b[lane]), -float(b[lane + W]), -float(b[lane + 2 * W]), float(b[lane + 3 * W]),
        )  # fmt: skip
        if v3 < 0.0:
            v0, v1, v2, v3 = -v0, -v1, -v2, -v3
        sine = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
        rate = 2.0 / h if sine < 1e-9 else 2.0 * math.atan2(sine, v3) / (sine * h)
        s[lane] = real(rate * v0)
        s[lane + W] = real(rate * v1)
        s[lane + 2 * W] = real(rate * v2)


@part
def largest(row):
    """Of a row of lanes; a NaN counts as large."""
    most = row[0]
    for lane in range(1, W):
        most = row[lane] if not row[lane] <= most else most
    return most


@part
def add_mechanics(mass, rho, m, x, ahead, spin, r, c, v, rate, t):
    """Into t (rows): angular momentum (3) and inertia (6) about the centre c, and the same two of the particles' own
    rotation alone; the particle goes from x to `ahead` with `rate` per step, the centre by v."""
    m00, m11, m22, m01, m02, m12 = m[0], m[1], m[2], m[3], m[4], m[5]
    for lane in range(W):
        r0 = x[lane] - c[lane]
        r1 = x[lane + W] - c[lane + W]
        r2 = x[lane + 2 * W] - c[lane + 2 * W]
        u0 = rate * (ahead[lane] - x[lane] - v[lane])
        u1 = rate * (ahead[lane + W] - x[lane + W] - v[lane + W])
        u2 = rate * (ahead[lane + 2 * W] - x[lane + 2 * W] - v[lane + 2 * W])
        a0 = r[lane]
        a1 = r[lane + W]
        a2 = r[lane + 2 * W]
        b0 = r[lane + 3 * W]
        b1 = r[lane + 4 * W]
        b2 = r[lane + 5 * W]
        e0 = r[lane + 6 * W]
        e1 = r[lane + 7 * W]
        e2 = r[lane + 8 * W]
        f0 = a0 * m00 + a1 * m01 + a2 * m02
        f1 = a0 * m01 + a1 * m11 + a2 * m12
        f2 = a0 * m02 + a1 * m12 + a2 * m22
        g0 = b0 * m00 + b1 * m01 + b2 * m02
        g1 = b0 * m01 + b1 * m11 + b2 * m12
        g2 = b0 * m02 + b1 * m12 + b2 * m22
        h0 = e0 * m00 + e1 * m01 + e2 * m02
        h1 = e0 * m01 + e1 * m11 + e2 * m12
        h2 = e0 * m02 + e1 * m12 + e2 * m22
        q0 = f0 * a0 + f1 * a1 + f2 * a2
        q1 = g0 * b0 + g1 * b1 + g2 * b2
        q2 = h0 * e0 + h1 * e1 + h2 * e2
        k3 = -rho * (f0 * b0 + f1 * b1 + f2 * b2)
        k4 = -rho * (f0 * e0 + f1 * e1 + f2 * e2)
        k5 = -rho * (g0 * e0 + g1 * e1 + g2 * e2)
        k0 = rho * (q1 + q2)
        k1 = rho * (q0 + q2)
        k2 = rho * (q0 + q1)
        s0 = k0 * spin[lane] + k3 * spin[lane + W] + k4 * spin[lane + 2 * W]
        s1 = k3 * spin[lane] + k1 * spin[lane + W] + k5 * spin[lane + 2 * W]
        s2 = k4 * spin[lane] + k5 * spin[lane + W] + k2 * spin[lane + 2 * W]
        t[lane] += mass * (r1 * u2 - r2 * u1) + s0
        t[lane + W] += mass * (r2 * u0 - r0 * u2) + s1
        t[lane + 2 * W] += mass * (r0 * u1 - r1 * u0) + s2
        t[lane + 3 * W] += mass * (r1 * r1 + r2 * r2) + k0
        t[lane + 4 * W] += mass * (r0 * r0 + r2 * r2) + k1
        t[lane + 5 * W] += mass * (r0 * r0 + r1 * r1) + k2
        t[lane + 6 * W] += k3 - mass * r0 * r1
        t[lane + 7 * W] += k4 - mass * r0 * r2
        t[lane + 8 * W] += k5 - mass * r1 * r2
        t[lane + 9 * W] += s0
        t[lane + 10 * W] += s1
        t[lane + 11 * W] += s2
        t[lane + 12 * W] += k0
        t[lane + 13 * W] += k1
        t[lane + 14 * W] += k2
        t[lane + 15 * W] += k3
        t[lane + 16 * W] += k4
        t[lane + 17 * W] += k5


@part
def angular_velocities_of(inertia, momenta, out):
    """I^-1 l in every lane, I as in `add_mechanics`."""
    real = momenta.dtype.type
    one = real(1)
    tiny = real(1e-30)
    for lane in range(W):
        i0 = inertia[lane]
        i1 = inertia[lane + W]
        i2 = inertia[lane + 2 * W]
        i3 = inertia[lane + 3 * W]
        i4 = inertia[lane + 4 * W]
        i5 = inertia[lane + 5 * W]
        k = one / (i0 + i1 + i2 + tiny)  # about 1, so that products of six do not leave single precision
        i0 = i0 * k
        i1 = i1 * k
        i2 = i2 * k
        i3 = i3 * k
        i4 = i4 * k
        i5 = i5 * k
        c0 = i1 * i2 - i5 * i5
        c1 = i4 * i5 - i3 * i2
        c2 = i3 * i5 - i4 * i1
        c3 = i0 * i2 - i4 * i4
        c4 = i3 * i4 - i0 * i5
        c5 = i0 * i1 - i3 * i3
        det = i0 * c0 + i3 * c1 + i4 * c2
        k = k / max(det, real(1e-12))
        l0 = momenta[lane]
        l1 = momenta[lane + W]
        l2 = momenta[lane + 2 * W]
        out[lane] = k * (c0 * l0 + c1 * l1 + c2 * l2)
        out[lane + W] = k * (c1 * l0 + c3 * l1 + c4 * l2)
        out[lane + 2 * W] = k * (c2 * l0 + c4 * l1 + c5 * l2)


@part
def add_rows(out, x, m):
    for k in range(3 * W):
        out[k] += m * x[k]


@part
def add_displacement(out, ahead, x, m):
    for k in range(3 * W):
        out[k] += m * (ahead[k] - x[k])


@part
def give_back(p, back, s, c, d, w, h, keep, drag):
    """How far y has to go back for the velocity that a turn by d adds (into `back`), and the angular velocities: those
    of the whole (w) kept, the rest damped."""
    for lane in range(W):
        r0 = p[lane] - c[lane]
        r1 = p[lane + W] - c[lane + W]
        r2 = p[lane + 2 * W] - c[lane + 2 * W]
        d0 = d[lane]
        d1 = d[lane + W]
        d2 = d[lane + 2 * W]
        back[lane] = h * (d1 * r2 - d2 * r1)
        back[lane + W] = h * (d2 * r0 - d0 * r2)
        back[lane + 2 * W] = h * (d0 * r1 - d1 * r0)
        s[lane] = drag * (w[lane] + d0 + keep * (s[lane] - w[lane]))
        s[lane + W] = drag * (w[lane + W] + d1 + keep * (s[lane + W] - w[lane + W]))
        s[lane + 2 * W] = drag * (w[lane + 2 * W] + d2 + keep * (s[lane + 2 * W] - w[lane + 2 * W]))


@part
def hull_rows(out, r, m, s):
    """s R M R^T (6 rows)."""
    m00, m11, m22, m01, m02, m12 = s * m[0], s * m[1], s * m[2], s * m[3], s * m[4], s * m[5]
    for lane in range(W):
        a0 = r[lane]
        a1 = r[lane + W]
        a2 = r[lane + 2 * W]
        b0 = r[lane + 3 * W]
        b1 = r[lane + 4 * W]
        b2 = r[lane + 5 * W]
        e0 = r[lane + 6 * W]
        e1 = r[lane + 7 * W]
        e2 = r[lane + 8 * W]
        f0 = a0 * m00 + a1 * m01 + a2 * m02
        f1 = a0 * m01 + a1 * m11 + a2 * m12
        f2 = a0 * m02 + a1 * m12 + a2 * m22
        g0 = b0 * m00 + b1 * m01 + b2 * m02
        g1 = b0 * m01 + b1 * m11 + b2 * m12
        g2 = b0 * m02 + b1 * m12 + b2 * m22
        out[lane] = f0 * a0 + f1 * a1 + f2 * a2
        out[lane + W] = g0 * b0 + g1 * b1 + g2 * b2
        out[lane + 2 * W] = (
            (e0 * m00 + e1 * m01 + e2 * m02) * e0 + (e0 * m01 + e1 * m11 + e2 * m12) * e1
            + (e0 * m02 + e1 * m12 + e2 * m22) * e2
        )  # fmt: skip
        out[lane + 3 * W] = f0 * b0 + f1 * b1 + f2 * b2
        out[lane + 4 * W] = f0 * e0 + f1 * e1 + f2 * e2
        out[lane + 5 * W] = g0 * e0 + g1 * e1 + g2 * e2
