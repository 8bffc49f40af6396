"""Where things stand in the rows of numbers that go to the kernels of contact between bodies."""

# ---- a contact sphere: constants ---------------------------------------------------------------------------
PROXY = 4
RADIUS = 0  # m; below zero: an ellipsoid, whose shape is in the state (hulls)
COVER = 1  # m: how far along the skin it stands for a flat piece of it; below zero at the rim of one; 0: no skin
PROXY_ARM = 2  # m: from its centre to its particle of the skin; 0 if it has none
BOUND = 3  # m: nothing farther than this from its centre can touch it

# ---- a contact sphere: in one sub-step ---------------------------------------------------------------------
PROXY_PLACE = 16
END_CENTRE = 0  # centre where the models put it (3)
PROXY_INV_MASS = 3  # inverse mass, sum w^2 / m
START_CENTRE = 4  # centre before the sub-step, turned as at its end (3)
FIXED = 7  # 1: pushes do not move its particles, because it sleeps or because its body takes them as a whole
OUT = 8  # outward normal of the skin (3), zero if it has none
CENTRE_OFFSET = 11  # m: from what it is attached to, to the centre (3)
ONE_PARTICLE = 14  # above 0: a push moves just one particle; ELLIPSOID: and that is its centre
ELLIPSOID = 2

# ---- a box round all that a contact sphere may touch in a sub-step --------------------------------------------
PROXY_BOX = 8  # middle (3), half its width (3)
CANDIDATE_RANGE = 0.10  # of the reach: ellipsoids that are nearer than this are kept as candidates
CONTACT_RANGE = 0.03  # of the reach: spheres that are nearer than this may yet be pushed into contact

# ---- a contact sphere, for culling: what tells quickly whether two are apart, close together in memory ---------------
CULL_ROW = 16
CULL_END, CULL_START = 0, 4  # END_CENTRE (3) and START_CENTRE (3)
CULL_MOVES = 3  # 1: pushes may move it
CULL_RADIUS = 7  # RADIUS
CULL_SHAPE = 8  # of an ellipsoid its hull (6); of others OUT (3), and
CULL_ARM, CULL_COVER = 11, 12  # PROXY_ARM, COVER
CULL_BOUND = 14  # BOUND

# ---- an actor ----------------------------------------------------------------------------------------------
MATERIAL = 16  # and what else contact has to know of it
FRICTION, RESTITUTION, SELF = range(3)
PAD = 3  # m: how far its spheres reach beyond its particles
ACTOR_DAMPING = 4  # 1/s: its damping
MAY_SLEEP = 5  # 1: it may sleep
FIRM = 6  # 1: it is so stiff that a push reaches all of it within a sub-step; 2: its model moves it as one
THICKNESS = 7  # m: how thick its spheres are, half of them at least
CRUSH_SPEED = 8  # m/s: how fast an impact may make its material go before it is crushed; infinite: any speed
IMPEDANCE = 9  # kg/(m^2 s): density times speed of sound; infinite if it is hard, 0 if it is thin and gives way
CANDIDATE_SLACK = 10  # m: how far it may move before spheres touch that are no candidates; 0: all are checked each time
AABB = 8  # least corner (3), greatest corner (3), and
PARTNERS = 6  # how many others it may meet

# ---- an actor's accumulated displacement, from sub-step to sub-step (see pair_list_kernels) -------------------------
DISPLACEMENT = 16
BOXED_AT = 0  # when its boxes were drawn last
KNOWN_SINCE = 1  # since when they are known without a gap
ACCUMULATED = 3  # m: how far its boxes went (3), and how much more or less any side of them (3)
LAST_DISPLACEMENT = 9  # m: ACCUMULATED in the last sub-step alone (6)

