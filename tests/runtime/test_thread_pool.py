"""Work that is shared out among threads."""

import os
import threading
import time
from typing import Any

import numba
import numpy as np
import pytest

from pliant.runtime import thread_pool, waiting
from pliant.runtime.task_list import Call, TaskList
from pliant.runtime.thread_pool import ThreadPool
from pliant.runtime.waiting import PLACE, all_here, ask, serve, wait_for


def test_every_piece_is_done_once_and_before_it_returns() -> None:
    done = np.zeros(1000, np.int64)

    def task(first: int, last: int, piece: int) -> None:
        if piece > 0:
            time.sleep(0.001)
        done[first:last] += 1

    for again in range(20):
        ThreadPool(3).share_out(task, len(done))
        assert (done == again + 1).all()


def test_pieces_run_at_the_same_time() -> None:
    """Each waits for the other, as no two can that run one after the other."""
    barrier = threading.Barrier(2, timeout=30)
    for _ in range(50):
        ThreadPool(2).share_out(lambda *_: barrier.wait(), 2)


def test_hands_are_used_again_whether_they_sleep_or_look_out() -> None:
    ThreadPool(2).share_out(lambda *_: None, 2)
    before = threading.active_count()
    for pause in (0.0, 0.0, 0.02, 0.0, 0.02):  # within its patience, and beyond
        time.sleep(pause)
        ThreadPool(2).share_out(lambda *_: None, 2)
    assert threading.active_count() == before


@pytest.mark.parametrize("piece", [0, 1])
def test_what_goes_wrong_in_a_piece_is_raised_when_all_are_done(piece: int) -> None:
    finished = []

    def task(_first: int, _last: int, number: int) -> None:
        if number == piece:
            raise ValueError("this one")
        time.sleep(0.02)
        finished.append(number)

    with pytest.raises(ValueError, match="this one"):
        ThreadPool(2).share_out(task, 2)
    assert finished == [1 - piece]
    finished.clear()
    ThreadPool(2).share_out(lambda first, last, number: finished.append(number), 2)  # the worker is as good as before
    assert sorted(finished) == [0, 1]


def test_several_worlds_at_once_have_hands_of_their_own() -> None:
    sums = np.zeros(4, np.int64)

    def play(world: int) -> None:
        for _ in range(50):
            pieces: list[int] = []
            ThreadPool(2).share_out(lambda first, last, piece: pieces.append(last - first), 10)  # noqa: B023
            sums[world] += sum(pieces)

    players = [threading.Thread(target=play, args=(world,)) for world in range(len(sums))]
    for player in players:
        player.start()
    for player in players:
        player.join(60)
    assert (sums == 500).all()


def test_a_task_may_share_out_its_own_work() -> None:
    pieces: list[tuple[int, int]] = []

    def task(_first: int, _last: int, outer: int) -> None:
        ThreadPool(2).share_out(lambda first, last, inner: pieces.append((outer, inner)), 2)

    ThreadPool(2).share_out(task, 2)
    assert sorted(pieces) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_more_threads_than_processors_do_not_look_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_pool, "CORES", 1)
    ThreadPool(2).share_out(lambda *_: None, 2)
    assert thread_pool._idle[-1].patience == 0


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # which is what is tried here
@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
def test_a_forked_program_has_hands_of_its_own() -> None:
    ThreadPool(2).share_out(lambda *_: None, 2)
    child = os.fork()
    if child == 0:
        done: list[int] = []
        ThreadPool(2).share_out(lambda first, last, piece: done.append(piece), 2)
        os._exit(0 if sorted(done) == [0, 1] else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_waiting_ends_with_the_news_or_with_patience() -> None:
    board = np.zeros(24, np.int64)
    assert not wait_for(board, 8, 1, 100)
    board[8] = 1
    assert wait_for(board, 8, 1, 100)


def test_who_waits_for_others_has_a_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_pool, "CORES", 2)
    assert [ThreadPool(count).abreast(8) for count in (1, 2, 3)] == [1, 2, 1]
    assert [ThreadPool(2).abreast(most) for most in (0, 1, 2, 5)] == [1, 1, 2, 2]


def test_nobody_goes_on_before_all_are_here() -> None:
    @numba.njit(nogil=True)  # type: ignore[untyped-decorator]
    def relay(board: Any, told: Any, piece: int, pieces: int, rounds: int) -> int:
        wrong = 0
        for number in range(1, rounds + 1):
            told[PLACE * piece] = number
            all_here(board, piece, pieces, 2 * number - 1)
            for other in range(pieces):
                wrong += told[PLACE * other] != number
            all_here(board, piece, pieces, 2 * number)
        return wrong

    board, told = np.zeros(2 * PLACE, np.int64), np.zeros(2 * PLACE, np.int64)
    assert relay(board, told, 0, 1, 1) == 0  # alone, and compiled
    wrong: list[int] = []
    ThreadPool(2).share_out(lambda first, last, piece: wrong.append(relay(board, told, piece, 2, 2000)), 2)
    assert wrong == [0, 0] and told[0] == told[PLACE] == 2000


def test_calls_are_made_at_the_same_time_whether_workers_sleep_or_look_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread waits for what the other one writes, as no two can that run one after the other."""
    monkeypatch.setattr(thread_pool, "CORES", 2)
    boards = [np.zeros(waiting.BOARD, np.int64) for _ in range(2)]
    for number, pause in enumerate((0.0, 0.0, 0.02, 0.0, 0.02, 0.0), start=1):
        time.sleep(pause)  # within the patience of a worker, and beyond
        waits = [Call(wait_for, (board, waiting.ASKED, number, thread_pool.FOREVER)) for board in boards]
        tells = [Call(ask, (board, number, thread_pool.NO_CALLS)) for board in boards]
        ThreadPool(2).make([TaskList(tells[0], waits[1]), TaskList(waits[0], tells[1])])
        assert [each.results[0] for each in waits] == [1, 1]


def test_calls_and_tasks_by_turns() -> None:
    board = np.zeros(waiting.BOARD, np.int64)
    for number in range(1, 200):
        pieces: list[int] = []
        ThreadPool(2).share_out(lambda first, last, piece: pieces.append(piece), 2)  # noqa: B023
        assert sorted(pieces) == [0, 1]
        ThreadPool(2).make([TaskList(), TaskList(Call(ask, (board, number, thread_pool.NO_CALLS)))])
        assert board[waiting.ASKED] == number


def test_a_hand_that_nobody_asks_falls_asleep_and_whoever_asks_is_told() -> None:
    board, other = np.zeros(waiting.BOARD, np.int64), np.zeros(waiting.BOARD, np.int64)
    assert not serve(board, 0, 10)
    task_list = TaskList(Call(ask, (other, 5, thread_pool.NO_CALLS)))
    assert ask(board, 1, task_list.written)  # it sleeps
    assert not serve(board, 0, 10)  # it was woken, did it, and fell asleep again
    assert other[waiting.ASKED] == 5 and board[waiting.DONE] == 1
    assert ask(board, 2, thread_pool.NO_CALLS)
    assert serve(board, 0, 10)  # something that only Python can do
    assert not ask(board, 3, task_list.written)  # meanwhile it is awake
    assert board[waiting.DONE] == 1
