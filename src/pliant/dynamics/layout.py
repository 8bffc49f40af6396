"""Where things stand in the flat arrays of dynamics."""

# ---- a rigid body: about what it turns (3) m, velocity there (3) m/s, angular velocity (3) rad/s, 1 / mass (1/kg),
# inverse inertia about it (9, by rows), inertia (9); velocity and angular velocity (6) before other bodies damped them
PIVOT, VELOCITY, ANGULAR, INVERSE_MASS, INVERSE_INERTIA, INERTIA, UNDAMPED = 0, 3, 6, 9, 10, 19, 28
BODY_NODE = 34
