"""Where things stand in the flat arrays of contact."""

# ---- a body: whole numbers -----------------------------------------------------------------------------------
# its kind; its first particle and the one after the last; its first proxy and the one after the last; where its grid
# of distances begins (-1: it has none), the tets of the grid's points, and its tets; whether it meets itself; the first
# point of its core and the one after the last; its first block of particles and the one after the last
KIND, BODY_FIRST, BODY_END, PROXY, PROXY_END, FIELD, CELLS, TETS, SELF, CORE, CORE_END = range(11)
BODY_BLOCK, BODY_BLOCK_END = 11, 12
# its rank, by which pairs are ordered whatever its number is; and, in the row of number k, the body whose rank is k
RANK, OF_RANK = 13, 14
BODY = 15
SOFT, STIFF, TURNING = range(3)  # particles; one rigid body; particles that turn (ellipsoids)

# ---- a body: numbers -----------------------------------------------------------------------------------------
# contact radius (m), size (m), friction, restitution; how far it reaches beyond the box round its particles (m); how
# far below the skin its core begins (m); how fast a push goes through it (m/s)
RADIUS, BODY_SIZE, FRICTION, RESTITUTION, BODY_REACH, CORE_DEPTH, SOUND = range(7)
BODY_ROW = 7

# ---- a frame: from rest to world, by rows (9), and the centre in the world (3) and at rest (3); quaternion (4) ------
ROTATION, CENTRE, CENTRE_AT_REST, QUATERNION = 0, 9, 12, 15
BODY_FRAME = 20

# ---- the nearest linear map of a body from rest to world, by rows (9), and back (9) --------------------------------
MAP_BACK = 9
BODY_MAP = 18

FAR_AWAY = 1e9  # metres: what gets there has diverged

# ---- the motion of a body: mean velocity of its particles (3) m/s, and how much faster than that any of them is -----
DEVIATION = 3
MOTION = 4

# ---- an axis-aligned box: low corner (3), high corner (3) of a body from now to the end of the sub-step ------------
AABB = 6

# ---- an obstacle -----------------------------------------------------------------------------------------------
# kind, friction, restitution, sizes (3; of a mesh the first is where its grid begins), rotation (9, by rows) and centre
# (3) after the sub-step, the same before it, how far from its centre it reaches (m), how far it goes (m)
OBSTACLE = 32
OBSTACLE_KIND, OBSTACLE_FRICTION, OBSTACLE_RESTITUTION, OBSTACLE_SIZES = 0, 1, 2, 3
ROTATION_AFTER, CENTRE_AFTER, ROTATION_BEFORE, CENTRE_BEFORE, OBSTACLE_REACH, OBSTACLE_WAY = 6, 15, 18, 27, 30, 31
PLANE, SPHERE, BOX, CAPSULE, MESH = range(5)

# ---- the head of a grid of distances -------------------------------------------------------------------------
GRID_HEAD = 16
GRID_POINTS = 0  # along x, y, z (3)
GRID_SPACING = 3  # m
GRID_ORIGIN = 4  # m (3)
GRID_LOW, GRID_HIGH = 7, 10  # m (3 each): corners of the box round what is solid

# ---- a contact row: whole numbers ----------------------------------------------------------------------------
# of both sides what moves there and its number; a key by which the row is found again in the next sub-step; the tet
# that brought the point to the rest shape of side B, -1: none did
KIND_A, INDEX_A, KIND_B, INDEX_B, KEY, THROUGH = range(6)
ROW_SIDES = 6
# what moves: four particles (of the row) with weights, a rigid body, a particle that turns, an obstacle
BY_PARTICLES, BY_BODY, BY_PARTICLE, BY_OBSTACLE = range(4)
KEY_GROUP = 48  # bits of a key below its group: the direction of a pair, proxies of its second body against its first
# being 1, or the number of an obstacle
DIRECTION_KEYS = 1 << KEY_GROUP  # keys of one group
FOURS = 8  # particles of both sides

