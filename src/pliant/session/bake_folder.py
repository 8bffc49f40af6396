"""The folder that a bake leaves until its outputs are whole: begun, gone on with, and removed."""

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pliant.files.whole import unwritable
from pliant.runtime import jit
from pliant.runtime.errors import FileError
from pliant.session.checkpoint import CHECKPOINT, NEVER, Checkpoint, events_of, go_back, sync_folder
from pliant.session.lock import LOCK
from pliant.session.marks import MARKS
from pliant.session.outputs import WRITTEN
from pliant.session.recording import FRAMES, MANIFEST, Manifest, Recording, bodies_hash, columns_of

if TYPE_CHECKING:
    from pliant.scene.show import Show

UNFINISHED = ".part"
# What may be in the folder, with what a process that was killed was about to put there. It is all removed in the end.
NAMES = (LOCK, MANIFEST, FRAMES, MARKS, CHECKPOINT, WRITTEN)
OURS = re.compile("|".join([*map(re.escape, NAMES), r"\.manifest\..*\.json", r"\.checkpoint\..*\.npz"]))


class LastAnimated:
    """Remembers for which time the show was last animated: that decides what its actors are set to."""

    def __init__(self, show: "Show") -> None:
        self.time = NEVER
        self._animate = show.animate
        if show.animate is not None:
            show.animate = self

    def __call__(self, time: float) -> None:
        assert self._animate is not None
        self.time = time
        self._animate(time)


def bake_folder(paths: Sequence[Path], resume: bool) -> Path:
    """Where the recording is, or will be: beside the first output; if it goes on, beside any that has one."""
    folders = [path.with_name(path.name + UNFINISHED) for path in paths]
    chosen = next((folder for folder in folders if resume and (folder / MANIFEST).exists()), folders[0])
    if chosen.exists():
        entries = [chosen.name] if not chosen.is_dir() else [entry.name for entry in chosen.iterdir()]
        if strange := sorted(entry for entry in entries if not OURS.fullmatch(entry)):
            raise FileError(f"{chosen}: is not the folder of a bake ({strange[0]}); move it, or rename the output")
    return chosen


def open_recording(
    show: "Show", folder: Path, resume: bool, say: Callable[[str], None]
) -> tuple[Recording, "LastAnimated"]:
    """The recording, begun anew or gone on with, and the world where the recording ends."""
    manifest = Manifest(show.key, engine(), bodies_hash(show.world), show.fps, columns_of(show.world))
    recording, animated = Recording(folder, manifest, show.grips), LastAnimated(show)
    if not resume and (folder / MANIFEST).exists():
        say(f"{folder.name} is of an earlier bake and is begun anew; --resume would go on with it")
    checkpoint = _checkpoint(manifest, folder) if resume else None
    if checkpoint is None:
        if resume:
            say("there is nothing to go on with; it begins at the first frame")
        _empty(folder, keep=(LOCK,))
        manifest.write(folder)
        recording.begin()
        sync_folder(folder)
        return recording, animated
    _empty(folder, keep=(LOCK, MANIFEST, FRAMES, MARKS, CHECKPOINT))
    recording.go_on(checkpoint.frame, checkpoint.checksum)
    show.world.events = events_of(checkpoint)
    if show.animate is not None and checkpoint.animated == checkpoint.animated:
        show.animate(checkpoint.animated)
    go_back(show.world, checkpoint, folder)
    return recording, animated


def _checkpoint(manifest: Manifest, folder: Path) -> Checkpoint | None:
    """Where to go on, if it is the same show."""
    if not (folder / MANIFEST).exists():
        return None
    before = Manifest.read(folder)
    anew = "undo the change, or start anew without --resume"
    if before is None or before.format != manifest.format or before.engine != manifest.engine:
        raise FileError(f"{folder}: recorded with another version of pliant, numba or NumPy; {anew}")
    if before.key != manifest.key:
        raise FileError(f"{folder}: recorded from another scene, asset or settings; {anew}")
    if before != manifest:
        raise FileError(f"{folder}: the bodies have come out otherwise than when it was recorded; {anew}")
    return Checkpoint.read(folder)


def engine() -> str:
    """What makes the numbers besides the scene: the kernels, and NumPy."""
    return f"{jit.sources_digest()} {np.__version__}"


def _empty(folder: Path, keep: Sequence[str]) -> None:
    for entry in folder.iterdir():
        if entry.name not in keep:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def discard(folder: Path) -> None:
    """Gone in one go, while the lock is held: no other process may find half of it."""
    try:
        gone = folder.with_name(f".{folder.name}.gone")
        shutil.rmtree(gone, ignore_errors=True)
        folder = folder.rename(gone)
    except OSError:
        pass  # not on Windows, where the lock is an open file
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def kept_if_useful(folder: Path) -> Iterator[None]:
    """A bake that fails before there is a checkpoint leaves nothing."""
    try:
        yield
    except BaseException:
        if not (folder / CHECKPOINT).exists():
            discard(folder)
        raise


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """A disk that is full or cannot be written is told in one line, with the way to go on."""
    try:
        yield
    except (OSError, FileError) as error:
        cause = error if isinstance(error, OSError) else error.__cause__
        if not isinstance(cause, OSError):
            raise
        line = str(unwritable(folder, error) if isinstance(error, OSError) else error)
        if (folder / CHECKPOINT).exists():
            line += ", then go on with the same command and --resume"
        raise FileError(line) from cause


def check_room(recording: Recording, wanted: int) -> None:
    need = (wanted - recording.frames) * recording.manifest.row
    free = shutil.disk_usage(recording.folder).free
    if need > free:
        raise FileError(
            f"{recording.folder}: {wanted} frames need {need / 1e9:.2g} GB, there are {free / 1e9:.2g} GB free; "
            "free some space, choose another folder, or ask for fewer frames"
        )
