# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Obstacles have the last word: what moves does not end a sub-step deeper in one than it began it.

A contact row is linear: of an obstacle that is round, has edges or turns it is a plane, and a particle that others push
harder than was foreseen has none. What is left goes by position alone, so no velocity is made from it; so does what
begins inside."""

from pliant.collision.layout import (
    BODY,
    BODY_ROW,
    BODY_SIZE,
    CENTRE_AFTER,
    DIRECTION_KEYS,
    KIND,
    OBSTACLE,
    ROTATION_AFTER,
    STIFF,
)
from pliant.collision.narrow_phase.obstacle import gap_in_frame, gap_to_obstacle
from pliant.collision.narrow_phase.round import reach
from pliant.dynamics.constants import RECOVERY
from pliant.runtime.jit import part


@part
def keep_out(shapes, nodes, candidates, obstacles, grids, p, m, body, h):
    """Of a body of particles: its candidates with obstacles, those of pair m. What begins inside comes out."""
    if shapes.bodies[BODY * body + KIND] == STIFF:
        return
    recovers = h * RECOVERY * shapes.materials[BODY_ROW * body + BODY_SIZE]
    x, real = nodes.x, p.dtype.type
    for k in range(candidates.spans[2 * m], candidates.spans[2 * m + 1]):
        key = candidates.keys[k]
        c, proxy = OBSTACLE * (key // DIRECTION_KEYS), key % DIRECTION_KEYS
        size, i = shapes.rest[4 * proxy + 3], shapes.holders[4 * proxy]
        f = 4 * i
        if nodes.inverse[i] == 0.0 or shapes.shares[4 * proxy] < 1.0:
            continue
        gap, n0, n1, n2 = gap_in_frame(
            obstacles, c, c + ROTATION_AFTER, c + CENTRE_AFTER, grids, float(p[f]), float(p[f + 1]), float(p[f + 2])
        )
        r, _, _, _ = reach(nodes.hulls, i, size, n0, n1, n2)
        if gap >= r:
            continue
        before, b0, b1, b2 = gap_to_obstacle(obstacles, c, grids, float(x[f]), float(x[f + 1]), float(x[f + 2]))
        s, _, _, _ = reach(nodes.hulls, i, size, b0, b1, b2)
        out = min(before - s + recovers, 0.0) - (gap - r)
        if out > 0.0:
            p[f], p[f + 1], p[f + 2] = real(p[f] + out * n0), real(p[f + 1] + out * n1), real(p[f + 2] + out * n2)
