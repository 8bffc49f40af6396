"""What moves: one solver for all contacts, whatever is on their two sides. It knows no model.

A contact row is between two sides; a side is a set of particles with weights, a rigid body, a particle that rolls by
itself, or an obstacle. `sides.py` says how fast a side goes, how it yields and what an impulse does to it; `contact.py`
prepares, solves and relaxes a row with it, the same for all. A sub-step is `velocities.py`, then the rows that
collision/ finds, `solver.py`, which goes over them by colours, and `settle.py`."""
