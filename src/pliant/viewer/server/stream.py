"""The socket of a viewport: out go frames, the latest, as many as are drawn; in come small commands.

It speaks to the server without a framework between them: sixty times a second every layer is felt.
"""

import asyncio
import time
from contextlib import suppress

from starlette.types import ASGIApp, Receive, Scope, Send

from pliant.viewer.protocol.commands import Credit, Follow, ShowLayers, parse
from pliant.viewer.protocol.labels import pack_labels
from pliant.viewer.server.session import Session
from pliant.viewer.server.sessions import Sessions
from pliant.viewer.server.watching import Watcher

MOST_CREDITS = 4  # frames on the way
MESSAGES = 1000  # a second; a mouse sends about a hundred, ten fingers ten times as many
READER_PATIENCE = 30.0  # seconds: a page that reads nothing for so long is given up
NO_SUCH_EXHIBIT = 4404
PATH = "/stream/"


def beside(app: ASGIApp, sessions: Sessions) -> ASGIApp:
    """The application, and the sockets of all viewports beside it."""

    async def both(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"].startswith(PATH):
            await stream(scope, receive, send, sessions)
        else:
            await app(scope, receive, send)

    return both


async def stream(scope: Scope, receive: Receive, send: Send, sessions: Sessions) -> None:
    """Serve one page until it goes, or until it reads no more."""
    await receive()  # that it wants to connect
    with suppress(OSError, RuntimeError):  # it has gone already
        await send({"type": "websocket.accept"})
        await asyncio.to_thread(sessions.preparation.listed.wait)
        session = sessions.of(scope["path"].removeprefix(PATH))
        if session is not None:
            await _serve(receive, send, session)
        else:
            await send({"type": "websocket.close", "code": NO_SUCH_EXHIBIT})


async def _serve(receive: Receive, send: Send, session: Session) -> None:
    watcher = session.join()
    work = [
        asyncio.create_task(_receive(receive, session, watcher)),
        asyncio.create_task(_send(send, session, watcher)),
        asyncio.create_task(_lose_patience(watcher)),
    ]
    try:
        await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    finally:
        session.leave(watcher)
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)


async def _send(send: Send, session: Session, watcher: Watcher) -> None:
    async def give(message: bytes) -> None:  # what a page does not read waits in the connection, and so do we
        watcher.waits_since = time.monotonic()
        await send({"type": "websocket.send", "bytes": message})
        watcher.waits_since = None

    epoch, shown, bodies, labels, distances = None, None, b"", b"", b""
    history, reel = b"", b""
    while True:
        await watcher.news.wait()
        watcher.news.clear()
        picture = session.picture
        if picture is None or picture is shown or watcher.credits <= 0:
            continue
        if picture.epoch != epoch:
            await give(picture.setup)
            epoch, bodies, labels, distances = picture.epoch, b"", b"", b""
        if watcher.follows and picture.history and picture.history is not history:
            await give(picture.history)
            history = picture.history
        if watcher.follows and picture.reel is not reel:
            await give(picture.reel)
            reel = picture.reel
        wanted = watcher.layers
        if wanted is not None and wanted.bodies and picture.bodies and picture.bodies is not bodies:
            await give(picture.bodies)
            bodies = picture.bodies
        if picture.labels != labels:
            await give(pack_labels(picture.labels))
            labels = picture.labels
        if picture.distances is not distances:
            await give(picture.distances)
            distances = picture.distances
        watcher.credits -= 1
        watcher.last_taken = time.monotonic()
        await give(picture.frame + picture.layers.get(wanted, b"") if wanted else picture.frame)
        shown = picture


async def _receive(receive: Receive, session: Session, watcher: Watcher) -> None:
    allowance = Allowance(MESSAGES)
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        while not allowance.take(time.monotonic()):  # a flood waits in the connection; nothing of it is lost
            await asyncio.sleep(0.01)
        command = parse(message.get("text"))
        if command is None:
            watcher.ignored += 1
        elif isinstance(command, Credit):
            if watcher.credits <= 0:  # something may have waited for it
                watcher.news.set()
            watcher.credits = min(watcher.credits + command.frames, MOST_CREDITS)
        else:
            if isinstance(command, ShowLayers):
                watcher.layers = command
            elif isinstance(command, Follow):
                watcher.follows = True
            session.do(command, watcher)


async def _lose_patience(watcher: Watcher) -> None:
    """Ends when the page has read nothing for too long."""
    while watcher.waits_since is None or time.monotonic() - watcher.waits_since < READER_PATIENCE:
        await asyncio.sleep(READER_PATIENCE / 4)


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
