"""Where things stand in the rows of numbers that go to the kernels."""

# ---- a collider --------------------------------------------------------------------------------------------
# kind, friction, restitution, three sizes, then rotation (9) and centre (3) after the step and before it
COLLIDER = 32
PLANE, SPHERE, BOX, CAPSULE = range(4)

# ---- a chunk: sums about the actor's first particle --------------------------------------------------------
# mass, m r (3), m v (3), m r x v (3), m r r^T (6: 00 11 22 01 02 12), m v^2, then
SUMS = 84
# normal equations of what is held: weight, matrix (21, lower triangle), right side (6); for pins and along
# the normals of contacts, and apart from that for contacts that friction holds
HELD, STUCK = 17, 45
IMPACT = 73  # over contacts that can bounce, by mass and push w: w, w n (3), w r (3), w e, w u.n
PINNED, SLIPPING = 82, 83  # mass; mass times push of contacts that slide

# ---- an actor, in one step ---------------------------------------------------------------------------------
# velocity (3), angular velocity (3), centre (3), damping factor, drag factor, part of the deviation that a
# bounce leaves, then what a bounce adds: velocity (3), angular velocity (3)
MOTION = 20

# ---- an actor, from step to step ---------------------------------------------------------------------------
# of its last impact: fastest approach (m/s), restitution, age (s), normal (3), point (3), height of the
# centre along the normal at that approach (m); then velocity (3) and angular velocity (3) after the last step
BOUNCE = 16
