"""Whatever comes through the socket of a viewport, or from a panel: nothing is raised, and the session lives on."""

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pliant.viewer.protocol.commands import Defaults, Live, Play, Reset, Speed, parse
from pliant.viewer.protocol.message import Message
from pliant.viewer.protocol.packing import FRAME
from pliant.viewer.server import stream as module
from pliant.viewer.server.preparation import Preparation
from pliant.viewer.server.session import MOST_WAITING, Session
from viewer import hostile
from viewer.exhibits import EXHIBITS

RELAXED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
PATIENCE = 60.0  # seconds


def until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"{what} took too long"
        time.sleep(0.002)


class Line:
    """A session, and one page on the real handler: what it says goes in as the server would hand it over."""

    def __init__(self) -> None:
        preparation = Preparation()
        preparation.exhibits = EXHIBITS  # type: ignore[assignment]
        preparation.listed.set()
        preparation.ready.set()
        self.session = Session(EXHIBITS[0], preparation)  # type: ignore[arg-type]
        self.sessions: Any = SimpleNamespace(preparation=preparation, of=lambda name: self.session)
        self.frames = self.asked = self.heard = 0
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.say({"type": "websocket.connect"})
        self.handler = asyncio.run_coroutine_threadsafe(self._serve(), self.loop)

    async def _serve(self) -> None:
        scope = {"type": "websocket", "path": "/stream/bar", "headers": []}
        await module.stream(scope, self._give, self._take, self.sessions)

    async def _give(self) -> dict[str, Any]:
        self.heard += 1  # the server asks for the next one when it has done with the last
        return await self.said.get()

    async def _take(self, message: Any) -> None:
        self.frames += (message.get("bytes") or b"")[:4] == FRAME.to_bytes(4, "little")

    def say(self, message: dict[str, Any]) -> None:
        self.asked += 1
        self.loop.call_soon_threadsafe(self.said.put_nowait, message)

    @property
    def silent(self) -> bool:
        """Whether the handler has heard everything."""
        return self.heard > self.asked

    def text(self, text: str) -> None:
        self.say({"type": "websocket.receive", "text": text})

    def check(self) -> None:
        """All was heard and obeyed, the session plays, and frames arrive."""
        session = self.session
        until(lambda: self.silent and not session._commands, "obeying")
        assert not self.handler.done()
        assert session.status.phase == "ready"
        for command in (Live(), Defaults(), Speed(factor=1.0), Reset(), Play(on=True)):
            session.do(command)
        until(lambda: not session._commands and session.status.playing and not session.status.problem, "a reset")
        before = self.frames
        until(lambda: (self.text('{"do": "credit"}'), time.sleep(0.01), self.frames > before)[-1], "a frame")

    def close(self) -> None:
        self.say({"type": "websocket.disconnect", "code": 1001})
        self.handler.result(PATIENCE)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(PATIENCE)
        self.loop.close()


@pytest.fixture(scope="module")
def line() -> Iterator[Line]:
    line = Line()
    until(lambda: line.session.status.phase == "ready" and line.frames, "the first frame")
    yield line
    line.close()


@pytest.fixture(autouse=True)
def no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.Allowance, "take", lambda self, now: True)  # it has a test of its own


@pytest.fixture(autouse=True)
def nothing_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    for stage in ("setup", "call"):
        said = [each for each in caplog.get_records(stage) if each.levelno >= logging.ERROR]
        assert not said, said[0].exc_text or said[0].getMessage()


@given(hostile.texts() | st.binary(max_size=50) | hostile.anything())
def test_parsing_gives_a_command_or_nothing(message: object) -> None:
    command = parse(message)
    assert command is None or isinstance(command, Message)


@given(hostile.right())
def test_a_command_is_what_was_said(message: dict[str, Any]) -> None:
    command = parse(json.dumps(message))
    if command is not None:
        assert type(command) is hostile.classes()[message["do"]]
        assert json.loads(command.model_dump_json()) == message


@pytest.mark.slow
@RELAXED
@given(st.lists(hostile.texts() | st.binary(max_size=300), min_size=1, max_size=12))
def test_messages(line: Line, messages: list[str | bytes]) -> None:
    for each in messages:
        line.say({"type": "websocket.receive", ("text" if isinstance(each, str) else "bytes"): each})
    line.check()


@pytest.mark.slow
@RELAXED
@given(st.lists(hostile.right(), min_size=1, max_size=6))
def test_commands_from_panels(line: Line, messages: list[dict[str, Any]]) -> None:
    for command in hostile.commands_of(messages):
        line.session.do(command)  # type: ignore[arg-type]
    line.check()


@settings(RELAXED, max_examples=5)
@given(st.lists(hostile.right(), min_size=20, max_size=20))
def test_thousands_of_commands_at_once(line: Line, messages: list[dict[str, Any]]) -> None:
    said = [json.dumps(message) for message in messages if message["do"] not in ("reset", "step")]
    for _ in range(150):
        for each in said:
            line.text(each)
    until(lambda: line.silent, "hearing")
    assert len(line.session._commands) <= MOST_WAITING
    line.check()
