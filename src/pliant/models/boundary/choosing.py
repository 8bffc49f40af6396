# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The convex weights of a body's groups."""

import numpy as np

from pliant.maths.convex import choose, convex_room
from pliant.runtime.jit import kernel


@kernel("d[] d[] d[] d d[]")
def weights_of(grams, given, wishes, strength, weights):
    """The weights (G K) of the poses in each group, from Gram matrices (G K K) and wishes (G K)."""
    poses = len(given)
    groups = len(weights) // poses
    choose(
        poses, groups, grams, given, wishes, strength, wishes[:0], weights,
        np.empty(poses * poses + 2 * poses + convex_room(poses)),
    )  # fmt: skip
