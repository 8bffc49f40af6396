"""Sessions: shared, paused when no page is looked at, and gone when none is left."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from pliant.viewer.protocol.commands import Play, Reset
from pliant.viewer.server import session as module
from pliant.viewer.server.preparation import Preparation
from pliant.viewer.server.session import Session
from viewer.exhibits import EXHIBITS
from viewer.loops import in_a_loop

BAR, *_, BOMB = EXHIBITS


def play(test: Callable[[Session], Awaitable[None]], exhibit: object = BAR) -> None:
    """Run a test in a loop of its own, with a session of an exhibit."""
    preparation = Preparation()
    preparation.exhibits = EXHIBITS  # type: ignore[assignment]
    preparation.ready.set()

    async def body() -> None:
        await test(Session(exhibit, preparation))  # type: ignore[arg-type]

    in_a_loop(body())


async def until(condition: Callable[[], object], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        await asyncio.sleep(0.01)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE", 0.3)
    monkeypatch.setattr(module, "STALE", 0.3)


def test_ends_when_everyone_has_left() -> None:
    async def test(session: Session) -> None:
        first, second = session.join(), session.join()
        await until(lambda: session.status.time > 0.1)
        session.leave(first)
        await asyncio.sleep(0.6)
        assert session.running
        session.leave(second)
        await until(lambda: not session.running)
        assert session.picture is None and session.status.phase == "asleep"
        session.leave(session.join())  # and it can be joined again
        await until(lambda: not session.running)

    play(test)


def test_time_stands_still_when_nobody_looks() -> None:
    async def test(session: Session) -> None:
        watcher = session.join()
        await until(lambda: session.status.time > 0.1)
        watcher.credits = 0  # a page in the background takes no frames
        await asyncio.sleep(0.6)
        stopped = session.status.time
        await asyncio.sleep(0.3)
        assert session.status.time == stopped
        watcher.credits = 1
        await until(lambda: session.status.time > stopped)
        session.leave(watcher)
        await until(lambda: not session.running)

    play(test)


def test_divergence_stops_and_reset_goes_on() -> None:
    async def test(session: Session) -> None:
        watcher = session.join()
        await until(lambda: session.status.problem)
        assert "diverged" in session.status.problem and not session.status.playing
        session.do(Reset())
        await until(lambda: not session.status.problem and session.status.playing)
        session.leave(watcher)
        await until(lambda: not session.running)

    play(test, BOMB)


def test_an_exhibit_that_cannot_be_built() -> None:
    def build() -> object:
        raise RuntimeError("out of clay")

    async def test(session: Session) -> None:
        watcher = session.join()
        await until(lambda: session.status.phase == "failed")
        assert session.status.problem == "RuntimeError: out of clay"
        session.do(Play())
        session.leave(watcher)
        await until(lambda: not session.running)

    play(test, type(BAR)("bad", "Bad", "", "", 1.0, build))
