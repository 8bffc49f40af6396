"""Waiting without going to sleep: to be woken takes longer than many a task."""

from pliant.instructions import breathe, call, give_way, swap, tell, told
from pliant.jit import kernel, part

PLACE = 8  # whole numbers on a board for each thread: a cache line of its own
# On the board of a hand, each in a cache line of its own: the number of the last task that it was asked to do, that of
# the last one it has done, whether it is awake, and what to do: how many calls, and for each an entry and a book
ASKED, DONE, STATE, JOB = 0, 8, 16, 24
BOARD = JOB + 16
AWAKE, ASLEEP, CALLED = 0, 1, 2
LONG = 2_000  # looks: about fifty microseconds


@part
def wait_on(looks):
    """Between two looks; so many there were before."""
    if looks % LONG == LONG - 1:
        give_way()
    else:
        breathe()


@kernel("i[] i i i")
def wait_for(board, place, value, patience):
    """Look at a place of a board until the value is there. Returns whether it came before patience, a number of looks,
    was at an end."""
    for look in range(patience):
        if told(board, place) == value:
            return True
        wait_on(look)
    return False


@kernel("i[] i i[]")
def ask(board, number, calls):
    """Ask a hand to make calls, an entry and a book each; or, if there are none, to do what only Python can tell.
    Returns whether it sleeps and has to be woken."""
    board[JOB] = len(calls) // 2
    for k in range(len(calls)):
        board[JOB + 1 + k] = calls[k]
    tell(board, ASKED, number)
    return swap(board, STATE, ASLEEP, CALLED) == ASLEEP


@kernel("i[] i i")
def serve(board, finished, patience):
    """What a hand does: it makes the calls that it is asked to make, until it is asked for something else, or nobody
    has asked for so many looks. finished: the number of the task that it did before. Returns whether it is asked for
    something else; if not, it is asleep, and will be woken by somebody who has called it."""
    tell(board, STATE, AWAKE)
    if finished > 0:
        tell(board, DONE, finished)
    number, looks = board[DONE], 0
    while True:
        asked = told(board, ASKED)
        if asked != number:
            number, looks = asked, 0
            if board[JOB] == 0:
                return True
            for k in range(board[JOB]):
                call(board[JOB + 1 + 2 * k], board[JOB + 2 + 2 * k])
            tell(board, DONE, number)
        elif looks < patience:
            looks += 1
            breathe()
        else:
            swap(board, STATE, AWAKE, ASLEEP)
            # either we see that somebody asks, or that one sees that we sleep; perhaps both
            if told(board, ASKED) == number or swap(board, STATE, ASLEEP, AWAKE) == CALLED:
                return False


@kernel("i[] i[]")
def make_calls(calls, started):
    """Make calls, an entry and a book each. started: becomes 1 before the first."""
    started[0] = 1
    for k in range(0, len(calls), 2):
        call(calls[k], calls[k + 1])


@part
def all_here(board, piece, pieces, number):
    """Wait until all threads that share a task have come to a point of it; number: of the point, from 1. What they have
    written before it is seen by all after it. The board is to be zero when the task begins."""
    if pieces > 1:
        tell(board, PLACE * piece, number)
        for other in range(pieces):
            looks = 0
            while told(board, PLACE * other) < number:
                wait_on(looks)
                looks += 1
