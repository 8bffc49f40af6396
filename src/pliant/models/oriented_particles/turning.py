# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The rotations of many matrices at a time, warm-started: Newton's method (maths/polar.py), and where that is not safe
the eigenvector that cannot fail. Rows of lanes."""

import math
from typing import Any

from pliant.maths.polar import best_rotation, newton_turn
from pliant.maths.quaternion import product, rotation_matrix
from pliant.models.oriented_particles.layout import BATCH, LANES
from pliant.runtime.jit import inline, part

MOST_NEWTON_TURNS = 6
# rad: how far a rotation may be off in an iteration; the next begins where it ended
TOLERANCE_SINGLE, TOLERANCE_DOUBLE = 1e-4, 1e-14


@inline
def turn_lane(c, q, flag, lane, width, one, half, three, eps, tiny, spin, limit, zero):
    """One Newton step of a lane; the flag is 2 where it may still be off, 1 where it is not safe, else 0."""
    x = q[lane]
    y = q[lane + width]
    z = q[lane + 2 * width]
    w = q[lane + 3 * width]
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = rotation_matrix(x, y, z, w, one)
    c0 = c[lane]
    c1 = c[lane + width]
    c2 = c[lane + 2 * width]
    c3 = c[lane + 3 * width]
    c4 = c[lane + 4 * width]
    c5 = c[lane + 5 * width]
    c6 = c[lane + 6 * width]
    c7 = c[lane + 7 * width]
    c8 = c[lane + 8 * width]
    ox, oy, oz, lack, uneven = newton_turn(
        r0 * c0 + r3 * c3 + r6 * c6,
        r0 * c1 + r3 * c4 + r6 * c7,
        r0 * c2 + r3 * c5 + r6 * c8,
        r1 * c0 + r4 * c3 + r7 * c6,
        r1 * c1 + r4 * c4 + r7 * c7,
        r1 * c2 + r4 * c5 + r7 * c8,
        r2 * c0 + r5 * c3 + r8 * c6,
        r2 * c1 + r5 * c4 + r8 * c7,
        r2 * c2 + r5 * c5 + r8 * c8,
        zero, zero, zero, zero, zero, zero, one, half, three, eps, tiny, spin, zero,
    )  # fmt: skip
    turn = ox * ox + oy * oy + oz * oz
    n0, n1, n2, n3 = product(x, y, z, w, ox, oy, oz, one + math.sqrt(one + turn))
    s = one / math.sqrt(n0 * n0 + n1 * n1 + n2 * n2 + n3 * n3)
    q[lane] = n0 * s
    q[lane + width] = n1 * s
    q[lane + 2 * width] = n2 * s
    q[lane + 3 * width] = n3 * s
    off = one + one if turn * turn * turn * uneven > limit else zero
    flag[lane] = one if lack > zero else off


def turning_of(width: int) -> Any:
    """The function for rows of so many lanes."""

    @part
    def turn_rows(c, q, flag, tolerance, room):
        """The rotations of C in all lanes."""
        real = c.dtype.type
        one = real(1)
        half = real(0.5)
        three = real(3)
        zero = real(0)
        tiny = real(1e-30)
        eps = real(1e-6) if c.itemsize == 4 else real(1e-12)
        spin = real(2.5e-4) if c.itemsize == 4 else real(1e-12)
        limit = real((tolerance / 0.155) ** 2)
        doubtful = zero
        for _turn in range(MOST_NEWTON_TURNS):
            for lane in range(width):
                turn_lane(c, q, flag, lane, width, one, half, three, eps, tiny, spin, limit, zero)
            moved = zero
            doubtful = zero
            for lane in range(width):
                moved = max(moved, flag[lane])
                doubtful += flag[lane]
            if moved < real(2):
                break
        if doubtful > zero:
            for lane in range(width):
                if flag[lane] > zero:
                    for m in range(9):
                        room[m] = c[width * m + lane]
                    for m in range(4):
                        room[9 + m] = q[width * m + lane]
                    best_rotation(room[:9], room[9:13], room[13:17])
                    for m in range(4):
                        q[width * m + lane] = real(room[13 + m])

    return turn_rows


turn_rows, turn_batch = turning_of(LANES), turning_of(BATCH)
