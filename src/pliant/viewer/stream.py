"""The socket of a viewport: out go frames, the latest, as many as are drawn; in come small commands."""

import asyncio
import time

from starlette.websockets import WebSocket, WebSocketDisconnect

from pliant.viewer.commands import Credit, parse
from pliant.viewer.sessions import Session, Sessions, Watcher

MOST_CREDITS = 4  # frames on the way
MESSAGES = 400  # a second; a mouse sends about a hundred
NO_SUCH_EXHIBIT = 4404


async def stream(socket: WebSocket, sessions: Sessions) -> None:
    """Serve one page until it goes."""
    await socket.accept()
    await asyncio.to_thread(sessions.preparation.listed.wait)
    session = sessions.of(socket.path_params["name"])
    if session is None:
        await socket.close(NO_SUCH_EXHIBIT)
        return
    watcher = session.join()
    sender = asyncio.create_task(_send(socket, session, watcher))
    try:
        await _receive(socket, session, watcher)
    finally:
        session.leave(watcher)
        sender.cancel()
        await asyncio.gather(sender, return_exceptions=True)


async def _send(socket: WebSocket, session: Session, watcher: Watcher) -> None:
    epoch, shown = None, None
    while True:
        await watcher.news.wait()
        watcher.news.clear()
        picture = session.picture
        if picture is None or picture is shown or watcher.credits <= 0:
            continue
        if picture.epoch != epoch:
            await socket.send_bytes(picture.cast)
            epoch = picture.epoch
        watcher.credits -= 1
        watcher.last_taken = time.monotonic()
        await socket.send_bytes(picture.frame)
        shown = picture


async def _receive(socket: WebSocket, session: Session, watcher: Watcher) -> None:
    allowance = Allowance(MESSAGES)
    while True:
        try:
            message = await socket.receive()
        except (WebSocketDisconnect, RuntimeError):
            return
        if message["type"] == "websocket.disconnect":
            return
        command = parse(message.get("text"))
        if command is None or not allowance.take(time.monotonic()):
            watcher.ignored += 1
        elif isinstance(command, Credit):
            watcher.credits = min(watcher.credits + 1, MOST_CREDITS)
            watcher.news.set()
        else:
            session.do(command, watcher)


class Allowance:
    """So many a second, and as many saved up.

    >>> allowance = Allowance(2)
    >>> [allowance.take(0.0) for _ in range(3)], allowance.take(0.5)
    ([True, True, False], True)
    """

    def __init__(self, per_second: float) -> None:
        self.per_second = self.left = per_second
        self._then: float | None = None

    def take(self, now: float) -> bool:
        passed = 0.0 if self._then is None else now - self._then
        self._then = now
        self.left = min(self.left + passed * self.per_second, self.per_second)
        if self.left < 1:
            return False
        self.left -= 1
        return True
