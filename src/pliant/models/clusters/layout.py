"""Where things stand in the flat arrays of a cohort.

A cluster is a lane; 64 lanes are a block. All clusters of a block are the same cluster of the same body (of a thousand
dice), its *template*, so the functions phi at its particles are one small table that 64 bodies share:

    table of a template, a row for each particle:   m phi_0 .. m phi_B-1, m,   phi_0 .. phi_B-1, 1,   share, q - q_o

What differs from lane to lane stands in rows of 64, one number of all lanes after the other:

    entry j of lane l of block b   is at   (b * rows + j) * 64 + l

Arrays of a kernel: `ints`, `floats` (constants), `memory` (kept from step to step), `work` (scratch), `x y p`. The
header of `ints` says where their sections begin. F = B + 1 columns: the functions, and the constant 1, whose moment is
the centre. Row 3 f + i of moments is component i of column f.
"""

LANES = 64
(
    BLOCKS,
    FUNCTIONS,  # B: 3 or 9
    EXAMPLES,  # K: poses whose weights are found
    COLUMNS,  # N: poses that clusters are blended from
    GROUPS,
    GROUP_BLOCKS,
    THIN,  # 1: some clusters are flat or straight
    PLASTIC,  # 1: weights of poses stay
    # ---- ints ----
    BLOCK_TABLE,  # BLOCK_WORDS for each block
    FIRSTS,  # 4 times the first particle of the lane's actor, for each lane
    MEMBERS,  # 4 times the number of a particle in its actor: those of each template
    LANE_SPOTS,  # where in `memory` the weights of each lane's group begin
    GROUP_STARTS,  # of each group, in GROUP_SPOTS
    GROUP_SPOTS,  # where in `work` the projections of a cluster begin
    # ---- floats ----
    TABLES,
    SHAPES,  # of each template: K (B), V, a zero; D^0 (3 B), then D^k - D^0 (3 B each)
    LANE_ROWS,  # blocks of LANE_CONSTANTS + N + K rows
    GROUP_ROWS,  # blocks of 2 K K + 1 rows: U, its inverse, the strength
    RULES,  # PLASTIC: group blocks of RULE_ROWS rows (examples/plastic_kernels.py)
    # ---- memory ----
    ROTATIONS,  # blocks of 4 rows
    WEIGHTS,  # group blocks of K rows
    FACES,  # group blocks of K K + K rows
    LASTING,  # PLASTIC: group blocks of K + LASTING_ROWS rows (examples/plastic_kernels.py)
    # ---- work ----
    WORK,  # blocks of work_rows
    WISHES,  # group blocks of K rows
    BLENDS,  # group blocks of K rows
    SCRATCH,  # of each piece
    WEIGH_SCRATCH,
    HEADER,
) = range(29)

# block table: how many lanes are in use, particles of the template, where its members, table and shapes begin
USED, PARTICLES, FIRST_MEMBER, FIRST_ROW, FIRST_SHAPE = range(5)
BLOCK_WORDS = 5
# lane constants: alpha of this step, 1 - F, energy / (1 - F), six of the missing axes; then N given weights, K offsets
ALPHA, REMAINDER, ENERGY, MISSING = 0, 1, 2, 3
LANE_CONSTANTS = 9
CHUNK = 16  # particles whose places are brought into lanes at a time: a cache of 32 kB holds them and all moments
MOST_PIECES = 32  # the work is never cut finer
# scratch: CHUNK places, blend (N), matched moment (9), flag, rotation (9), transforms (3 F)
PLACES, MATCHED = 0, 3 * CHUNK
FLAG, TURN, BLEND = MATCHED + 9, MATCHED + 10, MATCHED + 19


def work_rows(functions: int, examples: int, columns: int) -> int:
    """Of a block: moments 3 (B + 1), the linear ones about the turned rest shape 9, the rotation that turned it 9,
    products with rest and with each pose 9 (N + 1), projections K."""
    return 3 * (functions + 1) + 9 * (columns + 3) + examples


def scratch_rows(functions: int, columns: int) -> int:
    return BLEND + columns + 3 * (functions + 1)
