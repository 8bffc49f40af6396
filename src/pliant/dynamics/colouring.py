# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Pairs of bodies in colours: no two pairs of a colour share a body that moves, so threads may solve them at once.

The colours hang on which pairs have contacts and in which order they stand, never on threads: the result is the same
for any number of them. Contacts with obstacles come last, each body by itself."""

from pliant.runtime.jit import part

COLOURS = 63  # a body that touches more others shares the last colour with one thread


@part
def colour_pairs(pairs, spans, awake, count, used, colours, starts, order):
    """order: the numbers of the pairs of bodies that have rows, by colour; starts (COLOURS + 2,): where each colour
    begins. used (bodies,): scratch. Returns how many colours there are."""
    used[:] = 0
    starts[:] = 0
    most = 0
    for m in range(count):
        colours[m] = -1
        a, b = pairs[2 * m], pairs[2 * m + 1]
        if b < 0 or spans[2 * m] == spans[2 * m + 1]:  # obstacles come last
            continue
        taken = (used[a] if awake[a] else 0) | (used[b] if awake[b] else 0)
        colour = 0
        while colour < COLOURS - 1 and (taken >> colour) & 1:
            colour += 1
        used[a] |= 1 << colour
        used[b] |= 1 << colour
        colours[m] = colour
        starts[colour + 1] += 1
        most = max(most, colour + 1)
    for c in range(most):
        starts[c + 1] += starts[c]
    for m in range(count):
        if colours[m] >= 0:
            order[starts[colours[m]]] = m
            starts[colours[m]] += 1
    for c in range(most, 0, -1):
        starts[c] = starts[c - 1]
    starts[0] = 0
    return most
