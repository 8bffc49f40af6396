"""Where things stand in the flat arrays of a cohort.

All actors of a cohort (same number of examples, same modes) stand one after the other: region r belongs to particle r
and is lane r % 64 of block r // 64. What is done for each region by itself is done for 64 lanes at once, so the numbers
of a block stand in rows of 64, one number of all lanes after the other:

    block b:   row 0   a00 of 64 regions
               row 1   a01 of 64 regions
               ...
    entry j of lane l of block b   is at   (b * rows + j) * 64 + l

What goes from particle to particle stands in rows, one per particle, cut into TILES of four. A particle's row of SHAPES
is where it is at rest and how far each pose takes it from there; to a region a pose is one more rest shape:

    tile 0            tile 1              tile 2 ...
    rest x y z 1  |   d^1 x y z, d^2 x |  d^2 y z, d^3 x y | ...        4 + 3 C numbers, then zeros

The moments of a region are sums of such rows over its ring, times the particle's displacement; its transform is one
column of 4 for each of these numbers, so that the goal of a particle is its row times the sum of the transforms:

    column            0 1 2         3        4 5 6                     7 ...
    of 4 numbers      T (and 0)     shift    T^1 = w_1 R F^1           T^2

Five arrays go to a kernel: `ints`, `floats` (constants), `memory` (kept from step to step), `work` (scratch), `x y p`.
Each is cut into sections; the header of `ints` says where they begin. FAR has its ring members in an array of their
own, `near`, as differences of numbers, in half as many bytes.
"""

import numpy as np

LANES = 64
RATE = 60.0  # `stiffness` is meant for this many steps per second

# ---- header of `ints` -------------------------------------------------------------------------------------------
(
    FIRST,  # the cohort's first particle in the state
    COUNT,  # particles
    BLOCKS,
    EXAMPLES,  # K: poses whose weights are to be found
    GROUPS,
    GROUP_BLOCKS,
    BY_REGION,  # 1: each region is its own group
    PAPER_WEIGHTS,
    PAPER_ROTATION,
    THIN,  # 1: some regions are flat or straight
    GLOBAL,  # 1: all regions of an actor are one group
    COLUMNS,  # C: poses that rings are blended from: K, and those whose weights are given
    TILES,  # fours of a row of SHAPES
    CONSTANTS,  # rows of a block of REGIONS
    WORK,  # rows of a block of REGION_WORK
    FAR,  # 1: too large for the cache, so what can be had from fewer bytes is (see below)
    REACH,  # FAR: the largest distance between the numbers of two particles of a ring
    UNEVEN,  # 1: some regions are stiffer than others
    RING_BLOCKS,  # FAR: blocks of transforms that are kept at a time
    RELIEVED,  # 1: some groups have RELIEF
    PLASTIC,  # 1: weights of poses stay
    # sections of ints
    RING_STARTS,  # (COUNT + 1)
    RING_MEMBERS,  # 4 * local particle number; FAR: none
    ORIGINS,  # for each particle: 4 * the innermost one of its actor, from which centres and goals are taken
    GROUP_STARTS,  # (GROUPS + 1) into GROUP_SPOTS
    GROUP_SPOTS,  # for each region of each group: where its first projection row stands in `work`
    REGION_SPOTS,  # for each lane: where the blend of its group begins in `memory`
    # sections of floats
    REGIONS,  # blocks of CONSTANT_ROWS + K + POSE_ROWS C rows; PAPER_WEIGHTS: 6 K + 6 more
    SHAPES,  # 4 TILES per particle: rest position, 1, displacement in each pose, zeros
    MASSES,  # m~ over the mean s of the body
    SHARES,  # 1 / |N_i|; 1 / (sum of the weights of its regions) where they have some
    STIFFNESS,  # at 60 Hz
    REGION_WEIGHTS,  # of each lane: its stiffness, in units of the actor's mean (material.py)
    GROUP_CONSTANTS,  # blocks of 2 K K + 1 rows: U, its inverse, strength
    RELIEF,  # blocks of 2 K rows: a and b of each pose (relief.py)
    RULES,  # PLASTIC: blocks of RULE_ROWS rows (examples/plastic_kernels.py)
    # sections of memory
    ROTATIONS,  # blocks of 8 rows: the quaternions of R in A = R S (paper only) and of the matched R
    FACES,  # blocks of K K + K rows: N and u (maths/simplex.py)
    WEIGHTS,  # blocks of K rows: w as they are used
    LASTING,  # PLASTIC: blocks of K + LASTING_ROWS rows (examples/plastic_kernels.py)
    SETTLED,  # blocks of 1 row: 0 before the first step of a group, whose weights are found from nothing
    # sections of work
    REGION_WORK,  # blocks of WORK rows: A_pq, c, K projections, and C moments A_pu of 9 rows, kept between the passes
    SCRATCH,  # SCRATCH_ROWS + C + 34 TILES rows for each piece of the work, used for one block after the other
    TRANSFORMS,  # 16 TILES per particle: columns of 4; FAR: only those near the edges of a piece
    RECENT,  # FAR: RING_BLOCKS blocks of transforms for each piece, over and over
    GROUP_WORK,  # blocks of K rows: the projections of a group
    BLENDS,  # blocks of K rows: U w
    WEIGH_SCRATCH,  # 2 K + 4 rows for each piece
    BEFORE,  # blocks of K rows: weights before this step, then those of its first round
    RESTLESS,  # blocks of 1 row: 1 for groups whose weights take further rounds
    HEADER,
) = range(51)

# ---- rows of a block --------------------------------------------------------------------------------------------
# constants: c0, A_qq^-1, P, 1/M; s and stiffness over their means in the body, divided by REMAINDER; 1 - F, F being the
# sum of the given weights; the body's mean s over s; c0 as seen from the region's own particle
CENTRE, INVERSE, MISSING, MASS, RATIO, REMAINDER, UNIT, ASIDE = 0, 3, 9, 15, 16, 17, 18, 19
CONSTANT_ROWS = 22
# then C times POSE_ROWS: E = F - 1 with F = R^k^T (zero where the pose is not seen), 1 where it is seen, the centre of
# the displacements d^k of the ring, the same as seen from the region's own particle, the weight if it is given
TURN, SEEN, POSE_CENTRE, POSE_ASIDE, GIVEN = 0, 9, 10, 13, 16
POSE_ROWS = 17
# then K rows <q + u_given, u_k>; for weights="paper" K times six of a basis of S^k - I, and six of the given blend
MOMENT, CENTROID, PROJECTIONS = 0, 9, 12  # work kept between the passes; the moments A_pu follow the projections
WORK_ROWS = 12
# scratch: A, S, flag, C rows of how much of each pose; then columns of transforms, ring sums in rows of lanes, and the
# ring sums of eight regions as they come
GRADIENT, STRETCH, FLAG, BLEND = 0, 9, 15, 16
SCRATCH_ROWS = 16
TILE_ROWS = 34  # of scratch for each tile: 16 of transforms, 16 of ring sums, 16 for each of eight regions
MIDDLE = 1 << 15  # of what a number in `near` can be: the particle itself
MOST_PIECES = 32  # the work is never cut finer
EVERYWHERE = np.uint64(2**64 - 1)  # numbers after which transforms begin anew: never
