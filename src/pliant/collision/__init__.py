"""What touches what: finds contacts, moves nothing.

`shapes.py` says what of a body can touch (points of its skin, balls, ellipsoids) and where its inside is (a grid of
distances at rest); `broad_phase/` finds pairs of bodies whose boxes overlap; `narrow_phase/`, one file for each pair of
shapes, finds the gap, the normal and the point; `find.py` writes them down as contact rows for dynamics/ to solve.
"""
