"""How the numbers of an actor lie in memory. V particles, R modes (with the vectors of the poses), G groups, K poses.

What an actor remembers is one row: the head below, then

    q (R), rates of q (R), forces of what holds it on q (R), weights (G K),
    made (3 V) m: where it put its particles,  pace (3 V) m/s: how fast they went there,
    turns (3 V) rad: rotation vectors of the particles against the frame
"""

(
    STARTED,  # UNKNOWN, FRESH or GOING
    HEAVIER,  # how much heavier than its own mass a particle is to contacts
    CENTRE,  # 3, m
    ROTATION,  # 9
    VELOCITY,  # 3, m/s of the centre
    MOMENTUM,  # 3, kg m^2/s about the centre
    STEP,  # s: the length of the step that went before
) = 0, 1, 2, 5, 14, 17, 20
HEAD = 21
# the particles are to be looked at; they have just been, and their velocities are in here; they go as they were made to
UNKNOWN, FRESH, GOING = 0.0, 1.0, 2.0

# numbers of a step, for the kernel
(
    H,
    GRAVITY,  # 3
    DRIFT,  # what damping and drag of the world leave of a deviation from the rigid motion
    DRAG,  # what drag leaves of everything
    MOST_HEAVIER,
    NOISE,  # rounding of a place, as a part of it
    ALONE,  # 1: there is no other body, and so no other body gets back what contacts give to this one
) = 0, 1, 4, 5, 6, 7, 8
NUMBERS = 9

# whole numbers, for the kernel
COUNT, MODES, GROUPS, POSES, HOLDS, WARPED, FIRST, CUBIC = range(8)
WHOLES = 8

# of each thing that holds the body: stiffness, four weights, target (3), velocity of the target (3)
HOLD = 11
# rows of R numbers: what a step makes of q and of its rate, and the eigenvalues
FROM_Q, FROM_RATE, RATE_FROM_Q, RATE_FROM_RATE, EIGENVALUE = range(5)
RESPONSES = 5

MADE = 0  # nothing stood in the way
REWRITTEN = 1  # the particles were put elsewhere: they are to be looked at first
FAILED = 2  # the system of what holds it is not positive


def row_length(count: int, modes: int, weights: int) -> int:
    """How much an actor remembers."""
    return HEAD + 3 * modes + weights + 9 * count


def scratch_length(count: int, modes: int, weights: int, poses: int) -> int:
    """In how much a step works: shape and its moments, generalised impulses, the system of what holds it, weights."""
    n = 6 + modes
    small = 4 * modes + 2 * weights + 4 * poses * poses + 20 * poses + 64
    return 4 * count + n * n + modes * modes + 11 * n + small
