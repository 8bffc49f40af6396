"""The behaviour of contact finding: every number is dimensionless, and says what it scales with.

A contact radius is the scale of a body's contacts: half the spacing of its contact points, or a quarter of its
thickness where that is less (shapes.py).
"""

AHEAD = 0.5
"""Contact radii: a row is made where the gap, after what the bodies will close of it in this sub-step, is less. Half:
resting contacts come and go and bodies shiver. Twice: rows for what does not touch, a third more to solve."""

LOOK_AGAIN = 0.25
"""Contact radii: a candidate is looked at again when its two sides have moved so far against one another. Half: twice
as many looks. Twice: normals are those of where a point was, and balls that roll catch on one another."""

BLOCK_SIZE = 8
"""Particles of a block, at most, that has a box of its own. Half or twice: searching takes a fifth longer."""

STRETCH = 1.5
"""A point may be so much farther from its particle than at rest before the boxes of blocks miss it. Half: bodies that
are stretched lose contacts. Twice: twice as many points are looked at."""

PROBE = 0.75
"""Contact radii below its own skin from where a point looks for the nearest surface of the other body. From there it is
clear which face is meant, also at a rim. Half: crates catch on each other's edges. Twice: thin parts look past the
surface that they touch."""

CORE_BEGINS = 0.4
"""Of a body's depth, half of what it is thick: its core begins so far below the skin. Half: hard impacts hardly dent.
Nearer to 1: bodies are crushed flat before the cores meet, and may go through each other."""

CORE_POINTS = 24
"""Round a core, about. Half: cores of crates meet edge on edge. Twice: nothing changes."""

FIELD_CELLS = 32
"""Cells of a body's grid of distances along its longest side. Half: corners are rounded by 2 % of the body. Twice:
eight times the memory and time to make."""

CROSS = 4
"""Looks for the tet that holds a point, each from the last one's answer. Half: points near the skin of a bent body are
taken for outside. Twice: nothing changes."""

FLAT_TET = 0.02
"""Of its rest volume: a tet that is flatter or turned inside out does not say where its points are; the body's frame
does."""

FACING = 0.5
"""Cosine: a face of a rigid body meets only what looks at it within 60 degrees. Half: a box beside another one is
pushed up by its top. Nearer to 1: a point under the rim of what slides over it is not met."""

MANIFOLD = 4
"""Rows between two bodies of which neither deforms. More make a crate shiver at 4 to 50 mm/s instead of 0.05."""

LOAD_BONUS = 0.1
"""Contact radii: a row that carried load is kept before another one that is deeper by less, or they would take
turns."""
