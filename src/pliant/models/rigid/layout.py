"""Where things stand in the flat arrays of rigid bodies."""

# ---- a head: three numbers for each actor ---------------------------------------------------------------------
RIGID_HEAD = 3
HEAD_FIRST, HEAD_COUNT, HEAD_REST = range(3)  # its first particle in the state, how many, where they begin in `rest`
# ---- a contact, as the world marks it; the first row has the first rigid particle and the one after the last ---------
MARK = 20
MARK_TOUCHES = 0  # whether it touches
MARK_NORMAL = 1  # (3)
MARK_SPEED = 4  # m/s along the normal after the contact
MARK_OBSTACLE = 5  # m/s (3): velocity of the obstacle
MARK_FRICTION = 8
MARK_PUSH = 9  # m
MARK_VELOCITY, MARK_PLACE = 10, 13  # m/s, m (3 each): without the contact
MARK_IMPULSE = 16  # room for impulses: along the normal, and friction (3)
# ---- constants of an actor -------------------------------------------------------------------------------------
RIGID_CONSTANTS = 11
RIGID_MASS, RIGID_INVERSE_INERTIA, RIGID_DRAG = 0, 1, 10  # kg; at rest (9); 1/s
