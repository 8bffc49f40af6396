"""Where things stand in the flat arrays of rigid bodies."""

# ---- a head: three numbers for each actor ---------------------------------------------------------------------
RIGID_HEAD = 3
HEAD_FIRST, HEAD_COUNT, HEAD_REST = range(3)  # its first particle in the state, how many, where they begin in `rest`
# ---- constants of an actor -------------------------------------------------------------------------------------
RIGID_CONSTANTS = 11
RIGID_MASS, RIGID_INVERSE_INERTIA, RIGID_DRAG = 0, 1, 10  # kg; at rest (9); 1/s
