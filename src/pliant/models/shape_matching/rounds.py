# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Further rounds of weights and rotations are for the groups that need them (RESTLESS). All others keep what the first
round gave, to the bit: what a body does must not depend on another one that begins beside it."""

import numpy as np

from pliant.models.shape_matching.layout import EXAMPLES, GROUPS, LANES, REGION_SPOTS, RESTLESS, WEIGHTS
from pliant.runtime.jit import part


@part
def mark_restless(ints, work, block, mark):
    """Whether a block has regions of groups that take further rounds, and which: a row of 1 or 0."""
    examples = np.int64(ints[EXAMPLES])
    spots = ints[np.int64(ints[REGION_SPOTS]) :]
    restless = work[np.int64(ints[RESTLESS]) :]
    found = False
    for lane in range(LANES):
        spot = np.int64(spots[block * LANES + lane]) - np.int64(ints[WEIGHTS])
        group = spot // (examples * LANES) * LANES + spot % LANES
        mark[lane] = restless[group] if group < np.int64(ints[GROUPS]) else work.dtype.type(0)
        found = found or mark[lane] != 0
    return found


@part
def set_aside(q, kept):
    """Quaternions to rows 1 to 4 of `kept`."""
    for j in range(4 * LANES):
        kept[LANES + j] = q[j]


@part
def keep_settled(kept, q):
    """Quaternions back as they were (rows 1 to 4 of `kept`) where row 0 is 0."""
    for row in range(4):
        for lane in range(LANES):
            j = row * LANES + lane
            q[j] = q[j] if kept[lane] != 0 else kept[LANES + j]
