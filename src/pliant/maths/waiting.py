"""Waiting without going to sleep: to be woken takes longer than many a task."""

from pliant.jit import breathe, kernel, part, tell, told

PLACE = 8  # whole numbers on a board for each thread: a cache line of its own
ABANDONED = 1 << 40  # on a board: a thread will never come


@kernel("i[] i i i i i")
def wait_for(board, place, news, other, value, patience):
    """Write news on a board, then look at another place of it until the value is there. Returns whether it came before
    patience, a number of looks, was at an end."""
    tell(board, place, news)
    for _look in range(patience):
        if told(board, other) == value:
            return True
        breathe()
    return False


@part
def all_here(board, piece, pieces, number):
    """Wait until all threads that share a task have come to a point of it; number: of the point, from 1. What they have
    written before it is seen by all after it. The board is to be zero when the task begins. Returns whether they have
    all come: if not, leave everything as it is."""
    if pieces > 1:
        tell(board, PLACE * piece, number)
        for other in range(pieces):
            seen = told(board, PLACE * other)
            while seen < number:
                breathe()
                seen = told(board, PLACE * other)
            if seen >= ABANDONED:
                return False
    return True
