"""The socket of a viewport: out go frames, the latest, as many as are drawn; in come small commands."""

import asyncio
import time

from starlette.websockets import WebSocket, WebSocketDisconnect

from pliant.viewer.commands import Credit, Follow, Look, parse
from pliant.viewer.labels import pack_labels
from pliant.viewer.sessions import Session, Sessions, Watcher

MOST_CREDITS = 4  # frames on the way
MESSAGES = 1000  # a second; a mouse sends about a hundred, ten fingers ten times as many
PATIENCE = 30.0  # seconds: a page that reads nothing for so long is given up
NO_SUCH_EXHIBIT = 4404


async def stream(socket: WebSocket, sessions: Sessions) -> None:
    """Serve one page until it goes, or until it reads no more."""
    try:
        await socket.accept()
        await asyncio.to_thread(sessions.preparation.listed.wait)
        session = sessions.of(socket.path_params["name"])
        if session is None:
            await socket.close(NO_SUCH_EXHIBIT)
            return
    except (WebSocketDisconnect, RuntimeError):  # it has gone already
        return
    watcher = session.join()
    work = [asyncio.create_task(each(socket, session, watcher)) for each in (_receive, _send)]
    try:
        await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    finally:
        session.leave(watcher)
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)


async def _send(socket: WebSocket, session: Session, watcher: Watcher) -> None:
    epoch, shown, bodies, labels = None, None, b"", b""
    history, reel = b"", b""
    while True:
        await watcher.news.wait()
        watcher.news.clear()
        picture = session.picture
        if picture is None or picture is shown or watcher.credits <= 0:
            continue
        async with asyncio.timeout(PATIENCE):  # what a page does not read waits in the connection, and so do we
            if picture.epoch != epoch:
                await socket.send_bytes(picture.cast)
                epoch, bodies, labels = picture.epoch, b"", b""
            if watcher.follows and picture.history and picture.history is not history:
                await socket.send_bytes(picture.history)
                history = picture.history
            if watcher.follows and picture.reel is not reel:
                await socket.send_bytes(picture.reel)
                reel = picture.reel
            look = watcher.look
            if look is not None and look.bodies and picture.bodies and picture.bodies is not bodies:
                await socket.send_bytes(picture.bodies)
                bodies = picture.bodies
            if picture.labels != labels:
                await socket.send_bytes(pack_labels(picture.labels))
                labels = picture.labels
            watcher.credits -= 1
            watcher.last_taken = time.monotonic()
            await socket.send_bytes(picture.frame + picture.layers.get(look, b"") if look else picture.frame)
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
        while not allowance.take(time.monotonic()):  # a flood waits in the connection; nothing of it is lost
            await asyncio.sleep(0.01)
        command = parse(message.get("text"))
        if command is None:
            watcher.ignored += 1
        elif isinstance(command, Credit):
            watcher.credits = min(watcher.credits + 1, MOST_CREDITS)
            watcher.news.set()
        else:
            if isinstance(command, Look):
                watcher.look = command
            elif isinstance(command, Follow):
                watcher.follows = True
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
