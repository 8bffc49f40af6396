"""What a session and the pages that watch it hand to each other: bells, the state of the panel, and pictures."""

import asyncio
import logging
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from pliant.viewer.protocol.commands import (
    AddPose,
    Arrange,
    Command,
    Defaults,
    DeletePose,
    Force,
    MendPose,
    OnSecond,
    RenamePose,
    Settle,
    ShowLayers,
    Tune,
    UseModel,
)
from pliant.viewer.protocol.group_commands import GroupCommand
from pliant.viewer.protocol.studio_commands import CloseStudio, StudioCommand

log = logging.getLogger("pliant.viewer")


class Bell:
    """Wakes one thread that waits; a ring that was not heard is heard by the next that waits. An Event does the same
    for many, at ten times the price."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def ring(self) -> None:
        """From any thread."""
        with suppress(RuntimeError):  # it rings already
            self._lock.release()

    def wait(self, seconds: float) -> None:
        self._lock.acquire(timeout=max(seconds, 0.0))


class Watcher:
    """A page that watches: how many frames it can take, and a flag that wakes its sender."""

    def __init__(self) -> None:
        self.credits = 3
        self.ignored = 0  # messages that were no commands
        self.layers: ShowLayers | None = None  # what it wants to see inside
        self.follows = False  # whether it has a timeline
        self.last_taken = time.monotonic()
        self.waits_since: float | None = None  # when a message was handed over that is still on its way
        self.news = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def wake(self) -> None:
        """From any thread."""
        try:
            self._loop.call_soon_threadsafe(self.news.set)
        except RuntimeError:  # the server has ended
            log.debug("a page is woken after the server has ended")


class Refusal(NamedTuple):
    """A command that was not obeyed, and why: the session goes on as it did. place: the part of the panel that it came
    from (see `place_of`).  number: no two of a session have the same."""

    place: str
    text: str
    number: int


def place_of(command: Command) -> str:
    """The part of the panel that a command comes from.

    >>> place_of(Settle(actor="bar")), place_of(OnSecond(command=Arrange(field="gravity", value=1.6)))
    ('poses', 'world')
    """
    match command:
        case OnSecond(command=inner):
            return place_of(inner)
        case Force() | AddPose() | Settle() | RenamePose() | DeletePose() | MendPose():
            return "poses"
        case GroupCommand():
            return "groups"
        case Tune() | UseModel() | Defaults():
            return "settings"
        case Arrange():
            return "world"
        case StudioCommand() | CloseStudio():
            return "studio"
    return "stage"


class Status(NamedTuple):
    """What a panel shows. phase: "asleep", "preparing", "building", "ready", "settling" or
    "failed"."""

    phase: str = "asleep"
    playing: bool = True
    speed: float = 1.0
    time: float = 0.0
    rate: float = 1.0
    problem: str = ""
    live: bool = True  # or the recording is watched
    marked: tuple[float, float] | None = None  # the chosen span of the recording (s)
    sleepers: int = 0  # bodies that have come to rest and wait
    refusal: Refusal | None = None  # the last, until something of its place is obeyed


NO_LAYERS: Mapping[ShowLayers, bytes] = {}


class Picture(NamedTuple):
    """The latest of everything that a page draws."""

    epoch: int
    setup: bytes
    frame: bytes
    bodies: bytes = b""  # if a page sees inside them
    layers: Mapping[ShowLayers, bytes] = NO_LAYERS  # for each page that sees inside
    reel: bytes = b""  # for pages that have a timeline, and
    history: bytes = b""  # when they watch the recording
    labels: bytes = b""  # the group of each particle
    distances: bytes = b""  # of bodies from their poses
