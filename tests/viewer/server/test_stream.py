"""The server as a stranger sees it, through plain HTTP and sockets."""

import json
import struct
from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from pliant.session.player.setup import SETUP
from pliant.viewer.protocol.packing import FRAME

JUNK = [
    "",
    "{",
    "null",
    "[]",
    '{"do": "shutdown"}',
    '{"do": "grab"}',
    '{"do": "move", "handle": -1, "target": [0, 0, 0]}',
    '{"do": "move", "handle": 0, "target": [0, 0, 1e999]}',
    '{"do": "move", "handle": 0, "target": [0, NaN, 0]}',
    '{"do": "tune", "actor": null, "field": "stiffness", "value": 1}',
    "[" * 1500,
    "x" * 50_000,
    b"\x00\xff" * 500,
]
PATIENCE = 60.0  # seconds
FOREIGN = [{"host": "evil.example"}, {"origin": "http://evil.example"}, {"origin": "null"}]


def url(address: str, name: str = "bar") -> str:
    return f"{address.replace('http', 'ws')}/stream/{name}"


@pytest.fixture
def socket(address: str) -> Iterator[ClientConnection]:
    with connect(url(address), max_size=None, open_timeout=PATIENCE) as socket:
        yield socket


def kind_of(message: str | bytes) -> int:
    assert isinstance(message, bytes)
    return int(struct.unpack_from("<I", message)[0])


def next_kind(socket: ClientConnection) -> int:
    """Of the next setup or frame; others come only now and then."""
    while (kind := kind_of(socket.recv(timeout=PATIENCE))) not in (SETUP, FRAME):
        pass
    return kind


@pytest.mark.parametrize("path", ["/", "/exhibit/bar", "/viewport/skin.js", "/pictures/none.png"])
@pytest.mark.parametrize("header", FOREIGN)
def test_foreign_sites_are_refused(address: str, path: str, header: dict[str, str]) -> None:
    assert httpx.get(address + path, headers=header, timeout=PATIENCE).status_code == 403


@pytest.mark.parametrize("path", ["/stream/bar", "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"])
def test_foreign_sites_get_no_socket(address: str, path: str) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        socket = address.replace("http", "ws") + path
        connect(socket, origin="http://evil.example", open_timeout=PATIENCE)  # type: ignore[arg-type]


def test_own_pages_are_served(address: str) -> None:
    answer = httpx.get(address, headers={"origin": address}, timeout=PATIENCE)
    assert answer.status_code == 200
    assert answer.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_can_be_sent_to_pages(address: str, method: str) -> None:
    assert httpx.request(method, address, content=b"x", timeout=PATIENCE).status_code == 405


def test_no_file_outside_is_served(address: str) -> None:
    for path in ("/viewport/../app.py", "/viewport/%2e%2e/app.py", "/pictures/..%2f..%2fapp.py"):
        assert httpx.get(address + path, timeout=PATIENCE).status_code == 404


def test_cast_then_frames_as_credits_allow(socket: ClientConnection) -> None:
    assert next_kind(socket) == SETUP
    assert [next_kind(socket) for _ in range(3)] == [FRAME, FRAME, FRAME]
    with pytest.raises(TimeoutError):
        socket.recv(timeout=0.5)
    socket.send('{"do": "credit"}')
    assert next_kind(socket) == FRAME
    with pytest.raises(TimeoutError):
        socket.recv(timeout=0.5)
    socket.send('{"do":"credit","frames":2}')
    assert [next_kind(socket) for _ in range(2)] == [FRAME, FRAME]


def test_junk_is_ignored(socket: ClientConnection) -> None:
    for message in JUNK:
        socket.send(message)
    kinds = [next_kind(socket) for _ in range(4)]
    socket.send('{"do": "credit"}')
    kinds.append(next_kind(socket))
    assert kinds == [SETUP, FRAME, FRAME, FRAME, FRAME]


def test_a_grab_of_nothing_is_told_and_ignored(socket: ClientConnection) -> None:
    for actor, vertex in (("nobody", 0), ("bar", 10**6)):
        grab = {"do": "grab", "handle": 0, "actor": actor, "vertex": vertex, "target": [0, 1, 0]}
        socket.send(json.dumps(grab))
    assert next_kind(socket) == SETUP
    for _ in range(5):
        assert next_kind(socket) == FRAME
        socket.send('{"do": "credit"}')
    socket.send('{"do": "reset"}')


def test_unknown_exhibit(address: str) -> None:
    gone = pytest.raises(ConnectionClosed, match="4404")
    with connect(url(address, "nothing"), open_timeout=PATIENCE) as socket, gone:
        socket.recv(timeout=PATIENCE)
