# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""How threads share a sub-step.

Each of n has a share of the bodies, next to one another, and every n-th pair. All go through the same points at which
they wait for one another, so what is decided there is decided alike."""

from pliant.collision.layout import BAD, BODY, BODY_END, BODY_FIRST
from pliant.runtime.jit import inner, part
from pliant.runtime.waiting import PLACE, all_through


@part
def first_body(bodies, piece, pieces):
    """The first body of a thread's share: cut so that each has about as many particles."""
    count = len(bodies) // BODY
    if piece == pieces:
        return count
    goal = bodies[BODY * (count - 1) + BODY_END] * piece // pieces
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if bodies[BODY * middle + BODY_FIRST] < goal:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def told_by_all(board, piece, pieces, place, value):
    """The greatest of what threads tell in a place of their board, after all have; what was written before is seen."""
    board[PLACE * piece + place] = value
    all_through(board, piece, pieces)
    most = board[place]
    for other in range(1, pieces):
        most = max(most, board[PLACE * other + place])
    return most


@inner
def first_of_all(board, piece, pieces, bad):
    """The first particle that any thread tells to be bad, or -1."""
    board[PLACE * piece + BAD] = bad
    all_through(board, piece, pieces)
    return bad_particle(board, pieces)


@part
def bad_particle(board, pieces):
    """The first particle on the boards that has no finite place, or -1."""
    for other in range(pieces):
        if board[PLACE * other + BAD] >= 0:
            return board[PLACE * other + BAD]
    return -1
