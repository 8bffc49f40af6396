# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The batched step: bodies of one graph, a lane each; the same as kernels.py does for a single one. Pins may hold them,
all by the same particles."""

import math

import numpy as np

import pliant.models.oriented_particles.layout as at  # not from the package: kernels depend on what they import
from pliant.models.oriented_particles.batch_motion import (
    add_displacement,
    add_mechanics,
    add_rows,
    angular_velocities_of,
    angular_velocity_between,
    exact_angular_velocity,
    exact_turn,
    give_back,
    hull_rows,
    inertia_turn,
    largest,
)
from pliant.models.oriented_particles.batch_rows import (
    LANE_ROWS,
    B,
    C,
    F,
    G,
    Q,
    R,
    S,
    U,
    W,
    X,
    Y,
    Z,
    accumulate,
    add_far,
    add_products,
    add_turned,
    scaled_sum,
    times_symmetric,
    write_rows,
)
from pliant.models.oriented_particles.turning import TOLERANCE_DOUBLE, TOLERANCE_SINGLE, turn_batch
from pliant.runtime.jit import kernel, part

BATCH_ROW = 2 + W  # ints of a batch: its first body, how many lanes are in use, the bodies
SCRATCH_SUMS = 64  # rows of scratch beside the particles
MOST_PARTICLES = 2048  # particles of a body
FAST_TURN = 0.12  # tan^2 of half the angle that a particle may turn in a step before the series would be off


@part
def fetch(n, firsts, x, y, q, w, scratch):
    """From rows of bodies to rows of lanes; lanes that are not in use repeat the first."""
    for i in range(U(n)):
        for lane in range(U(W)):
            a = U(4) * (U(firsts[lane]) + i)
            b = U(LANE_ROWS * W) * i + lane
            for m in range(U(3)):
                scratch[b + (U(X) + m) * U(W)] = x[a + m]
                scratch[b + (U(Y) + m) * U(W)] = y[a + m]
                scratch[b + (U(S) + m) * U(W)] = w[a + m]
            for m in range(U(4)):
                scratch[b + (U(B) + m) * U(W)] = q[a + m]


@part
def give_out(lanes, firsts, i, row, hull, alone, p, y, q, w, hulls):
    """From rows of lanes back to rows of bodies: particle i of each."""
    for lane in range(U(lanes)):
        k = U(firsts[lane]) + U(i)
        a, b = U(4) * k, U(6) * k
        for m in range(U(3)):
            p[a + m] = row[(U(X) + m) * U(W) + lane]
            y[a + m] -= row[(U(G) + m) * U(W) + lane]
            w[a + m] = row[(U(S) + m) * U(W) + lane]
        w[a + U(3)] = alone
        for m in range(U(4)):
            q[a + m] = row[(U(Q) + m) * U(W) + lane]
        for m in range(U(6)):
            hulls[b + m] = hull[m * U(W) + lane]


@part
def centre_of(n, particles, scratch, at_x, at_y, c, v):
    """Centre (3 rows) and its displacement from one set of places to another."""
    real = scratch.dtype.type
    for m in range(3 * W):
        c[m] = v[m] = real(0)
    total = real(0)
    for i in range(n):
        mass = particles[at.PARTICLE * i + at.MASS]
        total += mass
        row = scratch[LANE_ROWS * W * i :]
        add_rows(c, row[at_x * W : (at_x + 3) * W], mass)
        add_displacement(v, row[at_y * W : (at_y + 3) * W], row[at_x * W : (at_x + 3) * W], mass)
    for m in range(3 * W):
        c[m] /= total
        v[m] /= total


@part
def iterate(
    iterations, n, wide, order, fixed, rows, links, particles, edges, matrix, scratch, sums, sides, found, flag, room,
    tolerance, k, scaled
):  # fmt: skip
    """(5) (11) one particle after the other, then (7) (12) all together, so many times."""
    real = scratch.dtype.type
    size = LANE_ROWS * W
    for m in range(3 * W * wide):
        sides[m] = real(0)  # what is beyond the last particle stays so
    for _iteration in range(iterations):
        for turn in range(n):
            i = int(order[turn])
            if fixed[i]:
                continue
            row = scratch[size * i : size * (i + 1)]
            for m in range(9 * W):
                sums[m] = real(0)
            for edge in range(int(rows[i]), int(rows[i + 1])):
                accumulate(sums, scratch, U(size * i), U(size * int(links[2 * edge])), edges, U(at.EDGE * edge))
            scaled_sum(sums, scratch, U(size * i + C * W), scaled)
            turn_batch(sums, row[Q * W :], flag, tolerance, room)
            write_rows(row[R * W :], row[Q * W :])
        for i in range(n):
            side = U(3 * W * i)
            if fixed[i]:
                for m in range(3 * W):
                    sides[3 * W * i + m] = real(0)
                continue
            for m in range(3 * W):
                sides[3 * W * i + m] = scratch[size * i + F * W + m]
            a = at.PARTICLE * i + at.ARM
            add_turned(
                sides, side, scratch, U(size * i), -k * particles[a], -k * particles[a + 1], -k * particles[a + 2]
            )
            for edge in range(int(rows[i]), int(rows[i + 1])):
                e = at.EDGE * edge + at.BACK
                other = U(size * int(links[2 * edge]))
                add_turned(sides, side, scratch, other, k * edges[e], k * edges[e + 1], k * edges[e + 2])
        for i in range(0, wide, 2):
            for m in range(6 * W):
                found[3 * W * i + m] = real(0)
            for j in range(0, wide, 8):
                a = wide * i + j
                add_products(found, U(3 * W * i), sides, U(3 * W * j), matrix, U(a), U(a + wide))
        for i in range(n):
            for m in range(3 * W):
                scratch[size * i + X * W + m] = scratch[size * i + Y * W + m] + found[3 * W * i + m]


@kernel("u[] x[] d[] u[] x[] x[] x[] x[] x[] x[] x[] d x[] i i")
def batched_step(ints, floats, scalars, batches, x, y, p, q, w, hulls, inverse, h, scratch, first, last):
    """A step of the batches from `first` to `last`, all of them in one scratch array, which stays in the cache so."""
    real = x.dtype.type
    tolerance = TOLERANCE_SINGLE if x.itemsize == 4 else TOLERANCE_DOUBLE
    room = np.empty(20)
    flag = np.empty(W, x.dtype)
    firsts = np.empty(W, np.int64)
    order = np.empty(MOST_PARTICLES, np.int64)
    fixed = np.empty(MOST_PARTICLES, np.bool_)
    for number in range(first, last):
        batch = batches[BATCH_ROW * number : BATCH_ROW * (number + 1)]
        body = int(batch[0])
        lanes = int(batch[1])
        head = ints[at.HEAD * body : at.HEAD * (body + 1)]
        for lane in range(W):
            other = int(batch[2 + lane]) if lane < lanes else body
            firsts[lane] = int(ints[at.HEAD * other + at.FIRST])
        s = scalars[at.SCALARS * body : at.SCALARS * (body + 1)]
        n = int(head[at.COUNT])
        wide = (n + 7) // 8 * 8
        rows = ints[int(head[at.ROWS]) :]
        links = ints[int(head[at.LINKS]) :]
        particles = floats[int(head[at.PARTICLES]) :]
        edges = floats[int(head[at.EDGES]) :]
        matrix = floats[int(head[at.MATRIX]) :]
        extra = scratch[LANE_ROWS * W * wide :]
        sides = extra[SCRATCH_SUMS * W :]
        found = sides[3 * W * wide :]
        k = real(s[at.STIFFNESS])
        scale = s[at.SCALE]
        density = real(s[at.DENSITY])
        weight = real(scale * s[at.DENSITY] / (h * h))
        turn_sets = ints[int(head[at.TURN_SETS]) :]
        turn = 0
        for turn_set in range(int(head[at.TURN_SET_COUNT])):  # in the order in which a single body turns them
            for lane in range(int(turn_sets[(at.LANES + 1) * turn_set])):
                order[turn] = int(turn_sets[(at.LANES + 1) * turn_set + 1 + lane])
                turn += 1
        free = head[at.PINNED] == 0
        for i in range(n):
            fixed[i] = inverse[firsts[0] + i] == 0
        fetch(n, firsts, x, y, q, w, scratch)
        # inertia, and the angular momentum that it brings
        c = extra[: 3 * W]
        v = extra[3 * W : 6 * W]
        before = extra[6 * W : 24 * W]
        centre_of(n, particles, scratch, X, Y, c, v)
        for m in range(18 * W):
            before[m] = real(0)
        for i in range(n):
            row = scratch[LANE_ROWS * W * i : LANE_ROWS * W * (i + 1)]
            constants = particles[at.PARTICLE * i :]
            write_rows(row[R * W :], row[B * W :])
            add_mechanics(
                constants[at.MASS], density, constants[at.MOMENT :], row[X * W :], row[Y * W :], row[S * W :],
                row[R * W :], c, v, real(1.0 / h), before,
            )  # fmt: skip
            inertia_turn(row[B * W :], row[S * W :], row[Q * W :], flag, h)
            if x.itemsize == 8 or not largest(flag) < real(FAST_TURN):
                exact_turn(row[B * W :], row[S * W :], row[Q * W :], h)
            if fixed[i]:
                for m in range(4 * W):
                    row[Q * W + m] = row[B * W + m]
            write_rows(row[R * W :], row[Q * W :])
            times_symmetric(row[C * W :], row[R * W :], constants[at.MOMENT :], weight)
            far = row[F * W :]
            for m in range(3 * W):
                far[m] = real(0)
            for edge in range(int(rows[i]), int(rows[i + 1])):
                j = int(links[2 * edge])
                other_row = scratch[LANE_ROWS * W * j :]
                add_far(far, other_row[Y * W :], row[Y * W :], k * edges[at.EDGE * edge + at.BOTH])
        # from here X is where the particles are in the iterations; where they were comes back with `firsts`
        for i in range(n):
            row = scratch[LANE_ROWS * W * i :]
            for m in range(3 * W):
                row[X * W + m] = row[Y * W + m]
        iterate(
            int(head[at.ITERATIONS]), n, wide, order, fixed, rows, links, particles, edges, matrix, scratch,
            extra[24 * W : 33 * W], sides, found, flag, room, tolerance, k, real(scale) * k,
        )  # fmt: skip
        # angular velocities, and what is missing of the angular momentum
        for i in range(U(n)):
            for lane in range(U(lanes)):
                for m in range(U(3)):  # Z: where they were
                    scratch[U(LANE_ROWS * W) * i + (U(Z) + m) * U(W) + lane] = x[U(4) * (U(firsts[lane]) + i) + m]
        centre_of(n, particles, scratch, X, Z, c, v)
        after = extra[33 * W : 51 * W]
        for m in range(18 * W):
            after[m] = real(0)
        for i in range(n):
            row = scratch[LANE_ROWS * W * i : LANE_ROWS * W * (i + 1)]
            constants = particles[at.PARTICLE * i :]
            angular_velocity_between(row[Q * W :], row[B * W :], row[S * W :], flag, h)
            if x.itemsize == 8 or not largest(flag) < real(FAST_TURN):
                exact_angular_velocity(row[Q * W :], row[B * W :], row[S * W :], h)
            add_mechanics(
                constants[at.MASS], density, constants[at.MOMENT :], row[X * W :], row[Z * W :], row[S * W :],
                row[R * W :], c, v, real(-1.0 / h), after,
            )  # fmt: skip
        for m in range(3 * W):
            before[m] -= after[m]
        missing = extra[51 * W : 54 * W]
        spin = extra[54 * W : 57 * W]
        angular_velocities_of(after[3 * W :], before, missing)
        angular_velocities_of(after[12 * W :], after[9 * W :], spin)
        keep = real(math.exp(-h * s[at.DAMPING]))
        drag = real(math.exp(-h * s[at.DRAG]))
        hull = extra[57 * W : 63 * W]
        if not free:  # pins take what is missing
            for m in range(3 * W):
                missing[m] = spin[m] = real(0)
        for i in range(n):
            row = scratch[LANE_ROWS * W * i : LANE_ROWS * W * (i + 1)]
            constants = particles[at.PARTICLE * i :]
            if fixed[i]:
                for m in range(3 * W):
                    row[S * W + m] = real(0)
            give_back(row[X * W :], row[G * W :], row[S * W :], c, missing, spin, real(h), keep, drag)
            hull_rows(hull, row[R * W :], constants[at.MOMENT :], real(5) / constants[at.VOLUME])
            give_out(lanes, firsts, i, row, hull, real(1) if n == 1 else real(0), p, y, q, w, hulls)
