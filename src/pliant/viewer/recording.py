"""The last minute, kept in memory: what a page can save as a file."""

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.errors import PliantError
from pliant.files.take import Take, Track
from pliant.files.writing import write_take
from pliant.world import Actor

FPS = 60.0
SECONDS = 60.0
MOST_BYTES = 256 * 2**20  # of particles: a large scene is kept for less than a minute
ENDINGS = (".glb", ".usdc", ".npz", ".pc2", ".csv")


@dataclass(frozen=True, eq=False)
class Moment:
    """All particles (P, 4), the weights of the actors that have poses, and the rotations of those that turn."""

    rows: NDArray[np.float32]
    weights: dict[str, NDArray[np.float32]]
    rotations: dict[str, NDArray[np.float32]]

    @property
    def size(self) -> int:
        """Bytes."""
        return self.rows.nbytes + sum(turns.nbytes for turns in self.rotations.values())


class Recorder:
    """Filled by the thread that steps, read by any other."""

    def __init__(self) -> None:
        self._moments: deque[Moment] = deque()
        self._size = 0
        self._lock = threading.Lock()

    @property
    def seconds(self) -> float:
        """How much is kept."""
        return max(len(self._moments) - 1, 0) / FPS

    def clear(self) -> None:
        with self._lock:
            self._moments.clear()
            self._size = 0

    def add(self, rows: NDArray[np.float32], actors: Sequence[Actor]) -> None:
        """Keep a moment; `rows` must not be written to afterwards. The oldest go when there are too many."""
        weights = {each.name: each.weights.astype(np.float32) for each in actors if each.body.poses}
        turning = ((each.name, each.rotations) for each in actors)
        rotations = {name: turns.astype(np.float32) for name, turns in turning if turns is not None}
        moment = Moment(rows, weights, rotations)
        with self._lock:
            self._moments.append(moment)
            self._size += moment.size
            while len(self._moments) > SECONDS * FPS + 1 or (self._size > MOST_BYTES and len(self._moments) > 1):
                self._size -= self._moments.popleft().size

    def take(self, name: str, cast: "Sequence[Player]", seconds: float = SECONDS) -> Take:
        """The last seconds, as writers want them."""
        with self._lock:
            moments = list(self._moments)[-(round(seconds * FPS) + 1) :]
        if not moments:
            raise PliantError("nothing has been recorded yet; let it play first")
        tracks, first = [], 0
        for player in cast:
            count = len(player.body.rest)
            positions = np.stack([moment.rows[first : first + count, :3] for moment in moments])
            weights = np.stack([_weights(moment, player) for moment in moments])
            rotations = _rotations(moments, player)
            tracks.append(Track(player.name, player.body, positions, weights, player.groups, rotations))
            first += count
        return Take(name, FPS, tuple(tracks))


@dataclass(frozen=True, eq=False)
class Player:
    """An actor as a recording knows it."""

    name: str
    body: Body
    groups: tuple[str, ...]

    @classmethod
    def of(cls, actor: Actor) -> "Player":
        return cls(actor.name, actor.body, actor.group_names or ("all",))


def _weights(moment: Moment, player: Player) -> NDArray[np.float32]:
    """(groups, 1 + poses). What was recorded before a pose came or went counts for the poses both have."""
    wanted = np.zeros((len(player.groups), 1 + len(player.body.poses)), np.float32)
    found = moment.weights.get(player.name)
    if found is None:
        wanted[:, 0] = 1.0
    elif found.shape == wanted.shape:
        wanted[:] = found
    else:
        columns = min(found.shape[1], wanted.shape[1])
        wanted[:, :columns] = found.mean(axis=0)[:columns]
        wanted[:, 0] = 1.0 - wanted[:, 1:].sum(axis=1)
    return wanted


def _rotations(moments: Sequence[Moment], player: Player) -> NDArray[np.float32] | None:
    """(T, V, 4), of an actor whose particles turn now; before they did, they were as at rest."""
    if player.name not in moments[-1].rotations:
        return None
    upright = np.tile(np.array([0, 0, 0, 1], np.float32), (len(player.body.rest), 1))
    return np.stack([moment.rotations.get(player.name, upright) for moment in moments])


def save(take: Take, folder: Path, ending: str) -> Path:
    """Write a take into a folder of the session, in one of the formats that a page may ask for."""
    if ending not in ENDINGS:
        raise PliantError(f"{ending[:10]} cannot be saved here; there are {', '.join(ENDINGS)}")
    path = folder / f"take{ending}"
    write_take(take, path)
    return path
