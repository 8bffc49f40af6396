# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""What contacts remember from one sub-step to the next: the impulses that held, by pair and key."""

from pliant.collision.layout import (
    BEYOND,
    IMPULSES,
    KEY,
    MEMORY_BEYOND,
    MEMORY_NORMAL,
    MEMORY_THROUGH,
    NORMAL,
    OTHER_TANGENT,
    ROW,
    ROW_GAP,
    ROW_MEMORY,
    ROW_RADIUS,
    ROW_SIDES,
    TANGENT,
    THROUGH,
)
from pliant.dynamics.constants import SAME_NORMAL, SKIN_RATE, SKIN_SLACK
from pliant.runtime.jit import inner, part


@inner
def recall_pair(found, first, last, old_first, old_last):
    """Give the rows of a pair the impulses of the rows with the same keys, if their normals are still alike."""
    r, old = found.rows, old_first
    for n in range(first, last):
        key = found.sides[ROW_SIDES * n + KEY]
        while old < old_last and found.old_keys[old] < key:
            old += 1
        if old == old_last:
            return
        if found.old_keys[old] != key:
            continue
        m, at = ROW_MEMORY * old, ROW * n
        j0, j1, j2 = found.old[m], found.old[m + 1], found.old[m + 2]
        a, b = at + NORMAL, m + MEMORY_NORMAL
        cosine = r[a] * found.old[b] + r[a + 1] * found.old[b + 1] + r[a + 2] * found.old[b + 2]
        if cosine < SAME_NORMAL:
            continue
        # The skin follows more particles than a push acts on. Taken at once, what lies between would make energy.
        if found.old[m + MEMORY_THROUGH] == found.sides[ROW_SIDES * n + THROUGH]:
            beyond = found.old[m + MEMORY_BEYOND]
            beyond += SKIN_RATE * (r[at + BEYOND] - beyond)
            slack = SKIN_SLACK * r[at + ROW_RADIUS]
            beyond = min(max(beyond, r[at + BEYOND] - slack), r[at + BEYOND] + slack)
            r[at + ROW_GAP] += r[at + BEYOND] - beyond
            r[at + BEYOND] = beyond
        t, o = at + TANGENT, at + OTHER_TANGENT
        r[at + IMPULSES] = max(r[a] * j0 + r[a + 1] * j1 + r[a + 2] * j2, 0.0)
        r[at + IMPULSES + 1] = r[t] * j0 + r[t + 1] * j1 + r[t + 2] * j2
        r[at + IMPULSES + 2] = r[o] * j0 + r[o + 1] * j1 + r[o + 2] * j2


@inner
def keep_row(found, n, place):
    """What is known of a row in the next sub-step."""
    r, at, m = found.rows, ROW * n, ROW_MEMORY * place
    i, j, k = r[at + IMPULSES], r[at + IMPULSES + 1], r[at + IMPULSES + 2]
    found.old_keys[place] = found.sides[ROW_SIDES * n + KEY]
    for axis in range(3):
        found.old[m + axis] = i * r[at + NORMAL + axis] + j * r[at + TANGENT + axis] + k * r[at + OTHER_TANGENT + axis]
        found.old[m + MEMORY_NORMAL + axis] = r[at + NORMAL + axis]
    found.old[m + MEMORY_BEYOND] = r[at + BEYOND]
    found.old[m + MEMORY_THROUGH] = found.sides[ROW_SIDES * n + THROUGH]


@part
def mark_known(found, first, last, old_first, old_last):
    """Before a manifold is reduced: rows that carried load are told from new ones by an impulse that is not zero; what
    it is comes later."""
    old = old_first
    for n in range(first, last):
        key = found.sides[ROW_SIDES * n + KEY]
        while old < old_last and found.old_keys[old] < key:
            old += 1
        if old == old_last:
            return
        if found.old_keys[old] == key:
            m = ROW_MEMORY * old
            o = found.old
            found.rows[ROW * n + IMPULSES] = max(o[m] * o[m + 3] + o[m + 1] * o[m + 4] + o[m + 2] * o[m + 5], 0.0)
