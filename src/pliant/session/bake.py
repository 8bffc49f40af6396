"""Bake: play a show, record it on disk, write it out. Killed at any moment, it goes on where it was."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from pliant.files.take import Take
from pliant.runtime.errors import Diverged, FileError
from pliant.session.bake_folder import (
    LastAnimated,
    bake_folder,
    check_room,
    discard,
    kept_if_useful,
    open_recording,
    told,
)
from pliant.session.checkpoint import CHECKPOINT, checkpoint_of
from pliant.session.lock import held
from pliant.session.outputs import Options, Scenery, check_cast, check_outputs, write_output
from pliant.session.recording import Recording
from pliant.session.stopping import Stop, gentle_stop
from pliant.world import Frame

if TYPE_CHECKING:
    from pliant.scene.show import Show

CHECKPOINT_EVERY = 2.0  # seconds
SPARING = 20.0  # a checkpoint may take one part in so many of the time
MOST_FRAMES = 1_000_000


class Watch:
    """What a bake tells while it runs; this one does not listen."""

    def say(self, line: str) -> None:
        """Something that people should know."""

    def loading(self) -> None:
        """The show is being made."""

    def simulating(self, done: int, total: int, begun: int) -> None:
        """So many frames are there; `begun` of them were when it began."""

    def writing(self, path: Path, done: int, total: int) -> None:
        """So many frames of an output are written."""


@dataclass(frozen=True)
class Baked:
    """What came of it.  begun: how many frames were there already.  stopped: before all were made; then nothing is
    written yet.  outputs: every file and folder that was written."""

    name: str
    frames: int
    wanted: int
    fps: float
    begun: int
    stopped: bool
    outputs: tuple[Path, ...]
    simulating: float  # s
    writing: float  # s


def bake(
    make_show: Callable[[], "Show"],
    outputs: Sequence[Path],
    *,
    frames: int | None = None,
    resume: bool = False,
    options: Options = Options(),  # noqa: B008 (frozen)
    checkpoint_every: float = CHECKPOINT_EVERY,
    look: Callable[["Show", Take], None] | None = None,
    watch: Watch = Watch(),  # noqa: B008 (keeps nothing)
) -> Baked:
    """Play the show for so many frames (the first is the moment before the first step; if not said, as many as its
    seconds have) and write every output.

    Until the outputs are whole, the recording stands in a folder `OUTPUT.part` beside the first of them. With
    `resume` it goes on from there, to the same bytes that an uninterrupted run gives. look: is given the show and all
    that was recorded before the outputs are written.
    """
    paths = check_outputs(outputs, options)
    folder = bake_folder(paths, resume)
    with told(folder), held(folder, paths[0]), kept_if_useful(folder):
        watch.loading()
        show = _made(make_show)
        wanted, files = frames_of(show, frames), list[Path]()
        check_cast(show.world, show.fps, paths, options)
        _tell(watch, show.notes)
        recording, animated = open_recording(show, folder, resume, watch.say)
        begun, clock = recording.frames, perf_counter()
        try:
            check_room(recording, wanted)
            stopped = _simulate(show, recording, animated, wanted, checkpoint_every, watch)
        finally:
            recording.close()
        simulated = perf_counter()
        if not stopped:
            take = recording.take(show.name, show.world, wanted)
            grips = None if recording.marks is None else recording.marks.grips(show.fps)
            scenery = Scenery(show.world.colliders, show.camera, grips, show.title or show.name)
            if look is not None:
                look(show, take)
            for path in paths:
                watch.writing(path, 0, wanted)
                written, notes = write_output(take, scenery, path, options, folder, _for(watch, path, wanted))
                files += written
                _tell(watch, notes)
            del take  # no file may be open in a folder that is removed
            discard(folder)
    there = min(recording.frames, wanted)
    seconds = simulated - clock, perf_counter() - simulated
    return Baked(show.name, there, wanted, show.fps, min(begun, wanted), stopped, tuple(files), *seconds)


def _made(make_show: Callable[[], "Show"]) -> "Show":
    """The show. What cannot be read is not what cannot be written."""
    try:
        return make_show()
    except FileError as error:
        raise FileError(str(error)) from None
    except OSError as error:
        raise FileError(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from None


def frames_of(show: "Show", wanted: int | None) -> int:
    """How many frames to record."""
    count = show.frames if wanted is None else wanted
    if not 1 <= count <= MOST_FRAMES:
        raise FileError(f"{show.name}: {count} frames; give 1 to {MOST_FRAMES}")
    return count


def _simulate(
    show: "Show", recording: Recording, animated: LastAnimated, wanted: int, every: float, watch: Watch
) -> bool:
    """Up to so many frames. True if it was asked to stop before."""
    begun = recording.frames

    def tell(_: Frame | None = None) -> None:
        watch.simulating(recording.frames, wanted, begun)

    with gentle_stop() as stop:
        if begun:
            tell()
        return simulate(show, recording, animated, wanted, stop, tell, every)


def simulate(
    show: "Show",
    recording: Recording,
    animated: LastAnimated,
    wanted: int,
    stop: Stop,
    tell: Callable[[Frame], None],
    every: float = CHECKPOINT_EVERY,
) -> bool:
    """Frames until there are so many, or until it is asked to stop: then True. tell: is given each frame once it is
    recorded. every: seconds between checkpoints, which there is one of at the end in any case."""
    begun = recording.frames
    saved, pause = perf_counter(), every

    def save() -> None:
        nonlocal saved, pause
        start = perf_counter()
        recording.flush()
        checkpoint_of(show.world, recording.frames, recording.checksum, animated.time).write(recording.folder)
        saved = perf_counter()
        pause = max(every, SPARING * (saved - start)) if every else 0.0

    def keep() -> None:
        frame = show.world.frame()
        recording.append(frame)
        tell(frame)

    if recording.frames == 0:
        keep()
    while recording.frames < wanted and not stop.asked:
        try:
            show.step()
        except Diverged as error:
            raise _kept(error, recording) from error
        keep()
        if perf_counter() - saved >= pause:
            save()
    if recording.frames > begun:
        save()
    return recording.frames < wanted


def _kept(error: Diverged, recording: Recording) -> Diverged:
    count = recording.frames
    if count == 1:
        return error
    resume = " --resume" if (recording.folder / CHECKPOINT).exists() else ""
    return Diverged(f"{error}; the {count} frames before can be had: the same command with --frames {count}{resume}")


def _tell(watch: Watch, notes: Sequence[str]) -> None:
    for note in notes:
        watch.say(f"note: {note}")


def _for(watch: Watch, path: Path, frames: int) -> Callable[[int, int], None]:
    """Writers count as suits them; people count frames."""
    return lambda done, total: watch.writing(path, frames * done // max(total, 1), frames)
