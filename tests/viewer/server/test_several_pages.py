"""Several pages of one session, pages that are lost, and pages that stall."""

import asyncio
import json
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from websockets.sync.client import ClientConnection, connect

from pliant.viewer.protocol.packing import FRAME
from pliant.viewer.server import stream as module
from pliant.viewer.server.preparation import Preparation
from pliant.viewer.server.session import Session
from viewer.conftest import serving
from viewer.exhibits import EXHIBITS
from viewer.loops import in_a_loop
from viewer.proxy import Proxy

PATIENCE = 90.0  # seconds
VIEW = "document.querySelector('.viewport')?.view"
CREDIT = '{"do": "credit"}'


class Watching:
    """A page without a browser: takes frames, by number."""

    def __init__(self, link: ClientConnection) -> None:
        self.link = link
        self.frames: dict[int, bytes] = {}

    def next(self) -> int:
        """Take one more frame; its number."""
        while True:
            message = self.link.recv(timeout=PATIENCE)
            assert isinstance(message, bytes)
            kind, _, number = struct.unpack_from("<III", message)
            if kind == FRAME:
                self.frames[number] = message
                self.link.send(CREDIT)
                return int(number)

    def say(self, **command: Any) -> None:
        self.link.send(json.dumps(command))


@pytest.fixture(scope="module")
def own() -> Iterator[str]:
    """A server that no other test uses."""
    with serving() as address:
        yield address


@pytest.fixture
def pages(own: str) -> Iterator[list[Watching]]:
    url = f"{own.replace('http', 'ws')}/stream/bar"
    with ExitStack() as stack:
        yield [Watching(stack.enter_context(connect(url, max_size=None, open_timeout=PATIENCE))) for _ in range(3)]


def test_all_pages_get_the_same_frames(pages: list[Watching]) -> None:
    first, second, _ = pages
    for page in (first, second):
        page.next()
    first.say(do="play", on=False)
    for _ in range(5):
        first.say(do="step")
        target = max(page.next() for page in (first, second))
        for page in (first, second):
            while max(page.frames) < target:
                page.next()
    first.say(do="play", on=True)
    common = first.frames.keys() & second.frames.keys()
    assert len(common) >= 5
    assert all(first.frames[number] == second.frames[number] for number in common)


def test_a_page_that_stalls_holds_nobody_up(pages: list[Watching]) -> None:
    """The third page reads nothing and gives no credits."""
    first, second, _ = pages
    numbers = [(first.next(), second.next()) for _ in range(120)]
    assert all(a < b for each in zip(*numbers, strict=True) for a, b in pairwise(each))


def test_a_page_that_goes_leaves_the_session_running(own: str, pages: list[Watching]) -> None:
    first, second, third = pages
    second.next()
    first.say(do="grab", handle=0, actor="bar", vertex=0, target=[0, 1, 0])
    first.link.close()
    third.link.socket.close()  # without a word
    before = second.next()
    assert all(second.next() > before for _ in range(30))


def test_a_page_that_reads_no_more_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "READER_PATIENCE", 0.2)
    preparation = Preparation()
    preparation.exhibits = EXHIBITS  # type: ignore[assignment]
    preparation.listed.set()
    preparation.ready.set()
    session = Session(EXHIBITS[0], preparation)  # type: ignore[arg-type]
    sessions: Any = SimpleNamespace(preparation=preparation, of=lambda name: session)

    async def serve() -> None:
        said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        said.put_nowait({"type": "websocket.connect"})

        async def send(message: Any) -> None:
            if message["type"] == "websocket.send":
                await asyncio.Event().wait()  # its buffers are full

        scope = {"type": "websocket", "path": "/stream/bar", "headers": []}
        await asyncio.wait_for(module.stream(scope, said.get, send, sessions), PATIENCE)

    in_a_loop(serve())
    assert not session._watchers


# ---- in a browser ------------------------------------------------------------------------------------------


def open_page(page: Page, address: str) -> None:
    page.set_default_timeout(1000 * PATIENCE)
    expect.set_options(timeout=1000 * PATIENCE)
    page.set_viewport_size({"width": 900, "height": 600})
    page.goto(f"{address}/exhibit/bar")
    page.wait_for_function(f"{VIEW}?.shown && window.did_handshake")


def moves_on(page: Page) -> None:
    """Frames arrive."""
    page.wait_for_function(f"{VIEW}?.shown")
    number = page.evaluate(f"{VIEW}.shown.number")
    page.wait_for_function(f"{VIEW}?.shown && {VIEW}.shown.number !== {number}")


@pytest.mark.browser
def test_two_pages_in_step(page: Page, own: str) -> None:
    open_page(page, own)
    other = page.context.new_page()
    open_page(other, own)
    page.evaluate(f"{VIEW}.stream.send({{ do: 'step' }})")  # and stop
    expect(page.locator(".play i")).to_have_text("play_arrow")
    expect(other.locator(".play i")).to_have_text("play_arrow")
    shown = f"[{VIEW}.shown.number, {VIEW}.shown.time, Array.from({VIEW}.skins.particles)]"
    end = time.monotonic() + PATIENCE
    while (here := page.evaluate(shown)) != (there := other.evaluate(shown)):  # the last frame may be on its way
        assert time.monotonic() < end, f"frame {here[0]} on one page, {there[0]} on the other"
    other.evaluate(f"{VIEW}.stream.send({{ do: 'play', on: true }})")
    moves_on(page)
    other.close()
    moves_on(page)


@pytest.mark.browser
def test_a_lost_stream_is_told_and_comes_back(page: Page, own: str) -> None:
    with Proxy(own) as proxy:
        open_page(page, proxy.address)
        proxy.cut("/stream/")
        expect(page.locator(".notice-text")).to_contain_text("connection is lost")
        shown = page.evaluate(f"{VIEW}.shown.number")
        proxy.mend()
        page.wait_for_function(f"{VIEW}.shown.number !== {shown}")  # it counts anew if the session had ended
        expect(page.locator(".notice")).to_be_hidden()


@pytest.mark.browser
def test_the_page_of_a_server_that_was_restarted(page: Page) -> None:
    with serving() as first, Proxy(first) as proxy:
        open_page(page, proxy.address)
        proxy.cut()
        with serving() as second:
            proxy.upstream = second
            page.evaluate("window.old = true")
            proxy.mend()
            page.wait_for_function(f"!window.old && {VIEW}?.shown")  # made anew: its server knew nothing of it
            moves_on(page)
            before = page.locator(".time").inner_text()
            expect(page.locator(".time")).not_to_have_text(before)  # the panel lives, too
