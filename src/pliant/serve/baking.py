"""Bakes that outlive the connection, and the process: frames in the folder that the server was given."""

import shutil
from collections.abc import Callable
from pathlib import Path

from pliant.runtime.errors import PliantError
from pliant.serve.staging import Staged
from pliant.session.bake import simulate
from pliant.session.bake_folder import UNFINISHED, bake_folder, check_room, discard, open_recording, told
from pliant.session.frames import frame_at
from pliant.session.lock import held
from pliant.session.recording import Manifest
from pliant.session.stopping import Stop
from pliant.world import Frame

Send = Callable[[int, Frame, bool], None]


def path_of(folder: Path | None, name: str) -> Path:
    """Where a bake of that name is kept: always right inside the folder."""
    if folder is None:
        raise PliantError("this server has no folder for bakes; start it with --folder DIR")
    plain = "".join(c if c.isalnum() or c in "-_ " else "_" for c in name).strip()
    if plain != name or not 0 < len(name) <= 100:
        raise PliantError(f"bake: the name {name[:60]!r} is no plain one; give letters, digits, - and _")
    return folder / name


def bake(
    staged: Staged,
    folder: Path | None,
    name: str,
    frames: int,
    resume: bool,
    stop: Stop,
    begun: Callable[[int, bool], None],
    send: Send,
) -> bool:
    """So many frames, those that are there already first. True if it was asked to stop before.

    begun: is told how many frames there are, and whether there was a bake of another scene, which is begun anew. send:
    is given each frame with its number, and whether it was computed just now.
    """
    path = path_of(folder, name)
    part = bake_folder([path], True)
    with told(part), held(part, path):
        before = Manifest.read(part)
        stale = before is not None and before.key != staged.key
        recording, animated = open_recording(staged.show, part, resume and before is not None and not stale, _quiet)
        try:
            check_room(recording, frames)
            there = min(recording.frames, frames)
            begun(there, stale)
            if there:
                take = recording.take(staged.show.name, staged.show.world, there)
                for number in range(there):
                    if stop.asked:
                        return True
                    send(number, frame_at(take, number), False)
                del take
            return simulate(
                staged.show, recording, animated, frames, stop, lambda frame: send(recording.frames - 1, frame, True)
            )
        finally:
            recording.close()


def forget(folder: Path | None, name: str) -> bool:
    """Remove a bake. Whether there was one."""
    path = path_of(folder, name)
    part = path.with_name(path.name + UNFINISHED)
    if not part.is_dir():
        return False
    with held(bake_folder([path], True), path):
        discard(part)
    shutil.rmtree(part, ignore_errors=True)  # where an open lock kept it
    return True


def _quiet(_line: str) -> None:
    """What is there is told by `begun`."""
