# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Examples: which blend of the poses is nearest to how each particle sees its neighbours, and what it then aims at.

Seen from particle i, in its own frame, neighbour j stands at R_i^T (x_j - x_i) and is turned by R_i^T R_j. In pose k
that is D^k_ij and Q^k_ij. The weights of a group minimise its deformation energy (4) over the convex blends of the
poses, Q = sum w_k Q^k and D = sum w_k D^k:

    sum_i sum_j |(R_i^T R_j - Q_ij) Abar_j^1/2|^2 + v_j |R_i^T (x_j - x_i) - D_ij|^2

so a bend or a twist of a rod counts as much as a stretch of a solid, and choosing weights never adds energy."""

from pliant.models.oriented_particles.layout import BACK, BEND, EDGE, JOINT, OFFSET, PARTICLE
from pliant.runtime.jit import part


@part
def describe(n, examples, rows, links, group_of, bends, x, r, groups, z):
    """z of each group: how far its present view goes along each pose, minus what rest has of it."""
    z[: groups * examples] = 0.0
    begin = int(rows[0])
    for i in range(n):
        end = int(rows[i + 1])
        group = int(group_of[i])
        if group < groups:
            b = 12 * i
            for edge in range(begin, end):
                j = int(links[2 * edge])
                a = 12 * j
                u0 = x[4 * j] - x[4 * i]
                u1 = x[4 * j + 1] - x[4 * i + 1]
                u2 = x[4 * j + 2] - x[4 * i + 2]
                for row in range(3):
                    # a row of R_i^T is a column of R_i
                    c0 = r[b + 4 * row]
                    c1 = r[b + 4 * row + 1]
                    c2 = r[b + 4 * row + 2]
                    d = c0 * u0 + c1 * u1 + c2 * u2
                    t0 = c0 * r[a] + c1 * r[a + 1] + c2 * r[a + 2]
                    t1 = c0 * r[a + 4] + c1 * r[a + 5] + c2 * r[a + 6]
                    t2 = c0 * r[a + 8] + c1 * r[a + 9] + c2 * r[a + 10]
                    for k in range(examples):
                        at = BEND * (examples * edge + k)
                        z[group * examples + k] += (
                            bends[at + 3 * row] * t0 + bends[at + 3 * row + 1] * t1 + bends[at + 3 * row + 2] * t2
                            + bends[at + 9 + row] * d
                        )  # fmt: skip
                for k in range(examples):
                    z[group * examples + k] -= bends[BEND * (examples * edge + k) + 12]
        begin = end


@part
def aim(n, examples, rows, links, group_of, groups, weights, edges, goals, aims, arms, particles, arm):
    """The edges as the weights want them: M_ij, v_j D_ij, v_i D_ji, and s_i = sum_j v_j D_ij. In M_ij of a beam,
    alpha p_j p_i^T goes with where the two see their side."""
    begin = int(rows[0])
    for i in range(n):
        end = int(rows[i + 1])
        mine = int(group_of[i])
        s0 = particles[PARTICLE * i + arm]
        s1 = particles[PARTICLE * i + arm + 1]
        s2 = particles[PARTICLE * i + arm + 2]
        for edge in range(begin, end):
            other = int(group_of[int(links[2 * edge])])
            back = int(links[2 * edge + 1])
            e = EDGE * edge
            for m in range(EDGE):
                aims[e + m] = edges[e + m]
            for k in range(examples):
                a = BEND * (examples * edge + k)
                b = BEND * (examples * back + k)
                w = weights[mine * examples + k] if mine < groups else weights.dtype.type(0)
                o = weights[other * examples + k] if other < groups else weights.dtype.type(0)
                for row in range(3):
                    for column in range(3):
                        aims[e + 3 * row + column] += w * goals[a + 3 * column + row] + o * goals[b + 3 * row + column]
                    aims[e + OFFSET + row] += w * goals[a + 9 + row]
                    aims[e + BACK + row] += o * goals[b + 9 + row]
                s0 += w * goals[a + 9]
                s1 += w * goals[a + 10]
                s2 += w * goals[a + 11]
            joint = edges[e + JOINT]
            if joint > 0:
                for row in range(3):
                    for column in range(3):
                        aims[e + 3 * row + column] += joint * (
                            aims[e + BACK + row] * aims[e + OFFSET + column]
                            - edges[e + BACK + row] * edges[e + OFFSET + column]
                        )
        begin = end
        arms[3 * i] = s0
        arms[3 * i + 1] = s1
        arms[3 * i + 2] = s2
