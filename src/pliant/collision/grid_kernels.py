# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Reading off a grid of distances (geometry/distance_grid.py).

All grids stand in one array of float32, each with a head (layout.py) and then its distances, z fastest."""

import math

from pliant.collision.layout import FAR_AWAY, GRID_HEAD, GRID_ORIGIN, GRID_POINTS, GRID_SPACING
from pliant.runtime.jit import inner, part


@part
def sample(g, at, q0, q1, q2):
    """Distance and outward unit normal at a point in the frame of the grid."""
    spacing = float(g[at + GRID_SPACING])
    if not (abs(q0) + abs(q1) + abs(q2) < FAR_AWAY):  # NaN as well
        return FAR_AWAY, 0.0, 1.0, 0.0
    u0 = min(max((q0 - g[at + GRID_ORIGIN]) / spacing, 0.0), g[at + GRID_POINTS] - 1.0)
    u1 = min(max((q1 - g[at + GRID_ORIGIN + 1]) / spacing, 0.0), g[at + GRID_POINTS + 1] - 1.0)
    u2 = min(max((q2 - g[at + GRID_ORIGIN + 2]) / spacing, 0.0), g[at + GRID_POINTS + 2] - 1.0)
    e0 = q0 - g[at + GRID_ORIGIN] - spacing * u0
    e1 = q1 - g[at + GRID_ORIGIN + 1] - spacing * u1
    e2 = q2 - g[at + GRID_ORIGIN + 2] - spacing * u2
    i = min(int(u0), int(g[at + GRID_POINTS]) - 2)
    j = min(int(u1), int(g[at + GRID_POINTS + 1]) - 2)
    k = min(int(u2), int(g[at + GRID_POINTS + 2]) - 2)
    u0 -= i
    u1 -= j
    u2 -= k
    rows = int(g[at + GRID_POINTS + 2])
    layers = rows * int(g[at + GRID_POINTS + 1])
    a = at + GRID_HEAD + i * layers + j * rows + k
    b = a + layers
    # along z, then y, then x
    z00 = float(g[a + 1]) - float(g[a])
    z01 = float(g[a + rows + 1]) - float(g[a + rows])
    z10 = float(g[b + 1]) - float(g[b])
    z11 = float(g[b + rows + 1]) - float(g[b + rows])
    d00 = float(g[a]) + u2 * z00
    d01 = float(g[a + rows]) + u2 * z01
    d10 = float(g[b]) + u2 * z10
    d11 = float(g[b + rows]) + u2 * z11
    y0 = d01 - d00
    y1 = d11 - d10
    d0 = d00 + u1 * y0
    n0 = d10 + u1 * y1 - d0
    n1 = y0 + u0 * (y1 - y0)
    z0 = z00 + u1 * (z01 - z00)
    n2 = z0 + u0 * (z10 + u1 * (z11 - z10) - z0)
    d = d0 + u0 * n0
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if length < 1e-6 * spacing:
        n0, n1, n2 = 0.0, 1.0, 0.0
    else:
        n0, n1, n2 = n0 / length, n1 / length, n2 / length
    beyond = e0 * e0 + e1 * e1 + e2 * e2
    if beyond > 1e-12 * spacing * spacing:
        return outside(d, n0, n1, n2, e0, e1, e2, beyond)
    return d, n0, n1, n2


@part
def outside(d, n0, n1, n2, e0, e1, e2, beyond):
    """The same at a point that is e from the nearest one of the grid, where there are d and n. The surface lies within
    the box of the grid, so the angle between e and the way to it is blunt: sqrt(d^2 + e^2) is never too much. Nor can
    the distance be more than d + |e|; between these it goes on as it does at the edge."""
    far = d + n0 * e0 + n1 * e1 + n2 * e2
    far = min(max(far, math.sqrt(d * d + beyond)), d + math.sqrt(beyond))
    n0, n1, n2 = d * n0 + e0, d * n1 + e1, d * n2 + e2
    length = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if length == 0.0:
        return far, 0.0, 1.0, 0.0
    return far, n0 / length, n1 / length, n2 / length


@inner
def nearest_point(g, at, q0, q1, q2):
    """The number of the grid's point that is nearest to a place."""
    spacing = float(g[at + GRID_SPACING])
    i = int(min(max((q0 - g[at + GRID_ORIGIN]) / spacing + 0.5, 0.0), g[at + GRID_POINTS] - 1.0))
    j = int(min(max((q1 - g[at + GRID_ORIGIN + 1]) / spacing + 0.5, 0.0), g[at + GRID_POINTS + 1] - 1.0))
    k = int(min(max((q2 - g[at + GRID_ORIGIN + 2]) / spacing + 0.5, 0.0), g[at + GRID_POINTS + 2] - 1.0))
    return (i * int(g[at + GRID_POINTS + 1]) + j) * int(g[at + GRID_POINTS + 2]) + k
