"""Where things stand in the flat arrays of oriented particles. All bodies of the model, one after the other.

ints      a head of HEAD numbers for each body, then its row pointers and neighbours
floats    constants in the world's precision: particles, edges, examples, and the inverse or the factor of (7)
scalars   SCALARS doubles a body
work      scratch of each body
holds     handles: HOLD whole numbers and SPRING doubles each
"""

# ---- the head of a body, in `ints` -------------------------------------------------------------------------
HEAD = 24
FIRST = 0  # its first particle in the state
COUNT = 1  # particles
ROWS = 2  # place in ints: COUNT + 1 row pointers into its directed edges
LINKS = 3  # place in ints: neighbour and reverse edge, two numbers a directed edge
PARTICLES = 4  # place in floats: PARTICLE numbers each
EDGES = 5  # place in floats: EDGE numbers a directed edge
EXAMPLES = 6  # how many poses
BENDS = 7  # place in floats: BEND numbers an edge and pose, the poses of an edge together; weights are found with
GROUP_OF = 8  # place in ints: the group of each particle; GROUPS where it has none
GROUPS = 9
GRAMS = 10  # place in scalars: K K of each group
MATRIX = 11  # place in floats
SPARSE = 12  # 1: the matrix is a factor, 0: the inverse
WORK = 13
ITERATIONS = 14
HOLDS = 15  # first handle
HELD = 16  # handles
PINNED = 17  # particles that are pinned
WEIGHTS = 18  # place in the model's memory: K of each group, as used in the last step
FACTOR = 19  # place in ints: the structure of the factor
TURN_SETS = 20  # place in ints: particles of one colour, no neighbours, LANES + 1 numbers each: how many, which
TURN_SET_COUNT = 21
GOALS = 22  # place in floats: as BENDS; how the weights change an edge
LASTING = 23  # place in the model's memory: what has stayed, if the body has RULES (examples/plastic_kernels.py)

LANES = 16  # particles of a body that turn together
BATCH = 16  # bodies of one graph that go together, a lane each

# ---- a particle, in `floats` -------------------------------------------------------------------------------
PARTICLE = 12
MOMENT = 0  # Abar (6: 00 11 22 01 02 12)
VOLUME = 6
MASS = 7
ARM = 8  # s_i = sum_j v_j D_ij (3)

# ---- a directed edge i -> j, in `floats` -------------------------------------------------------------------
EDGE = 20
TURN = 0  # M_ij = Abar_j Q_ij^T + Q_ji Abar_i (9, by rows)
OFFSET = 9  # v_j D_ij (3): where j should be, seen from i
BACK = 12  # v_i D_ji (3): where i should be, seen from j
BOTH = 15  # v_i + v_j
JOINT = 16  # 1 / alpha of a beam (beams.py: alpha p_i, alpha p_j and alpha stand in the three above); else 0
BEND = 13  # of a pose: (Q_ij - 1) Abar_j (9, by rows), v_j (D_ij - D^0_ij) (3), what rest has along these

# ---- a body, in `scalars` ----------------------------------------------------------------------------------
SCALARS = 12
STIFFNESS = 0  # k
STRENGTH = 1  # of the examples
DENSITY = 2
DAMPING = 3  # 1/s
DRAG = 4
SCALE = 5  # makes C of a typical particle about 1
GIVEN = 6  # place in scalars: K numbers, the weight of a pose or -1 where it is to be found
RULES = 7  # place in scalars: RULE_ROWS numbers; 0: nothing stays of the weights

# ---- a handle ----------------------------------------------------------------------------------------------
HOLD = 5  # kind, four particles of the body
POINT, AIM = 0, 1
SPRING = 20  # stiffness, target (3), weights (4), then arms (4 x 3), or the direction at rest (3)
ARMS = 8

# ---- scratch of a body: rows of 4, or of COUNT rounded up to 8 ----------------------------------------------


def padded(count: int) -> int:
    """Rounded up to a multiple of 8, so that rows of a matrix begin at whole vectors."""
    return (count + 7) // 8 * 8


def work_size(count: int, edges: int, poses: int) -> int:
    """How many numbers a body works in."""
    return QUATERNIONS * count + 4 * count + 9 * padded(count) + (EDGE * edges + 3 * count if poses else 0)


PLACES, ROTATIONS, MOMENTA, QUATERNIONS = 0, 4, 16, 28  # times COUNT; R by columns of 4, rho/h^2 R* Abar by rows
SIDES = 32  # times COUNT: then three rows each of what stays of the right side, the right side and the solution
