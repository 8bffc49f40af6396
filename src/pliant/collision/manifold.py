# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Of many rows between two things that do not deform, the four that hold them: more only argue.

The deepest first; then the one farthest from it; then the one that spans the largest triangle with both; then the one
that adds most to it on another side. A row that carried load counts as deeper by a part of the contact radius, so that
rows do not take turns. Rows of different obstacles or of faces that look elsewhere are chosen apart."""

from pliant.collision.constants import LOAD_BONUS, MANIFOLD
from pliant.collision.layout import FOURS, IMPULSES, KEY, KEY_GROUP, NORMAL, POINT, ROW, ROW_GAP, ROW_RADIUS, ROW_SIDES
from pliant.runtime.jit import part

SAME_FACE = 0.9  # cosine: rows of one face
CHOSEN, PASSED, UNCHOSEN = 2, 1, 0


@part
def reduce_rows(found, first, last):
    """Leave the chosen rows of a pair, in their order. Returns the number of the next row."""
    if last - first <= MANIFOLD:
        return last
    marks = found.candidates
    for n in range(first, last):
        marks[n] = UNCHOSEN
    for n in range(first, last):
        if marks[n] == UNCHOSEN:
            choose(found, marks, n, last)
    kept = first
    for n in range(first, last):
        if marks[n] == CHOSEN:
            if kept != n:
                move(found, n, kept)
            kept += 1
    return kept


@part
def depth(found, n):
    """How deep a row is (m), with a bonus for one that carried load."""
    at = ROW * n
    bonus = LOAD_BONUS * found.rows[at + ROW_RADIUS] if found.rows[at + IMPULSES] > 0.0 else 0.0
    return bonus - found.rows[at + ROW_GAP]


@part
def cross_of(found, i, j, k):
    """Twice the area of the triangle of three points, along the normal of the first."""
    r, a, b, c = found.rows, ROW * i + POINT, ROW * j + POINT, ROW * k + POINT
    n = ROW * i + NORMAL
    e0, e1, e2 = r[b] - r[a], r[b + 1] - r[a + 1], r[b + 2] - r[a + 2]
    f0, f1, f2 = r[c] - r[a], r[c + 1] - r[a + 1], r[c + 2] - r[a + 2]
    return r[n] * (e1 * f2 - e2 * f1) + r[n + 1] * (e2 * f0 - e0 * f2) + r[n + 2] * (e0 * f1 - e1 * f0)


@part
def choose(found, marks, start, last):
    """Four of the open rows whose normals are like that of `start`; the others of them are passed."""
    r = found.rows
    group = found.sides[ROW_SIDES * start + KEY] >> KEY_GROUP
    s = ROW * start + NORMAL
    best, most = start, -1e300
    for n in range(start, last):
        a = ROW * n + NORMAL
        alike = r[s] * r[a] + r[s + 1] * r[a + 1] + r[s + 2] * r[a + 2] > SAME_FACE
        if marks[n] == UNCHOSEN and alike and found.sides[ROW_SIDES * n + KEY] >> KEY_GROUP == group:
            marks[n] = -1  # of this face
            d = depth(found, n)
            if d > most:
                best, most = n, d
    one = best
    marks[one] = CHOSEN
    two, most = -1, 0.0
    for n in range(start, last):
        if marks[n] == -1:
            a, b = ROW * n + POINT, ROW * one + POINT
            d0, d1, d2 = r[a] - r[b], r[a + 1] - r[b + 1], r[a + 2] - r[b + 2]
            d = d0 * d0 + d1 * d1 + d2 * d2
            if d > most:
                two, most = n, d
    if two >= 0:
        marks[two] = CHOSEN
        three, four, left, right = -1, -1, 0.0, 0.0
        for n in range(start, last):
            if marks[n] == -1:
                area = cross_of(found, one, two, n)
                if area > left:
                    three, left = n, area
                elif area < right:
                    four, right = n, area
        if three >= 0:
            marks[three] = CHOSEN
        if four >= 0:
            marks[four] = CHOSEN
    for n in range(start, last):
        if marks[n] == -1:
            marks[n] = PASSED


@part
def move(found, source, target):
    """A row to another place."""
    for k in range(ROW):
        found.rows[ROW * target + k] = found.rows[ROW * source + k]
    for k in range(ROW_SIDES):
        found.sides[ROW_SIDES * target + k] = found.sides[ROW_SIDES * source + k]
    for k in range(FOURS):
        found.particles[FOURS * target + k] = found.particles[FOURS * source + k]
        found.weights[FOURS * target + k] = found.weights[FOURS * source + k]
