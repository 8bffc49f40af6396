"""The last minute, kept in memory: what a page can watch again and save as a file."""

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.files.take import Take, Track
from pliant.files.writing import write_take
from pliant.runtime.errors import PliantError
from pliant.session.player.bars import Bar
from pliant.world import Actor
from pliant.world.spans import Span

FPS = 60.0
KEPT_SECONDS = 60.0
RECORDED_BYTES = 256 * 2**20  # a large scene is kept for less than a minute
SAVED_ENDINGS = (".glb", ".usdc", ".npz", ".pc2", ".csv")


class RecordedWeights(NamedTuple):
    """The example weights of all actors: of each world a row of numbers, and where in which row an actor has its."""

    rows: tuple[NDArray[np.float32], ...] = ()
    places: Mapping[str, tuple[int, Span]] = MappingProxyType({})

    def of(self, name: str) -> NDArray[np.float32] | None:
        """(groups, 1 + poses), rest first."""
        if name not in self.places:
            return None
        number, place = self.places[name]
        return place.of(self.rows[number])


@dataclass(eq=False, slots=True)
class Moment:
    """time (s), all particles (P, 4), the weights of all actors, the numbers of the bars that a page showed, and the
    rotations (T, 4) of the particles that turn. Its arrays are never written to."""

    time: float
    rows: NDArray[np.float32]
    weights: RecordedWeights
    numbers: NDArray[np.float32]
    bars: tuple[Bar, ...]
    rotations: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 4), np.float32))

    @property
    def size(self) -> int:
        """Bytes."""
        size = self.rows.nbytes + self.rotations.nbytes + self.numbers.nbytes
        for row in self.weights.rows:
            size += row.nbytes
        return size

    def numbers_for(self, bars: tuple[Bar, ...]) -> NDArray[np.float32]:
        """The numbers for bars as they are now. A pose that came since then has 0, the rest shape what is left."""
        if bars == self.bars:
            return self.numbers
        known: dict[tuple[str, str], float] = {}
        first = 0
        for bar in self.bars:
            for name, number in zip(bar.names, self.numbers[first : first + len(bar.names)].tolist(), strict=True):
                known[bar.label, name] = number
            first += len(bar.names)
        fitted: list[float] = []
        for bar in bars:
            poses = [known.get((bar.label, name), 0.0) for name in bar.names[1:]]
            fitted += [1.0 - sum(poses), *poses]
        return np.array(fitted, np.float32)


def between(one: Moment, other: Moment, part: float) -> Moment:
    """On the way from one moment to another: at 0 the one, at 1 the other."""
    if part <= 0.0 or one is other:
        return one
    if part >= 1.0:
        return other
    share = np.float32(part)
    rows = one.rows + share * (other.rows - one.rows)
    numbers = one.numbers + share * (other.numbers_for(one.bars) - one.numbers)
    rotations = nearly(one.rotations, other.rotations, part)
    return Moment(one.time + part * (other.time - one.time), rows, one.weights, numbers, one.bars, rotations)


def nearly(one: NDArray[np.float32], other: NDArray[np.float32], part: float) -> NDArray[np.float32]:
    """Quaternions (T, 4) on the way from one to the other, the shorter way round."""
    if one.shape != other.shape or not len(one):
        return one
    sign = np.where(np.einsum("ni,ni->n", one, other) < 0, -1.0, 1.0)[:, None]
    mixed = one + np.float32(part) * ((sign * other).astype(np.float32) - one)
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


