# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Kernels of the narrow phase: along which direction do two contact spheres part, and how far apart have they to be?

Two spheres touch along the line of their centres. But a skin made of spheres is a field of bumps: a block would rest in
the hollows of a slope and not slide down without friction. So where one of the two lies on a flat piece of skin and the
other in front of it, they part along the normal of that piece, and the reach of both is measured along it: skins that
are flat touch as flat ones do.

An ellipsoid reaches r(n) = sqrt(n^T H n), H = E diag(a^2, b^2, c^2) E^T, along n. Two convex things whose centres are d
apart have the distance max over n of  d . n - r_1(n) - r_2(n) , negative inside. There d - H_1 n / r_1 - H_2 n / r_2
is g n with g that distance, so n is found by solving  (H_1 / r_1 + H_2 / r_2 + g) n = d  a few times over, beginning
with the line of the centres; for spheres that is the answer at once. (The line of the centres itself, as in
[Choi+17], would part thin plates sideways.)"""

import math

import numpy as np

from pliant.runtime.jit import part
from pliant.world.contact.layout import COVER, END_CENTRE, OUT, PROXY, PROXY_ARM, PROXY_PLACE, RADIUS, START_CENTRE

FACING = 0.3  # cosine: what leans more away than this is not in front
AXIS_ROUNDS = 3  # of the search for the normal between ellipsoids, at most
SAME_AXIS = 0.97  # cosine: a normal that turned less than this will do
EDGE_DEPTH = 0.25  # of the radius: how deep one may be in a piece and yet lie on it right at its edge, as in a stack


@part
def outward(places, proxies, s):
    """The outward normal of the skin at a sphere, and how far its particle of the skin is; 0 if it is no such."""
    at = PROXY_PLACE * s + OUT
    o0, o1, o2 = places[at], places[at + 1], places[at + 2]
    return o0, o1, o2, (0.0 if o0 == 0.0 and o1 == 0.0 and o2 == 0.0 else float(proxies[PROXY * s + PROXY_ARM]))


@part
def reach_of(proxies, hulls, attachments, s, n0, n1, n2, o0, o1, o2, arm):
    """How far a sphere with its particle of the skin, at o, goes along a unit vector n."""
    r = float(proxies[PROXY * s + RADIUS])
    if r < 0.0:
        at = 6 * np.int64(attachments[2 * s])
        t0 = hulls[at] * n0 + hulls[at + 3] * n1 + hulls[at + 4] * n2
        t1 = hulls[at + 3] * n0 + hulls[at + 1] * n1 + hulls[at + 5] * n2
        t2 = hulls[at + 4] * n0 + hulls[at + 5] * n1 + hulls[at + 2] * n2
        return math.sqrt(max(t0 * n0 + t1 * n1 + t2 * n2, 0.0))
    if arm > 0.0:
        r = max(r, arm * (o0 * n0 + o1 * n1 + o2 * n2))
    return r


@part
def add_hull(proxies, hulls, attachments, s, r, m):
    """m += H / r."""
    radius = float(proxies[PROXY * s + RADIUS])
    if radius < 0.0:
        at = 6 * np.int64(attachments[2 * s])
        w = 1.0 / max(r, 1e-12)
        return (
            m[0] + w * hulls[at], m[1] + w * hulls[at + 1], m[2] + w * hulls[at + 2],
            m[3] + w * hulls[at + 3], m[4] + w * hulls[at + 4], m[5] + w * hulls[at + 5],
        )  # fmt: skip
    return m[0] + r, m[1] + r, m[2] + r, m[3], m[4], m[5]


@part
def solved(m, d0, d1, d2):
    """The direction of M^-1 d, M symmetric and positive: by its adjugate."""
    a00 = m[1] * m[2] - m[5] * m[5]
    a01 = m[4] * m[5] - m[3] * m[2]
    a02 = m[3] * m[5] - m[4] * m[1]
    a11 = m[0] * m[2] - m[4] * m[4]
    a12 = m[3] * m[4] - m[0] * m[5]
    a22 = m[0] * m[1] - m[3] * m[3]
    n0 = a00 * d0 + a01 * d1 + a02 * d2
    n1 = a01 * d0 + a11 * d1 + a12 * d2
    n2 = a02 * d0 + a12 * d1 + a22 * d2
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if not length > 1e-30:
        return 0.0, 0.0, 0.0
    return n0 / length, n1 / length, n2 / length


@part
def part_round(proxies, hulls, attachments, a, b, d0, d1, d2, away, oa, ob):
    """Spheres and ellipsoids: the direction in which they are farthest apart, and both reaches along it."""
    n0, n1, n2 = d0 / away, d1 / away, d2 / away
    ra = reach_of(proxies, hulls, attachments, a, -n0, -n1, -n2, oa[0], oa[1], oa[2], oa[3])
    rb = reach_of(proxies, hulls, attachments, b, n0, n1, n2, ob[0], ob[1], ob[2], ob[3])
    if proxies[PROXY * a + RADIUS] >= 0.0 and proxies[PROXY * b + RADIUS] >= 0.0:
        return n0, n1, n2, ra, rb
    best = away - ra - rb
    gap, sa, sb = best, ra, rb
    u0, u1, u2 = n0, n1, n2
    for _round in range(AXIS_ROUNDS):
        m = add_hull(proxies, hulls, attachments, a, sa, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        m = add_hull(proxies, hulls, attachments, b, sb, m)
        free = max(gap, 0.0) + 1e-9 * away
        w0, w1, w2 = solved((m[0] + free, m[1] + free, m[2] + free, m[3], m[4], m[5]), d0, d1, d2)
        if w0 == 0.0 and w1 == 0.0 and w2 == 0.0:
            break
        same = u0 * w0 + u1 * w1 + u2 * w2
        u0, u1, u2 = w0, w1, w2
        sa = reach_of(proxies, hulls, attachments, a, -u0, -u1, -u2, oa[0], oa[1], oa[2], oa[3])
        sb = reach_of(proxies, hulls, attachments, b, u0, u1, u2, ob[0], ob[1], ob[2], ob[3])
        gap = u0 * d0 + u1 * d1 + u2 * d2 - sa - sb
        if gap > best:
            best, ra, rb, n0, n1, n2 = gap, sa, sb, u0, u1, u2
        if same > SAME_AXIS:
            break
    return n0, n1, n2, ra, rb


@part
def beside(places, proxies, hulls, attachments, s, t, e0, e1, e2, flat, level):
    """Whether what is at e from a rim s is beside its flat piece, beyond the edge: along another piece of the same edge
    or corner it is less deep (level: along this one). Those of one edge stand one after the other; those of a hollow
    one do not, because there what is in front of one piece may well be inside the other."""
    room = EDGE_DEPTH * float(proxies[PROXY * s + PROXY_ARM])
    for step in (-1, 1):
        k = s + step
        while (
            0 <= k < len(proxies) // PROXY
            and attachments[2 * k] == attachments[2 * s]
            and proxies[PROXY * k + COVER] < 0.0
        ):
            at = PROXY_PLACE * k + OUT
            o0, o1, o2 = places[at], places[at + 1], places[at + 2]
            gap = e0 * o0 + e1 * o1 + e2 * o2
            if not flat:
                gap -= reach_of(proxies, hulls, attachments, t, o0, o1, o2, 0.0, 0.0, 0.0, 0.0)
            if gap > level + room:
                return True
            k += step
    return False


@part
def part_flat(places, proxies, hulls, attachments, a, b, d0, d1, d2, away, oa, ob):
    """Along the normal of the flat piece that one of them lies on, if the other is in front of it; else no reach. In
    the middle of two pieces that is the mean of both normals; a rim gives way to a middle; of two rims the one counts
    along which they are less inside one another."""
    ca, cb = float(proxies[PROXY * a + COVER]), float(proxies[PROXY * b + COVER])
    flat_a, flat_b = oa[3] > 0.0, ob[3] > 0.0
    if not flat_a and not flat_b:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    # from skin to skin, or to the centre of what has none
    e0 = d0 + oa[3] * oa[0] - ob[3] * ob[0]
    e1 = d1 + oa[3] * oa[1] - ob[3] * ob[1]
    e2 = d2 + oa[3] * oa[2] - ob[3] * ob[2]
    n0 = n1 = n2 = 0.0
    cover = max(abs(ca) if flat_a else 0.0, abs(cb) if flat_b else 0.0)
    if flat_a and flat_b and ca > 0.0 and cb > 0.0:
        n0, n1, n2 = ob[0] - oa[0], ob[1] - oa[1], ob[2] - oa[2]
        length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
        if length < 0.5:
            return 0.0, 0.0, 0.0, 0.0, 0.0
        n0, n1, n2 = n0 / length, n1 / length, n2 / length
    else:
        use_a = flat_a and (ca > 0.0 or not flat_b or cb < 0.0)
        use_b = flat_b and (cb > 0.0 or not flat_a or ca < 0.0)
        level_a = -(e0 * oa[0] + e1 * oa[1] + e2 * oa[2])
        level_b = e0 * ob[0] + e1 * ob[1] + e2 * ob[2]
        if use_a and ca < 0.0:
            if not flat_b:
                level_a -= reach_of(proxies, hulls, attachments, b, oa[0], oa[1], oa[2], 0.0, 0.0, 0.0, 0.0)
            use_a = not beside(places, proxies, hulls, attachments, a, b, -e0, -e1, -e2, flat_b, level_a)
        if use_b and cb < 0.0:
            if not flat_a:
                level_b -= reach_of(proxies, hulls, attachments, a, ob[0], ob[1], ob[2], 0.0, 0.0, 0.0, 0.0)
            use_b = not beside(places, proxies, hulls, attachments, b, a, e0, e1, e2, flat_a, level_b)
        if use_b and (not use_a or level_b > level_a):
            n0, n1, n2 = ob[0], ob[1], ob[2]
        elif use_a:
            n0, n1, n2 = -oa[0], -oa[1], -oa[2]
        else:
            return 0.0, 0.0, 0.0, 0.0, 0.0
    facing_a, facing_b = -(oa[0] * n0 + oa[1] * n1 + oa[2] * n2), ob[0] * n0 + ob[1] * n1 + ob[2] * n2
    if (flat_a and facing_a < FACING) or (flat_b and facing_b < FACING):
        return 0.0, 0.0, 0.0, 0.0, 0.0
    along = d0 * n0 + d1 * n1 + d2 * n2
    level = e0 * n0 + e1 * n1 + e2 * n2
    if along < FACING * away or e0 * e0 + e1 * e1 + e2 * e2 - level * level > cover * cover:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    ra = oa[3] * facing_a if flat_a else reach_of(proxies, hulls, attachments, a, -n0, -n1, -n2, 0.0, 0.0, 0.0, 0.0)
    rb = ob[3] * facing_b if flat_b else reach_of(proxies, hulls, attachments, b, n0, n1, n2, 0.0, 0.0, 0.0, 0.0)
    return n0, n1, n2, ra, rb


@part
def between(places, a, b):
    """From the centre of b to that of a (3), and its square."""
    i, j = PROXY_PLACE * a, PROXY_PLACE * b
    d0 = places[i + END_CENTRE] - places[j + END_CENTRE]
    d1 = places[i + END_CENTRE + 1] - places[j + END_CENTRE + 1]
    d2 = places[i + END_CENTRE + 2] - places[j + END_CENTRE + 2]
    b0 = places[i + START_CENTRE] - places[j + START_CENTRE]
    b1 = places[i + START_CENTRE + 1] - places[j + START_CENTRE + 1]
    b2 = places[i + START_CENTRE + 2] - places[j + START_CENTRE + 2]
    if d0 * b0 + d1 * b1 + d2 * b2 < 0.5 * (b0 * b0 + b1 * b1 + b2 * b2):
        d0, d1, d2 = b0, b1, b2  # so fast that they would pass: they meet as they stood before
    square = d0 * d0 + d1 * d1 + d2 * d2
    if square < 1e-18:  # on one spot: any direction is as good, but it has to be the same each time
        turn = 2.399963 * ((a * 7 + b) % 1024)
        d0, d1, d2 = 1e-9 * math.cos(turn), 5e-10, 1e-9 * math.sin(turn)
        square = d0 * d0 + d1 * d1 + d2 * d2
    return d0, d1, d2, square


@part
def separation(places, proxies, hulls, attachments, a, b):
    """Two spheres: the unit vector from b to a along which they part, and the reach of each along it; no reach if they
    do not meet."""
    d0, d1, d2, square = between(places, a, b)
    away = math.sqrt(square)
    oa = outward(places, proxies, a)
    ob = outward(places, proxies, b)
    n0, n1, n2, ra, rb = part_flat(places, proxies, hulls, attachments, a, b, d0, d1, d2, away, oa, ob)
    if ra == 0.0 and rb == 0.0:
        if proxies[PROXY * a + COVER] < 0.0 or proxies[PROXY * b + COVER] < 0.0:
            return 0.0, 0.0, 0.0, 0.0, 0.0  # at a rim there is nothing but the flat piece
        n0, n1, n2, ra, rb = part_round(proxies, hulls, attachments, a, b, d0, d1, d2, away, oa, ob)
    return n0, n1, n2, ra, rb
