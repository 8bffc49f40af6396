# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""A point against the inside of a body: the distance to its skin, taken at rest.

A point of space is brought to rest, X. On a rigid body that is R^T (q - c). In a soft one it is X = sum b_k X_k with
the barycentric coordinates b of q in the deformed tet that holds it; the frame of the body guesses a cell of the grid,
the cell names a tet, its answer another cell. There the grid tells distance d and gradient n. Back in the world the
gradient is F^-T n, with F^-1 = sum X_k g_k^T and g_k the gradients of b_k, and so

    gap = d / |F^-T n|,   normal = F^-T n / |F^-T n|

to first order. A point of a skin looks from a place q a little below its own skin, where it is clear which face of the
other body is meant, and the gap is measured at the point itself: gap(q) + normal . (a - q)."""

import math

from pliant.collision.constants import CROSS, FLAT_TET
from pliant.collision.grid_kernels import nearest_point, sample
from pliant.collision.layout import (
    BODY,
    BODY_FRAME,
    CELLS,
    CENTRE,
    CENTRE_AT_REST,
    FIELD,
    TETS,
)
from pliant.runtime.jit import inner, part


@inner
def to_rest(frames, at, q0, q1, q2):
    """A point of the world in the frame of a body."""
    d0, d1, d2 = q0 - frames[at + CENTRE], q1 - frames[at + CENTRE + 1], q2 - frames[at + CENTRE + 2]
    return (
        frames[at] * d0 + frames[at + 3] * d1 + frames[at + 6] * d2 + frames[at + CENTRE_AT_REST],
        frames[at + 1] * d0 + frames[at + 4] * d1 + frames[at + 7] * d2 + frames[at + CENTRE_AT_REST + 1],
        frames[at + 2] * d0 + frames[at + 5] * d1 + frames[at + 8] * d2 + frames[at + CENTRE_AT_REST + 2],
    )


@inner
def turned(frames, at, n0, n1, n2):
    """A direction at rest as the frame turns it."""
    return (
        frames[at] * n0 + frames[at + 1] * n1 + frames[at + 2] * n2,
        frames[at + 3] * n0 + frames[at + 4] * n1 + frames[at + 5] * n2,
        frames[at + 6] * n0 + frames[at + 7] * n1 + frames[at + 8] * n2,
    )


@inner
def turned_back(frames, at, v0, v1, v2):
    """A direction of the world as it is at rest."""
    return (
        frames[at] * v0 + frames[at + 3] * v1 + frames[at + 6] * v2,
        frames[at + 1] * v0 + frames[at + 4] * v1 + frames[at + 7] * v2,
        frames[at + 2] * v0 + frames[at + 5] * v1 + frames[at + 8] * v2,
    )


@inner
def field_of_frame(shapes, frames, body, q0, q1, q2):
    """Gap and normal at a point of the world, where a body is as its frame says."""
    at = BODY_FRAME * body
    r0, r1, r2 = to_rest(frames, at, q0, q1, q2)
    d, n0, n1, n2 = sample(shapes.fields, shapes.bodies[BODY * body + FIELD], r0, r1, r2)
    n0, n1, n2 = turned(frames, at, n0, n1, n2)
    return d, n0, n1, n2


@part
def gradients(x, tets, at):
    """Of a deformed tet: six times its volume, and the gradients of the barycentric coordinates of its last three
    corners, times that."""
    a, b, c, d = 4 * tets[at], 4 * tets[at + 1], 4 * tets[at + 2], 4 * tets[at + 3]
    o0, o1, o2 = float(x[a]), float(x[a + 1]), float(x[a + 2])
    e0, e1, e2 = x[b] - o0, x[b + 1] - o1, x[b + 2] - o2
    f0, f1, f2 = x[c] - o0, x[c + 1] - o1, x[c + 2] - o2
    h0, h1, h2 = x[d] - o0, x[d + 1] - o1, x[d + 2] - o2
    g10, g11, g12 = f1 * h2 - f2 * h1, f2 * h0 - f0 * h2, f0 * h1 - f1 * h0
    g20, g21, g22 = h1 * e2 - h2 * e1, h2 * e0 - h0 * e2, h0 * e1 - h1 * e0
    g30, g31, g32 = e1 * f2 - e2 * f1, e2 * f0 - e0 * f2, e0 * f1 - e1 * f0
    return e0 * g10 + e1 * g11 + e2 * g12, o0, o1, o2, g10, g11, g12, g20, g21, g22, g30, g31, g32


@inner
def tet_at(shapes, x, frames, body, q0, q1, q2):
    """The tet of a soft body that holds a point of the world, or comes near to that; -1 where it is so flat that it
    does not tell."""
    row = BODY * body
    field, cells, first = shapes.bodies[row + FIELD], shapes.bodies[row + CELLS], shapes.bodies[row + TETS]
    r0, r1, r2 = to_rest(frames, BODY_FRAME * body, q0, q1, q2)
    tet = -1
    for _look in range(CROSS):
        found = first + shapes.cells[cells + nearest_point(shapes.fields, field, r0, r1, r2)]
        if found == tet:
            break
        tet = found
        six, o0, o1, o2, g10, g11, g12, g20, g21, g22, g30, g31, g32 = gradients(x, shapes.tets, 4 * tet)
        if not (six > FLAT_TET * shapes.volumes[tet]):
            return -1
        d0, d1, d2 = (q0 - o0) / six, (q1 - o1) / six, (q2 - o2) / six
        b1 = g10 * d0 + g11 * d1 + g12 * d2
        b2 = g20 * d0 + g21 * d1 + g22 * d2
        b3 = g30 * d0 + g31 * d1 + g32 * d2
        b0 = 1.0 - b1 - b2 - b3
        c = shapes.tet_rest[12 * tet : 12 * tet + 12]
        r0 = b0 * c[0] + b1 * c[3] + b2 * c[6] + b3 * c[9]
        r1 = b0 * c[1] + b1 * c[4] + b2 * c[7] + b3 * c[10]
        r2 = b0 * c[2] + b1 * c[5] + b2 * c[8] + b3 * c[11]
        if min(b0, b1, b2, b3) >= 0.0:
            break
    return tet


@part
def corner_at(shapes, x, frames, body, q0, q1, q2):
    """The tet of a soft body where its frame has a point of the world, and which of its corners is nearest to it."""
    row = BODY * body
    r0, r1, r2 = to_rest(frames, BODY_FRAME * body, q0, q1, q2)
    cell = nearest_point(shapes.fields, shapes.bodies[row + FIELD], r0, r1, r2)
    tet = shapes.bodies[row + TETS] + shapes.cells[shapes.bodies[row + CELLS] + cell]
    nearest, least = 0, math.inf
    for corner in range(4):
        i = 4 * shapes.tets[4 * tet + corner]
        d0, d1, d2 = x[i] - q0, x[i + 1] - q1, x[i + 2] - q2
        away = d0 * d0 + d1 * d1 + d2 * d2
        if away < least:
            nearest, least = corner, away
    return tet, nearest


@inner
def field_of_tet(shapes, x, body, tet, q0, q1, q2):
    """Gap and normal at a point of the world, through a tet of a soft body."""
    six, o0, o1, o2, g10, g11, g12, g20, g21, g22, g30, g31, g32 = gradients(x, shapes.tets, 4 * tet)
    k = 1.0 / six
    d0, d1, d2 = k * (q0 - o0), k * (q1 - o1), k * (q2 - o2)
    b1 = g10 * d0 + g11 * d1 + g12 * d2
    b2 = g20 * d0 + g21 * d1 + g22 * d2
    b3 = g30 * d0 + g31 * d1 + g32 * d2
    c = shapes.tet_rest[12 * tet : 12 * tet + 12]
    e0, e1, e2 = c[3] - c[0], c[4] - c[1], c[5] - c[2]
    f0, f1, f2 = c[6] - c[0], c[7] - c[1], c[8] - c[2]
    h0, h1, h2 = c[9] - c[0], c[10] - c[1], c[11] - c[2]
    r0 = c[0] + b1 * e0 + b2 * f0 + b3 * h0
    r1 = c[1] + b1 * e1 + b2 * f1 + b3 * h1
    r2 = c[2] + b1 * e2 + b2 * f2 + b3 * h2
    d, n0, n1, n2 = sample(shapes.fields, shapes.bodies[BODY * body + FIELD], r0, r1, r2)
    s1 = k * (e0 * n0 + e1 * n1 + e2 * n2)
    s2 = k * (f0 * n0 + f1 * n1 + f2 * n2)
    s3 = k * (h0 * n0 + h1 * n1 + h2 * n2)
    m0 = s1 * g10 + s2 * g20 + s3 * g30
    m1 = s1 * g11 + s2 * g21 + s3 * g31
    m2 = s1 * g12 + s2 * g22 + s3 * g32
    length = math.sqrt(m0 * m0 + m1 * m1 + m2 * m2)
    if not (length > 1e-9):
        return d, n0, n1, n2
    return d / length, m0 / length, m1 / length, m2 / length


@inner
def weights_in_tet(shapes, x, tet, a0, a1, a2):
    """Barycentric coordinates of a point of the world in a deformed tet, or, where it lies outside, of one near it
    that does not: none is negative."""
    six, o0, o1, o2, g10, g11, g12, g20, g21, g22, g30, g31, g32 = gradients(x, shapes.tets, 4 * tet)
    if six == 0.0:
        return 0.25, 0.25, 0.25, 0.25
    d0, d1, d2 = (a0 - o0) / six, (a1 - o1) / six, (a2 - o2) / six
    b1 = g10 * d0 + g11 * d1 + g12 * d2
    b2 = g20 * d0 + g21 * d1 + g22 * d2
    b3 = g30 * d0 + g31 * d1 + g32 * d2
    b0 = 1.0 - b1 - b2 - b3
    b0, b1, b2, b3 = max(b0, 0.0), max(b1, 0.0), max(b2, 0.0), max(b3, 0.0)
    total = b0 + b1 + b2 + b3
    if not (total > 0.0 and total < 1e30):
        return 0.25, 0.25, 0.25, 0.25
    return b0 / total, b1 / total, b2 / total, b3 / total
