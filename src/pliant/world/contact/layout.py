"""Where things stand in the rows of numbers that go to the kernels of contact between bodies."""

# ---- a contact sphere: constants ---------------------------------------------------------------------------
TRAITS = 4
RADIUS = 0  # m; below zero: an ellipsoid, whose shape is in the state (hulls)
COVER = 1  # m: how far along the skin it stands for a flat piece of it; below zero at the rim of one; 0: no skin
ARM = 2  # m: from its centre to its particle of the skin; 0 if it has none
BOUND = 3  # m: nothing farther than this from its centre can touch it

# ---- a contact sphere: in one sub-step ---------------------------------------------------------------------
PLACE = 16
END = 0  # centre where the models put it (3)
GIVE = 3  # inverse mass, sum w^2 / m
BEGIN = 4  # centre before the sub-step, turned as at its end (3)
STILL = 7  # 1: pushes do not move its particles, because it sleeps or because its body takes them as a whole
OUT = 8  # outward normal of the skin (3), zero if it has none
OFFSET = 11  # m: from what it rides on to the centre (3)
SINGLE = 14  # above 0: a push moves just one particle; HULL: and that is its centre
HULL = 2

# ---- a box round all that a contact sphere may touch in a sub-step --------------------------------------------
CASE = 8  # middle (3), half its width (3)
MARGIN = 0.10  # of the reach: ellipsoids that are nearer than this are kept in sight
ACTIVE = 0.03  # of the reach: who is nearer than this may yet be pushed into contact

# ---- a contact sphere at a glance: what tells quickly whether two are apart, close together in memory ----------------
GLANCE = 16
HERE, THERE = 0, 4  # END (3) and BEGIN (3)
MOVES = 3  # 1: pushes may move it
BROAD = 7  # RADIUS
SHAPE = 8  # of an ellipsoid its hull (6); of others OUT (3), and
REACHES, FLAT = 11, 12  # ARM, COVER
BOUNDS = 14  # BOUND

# ---- an actor ----------------------------------------------------------------------------------------------
MANNERS = 16
FRICTION, RESTITUTION, SELF = range(3)
PAD = 3  # m: how far its spheres reach beyond its particles
CALM = 4  # 1/s: its damping
NAPS = 5  # 1: it may sleep
FIRM = 6  # 1: it is so stiff that a push reaches all of it within a sub-step; 2: its model moves it as one
THICK = 7  # m: how thick its spheres are, half of them at least
BEARS = 8  # m/s: how fast its stuff may be made to go by an impact before it is crushed; infinite: any speed
PRESSES = 9  # kg/(m^2 s): its pressure against that speed; infinite if it is hard, 0 if it is thin and gives way
WATCH = 10  # m: how far it may move before somebody who is not in sight touches it; 0: it is looked at each time
BOX = 8  # least corner (3), greatest corner (3), and
COUPLED = 6  # how many others it may meet

# ---- an actor's way, from sub-step to sub-step (see candidate_kernels) ----------------------------------------------
JOURNEY = 16
SEEN = 0  # when its boxes were drawn last
ROUND = 1  # since when they are known without a gap
WAYS = 3  # m: how far its boxes went (3), and how much more or less any side of them (3)
LATELY = 9  # m: WAYS in the last sub-step alone (6)

# ---- two actors: what was seen of them, and the list of their spheres; what is used together is in one cache line ----
HEAD = 24  # key of the couple; ROUND of both when it was listed (2); then
WHEN = 3  # number of the sub-step in which they were looked at last
LOOKED = 4  # m: WAYS of both at that time: the difference, and the sum (6)
SIGHTS, SIGHTED = 10, 11  # the first of their pairs that are in sight, and how many
ROOMY = 12  # for how many sights there is room
START, COUNT = 13, 14  # where the list begins, and how many numbers are in it; -1: none was kept
SLACK = 15  # m: how far the two may move against each other before it is void
LISTED = 16  # m: WAYS of both when it was made (6)

# ---- a pair of spheres in sight: both numbers, the direction in which they part (3), the reach of each (2), m --------
SIGHT = 8

# ---- a contact ---------------------------------------------------------------------------------------------
CONTACT = 32  # two cache lines in single precision; those of two actors stand together
ONE, OTHER = 0, 1  # spheres
NORMAL = 2  # (3) from the other to the one
APART = 5  # m: how far the centres have to be apart along the normal
STIFF = 6  # kg: 1 / (sum of the inverse masses)
PUSH = 7  # kg m: along the normal
DRAG = 8  # kg m: friction (3)
RUB = 11  # coefficient of friction
BEFORE = 12  # m: gap at the beginning of the sub-step
BOUNCE = 13  # coefficient of restitution
REACH, OTHERS_REACH = 14, 15  # m: from the centres to where they touch
SLIP = 16  # m: what has to be added to the way between the centres at the end for the slip (3)
STAY = SLIP  # m: in the row of an obstacle, where its particle would be if it did not slip (3)
DEPTH = 19  # m: how deep they would be inside one another without the contact
HOLDS = 20  # 1: friction holds it
CAME = 23  # m/s: how fast the bodies approached there before the sub-step, where they bounce
YIELD, OTHERS_YIELD = 21, 22  # 1/kg: how far each goes for a push
LIGHT = 24  # above 0: a push moves just one particle of each; HULLS: these are at the centres
HULLS = HULL * HULL
# and in the first row of two actors alone
MANY = 25  # how many contacts they have
PUSHING = 26  # how many of these pushed in the end
CLOSING = 27  # m: how far the two come nearer in the sub-step without contacts, at most
DEEPS, FALLING = 28, 29  # how many are deep (deep_kernels), and CLOSING of those; below 0 if none is
INSIDES = 30  # how many are INSIDE

# ---- an actor, from step to step: its hardest impact with another body ------------------------------------------
IMPACT = 16
PARTNER = 0  # number of the other actor, and one; 0: none
APPROACH = 1  # m/s
RETURN = 2  # coefficient of restitution
NOW = 3  # 1: they touch in this sub-step
AGE = 4  # s; then the speed of parting in the last sub-step, m/s
TO = 6  # normal (3)
SPOT = 9  # where (3)
LOAD = 12  # pushes of this sub-step, and their points times them (3)

# ---- a contact sphere, from step to step: the pushes of the last sub-step ---------------------------------------
SLOTS = 2  # partners
KEPT = 4  # number of the other sphere, and one; 0: none; force on the sphere with the lower number (3), N. After all of
# them as many for each particle: force of obstacles (3); and for each actor: the spin that moments of the pushes give
# it (3), rad/s, and its speed lately, m/s

# ---- an actor, in one sub-step ---------------------------------------------------------------------------------
MEETING = 8  # a cache line: near the ground, inside another, m/s with which those come that
# are deep (-1: none is), contacts; and the moment of all pushes (3), kg m^2/s
MOMENT = 4
INSIDE = 0.4  # of the smaller reach of the two: how deep that is
