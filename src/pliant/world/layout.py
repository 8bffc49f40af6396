"""Where things stand in the rows of numbers that go to the kernels."""

# kinds of obstacles, and the head of a grid of distances
from pliant.collision.layout import BOX as BOX
from pliant.collision.layout import CAPSULE as CAPSULE
from pliant.collision.layout import GRID_HEAD as GRID_HEAD
from pliant.collision.layout import GRID_HIGH as GRID_HIGH
from pliant.collision.layout import GRID_LOW as GRID_LOW
from pliant.collision.layout import GRID_ORIGIN as GRID_ORIGIN
from pliant.collision.layout import GRID_POINTS as GRID_POINTS
from pliant.collision.layout import GRID_SPACING as GRID_SPACING
from pliant.collision.layout import MESH as MESH
from pliant.collision.layout import PLANE as PLANE
from pliant.collision.layout import SPHERE as SPHERE

# a contact of a body that moves as one
from pliant.models.rigid.layout import MARK as MARK
from pliant.models.rigid.layout import MARK_FRICTION as MARK_FRICTION
from pliant.models.rigid.layout import MARK_NORMAL as MARK_NORMAL
from pliant.models.rigid.layout import MARK_OBSTACLE as MARK_OBSTACLE
from pliant.models.rigid.layout import MARK_PLACE as MARK_PLACE
from pliant.models.rigid.layout import MARK_PUSH as MARK_PUSH
from pliant.models.rigid.layout import MARK_SPEED as MARK_SPEED
from pliant.models.rigid.layout import MARK_TOUCHES as MARK_TOUCHES
from pliant.models.rigid.layout import MARK_VELOCITY as MARK_VELOCITY
from pliant.world.validation import FARTHEST as FARTHEST  # metres: a particle that gets there has diverged

# ---- a collider --------------------------------------------------------------------------------------------
COLLIDER = 32
KIND = 0
COLLIDER_FRICTION, COLLIDER_RESTITUTION = 1, 2
SIZES = 3  # m (3): of a sphere its radius, of a box half its edges, of a capsule its radius and half its length
GRID_START, GROWN = 3, 4  # of a mesh: where its grid begins among all, and by how much it is grown (m)
ROTATION, COLLIDER_CENTRE = 6, 15  # after the step: 9 by rows, 3
OLD_ROTATION, OLD_CENTRE = 18, 27  # before it
TOUCH_RANGE = 30  # m: how far from its centre it may touch something
MOVED = 31  # m: the part of that by which it moves in the step
# the normal of a plane is the second column of its rotation
NORMAL_X, NORMAL_Y, NORMAL_Z = ROTATION + 1, ROTATION + 4, ROTATION + 7

# ---- a chunk: sums about the actor's first particle --------------------------------------------------------
SUMS = 88
# "mechanics", from some offset on: mass, m r (3), m v (3), m r x v (3), m r r^T (6: 00 11 22 01 02 12)
MASS_SUM, CENTRE_SUM, MOMENTUM_SUM, ANGULAR_SUM, SECOND_SUM = 0, 1, 4, 7, 10
ENERGY_SUM = 16  # after the mechanics of all particles: m v^2
PINNED_SUMS, STUCK_SUMS = 17, 33  # mechanics of those that are pinned, and of those that friction holds
NORMAL_SUMS = 49  # normal equations of contacts along their normals: matrix (21, lower triangle), right side (6)
STICKING_LOAD, SLIDING_LOAD = 76, 77  # mass times push, of contacts that friction holds and of those that slide
IMPACT_SUMS = 78  # over contacts that can bounce, by mass and push w: w, w n (3), w r (3), w e, w u.n

# ---- an actor, in one step ---------------------------------------------------------------------------------
MOTION = 40
VELOCITY, ANGULAR_VELOCITY, BODY_CENTRE = 0, 3, 6  # m/s, rad/s, m (3 each)
DAMPING_FACTOR, DRAG_FACTOR = 9, 10  # what a step leaves of the deviation, and of all motion
DEVIATION = 11  # the part of the deviation that a bounce leaves
ADDED = 12  # what a bounce adds: velocity (3), angular velocity (3)
# what other bodies need to know
INERTIA, BODY_MASS = 18, 24  # about the centre, as L D L^T: D (3), L10, L20, L21; kg
BODY_HELD = 25  # above 0: pins hold it
RMS_SPEED = 26  # m/s: root mean square of its particles
STANDS = 27  # above 0: it stands on an obstacle
FALLS_ASLEEP = 27  # in the same place at the end of a sub-step: 1 if it falls asleep
CORRECTION = 28  # how far and about what other bodies pushed one that is firm (6: m, rad)
INVERSE_INERTIA, BODY_INV_MASS = 34, 37  # 1 / D of the inertia (3), 1 / mass

# ---- an actor, from step to step ---------------------------------------------------------------------------
BOUNCE = 19
# of its last impact: fastest approach (m/s), restitution, age (s), normal (3), point (3), height of the centre along
# the normal at that approach (m)
BOUNCE_APPROACH, BOUNCE_RESTITUTION, BOUNCE_AGE, BOUNCE_NORMAL, BOUNCE_POINT, BOUNCE_HEIGHT = 0, 1, 2, 3, 6, 9
LAST_VELOCITY, LAST_ANGULAR_VELOCITY, LAST_CENTRE = 10, 13, 16  # after the last step (3 each)
