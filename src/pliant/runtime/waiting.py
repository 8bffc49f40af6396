# mypy: disallow-untyped-defs=False, check-untyped-defs=False
"""Waiting without going to sleep: to be woken takes longer than many a task."""

from pliant.runtime.instructions import answer_in, breathe, call, give_way, swap, tell, told
from pliant.runtime.jit import kernel, part

PLACE = 16  # whole numbers on a board for each thread: cache lines of its own
ROUNDS = 8  # one of them: how often the thread has been through all points at which they wait for one another
POINTS = 64  # more than there are of these
# On the board of a worker, each in a cache line of its own: the number of the last task that it was asked to do, that
# of the last one it has done, whether it is awake, and what to do: how many calls, how often, and for each an entry
# and a buffer
ASKED, DONE, STATE, TASK_LIST = 0, 8, 16, 24
BOARD = TASK_LIST + 32
AWAKE, ASLEEP, CALLED = 0, 1, 2
STOP = -(1 << 40)  # what a call answers if the rest of its task list is not to be done
AGAIN = -1  # what the last call of a task list answers if the task list may be done again: nothing went wrong
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


@part
def run_task_list(task_list, at, count):
    """How often, and then so many calls, an entry and a buffer each. After one that answers STOP no more are made, and
    after a last one that does not answer AGAIN they are not made again."""
    for _time in range(task_list[at]):
        answer = AGAIN
        for k in range(count):
            buffer = task_list[at + 2 + 2 * k]
            call(task_list[at + 1 + 2 * k], buffer)
            answer = answer_in(buffer)
            if answer == STOP:
                return
        if answer != AGAIN:
            return


@kernel("i[] i i[]")
def ask(board, number, calls):
    """Ask a worker to run a task list; or, if there are no calls in it, to do what only Python can tell. Returns
    whether it sleeps and has to be woken."""
    board[TASK_LIST] = len(calls) // 2
    for k in range(len(calls)):
        board[TASK_LIST + 1 + k] = calls[k]
    tell(board, ASKED, number)
    return swap(board, STATE, ASLEEP, CALLED) == ASLEEP


@kernel("i[] i i")
def serve(board, finished, patience):
    """What a worker does: it makes the calls that it is asked to make, until it is asked for something else, or was
    not asked for so many looks. finished: the number of the task that it did before. Returns whether it is asked for
    something else; if not, it is asleep, and the thread that calls it wakes it."""
    tell(board, STATE, AWAKE)
    if finished > 0:
        tell(board, DONE, finished)
    number, looks = board[DONE], 0
    while True:
        asked = told(board, ASKED)
        if asked != number:
            number, looks = asked, 0
            if board[TASK_LIST] == 0:
                return True
            run_task_list(board, TASK_LIST + 1, board[TASK_LIST])
            tell(board, DONE, number)
        elif looks < patience:
            looks += 1
            breathe()
        else:
            swap(board, STATE, AWAKE, ASLEEP)
            # either this one sees that it is asked, or the one that asks sees that it sleeps; perhaps both
            if told(board, ASKED) == number or swap(board, STATE, ASLEEP, AWAKE) == CALLED:
                return False


@kernel("i[] i[]")
def make_calls(calls, started):
    """Run a task list. started: becomes 1 before the first call."""
    started[0] = 1
    run_task_list(calls, 0, len(calls) // 2)


@part
def all_through(board, piece, pieces):
    """Wait until all threads that share a task have come as far as this one: to the next of the points at which they
    wait, which each of them counts for itself. What they have written before it is seen by all after it. The board is
    to be zero when the task begins."""
    if pieces > 1:
        number = board[PLACE * piece] + 1
        tell(board, PLACE * piece, number)
        for other in range(pieces):
            looks = 0
            while told(board, PLACE * other) < number:
                wait_on(looks)
                looks += 1


@part
def all_here(board, piece, pieces, number):
    """Wait until all threads that share a task have come to a point of it; number: of the point, from 1. What they have
    written before it is seen by all after it. The board is to be zero when the task begins; who goes through it again
    counts that on the board (ROUNDS)."""
    if pieces > 1:
        number += POINTS * board[PLACE * piece + ROUNDS]
        tell(board, PLACE * piece, number)
        for other in range(pieces):
            looks = 0
            while told(board, PLACE * other) < number:
                wait_on(looks)
                looks += 1