# ---- a contact row: numbers ----------------------------------------------------------------------------------
# found: normal from B to A (3), gap (m), point (3) m, from what turns to the point on either side (3, 3) m, velocity of
# the surface of an obstacle (3) m/s, friction, restitution, contact radius (m)
NORMAL, ROW_GAP, POINT, ARM_A, ARM_B, SURFACE = 0, 3, 4, 7, 10, 13
ROW_FRICTION, ROW_RESTITUTION, ROW_RADIUS = 16, 17, 18
# solved: tangents (3, 3), effective masses along normal and tangents (kg), accumulated impulses (N s), speed of
# approach before (m/s)
TANGENT, OTHER_TANGENT, MASSES, IMPULSES, APPROACH = 19, 22, 25, 28, 31
# how far the skin of side A lies beyond the particles that answer for it, along the normal (m)
BEYOND = 32
ROW = 33
# what is known of a row in the next sub-step: its impulses (3) in the world, its normal (3), how far the skin was taken
# to lie beyond its particles, and through which tet
MEMORY_NORMAL, MEMORY_BEYOND, MEMORY_THROUGH = 3, 6, 7
ROW_MEMORY = 8

# ---- a candidate (candidates.py): numbers, in the axes of side B -----------------------------------------------
# gap (m), normal (3), what is pushed on side A against the origin of side B (3) m, from there to the point of contact
# (3) m, how far the skins lie beyond what is pushed (m), weights of the tet of side B (4). Of two round ones: the
# normal, in the world
CANDIDATE_GAP, CANDIDATE_NORMAL, CANDIDATE_PLACE, CANDIDATE_POINT = 0, 1, 4, 7
CANDIDATE_BEYOND, CANDIDATE_WEIGHTS = 10, 11
CANDIDATE = 15

# ---- a body in hard impacts (cores.py), flags: its core has been mapped, takes part, is met faster than sound, was
# stopped
MAPPED, TAKES_PART, HARD, STOPPED = 1, 2, 4, 8

# ---- the hardest impact of a body that deforms, until it is over (dynamics/rebound.py) -------------------------------
# with whom (0: it has none; the number of a body plus 1; or obstacles), speed of approach (m/s), restitution, age (s),
# normal (3) away from the other, point (3) m in the middle of the load, speed of an obstacle along the normal (m/s),
# height of the centre along the normal then (m), speed along the normal in the last sub-step (m/s), whether it bears
# load
IMPACT_PARTNER, IMPACT_APPROACH, IMPACT_RESTITUTION, IMPACT_AGE, IMPACT_NORMAL, IMPACT_POINT = 0, 1, 2, 3, 4, 7
IMPACT_SURFACE, IMPACT_HEIGHT, IMPACT_LAST, IMPACT_LOADED = 10, 11, 12, 13
IMPACT = 14
NO_PARTNER, OF_OBSTACLES = 0.0, -1.0

# ---- counts of a sub-step ------------------------------------------------------------------------------------
# pairs of the last sub-step, pairs whose candidates found no room, whether others are awake than before, all pairs of
# this sub-step, those of two bodies, which stand before those of each body with obstacles; whether candidates have to
# be searched (SOME_LOST: though there may be no room for all); the number of the sub-step; core rows; colours; how many
# sub-steps are done of those that were asked for; whether a sub-step goes on from where there was no room
KEPT_PAIRS, LOST_PAIRS, CHANGED, FOUND, PAIR_COUNT, SEARCH, SUBSTEP_NUMBER, CORE_ROWS = range(8)
COLOUR_COUNT, SUBSTEPS_DONE, RESUMED = 8, 9, 10
COUNT_NUMBERS = 11
SOME_LOST = 2

# ---- numbers of a step: gravity (3) m/s^2 and its strength, length of a sub-step (s) and of the whole step (s) -------
STEP_GRAVITY, STRENGTH, SUBSTEP, HORIZON = 0, 3, 4, 5
STEP_NUMBERS = 6

# ---- on the board of a thread (runtime/waiting.py), beside where it is: a particle without a finite place, or -1;
# whether there was no room for its candidates; whether one of its rows bounces; whether a particle is far out --------
BAD, ROOM_IS_MISSING, BOUNCES, FAR_OUT = 9, 10, 11, 12
