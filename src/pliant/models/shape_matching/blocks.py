# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Where the rows of a block stand, and asking for them ahead of their use (layout.py draws both)."""

from pliant.models.shape_matching.layout import LANES
from pliant.runtime.instructions import prefetch
from pliant.runtime.jit import inline, part


@inline
def block_of(array, start, rows, block):
    """The rows of one block."""
    first = start + block * rows * LANES
    return array[first : first + rows * LANES]


@part
def fetch(array, first, last):
    """Ask for a stretch of memory ahead of its use."""
    for at in range(first, last, 16):
        prefetch(array, at)
