"""Frames on disk while a bake runs, in a folder beside the output.

    bear.glb.part/
        manifest.json     what was asked for, and who plays
        frames.f32        a row of floats for each frame: of each actor its particles, their rotations, its weights
        marks.jsonl       where handles pulled, if the show has any to be seen (marks.py)
        checkpoint.npz    the world at some frame, to go on from (checkpoint.py)
        lock              held while a bake runs (lock.py)

Rows are only ever appended. A process that is killed leaves a torn row at worst: the next one cuts the file back to the
frame of the checkpoint, and a checkpoint is written only after the frames that it follows are on the disk.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import inf
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, BinaryIO
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pliant.files.take import Take, Track
from pliant.files.whole import whole_file
from pliant.graph import Graph
from pliant.runtime.errors import FileError, PliantError
from pliant.session.marks import Grips, Marks
from pliant.world import Frame, World

if TYPE_CHECKING:
    from pliant.scene.show import Show

RECORDING_FORMAT = 3
MANIFEST, FRAMES = "manifest.json", "frames.f32"
BLOCK = 1 << 24  # bytes read at once


@dataclass(frozen=True)
class ActorColumns:
    """One actor of a recording: its particles, the names of its groups, how many weights each of them has, and whether
    its particles turn."""

    name: str
    particles: int
    groups: tuple[str, ...]
    weights: int
    rotations: bool = False

    @property
    def floats(self) -> int:
        return (7 if self.rotations else 3) * self.particles + len(self.groups) * self.weights


@dataclass(frozen=True)
class Manifest:
    """What a recording is of. Two that are equal hold the same frames, as far as each goes."""

    key: str
    engine: str  # a name for the code that makes the numbers
    bodies: str  # a hash of the bodies: a mesh may come out differently though the file is the same
    fps: float
    actors: tuple[ActorColumns, ...]
    format: int = RECORDING_FORMAT

    @property
    def row(self) -> int:
        """Bytes of a frame."""
        return 4 * sum(columns.floats for columns in self.actors)

    def write(self, folder: Path) -> None:
        with whole_file(folder / MANIFEST) as path:
            path.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")

    @staticmethod
    def read(folder: Path) -> "Manifest | None":
        """None if there is none, or none that this version could have written."""
        try:
            given = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            actors = tuple(
                ActorColumns(
                    str(each["name"]),
                    int(each["particles"]),
                    tuple(each["groups"]),
                    int(each["weights"]),
                    bool(each["rotations"]),
                )
                for each in given["actors"]
            )
            key, engine, bodies = given["key"], given["engine"], given["bodies"]
            return Manifest(key, engine, bodies, float(given["fps"]), actors, given["format"])
        except (OSError, ValueError, KeyError, TypeError):
            return None


class Recording:
    """The frames of a folder, open for appending. `checksum` is that of all frames so far."""

    def __init__(self, folder: Path, manifest: Manifest, grips: Grips | None = None) -> None:
        self.folder, self.manifest = folder, manifest
        self._grips = grips
        self.marks = Marks(folder) if grips is not None else None
        self.frames = 0
        self.checksum = 0
        self._file: BinaryIO | None = None

    @property
    def path(self) -> Path:
        return self.folder / FRAMES

    def begin(self) -> None:
        """Empty, whatever was there."""
        self._file = open(self.path, "wb", buffering=0)  # noqa: SIM115 (closed by `close`)
        self.frames = self.checksum = 0
        if self.marks is not None:
            self.marks.begin()

    def go_on(self, frames: int, checksum: int) -> None:
        """Behind so many frames; what comes after them is cut off. Refused if they are not as they were."""
        size = frames * self.manifest.row
        if not self.path.exists() or self.path.stat().st_size < size or _checksum(self.path, size) != checksum:
            raise FileError(f"{self.path}: damaged, the frames up to the checkpoint are not as they were; start anew")
        self._file = open(self.path, "r+b", buffering=0)  # noqa: SIM115
        self._file.truncate(size)
        self._file.seek(size)
        self.frames, self.checksum = frames, checksum
        if self.marks is not None:
            self.marks.go_on(frames)

    def append(self, frame: Frame) -> None:
        """One more."""
        assert self._file is not None
        row = row_of(frame, self.manifest).tobytes()
        written = 0
        while written < len(row):  # a disk that fills up takes a part, then raises
            written += self._file.write(row[written:])
        if self.marks is not None and self._grips is not None:
            self.marks.append(self._grips(frame))
        self.checksum = crc32(row, self.checksum)
        self.frames += 1

    def flush(self) -> None:
        """Onto the disk itself."""
        assert self._file is not None
        os.fsync(self._file.fileno())
        if self.marks is not None:
            self.marks.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        if self.marks is not None:
            self.marks.close()

    def take(self, name: str, world: World, frames: int) -> Take:
        """The first frames as writers want them: maps of the file, read as they are asked for."""
        shape = (frames, self.manifest.row // 4)
        table = np.memmap(self.path, dtype="<f4", mode="r", shape=shape)
        return take_of(table, name, self.manifest, world)


def record(
    show: "Show",
    frames: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    patience: float = inf,
) -> Take:
    """A show played into memory, for what is short: `write_movie([record(soft), record(stiff)], "both.mp4")`.
    patience: seconds after which what there is will do; there are two frames at least."""
    world, count = show.world, show.frames if frames is None else frames
    manifest = Manifest(show.key, "", "", show.fps, columns_of(world))
    table = np.empty((count, manifest.row // 4), np.float32)
    begun, done = perf_counter(), 0
    while done < count and (done < 2 or perf_counter() - begun < patience):
        if done:
            show.step()
        table[done] = row_of(world.frame(), manifest)
        done += 1
        if progress:
            progress(done, count)
    return take_of(table[:done], show.name, manifest, world)


def take_of(table: NDArray[np.float32], name: str, manifest: Manifest, world: World) -> Take:
    """Rows of frames as writers want them."""
    tracks, first, frames = [], 0, len(table)

    def next_columns(rows: int, columns: int) -> NDArray[np.float32]:
        nonlocal first
        start, first = first, first + rows * columns
        return table[:, start:first].reshape(frames, rows, columns)

    for columns, actor in zip(manifest.actors, world.actors, strict=True):
        positions = next_columns(columns.particles, 3)
        rotations = next_columns(columns.particles, 4) if columns.rotations else None
        weights = next_columns(len(columns.groups), columns.weights)
        tracks.append(Track(columns.name, actor.body, positions, weights, columns.groups, rotations))
    return Take(name, manifest.fps, tuple(tracks))


def columns_of(world: World) -> tuple[ActorColumns, ...]:
    """The actors of a world, in the order of the columns."""
    found, frame = [], world.frame()
    for actor in world.actors:
        groups, weights = frame.weights.view(actor.name).shape
        names = actor.group_names
        if len(names) != groups:
            raise PliantError(f'actor "{actor.name}" has {groups} rows of weights and {len(names)} names for them')
        turning = actor.name in frame.rotations
        found.append(ActorColumns(actor.name, len(actor.body.rest), tuple(names), weights, turning))
    return tuple(found)


def bodies_hash(world: World) -> str:
    """A hash of the bodies as they stand before the first step."""
    digest = sha256()
    for actor in world.actors:
        body, skin = actor.body, actor.body.skin
        digest.update(f"{actor.name}\n{body.kind}\n{list(body.poses)}\n".encode())
        arrays = [actor.positions, actor.velocities, body.rest, body.elements, body.masses, *body.poses.values()]
        arrays += [array for array in (actor.rotations, actor.angular_velocities) if array is not None]
        if isinstance(body, Graph):
            arrays += [body.ellipsoids.axes, body.ellipsoids.radii, *body.turns.values()]
        for array in (*arrays, skin.vertices, skin.faces, skin.indices, skin.weights, skin.offsets):
            digest.update(f"{array.dtype}{array.shape}".encode())
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def row_of(frame: Frame, manifest: Manifest) -> NDArray[np.float32]:
    """A frame as a row of floats, little-endian on any machine."""
    pieces: list[NDArray[Any]] = []
    for columns in manifest.actors:
        name, weights = columns.name, frame.weights.view(columns.name)
        if weights.shape != (len(columns.groups), columns.weights):
            raise PliantError(f'actor "{name}" changed its groups or poses during the bake; keep them the same')
        if (name in frame.rotations) != columns.rotations:
            raise PliantError(f'actor "{name}" changed its model during the bake; keep it the same')
        pieces.append(frame.positions.view(name))
        pieces += [frame.rotations.view(name), weights] if columns.rotations else [weights]
    return np.concatenate([piece.astype("<f4").ravel() for piece in pieces] or [np.empty(0, "<f4")])


def _checksum(path: Path, size: int) -> int:
    value = 0
    with open(path, "rb") as file:
        while size > 0 and (block := file.read(min(size, BLOCK))):
            value = crc32(block, value)
            size -= len(block)
    return value
