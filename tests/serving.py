"""The other end of `pliant serve`, as tests hold it: it may say anything."""

import socket
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pliant.geometry.surfaces import ball
from pliant.serve.wire import Message, packed, receive

TOKEN = "a-token-of-the-tests"
LONG_ENOUGH = 60.0  # s: nothing here takes that long, but a machine may be busy
FPS = 30.0

Blocks = dict[str, NDArray[Any]]


class Peer:
    """A socket to a server, and what comes from it."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LONG_ENOUGH)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def shaken(self) -> Self:
        assert self.ask({"do": "hello", "protocol": 1, "token": TOKEN}).head["is"] == "hello"
        return self

    def send(self, head: Mapping[str, Any], blocks: Blocks | None = None) -> None:
        self.socket.sendall(packed(Message(head, blocks or {})))

    def receive(self) -> Message | None:
        """The next message; None when the server has ended the connection."""

        def exactly(count: int) -> bytearray:
            data = bytearray()
            while len(data) < count:
                try:
                    piece = self.socket.recv(count - len(data))
                except ConnectionError:
                    piece = b""
                if not piece:
                    return bytearray()
                data += piece
            return data

        return receive(exactly)

    def ask(self, head: Mapping[str, Any], blocks: Blocks | None = None) -> Message:
        """The answer, without progress."""
        self.send(head, blocks)
        while (answer := self.receive()) is not None:
            if answer.head["is"] != "progress":
                return answer
        raise EOFError

    def frames(self, head: Mapping[str, Any]) -> Iterator[Message]:
        """Everything up to `done`, which is the last."""
        self.send(head)
        while (answer := self.receive()) is not None:
            yield answer
            if answer.head["is"] in ("done", "error"):
                return


@cache
def stone() -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    return ball(0.5, 0.25)


def scene(**body: Any) -> tuple[dict[str, Any], Blocks]:
    """A ball with a pose over a floor; body: what is said otherwise of it."""
    vertices, faces = stone()
    head = {
        "do": "scene",
        "fps": FPS,
        "substeps": 4,
        "bodies": [{"name": "ball", "particles": 60, "poses": ["flat"], **body}],
        "colliders": [{"name": "floor", "type": "plane", "point": [0, -0.6, 0]}],
    }
    flat = vertices * (1.2, 0.6, 1.2)
    return head, {"bodies/0/vertices": vertices, "bodies/0/faces": faces, "bodies/0/poses/0": flat}


def with_top(blocks: Blocks) -> NDArray[np.int32]:
    """A group of the upper vertices, as group 0."""
    top = np.flatnonzero(blocks["bodies/0/vertices"][:, 1] > 0.2).astype(np.int32)
    blocks["bodies/0/groups/0"] = top
    return top
