"""Connections that keep the server waiting, over real sockets: they are closed, and keep no other waiting."""

import socket as sockets
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from pliant.viewer.server import timeouts
from pliant.viewer.server.timeouts import TimedProtocol
from viewer.assets import SHAPE
from viewer.server.test_uploads import PATIENCE, send

HASTE = 1.0  # seconds that the small server waits for anything
LONG = 15 * HASTE  # by then it has surely closed


async def site(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how many bytes it was sent; for /slow it takes longer than any client may."""
    if scope["type"] != "http":
        return
    request = Request(scope, receive)
    if scope["path"] == "/refused":
        await PlainTextResponse("no", 405)(scope, receive, send)
        return
    if scope["path"] == "/slow":
        time.sleep(3 * HASTE)
    await PlainTextResponse(str(len(await request.body())))(scope, receive, send)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """A server in a hurry."""
    for name in ("HEAD_SECONDS", "BODY_SILENCE"):
        monkeypatch.setattr(timeouts, name, HASTE)
    monkeypatch.setattr(timeouts, "SLOWEST", 200)
    listener = sockets.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(16)
    config = uvicorn.Config(site, http=TimedProtocol, log_level="error", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield listener.getsockname()
    server.should_exit = True
    thread.join(10)
    assert not thread.is_alive()
    listener.close()


def said(link: sockets.socket) -> bytes:
    """All that comes until the server closes."""
    heard = b""
    try:
        while more := link.recv(65_536):
            heard += more
    except ConnectionResetError:
        pass
    return heard


def linked(place: tuple[str, int]) -> sockets.socket:
    return sockets.create_connection(place, timeout=LONG)


POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def test_a_connection_that_says_nothing_is_closed_without_a_word(small: tuple[str, int]) -> None:
    with linked(small) as link:
        assert said(link) == b""


@pytest.mark.parametrize("begun", [b"G", GET[:-2], POST, POST + b"x" * 999, POST.replace(b"/ ", b"/refused ")])
def test_half_a_request_is_closed(small: tuple[str, int], begun: bytes) -> None:
    with linked(small) as link:
        link.sendall(begun)
        assert said(link).endswith(timeouts.LATE)


def test_half_a_second_request_is_closed(small: tuple[str, int]) -> None:
    with linked(small) as link:
        link.sendall(GET)
        assert link.recv(65_536).endswith(b"0")
        link.sendall(GET[:-1])
        assert said(link) == timeouts.LATE


def trickled(link: sockets.socket, pieces: Iterator[bytes], pause: float) -> bytes:
    """Send a little now and then until the server has had enough."""
    link.settimeout(0.01)
    end, heard = time.monotonic() + LONG, b""
    try:
        while time.monotonic() < end:
            link.sendall(next(pieces))
            time.sleep(pause)
            try:
                more = link.recv(65_536)
            except TimeoutError:
                continue
            heard += more
            if not more:
                return heard
    except (ConnectionResetError, BrokenPipeError):
        return heard
    raise AssertionError("it waits for ever")


def test_a_head_that_never_ends(small: tuple[str, int]) -> None:
    """A line of it now and then does not help."""
    with linked(small) as link:
        link.sendall(b"GET / HTTP/1.1\r\n")
        assert trickled(link, (f"x-{n}: y\r\n".encode() for n in range(10**6)), HASTE / 5) in (b"", timeouts.LATE)


@pytest.mark.parametrize("path", [b"/", b"/refused"])
def test_a_body_that_drips(small: tuple[str, int], path: bytes) -> None:
    """It never stops for long, but comes more slowly than any network; also if it is not read any more."""
    with linked(small) as link:
        link.sendall(b"POST " + path + b" HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        trickled(link, (b"x" for _ in range(10**6)), HASTE / 10)


def test_a_head_as_long_as_memory_lasts(small: tuple[str, int]) -> None:
    with linked(small) as link:
        try:
            link.sendall(b"GET / HTTP/1.1\r\n")
            for n in range(100_000):
                link.sendall(f"x-{n}: ".encode() + b"y" * 1000 + b"\r\n")
        except (ConnectionResetError, BrokenPipeError):
            return
    raise AssertionError("it took a hundred megabytes")


def test_a_slow_client_that_gets_on_is_served(small: tuple[str, int]) -> None:
    """For several times the silence that is allowed, and once more over the same connection."""
    with linked(small) as link:
        for _ in range(2):
            link.sendall(POST.replace(b"1000", b"2000"))
            for _ in range(20):
                time.sleep(HASTE / 10)
                link.sendall(b"x" * 100)
            assert b"\r\n\r\n2000" in link.recv(65_536)


def test_a_slow_server_is_not_the_clients_fault(small: tuple[str, int]) -> None:
    assert httpx.get(f"http://{small[0]}:{small[1]}/slow", timeout=LONG).text == "0"
    large = httpx.post(f"http://{small[0]}:{small[1]}/slow", content=b"x" * 3_000_000, timeout=LONG)
    assert large.text == "3000000"


def test_an_upload_that_stalls_blocks_no_other(address: str) -> None:
    """The real server: five begin to send and stop, five more do not even end their heads."""
    place = urlsplit(address)
    head = f"POST /upload HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    stalled = [sockets.create_connection((place.hostname or "", place.port or 0), timeout=PATIENCE) for _ in range(10)]
    try:
        for number, link in enumerate(stalled):
            link.sendall((head + ("Content-Length: 1000\r\n\r\n--b\r\n" if number < 5 else "")).encode())
        began = time.monotonic()
        page = send(address, ("alone.toml", SHAPE.encode())).json()["page"]
        assert page.startswith("/exhibit/alone") and time.monotonic() - began < timeouts.BODY_SILENCE
        last = stalled[-1]
        assert said(last).startswith(b"HTTP/1.1 408") and time.monotonic() - began < 3 * timeouts.HEAD_SECONDS
    finally:
        for link in stalled:
            link.close()


def test_uploads_at_once(address: str) -> None:
    """Each gets a page of its own, also if they have the same name."""
    pages: list[str] = []
    threads = [
        threading.Thread(target=lambda: pages.append(send(address, ("same.toml", SHAPE.encode())).json()["page"]))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(pages)) == 6
    for page in pages:
        assert httpx.get(address + page, timeout=PATIENCE).status_code == 200
