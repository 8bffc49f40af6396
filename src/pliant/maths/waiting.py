"""Waiting without going to sleep: to be woken takes longer than many a task."""

from pliant.jit import breathe, kernel, tell, told


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