# ---- two actors: their candidates, and the list of their spheres; what is used together is in one cache line ----
PAIR_HEAD = 24  # key of the body pair; KNOWN_SINCE of both when it was listed (2); then
CHECKED_AT = 3  # number of the sub-step in which they were checked last
CHECKED = 4  # m: ACCUMULATED of both at that time: the difference, and the sum (6)
FIRST_CANDIDATE, CANDIDATE_COUNT = 10, 11  # the first of their candidate pairs, and how many
CANDIDATE_ROOM = 12  # for how many candidates there is room
LIST_START, LIST_COUNT = 13, 14  # where the list begins, and how many numbers are in it; -1: none was kept
LIST_SLACK = 15  # m: how far the two may move against each other before it is void
LISTED = 16  # m: ACCUMULATED of both when it was made (6)

# ---- a candidate pair of spheres: both numbers, the direction in which they part (3), the reach of each (2), m -------
CANDIDATE = 8

CONTACT_LANES = 8  # pairs or contacts that are done at a time

# ---- a contact ---------------------------------------------------------------------------------------------
CONTACT = 32  # two cache lines in single precision; those of two actors stand together
ONE, OTHER = 0, 1  # spheres
NORMAL = 2  # (3) from the other to the one
MIN_DISTANCE = 5  # m: how far the centres have to be apart along the normal
EFFECTIVE_MASS = 6  # kg: 1 / (sum of the inverse masses)
PUSH = 7  # kg m: along the normal
FRICTION_PUSH = 8  # kg m: friction (3)
CONTACT_FRICTION = 11  # coefficient of friction
OLD_GAP = 12  # m: gap at the beginning of the sub-step
CONTACT_RESTITUTION = 13  # coefficient of restitution
REACH, OTHERS_REACH = 14, 15  # m: from the centres to where they touch
SLIP_OFFSET = 16  # m: what has to be added to the vector between the centres at the end for the slip (3)
STICK_PLACE = SLIP_OFFSET  # m: in the row of an obstacle, where its particle would be if it did not slip (3)
DEPTH = 19  # m: how deep they would be inside one another without the contact
STICKS = 20  # 1: friction holds it
CAME = 23  # m/s: how fast the bodies approached there before the sub-step, where they bounce
INV_MASS, OTHERS_INV_MASS = 21, 22  # 1/kg: how far each goes for a push
PARTICLES_ONLY = 24  # above 0: a push moves just one particle of each; ELLIPSOIDS_ONLY: these are at the centres
ELLIPSOIDS_ONLY = ELLIPSOID * ELLIPSOID
# and in the first row of two actors alone
PAIR_CONTACTS = 25  # how many contacts they have
PUSHING = 26  # how many of these pushed in the end
CLOSING = 27  # m: how far the two come nearer in the sub-step without contacts, at most
DEEP_COUNT, DEEP_CLOSING = 28, 29  # how many are deep (penetration_kernels), and CLOSING of those; below 0 if none is
INSIDE_COUNT = 30  # how many are deeper than INSIDE_DEPTH

# ---- an actor, from step to step: its hardest impact with another body ------------------------------------------
BODY_IMPACT = 16
PARTNER = 0  # number of the other actor, and one; 0: none
APPROACH = 1  # m/s
IMPACT_RESTITUTION = 2  # coefficient of restitution
IMPACT_NOW = 3  # 1: they touch in this sub-step
IMPACT_AGE = 4  # s; then the speed of parting in the last sub-step, m/s
IMPACT_NORMAL = 6  # normal (3)
IMPACT_POINT = 9  # where (3)
IMPACT_LOAD = 12  # pushes of this sub-step, and their points times them (3)

# ---- a contact sphere, from step to step: the pushes of the last sub-step ---------------------------------------
WARM_SLOTS = 2  # partners
# number of the other sphere, and one; 0: none; force on the sphere with the lower number (3), N. After all of them as
# many for each particle: force of obstacles (3); and for each actor: the angular velocity that moments of the pushes
# give it (3), rad/s, and its mean speed lately, m/s
WARM_ROW = 4

# ---- an actor, in one sub-step ---------------------------------------------------------------------------------
MEETING = 8  # a cache line: near the ground, inside another, m/s with which those come that
# are deep (-1: none is), contacts; and the moment of all pushes (3), kg m^2/s
PUSH_MOMENT = 4
INSIDE_DEPTH = 0.4  # of the smaller reach of the two: how deep that is
