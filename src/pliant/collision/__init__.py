"""What touches what: finds contacts, moves nothing.

`shapes.py` says what of a body can touch (points of its skin, balls, ellipsoids, its core) and where its inside is (a
grid of distances at rest); `broad_phase/` finds pairs of bodies whose boxes overlap, `candidates.py` which of their
proxies have to be looked at; `narrow_phase/`, one file for each pair of shapes, finds the gap and the normal;
`against_field.py`, `against_round.py`, `against_obstacles.py` and `cores.py` write down contact rows, and `contacts.py`
calls them all, for dynamics/ to solve.
"""
