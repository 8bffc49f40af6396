"""Example poses by formula: each function takes a body and returns the (V, 3) positions for `Body.with_pose`.

    bar = bar.with_pose("twist", pliant.poses.twist(bar, degrees=90, shorten=0.2))

`settle` finds a pose by physics: some of the body is held elsewhere, the rest follows. `modes` are what it does most
easily. `blend` gives the shape between poses that a body has, `mirror` one of them on the other side.

An axis is "x", "y", "z" (a leading "-" turns it round), a vector, or None for the body's longest direction.
"""

from pliant.poses.bend import bend, s_curve
from pliant.poses.blend import blend
from pliant.poses.buckle import buckle
from pliant.poses.bulge import bulge
from pliant.poses.dent import dent
from pliant.poses.mirror import mirror
from pliant.poses.modes import modes
from pliant.poses.settle import settle
from pliant.poses.shear import shear
from pliant.poses.squash import squash, stretch
from pliant.poses.twist import twist

__all__ = [
    "bend", "blend", "buckle", "bulge", "dent", "mirror", "modes", "s_curve", "settle", "shear", "squash", "stretch",
    "twist",
]  # fmt: skip
# those that need nothing but a body and a few numbers, and so have a word in scene files
FORMULAS = tuple(name for name in __all__ if name not in ("blend", "mirror", "modes", "settle"))
