"""Where things stand in the rows of numbers that go to the kernels."""

from pliant.collision.layout import BOX as BOX
from pliant.collision.layout import CAPSULE as CAPSULE
from pliant.collision.layout import MESH as MESH
from pliant.collision.layout import OBSTACLE
from pliant.collision.layout import PLANE as PLANE
from pliant.collision.layout import SPHERE as SPHERE
from pliant.models.rigid.prepare import MARK as MARK  # a contact of a body that moves as one

# ---- a collider --------------------------------------------------------------------------------------------
# kind, friction, restitution, sizes (3), then rotation (9, by rows) and centre (3) after the step, the same
# before it, and how far from its centre it may touch something
COLLIDER = OBSTACLE

# ---- a chunk: sums about the actor's first particle --------------------------------------------------------
# "mechanics": mass, m r (3), m v (3), m r x v (3), m r r^T (6: 00 11 22 01 02 12)
SUMS = 88
ENERGY = 16  # after the mechanics of all particles: m v^2
PINNED, STUCK = 17, 33  # mechanics of those that are pinned, and of those that friction holds
NORMALS = 49  # normal equations of contacts along their normals: matrix (21, lower triangle), right side (6)
GRIP, SLIP = 76, 77  # mass times push, of contacts that friction holds and of those that slide
IMPACT = 78  # over contacts that can bounce, by mass and push w: w, w n (3), w r (3), w e, w u.n

# ---- an actor, in one step ---------------------------------------------------------------------------------
# velocity (3), angular velocity (3), centre (3), damping factor, drag factor, part of the deviation that a
# bounce leaves, then what a bounce adds: velocity (3), angular velocity (3); then what other bodies need to know:
# inertia about the centre (L D L^T, 6), mass, whether pins hold it, root mean square of its speed,
# whether it stands on an obstacle; then how far and about what other bodies pushed one that is firm (6: m, rad); then
# 1 / D of the inertia (3), and 1 / mass
MOTION = 40
DEVIATION, ADDED, WAY = 11, 12, 28
INERTIA, MASS, HELD, SPEED, STANDS = 18, 24, 25, 26, 27
EASE, LIGHT = 34, 37

# ---- an actor, from step to step ---------------------------------------------------------------------------
# of its last impact: fastest approach (m/s), restitution, age (s), normal (3), point (3), height of the
# centre along the normal at that approach (m); then velocity (3), angular velocity (3) and centre (3) after
# the last step
BOUNCE = 19

FAR = 1e9  # metres: whoever gets there has diverged
