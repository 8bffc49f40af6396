"""A whole server under fire: floods, messages of megabytes, and addresses that lead astray."""

import json
import socket as sockets
import struct
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote, urlsplit

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from pliant.viewer.protocol.packing import FRAME
from viewer import hostile
from viewer.conftest import serving

PATIENCE = 90.0  # seconds
SECRET = "the treasure is under the oak"


@pytest.fixture(scope="module")
def own() -> Iterator[str]:
    """A server that no other test uses."""
    with serving() as address:
        yield address


@pytest.fixture(scope="module")
def secret() -> Iterator[Path]:
    """A file that no page may see."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "secret.obj"
        path.write_text(f"# {SECRET}\nv 0 0 0\n")
        yield path


def opened(address: str, name: str = "bar") -> ClientConnection:
    return connect(f"{address.replace('http', 'ws')}/stream/{name}", max_size=None, open_timeout=PATIENCE)


def lives(address: str) -> None:
    """A new page gets frames."""
    with opened(address) as link:
        seen = 0
        while seen < 5:
            message = link.recv(timeout=PATIENCE)
            assert isinstance(message, bytes)
            if struct.unpack_from("<I", message)[0] == FRAME:
                seen += 1
                link.send('{"do": "credit"}')
            else:
                link.send('{"do": "play", "on": true}')


@pytest.mark.parametrize("size", [65_537, 10_000_000])
@pytest.mark.parametrize("text", [True, False])
def test_large_messages_end_the_connection_and_nothing_else(own: str, size: int, text: bool) -> None:
    with opened(own) as link:
        with pytest.raises(ConnectionClosed):
            link.send("x" * size if text else b"x" * size)
            for _ in range(10_000):
                link.recv(timeout=PATIENCE)
        assert link.close_code in (1009, 1006)  # told, or cut off in the middle of it
    lives(own)


def test_endless_pieces(own: str) -> None:
    """A message in pieces that never ends is cut off where one piece would be."""
    with opened(own) as link, pytest.raises(ConnectionClosed):
        link.send(" " * 1000 for _ in range(20_000))
        for _ in range(10_000):
            link.recv(timeout=PATIENCE)
    lives(own)


def test_a_flood_loses_nothing_and_harms_nobody(own: str) -> None:
    with opened(own) as link:
        for number in range(3000):
            link.send(json.dumps({"do": "move", "handle": number % 7, "target": [0, 1, 0]}))
        link.send('{"do": "step"}')
        lives(own)
        stopped = 0
        while stopped < 2:  # the step came through in the end: it is followed by silence
            try:
                link.recv(timeout=1.0)
                link.send('{"do": "credit"}')
            except TimeoutError:
                stopped += 1
        link.send('{"do": "play", "on": true}')
    lives(own)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(hostile.texts() | st.binary(max_size=2000), max_size=30))
def test_anything_through_the_network(own: str, messages: list[str | bytes]) -> None:
    with opened(own) as link:
        for message in messages:
            link.send(message.encode("utf-8", "replace").decode() if isinstance(message, str) else message)
        link.send('{"do": "reset"}')
        link.send('{"do": "live"}')
    lives(own)


@pytest.mark.parametrize(
    "frame", [b"\xff" * 200, b"\x81\xfe\xff\xff", b"\x81\x85\0\0\0\0\xff\xff\xff\xff\xff", b"\x09\x80"]
)
def test_what_is_no_websocket_any_more(own: str, frame: bytes) -> None:
    """Bytes that break the protocol itself, after a proper beginning."""
    place = urlsplit(own)
    hello = (
        f"GET /stream/bar HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with sockets.create_connection((place.hostname or "", place.port or 0), timeout=PATIENCE) as link:
        link.sendall(hello.encode())
        assert b" 101 " in link.recv(100)
        link.sendall(frame)
    lives(own)


@pytest.mark.parametrize("name", ["..", "../app.py", "%00", "x" * 5000, "bar/../../etc", "🐻", "bar?x=1#y"])
def test_streams_of_nothing(own: str, name: str) -> None:
    try:
        with opened(own, quote(name, safe="")) as link, pytest.raises(ConnectionClosed):
            link.recv(timeout=PATIENCE)
    except InvalidStatus as refused:
        assert 400 <= refused.response.status_code < 500
    lives(own)


ROUTES = ("/viewport/", "/pictures/", "/texture/", "/exhibit/", "/stream/", "/_nicegui/", "/")


@pytest.mark.parametrize("route", ROUTES)
def test_no_address_leads_to_a_file_outside(own: str, secret: Path, route: str) -> None:
    up = "../" * 12
    plain = f"{up}{secret.as_posix().lstrip('/')}"
    windows = plain.replace("/", "\\")
    place = urlsplit(own)
    paths = [plain, quote(plain, safe=""), quote(plain), windows, quote(windows), secret.as_posix()]
    paths += [quote(secret.as_posix(), safe=""), plain.replace("..", "%2e%2e"), plain.replace("../", "....//")]
    for path in paths:
        # Written by hand: a client would tidy the address before it is sent.
        with sockets.create_connection((place.hostname or "", place.port or 0), timeout=PATIENCE) as link:
            request = f"GET {route}{path} HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: close\r\n\r\n"
            link.sendall(request.encode("utf-8"))
            answer = b""
            while part := link.recv(65536):
                answer += part
        assert SECRET.encode() not in answer
        assert answer.split(b" ", 2)[1][:1] in (b"2", b"3", b"4"), answer[:200]


@pytest.mark.slow
def test_uploads_cannot_reach_outside(own: str, secret: Path) -> None:
    """Neither by the names of files, nor by what is said in them."""
    scene = b'[[bodies]]\nfile = "%s"\n'
    for named in (secret.as_posix(), "../" * 12 + secret.as_posix().lstrip("/"), f"file://{secret.as_posix()}"):
        files = [("files", ("up.toml", scene % named.encode(), "text/plain"))]
        answer = httpx.post(f"{own}/upload", files=files, timeout=PATIENCE)
        assert "problem" in answer.json() and SECRET not in answer.text
    for name in (
        f"../../{secret.name}",
        secret.as_posix(),
        secret.as_posix().replace("/", "\\"),
        f"./{secret.name}\0.obj",
    ):
        files = [("files", (name, b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "text/plain"))]
        httpx.post(f"{own}/upload", files=files, timeout=PATIENCE)
        assert SECRET in secret.read_text()
        assert [each.name for each in secret.parent.iterdir()] == [secret.name]
