# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""The convex blends of a few columns that are nearest to many others, by their Gram matrix alone."""

from pliant.maths.convex import nearest_blend
from pliant.runtime.jit import kernel


@kernel("d[] d[] i d[] d[]")
def nearest_blends(gram, wishes, count, weights, room):
    """Fills the weights (N K) from the Gram matrix (K K) of the columns and their products with the others (N K);
    `room` as `convex_room` says."""
    for row in range(len(wishes) // count):
        nearest_blend(gram, wishes[row * count :], weights[row * count :], count, room)