class Recorder:
    """Filled by the thread that steps, read by any other."""

    def __init__(self) -> None:
        self._moments: deque[Moment] = deque()
        self._size = 0
        self._lock = threading.Lock()
        self.stopped = False
        self.number = 0  # of the recording: another one begins when all is cleared
        self.begun = 0.0  # s: the time of its first moment, kept or not

    @property
    def seconds(self) -> float:
        """How much is kept."""
        return max(len(self._moments) - 1, 0) / FPS

    @property
    def most(self) -> float:
        """How many seconds there is room for, with moments as large as the last."""
        with self._lock:
            size = self._moments[-1].size if self._moments else 0
        return min(KEPT_SECONDS, (RECORDED_BYTES // size - 1) / FPS if size else KEPT_SECONDS)

    @property
    def ends(self) -> tuple[float, float] | None:
        """The times (s) of the first and last moments that are kept."""
        with self._lock:
            return (self._moments[0].time, self._moments[-1].time) if self._moments else None

    @property
    def moments(self) -> tuple[Moment, ...]:
        """All that is kept, the oldest first."""
        with self._lock:
            return tuple(self._moments)

    def nearest(self, time: float) -> Moment | None:
        """The moment that is kept and nearest to a time (s)."""
        moments = self.moments
        if not moments:
            return None
        return moments[min(max(round((time - moments[0].time) * FPS), 0), len(moments) - 1)]

    def clear(self) -> None:
        with self._lock:
            self._clear()

    def stop(self) -> None:
        """Keep nothing: the recorder of the first copy keeps both."""
        self.stopped = True
        self.clear()

    def add(self, moment: Moment) -> None:
        """Keep a moment. The oldest go when there are too many; all go when it does not follow them: other actors, or
        a time that has been."""
        if self.stopped:
            return
        with self._lock:
            last = self._moments[-1] if self._moments else None
            if last is not None and (moment.rows.shape != last.rows.shape or moment.time <= last.time):
                self._clear()
            if not self._moments:
                self.begun = moment.time
            self._moments.append(moment)
            self._size += moment.size
            most = KEPT_SECONDS * FPS + 1
            while len(self._moments) > most or (self._size > RECORDED_BYTES and len(self._moments) > 1):
                self._size -= self._moments.popleft().size

    def forget_after(self, time: float) -> None:
        """Moments later than a time (s) go: time begins anew from there."""
        with self._lock:
            while self._moments and self._moments[-1].time > time + 0.5 / FPS:
                self._size -= self._moments.pop().size

    def _clear(self) -> None:
        self._moments.clear()
        self._size = 0
        self.number += 1

    def last(self, seconds: float) -> tuple[float, float]:
        """When the last seconds began and ended."""
        moments = self.moments
        if not moments:
            return 0.0, 0.0
        return moments[max(len(moments) - 1 - round(seconds * FPS), 0)].time, moments[-1].time

    def cut(self, span: tuple[float, float] | None = None, every: int = 1) -> tuple[Moment, ...]:
        """The moments of a span of time (s, both ends are in it; None: all); of `every` so many only the first."""
        moments = self.moments
        if span is not None:
            start, end = span[0] - 0.5 / FPS, span[1] + 0.5 / FPS
            moments = tuple(each for each in moments if start <= each.time <= end)
        if not moments:
            raise PliantError("nothing has been recorded there; let it play first, or choose another span")
        return moments[::every]

    def take(self, name: str, actors: "Sequence[RecordedActor]", span: tuple[float, float] | None = None) -> Take:
        """A span of time (see `cut`), as writers want it."""
        return take_of(name, self.cut(span), actors)


@dataclass(frozen=True, eq=False)
class RecordedActor:
    """An actor as a recording knows it."""

    name: str
    body: Body
    groups: tuple[str, ...]

    @classmethod
    def of(cls, actor: Actor) -> "RecordedActor":
        return cls(actor.name, actor.body, actor.group_names or ("all",))


def take_of(name: str, moments: Sequence[Moment], actors: Sequence[RecordedActor], fps: float = FPS) -> Take:
    """Moments as a take; the first actor's particles are their first rows, and so on."""
    tracks, first, turned = [], 0, 0
    for actor in actors:
        count = len(actor.body.rest)
        positions = np.stack([moment.rows[first : first + count, :3] for moment in moments])
        weights = np.stack([_weights(moment, actor) for moment in moments])
        rotations = None
        if actor.body.skin.kind == "oriented":
            rotations = np.stack([moment.rotations[turned : turned + count] for moment in moments])
            turned += count
        tracks.append(Track(actor.name, actor.body, positions, weights, actor.groups, rotations))
        first += count
    return Take(name, fps, tuple(tracks))


def _weights(moment: Moment, actor: RecordedActor) -> NDArray[np.float32]:
    """(groups, 1 + poses). What was recorded before a pose came or went counts for the poses both have."""
    wanted = np.zeros((len(actor.groups), 1 + len(actor.body.poses)), np.float32)
    found = moment.weights.of(actor.name)
    if found is None:
        wanted[:, 0] = 1.0
    elif found.shape == wanted.shape:
        wanted[:] = found
    else:
        columns = min(found.shape[1], wanted.shape[1])
        wanted[:, :columns] = found.mean(axis=0)[:columns]
        wanted[:, 0] = 1.0 - wanted[:, 1:].sum(axis=1)
    return wanted


def save(
    take: Take, folder: Path, ending: str, stem: str = "take", progress: Callable[[int, int], None] | None = None
) -> Path:
    """Write a take into a folder of the session, in one of the formats that a page may ask for. Formats that need
    several files put them beside each other."""
    if ending not in SAVED_ENDINGS:
        raise PliantError(f"{ending[:10]} cannot be saved here; there are {', '.join(SAVED_ENDINGS)}")
    path = folder / f"{stem}{ending}"
    write_take(take, path, progress=progress)
    return path
