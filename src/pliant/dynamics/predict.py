# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Where inertia takes the particles: y = x + h v + h^2 a, before models say where they settle."""

from pliant.collision.layout import FAR_OUT, STEP_GRAVITY, SUBSTEP
from pliant.collision.threads import told_by_all
from pliant.runtime.jit import kernel, part
from pliant.runtime.waiting import STOP

WILD = 1e4  # m: from here on a model's products may overflow


@part
def put_those(x, particles, places, first, last):
    """Of some particles, those from first to last go to their places (3 each)."""
    for n in range(len(particles)):
        if first <= particles[n] < last:
            f = 4 * particles[n]
            x[f], x[f + 1], x[f + 2] = places[3 * n], places[3 * n + 1], places[3 * n + 2]


@part
def predict_those(x, v, y, p, inverse, acceleration, g0, g1, g2, h, first, last):
    """Of the particles from first to last: y, and p = y. Returns how many numbers are so large, or none at all, that
    models may fail. Rows of four without a branch, so that they are one vector each."""
    real = x.dtype.type
    step, square = real(h), real(h * h)
    a0, a1, a2, wild = real(h * h * g0), real(h * h * g1), real(h * h * g2), real(WILD)
    many, forced = 0, len(acceleration) > 0
    for i in range(first, last):
        f = 4 * i
        moves = real(1) if inverse[i] > 0 else real(0)
        y0 = x[f] + moves * (step * v[f] + a0)
        y1 = x[f + 1] + moves * (step * v[f + 1] + a1)
        y2 = x[f + 2] + moves * (step * v[f + 2] + a2)
        if forced:
            y0 += moves * square * acceleration[f]
            y1 += moves * square * acceleration[f + 1]
            y2 += moves * square * acceleration[f + 2]
        many += not (abs(y0) < wild and abs(y1) < wild and abs(y2) < wild)
        many += not (abs(x[f]) < wild and abs(x[f + 1]) < wild and abs(x[f + 2]) < wild)
        y[f], y[f + 1], y[f + 2] = y0, y1, y2
        p[f], p[f + 1], p[f + 2] = y0, y1, y2
    return many


@kernel("Nodes Step i i")
def set_out(nodes, step, piece, pieces):
    """Where inertia takes all particles, and pins those that they hold. Answers STOP if one is so far out that models
    might fail: Python then goes on with more care."""
    count, g = len(nodes.inverse), step.numbers
    first, last = count * piece // pieces, count * (piece + 1) // pieces
    many = predict_those(
        nodes.x, step.v, nodes.u, step.p, nodes.inverse, step.acceleration,
        g[STEP_GRAVITY], g[STEP_GRAVITY + 1], g[STEP_GRAVITY + 2], g[SUBSTEP], first, last,
    )  # fmt: skip
    put_those(nodes.u, step.pinned, step.places, first, last)
    return STOP if told_by_all(step.board, piece, pieces, FAR_OUT, many > 0) != 0 else 0
