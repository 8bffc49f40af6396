"""Where things stand in the flat arrays of dynamics."""

# ---- a body as a whole: about what it turns (3) m, velocity there (3) m/s, angular velocity (3) rad/s, 1 / mass
# (1/kg), inverse inertia about it (9, by rows), how firm it is, inertia (9). Of a rigid body these are its motion; of
# particles what a sub-step has added to it, with mass and inertia over how firm they are (firm_nodes.py).
PIVOT, VELOCITY, ANGULAR, INVERSE_MASS, INVERSE_INERTIA, FIRM, INERTIA = 0, 3, 6, 9, 10, 19, 20
BODY_NODE = 32
