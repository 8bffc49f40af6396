# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Convex weights: the point of a simplex nearest to where the unconstrained minimum would be.

For each lane, with K examples beside the rest pose, find

    w = argmin |U w - z|^2     with  w_k >= 0,  w_0 = 1 - sum w_k >= 0.

The examples come in an orthonormal basis Q, L = Q U and z = Q^T (S - S^0): the condition of U is the square root of
that of L^T L, which is what makes single precision enough. On a given face of the simplex (the set of weights that are
not zero, w_0 among them) the minimiser is affine in z: w = N z + u. From one time step to the next the face seldom
changes, so a lane remembers N and u, evaluates them, and checks optimality by the gap

    gap = max_k r_k - sum_k w_k r_k,    r = U^T (z - U w),  r_0 = 0,

which is zero exactly at the minimiser. All of that is straight-line arithmetic over 64 lanes. Only a lane that fails
the check walks over the faces (faces.py) and writes its new N and u.

Rows of a block are 64 lanes wide; entry (i, j) of a K x K matrix is row `K i + j`.
"""

import numpy as np

from pliant.maths.faces import faces_room, walk_faces
from pliant.maths.polar import LANES
from pliant.runtime.jit import part


@part
def multiply_rows(matrix, vector, out, count, transposed, lanes):
    """out += matrix vector (or its transpose times it), for the first lanes of a block."""
    for i in range(count):
        o = out[LANES * i : LANES * (i + 1)]
        for j in range(count):
            s = count * j + i if transposed else count * i + j
            m = matrix[LANES * s : LANES * (s + 1)]
            c = vector[LANES * j : LANES * (j + 1)]
            for lane in range(lanes):
                o[lane] += m[lane] * c[lane]


@part
def clear_rows(rows, count):
    zero = rows.dtype.type(0)
    for j in range(LANES * count):
        rows[j] = zero


@part
def convex_weights(bases, z, z_rows, faces, weights, blends, scratch, count, tolerance, first, last, used):
    """Exact weights and their blend U w for the blocks from `first` to `last`, of which `used` lanes are in use. Blocks
    of `bases` have 2 K K + 1 rows and begin with U, those of `z` have `z_rows` rows, those of `faces` hold N and u and
    are brought up to date."""
    square = count * count
    queue = np.empty(2 * LANES, dtype=np.int64)  # lanes whose face has changed, from any block: block * 64 + lane
    room = np.empty(faces_room(count))
    waiting = np.int64(0)
    for block in range(first, last):
        lanes = min(LANES, (used - block * LANES + 15) // 16 * 16)
        basis = bases[block * (2 * square + 1) * LANES :]
        face = faces[block * (square + count) * LANES :]
        w = weights[block * count * LANES :]
        blend = blends[block * count * LANES :]
        wrong = check_block(basis, z[block * z_rows * LANES :], face, w, blend, scratch, count, tolerance, lanes)
        if wrong == 0:
            continue
        marks = scratch[2 * LANES * count :]
        for lane in range(lanes):
            if marks[lane] != 0:
                queue[waiting] = block * LANES + lane
                waiting += 1
        if waiting >= LANES:
            walk_faces(bases, z, z_rows, faces, weights, blends, queue, np.int64(LANES), count, room)
            for lane in range(LANES, waiting):
                queue[lane - LANES] = queue[lane]
            waiting -= LANES
    if waiting > 0:
        walk_faces(bases, z, z_rows, faces, weights, blends, queue, waiting, count, room)


@part
def check_block(basis, z, face, w, blend, scratch, count, tolerance, lanes):
    """Evaluate w = N z + u and U w for a block; mark in row 2 K of `scratch` the lanes where that is not optimal."""
    zero = w.dtype.type(0)
    one = w.dtype.type(1)
    close = w.dtype.type(tolerance)
    rest_of_z = scratch
    gain = scratch[LANES * count :]
    checks = scratch[2 * LANES * count :]
    shift = face[LANES * count * count :]
    for j in range(LANES * count):
        w[j] = shift[j]
    multiply_rows(face, z, w, count, False, lanes)
    clear_rows(blend, count)
    multiply_rows(basis, w, blend, count, False, lanes)
    for j in range(LANES * count):
        rest_of_z[j] = z[j] - blend[j]
    clear_rows(gain, count)
    multiply_rows(basis, rest_of_z, gain, count, True, lanes)

    # checks: row 0 the gap, row 1 the smallest weight, row 2 the weight of rest, row 3 what rounding may amount to
    for lane in range(lanes):
        checks[lane] = zero
        checks[lane + 64] = one
        checks[lane + 128] = one
        checks[lane + 192] = zero
    for k in range(count):
        r = gain[LANES * k : LANES * (k + 1)]
        v = w[LANES * k : LANES * (k + 1)]
        for lane in range(lanes):
            checks[lane] = r[lane] if r[lane] > checks[lane] else checks[lane]
            checks[lane + 64] = v[lane] if v[lane] < checks[lane + 64] else checks[lane + 64]
            checks[lane + 128] -= v[lane]
    for k in range(count):
        r = gain[LANES * k : LANES * (k + 1)]
        v = w[LANES * k : LANES * (k + 1)]
        d = z[LANES * k : LANES * (k + 1)]
        for j in range(count):
            u = basis[LANES * (count * k + j) : LANES * (count * k + j + 1)]
            for lane in range(lanes):
                checks[lane + 192] += abs(u[lane]) * (abs(u[lane]) + abs(d[lane]))
        for lane in range(lanes):
            checks[lane] -= v[lane] * r[lane]
    wrong = 0
    for lane in range(lanes):
        low = checks[lane + 128] if checks[lane + 128] < checks[lane + 64] else checks[lane + 64]
        bad = (low < -close) | (checks[lane] > close * checks[lane + 192])
        checks[lane] = one if bad else zero
        wrong += 1 if bad else 0
    return wrong


@part
def clamped_weights(inverse, z, w, count):
    """The paper's weights: unconstrained least squares w = U^-1 z, then the most negative weight is set to zero and its
    amount taken from the others, until none is negative. Taken from the weights still in play only: from all the
    others, as printed, the procedure can go on for ever."""
    clear_rows(w, count)
    multiply_rows(inverse, z, w, count, False, LANES)
    play = np.empty(count + 1, dtype=np.bool_)
    values = np.empty(count + 1)
    for lane in range(LANES):
        rest = 1.0
        lowest = 0.0
        for k in range(count):
            values[k] = w[LANES * k + lane]
            rest -= values[k]
            lowest = min(lowest, values[k])
        values[count] = rest
        if min(lowest, rest) >= 0.0:
            continue
        for k in range(count + 1):
            play[k] = True
        left = count + 1
        while left > 1:
            worst = -1
            for k in range(count + 1):
                if play[k] and values[k] < 0.0 and (worst < 0 or values[k] < values[worst]):
                    worst = k
            if worst < 0:
                break
            play[worst] = False
            left -= 1
            share = values[worst] / left
            values[worst] = 0.0
            for k in range(count + 1):
                if play[k]:
                    values[k] += share
        for k in range(count):
            w[LANES * k + lane] = values[k]
