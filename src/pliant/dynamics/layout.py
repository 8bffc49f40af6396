"""Where things stand in the flat arrays of dynamics."""

# ---- a rigid body: about what it turns (3) m, velocity there (3) m/s, angular velocity (3) rad/s, 1 / mass (1/kg),
# inverse inertia about it (9, by rows); then its place at the begin of the sub-step: centre (3), quaternion (4); its
# body; inertia at rest (9)
PIVOT, VELOCITY, ANGULAR, INVERSE_MASS, INVERSE_INERTIA, RIGID_CENTRE, RIGID_TURN, INERTIA = 0, 3, 6, 9, 10, 19, 22, 27
RIGID_BODY = 36
