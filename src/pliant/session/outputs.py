"""What a bake can be written as, by the name of the output."""

import errno
import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pliant.files.take import Take
from pliant.files.whole import unwritable
from pliant.runtime.errors import FileError, PliantError
from pliant.session.marks import Grips
from pliant.world import Collider, World

MOVIE, HTML, PICTURE_FOLDER = ".mp4", ".html", "png"
WRITTEN = "written"
FASTEST_FILM = 1000  # frames a second of a film
USD = (".usd", ".usda", ".usdc", ".usdz")
# A folder is replaced as a whole, so it must hold nothing but what an earlier bake wrote.
OUTPUT_FILES = {
    "png": re.compile(r"frame_\d+\.png", re.IGNORECASE),
    "obj": re.compile(r"frame_\d+\.obj|.*\.(mtl|png|jpe?g|webp)", re.IGNORECASE),
}
STYLES = ("vertices", "weights", "skeleton")
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Options:
    """How to write.  style: of a .glb; if not said, oriented particles are a skeleton and others vertices.  size:
    pixels of films and pictures.  camera: the direction to look from, the scene's own if not said."""

    style: str | None = None
    size: tuple[int, int] = (1280, 720)
    camera: tuple[float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Scenery:
    """What films and pages show besides the actors, and from where."""

    colliders: Sequence[Collider]
    camera: tuple[float, float, float] | None
    grips: Grips | None
    title: str = ""


def is_rendered(path: Path) -> bool:
    """Whether an output is made of pictures."""
    return path.suffix.lower() == MOVIE or path.name.lower() == PICTURE_FOLDER


def is_folder(path: Path) -> bool:
    return not path.suffix


def check_outputs(outputs: Sequence[Path], options: Options) -> tuple[Path, ...]:
    """The outputs, if each of them can be written here. Asked before anything is simulated."""
    if not outputs:
        raise PliantError("bake: no output; name at least one, such as -o out.glb")
    paths = tuple(Path(os.path.abspath(path)) for path in outputs)
    for given, path in zip(outputs, paths, strict=True):
        if paths.count(path) > 1:
            raise FileError(f"{given}: named twice; give each output a name of its own")
        _check_name(Path(given))
        _check_place(Path(given), path)
        _check_tools(Path(given), options)
    if options.style is not None and options.style not in STYLES:
        raise PliantError(f'bake: the style is "{options.style}"; give "vertices", "weights" or "skeleton"')
    alone = {"weights": "weights.csv", "skeleton": "an .npz"}.get(options.style or "")
    if alone is not None and not any(path.suffix.lower() == ".glb" for path in paths):
        raise PliantError(f"bake: the style {options.style} is for .glb; name a .glb, or {alone} for the numbers alone")
    return paths


def _check_name(path: Path) -> None:
    from pliant.files.writing import WRITE_ELSEWHERE, WRITERS, writer_of

    kind = path.suffix.lower() or path.name.lower()
    if is_rendered(path) or kind in WRITERS or kind == HTML:
        return
    if kind in WRITE_ELSEWHERE:
        writer_of(path)  # which says what to do instead
    endings = ", ".join(name for name in (*WRITERS, MOVIE, HTML) if name.startswith("."))
    raise FileError(f"{path}: is not what can be written; give {endings}, or a folder named obj or png")


def _check_place(given: Path, path: Path) -> None:
    if is_folder(path) and path.is_dir():
        ours = OUTPUT_FILES[path.name.lower()]
        strange = [entry.name for entry in sorted(path.iterdir()) if not ours.fullmatch(entry.name)]
        if strange:
            raise FileError(f"{given}: holds other things too ({strange[0]}); choose an empty or a new folder")
    elif path.exists() and path.is_dir() != is_folder(path):
        there, wanted = ("folder", "file") if path.is_dir() else ("file", "folder")
        raise FileError(f"{given}: a {there} of that name is there already; choose another name for the {wanted}")
    # The nearest folder that is there must take a new entry.
    parent = next(folder for folder in path.parents if folder.exists())
    if not parent.is_dir():
        raise unwritable(given, NotADirectoryError(errno.ENOTDIR, f"{parent.name} is not a folder"))
    if not os.access(parent, os.W_OK | os.X_OK):
        raise unwritable(given, PermissionError(errno.EACCES, f"no permission to write in {parent}"))


def _check_tools(path: Path, options: Options) -> None:
    """Extras that are not installed, and films that cannot be drawn, are told now and not when all is simulated."""
    if path.suffix.lower() in USD and find_spec("pxr") is None:
        raise FileError(f"{path}: USD needs usd-core, which is not installed; run: pip install 'pliant[usd]'")
    if not is_rendered(path):
        return
    from pliant.session.render.context import open_context
    from pliant.session.render.encoder import find_ffmpeg
    from pliant.session.render.movie import LARGEST_SIDE, SMALLEST_SIDE

    if not all(SMALLEST_SIDE <= side <= LARGEST_SIDE for side in options.size):
        wide, high = options.size
        raise FileError(f"{path}: {wide} x {high} pixels; give a size from {SMALLEST_SIDE} to {LARGEST_SIDE} each way")
    if path.suffix.lower() == MOVIE:
        find_ffmpeg(path)
    open_context().release()


def check_cast(world: World, fps: float, outputs: Sequence[Path], options: Options) -> None:
    """Whether what these bodies do can be written. Asked before anything is simulated."""
    if not world.actors:
        raise PliantError("bake: there is no body to play; put one into the scene")
    film = next((path for path in outputs if is_rendered(path)), None)
    if film is not None and fps > FASTEST_FILM:
        raise FileError(f"{film}: {fps:g} frames a second are too many for a film; give at most {FASTEST_FILM}")
    missing = None
    if options.style == "weights" and not any(actor.body.poses for actor in world.actors):
        missing = "no body has poses, so there are no weights"
    if options.style == "skeleton" and all(actor.rotations is None for actor in world.actors):
        missing = "no body is made of oriented particles, so there are no joints"
    if missing is not None:
        glb = next(path for path in outputs if path.suffix.lower() == ".glb")
        raise FileError(f'{glb}: {missing}; choose the style "vertices"')


def write_output(
    take: Take, scenery: Scenery, path: Path, options: Options, part: Path, progress: Progress
) -> tuple[list[Path], Sequence[str]]:
    """One output, whole or not at all; returns the files, of which some formats have several, and notes.

    They are made in a folder of their own and moved when they are whole, so that a process which is killed leaves
    nothing but that folder: in `part`, or where that is another disk, hidden beside the output."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        near = on_one_disk(part, path.parent)
        scratch = part / WRITTEN if near else path.with_name(f".{path.name}.{WRITTEN}")
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        try:
            notes = _write(take, scenery, scratch / path.name, options, progress)
            return _move(scratch, path), notes
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    except FileError as error:
        if isinstance(error.__cause__, OSError):
            raise unwritable(path, error.__cause__) from error.__cause__
        raise FileError(str(error).replace(str(scratch / path.name), str(path))) from error
    except OSError as error:
        raise unwritable(path, error) from error


def on_one_disk(one: Path, other: Path) -> bool:
    """Whether a file can be moved from folder to folder in one go."""
    return one.stat().st_dev == other.stat().st_dev


def _move(scratch: Path, path: Path) -> list[Path]:
    """What was written goes to its place; the file that was asked for comes last, after all that it refers to."""
    moved = []
    for entry in sorted(scratch.iterdir(), key=lambda entry: (entry.name == path.name, entry.name)):
        target = path.with_name(entry.name)
        if entry.is_dir() and target != path:  # pictures of a file: others that stand there are not ours
            target.mkdir(exist_ok=True)
            for file in sorted(entry.iterdir()):
                os.replace(file, target / file.name)
        else:
            if target.is_dir() and not target.is_symlink():
                shutil.rmtree(target)
            os.replace(entry, target)
        moved.append(target)
    return moved


def _write(take: Take, scenery: Scenery, path: Path, options: Options, progress: Progress) -> Sequence[str]:
    """Returns what people should know about it."""
    camera = scenery.camera if options.camera is None else options.camera
    if path.suffix.lower() == HTML:
        from pliant.session.player.page import write_page
        from pliant.session.player.shot import Shot

        write_page(Shot(take, scenery.colliders, camera, scenery.title), path, progress)
        return ()
    if is_rendered(path):
        from pliant.session.render.movie import write_movie, write_pictures

        write = write_movie if path.suffix.lower() == MOVIE else write_pictures
        return write(
            take,
            path,
            colliders=scenery.colliders,
            camera=camera,
            size=options.size,
            grips=scenery.grips,
            progress=progress,
        )
    from pliant.files.writing import write_take

    write_take(take, path, style=options.style if path.suffix.lower() == ".glb" else None, progress=progress)
    return ()
