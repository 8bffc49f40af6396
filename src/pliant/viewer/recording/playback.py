"""Watching the recording: a playhead that is dragged, steps, plays and loops, while the simulation waits.

A page that has a timeline is told two things beside setups and frames (little-endian, as in packing.py):

    reel      u32 REEL, u32 length of the JSON, JSON padded with spaces: what the timeline shows
    history   u32 HISTORY, u32 moments, u32 numbers of a moment, u32 0, then for each moment f32 time (s), f32 numbers

A history comes when the recording begins to be watched: the curves of the weights before the playhead.
"""

import json
import struct
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pliant.runtime.errors import PliantError
from pliant.session.player.bars import Bar
from pliant.viewer.protocol.commands import Live, Loop, Mark, Nudge, Seek
from pliant.viewer.recording.recorder import FPS, Moment, Recorder, between
from pliant.world import Actor

REEL, HISTORY = 5, 6
HISTORY_STRIDE = 4  # moments for each one of a history: a curve has few pixels


class Reel(NamedTuple):
    """What a timeline shows. Times in seconds; `last` is None as long as it grows, then `first` is its beginning, of
    which no more than the last `most` seconds are kept. `marks`: what is chosen to be saved and looped."""

    live: bool
    playing: bool
    loop: bool
    first: float
    last: float | None
    most: float
    marks: tuple[float | None, float | None]


class Playback:
    """Belongs to the thread of a session. While it is not live, nothing is recorded, so the moments stay."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.loop = False
        self.marks: tuple[float | None, float | None] = (None, None)
        self._moments: tuple[Moment, ...] = ()  # empty: live
        self._place = 0.0  # among them
        self._then: float | None = None
        self._number = recorder.number
        self.actors: Sequence[Actor] = ()  # in the order of the rows of a moment
        self._reel: tuple[Reel | None, bytes] = None, b""
        self._history: tuple[object, bytes] = None, b""

    @property
    def live(self) -> bool:
        """Whether the present is shown."""
        return not self._moments

    @property
    def moment(self) -> Moment:
        """What is shown, if it is not the present."""
        before = int(self._place)
        after = min(before + 1, len(self._moments) - 1)
        return between(self._moments[before], self._moments[after], self._place - before)

    def shown_of(self, actor: Actor, at: float | None = None) -> ArrayLike:
        """Where the particles of an actor are on the page, or were at a time (s) of the recording: (V, 3), of a second
        copy beside the first."""
        moment = self.moment if not self.live else None if at is None else self.recorder.nearest(at)
        if moment is None or len(moment.rows) != sum(len(each.body.rest) for each in self.actors):
            return actor.positions
        first = 0
        for each in self.actors:
            if each is actor:
                return moment.rows[first : first + len(actor.body.rest), :3]
            first += len(each.body.rest)
        return actor.positions

    def around(self) -> tuple[Moment, Moment, Moment]:
        """The recorded moment that is shown, and the two that tell how fast it goes: a step apart, if there are two."""
        here = int(self._place)
        earlier = max(here - 1, 0)
        return self._moments[here], self._moments[earlier], self._moments[min(earlier + 1, len(self._moments) - 1)]

    # ---- what pages ask for ------------------------------------------------------------------------------

    def obey(self, command: Seek | Nudge | Live | Mark | Loop) -> None:
        match command:
            case Seek(time=time):
                self._open()
                self._place = float(self._nearest(time))
            case Nudge(moments=count):
                self._open()
                self._place = float(min(max(round(self._place) + count, 0), len(self._moments) - 1))
            case Live():
                self.go_live()
            case Mark(start=start, end=end):
                swapped = start is not None and end is not None and start > end
                self.marks = (end, start) if swapped else (start, end)
            case Loop(on=on):
                self.loop = on

    def go_live(self) -> None:
        self._moments, self._then = (), None

    def check(self) -> None:
        """If the recording has begun anew meanwhile, so do we."""
        if self._number != self.recorder.number:
            self._number = self.recorder.number
            self.go_live()
            self.marks = (None, None)

    def start(self) -> None:
        """It is about to play: from the beginning, if there is nothing left."""
        self._then = None
        first, last = self._range()
        if not first <= self._place < last:
            self._place = float(first)

    def advance(self, now: float, speed: float) -> bool:
        """Go on by the time that has passed since the last call; False at the end."""
        passed = 0.0 if self._then is None else now - self._then
        self._then = now
        first, last = self._range()
        self._place += passed * speed * FPS
        if self._place < last:
            return True
        self._place = float(last)
        if self.loop and last > first:
            self._place = float(first)
            return True
        return False

    # ---- what pages are told -----------------------------------------------------------------------------

    def span(self) -> tuple[float, float] | None:
        """The marked part of what is kept, or None where nothing is marked."""
        start, end = self.marks
        ends = self.recorder.ends
        if ends is None or (start is None and end is None):
            return None
        first, last = ends
        if end is not None and end < first:
            self.marks = (None, None)  # all of it has gone
            return None
        start, end = max(first, first if start is None else start), min(last, last if end is None else end)
        return min(start, end), end

    def told(self, playing: bool) -> bytes:
        """The reel, as a message; the same object as long as it says the same."""
        self.span()
        first = self._moments[0].time if self._moments else self.recorder.begun
        last = self._moments[-1].time if self._moments else None
        reel = Reel(self.live, playing, self.loop, first, last, round(self.recorder.most, 1), self.marks)
        if reel != self._reel[0]:
            text = json.dumps(reel._asdict(), separators=(",", ":")).encode()
            text += b" " * (-len(text) % 4)
            self._reel = reel, struct.pack("<II", REEL, len(text)) + text
        return self._reel[1]

    def history(self, bars: Sequence[Bar]) -> bytes:
        """The numbers of the bars over the recording, as a message; empty while live."""
        if self.live:
            return b""
        key = (self._moments, tuple(bars))
        if self._history[0] is None or self._history[0] != key:
            rows = [(each.time, *each.numbers_for(key[1])) for each in self._moments[::HISTORY_STRIDE]]
            table = np.array(rows, dtype="<f4")
            head = struct.pack("<IIII", HISTORY, len(table), table.shape[1] - 1, 0)
            self._history = key, head + table.tobytes()
        return self._history[1]

    # ---- parts -------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Take the recording out; at first the playhead is at its end."""
        self._then = None
        if self.live:
            moments = self.recorder.moments
            if not moments:
                raise PliantError("nothing has been recorded yet; let it play first")
            self._moments, self._place = moments, float(len(moments) - 1)

    def _range(self) -> tuple[int, int]:
        """The first and the last moment that are played."""
        span = self.span()
        return (0, len(self._moments) - 1) if span is None else (self._nearest(span[0]), self._nearest(span[1]))

    def _nearest(self, time: float) -> int:
        first = self._moments[0].time
        return min(max(round((time - first) * FPS), 0), len(self._moments) - 1)
