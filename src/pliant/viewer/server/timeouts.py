"""Connections that keep the server waiting are closed.

Uvicorn closes a connection that is silent between two requests, but waits for ever for the rest of one: a head that
never ends, a body that stops half-way. A client with many such connections, by ill will or on a bad network, takes the
server away from all others. Here each request has to arrive at a certain pace. Requests that are being answered, and
WebSockets, which have their own pings, may take as long as they like.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD_SECONDS = 10.0  # from a new connection, or the first byte of a further request, to the end of the head
LARGEST_HEAD = 65_536  # bytes
BODY_SILENCE = 20.0  # seconds without a byte of the body
SLOWEST = 2_000  # bytes of the body in a second, on average after the first silence
LATE = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
HEADERS_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class TimedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Uvicorn's own protocol with a timer, which runs while the client has to send something."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._timer: asyncio.TimerHandle | None = None
        self._bytes = 0  # of the head or the body that is arriving
        self._began = self.loop.time()  # when the body did
        self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # refused, or a WebSocket now
            self._wait(None)
        elif self.cycle is not before:  # a head is complete
            self._bytes, self._began = 0, self.loop.time()
            self._wait(BODY_SILENCE if self.cycle.more_body else None)
        elif before is not None and before.more_body:
            self._bytes += len(data)
            left = self._began + BODY_SILENCE + self._bytes / SLOWEST - self.loop.time()
            self._wait(min(BODY_SILENCE, left))
        elif before is None or before.response_complete:  # a part of a head
            self._bytes += len(data)
            if self._bytes > LARGEST_HEAD:
                self._end(HEADERS_TOO_LARGE)
            elif self._timer is None:
                self._wait(HEAD_SECONDS)
        else:  # the body is complete, and is being answered
            self._bytes = 0
            self._wait(None)

    def _wait(self, seconds: float | None) -> None:
        """From now on wait so long for the client; None if it is not the client's turn."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(max(seconds, 0), self._too_late)

    def _too_late(self) -> None:
        self._timer = None
        if self.flow.read_paused:  # it is the server that does not keep up
            self._wait(BODY_SILENCE)
        else:
            self._end(LATE if self._bytes or self.cycle is not None else b"")

    def _end(self, answer: bytes) -> None:
        """Close, and say why unless an answer has begun. A connection on which nothing was ever asked is closed without
        a word: browsers open some in advance, and would take the words for the answer to what they ask later."""
        self._wait(None)
        if self.transport.is_closing():
            return
        if answer and (self.cycle is None or not self.cycle.response_started or self.cycle.response_complete):
            self.transport.write(answer)
        self.transport.close()
        self.loop.call_later(1.0, self.transport.abort)  # also where the answer is not taken
