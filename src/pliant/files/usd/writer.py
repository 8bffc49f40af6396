"""A take as a USD stage: every actor a mesh whose points, normals, extent and weights move."""

import math
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pxr import Sdf, Tf, Usd, UsdGeom, UsdUtils

from pliant.files.reading import one_line
from pliant.files.take import Take
from pliant.files.usd.actor import UsdActor
from pliant.files.usd.names import identifier
from pliant.files.usd.package import pack
from pliant.files.usd.painting import Painter
from pliant.files.whole import whole_file, whole_folder
from pliant.runtime.errors import FileError

USD_ENDINGS = (".usd", ".usda", ".usdc", ".usdz")
UNSAVED = 64_000_000  # bytes of frames in memory before they go to the disk


def write_stage(take: Take, path: Path, progress: Callable[[int, int], None] | None = None) -> None:
    """Writes the take; the file, and the folder of its pictures, appear when all is well."""
    _check(take, path)
    ending = path.suffix.lower()
    called = "textures" if ending == ".usdz" else f"{path.stem}_textures"
    # The stage grows as a .usdc in a folder of its own: no other kind can be saved bit by bit.
    with ExitStack() as stack:
        target = stack.enter_context(whole_file(path))
        work = Path(stack.enter_context(TemporaryDirectory(prefix=f".{path.stem}.", dir=path.parent)))
        stack.enter_context(_quiet(path))
        scene, pictures = work / "scene.usdc", work / "pictures"
        names = _write_scene(take, scene, pictures, called, path, progress)
        if ending == ".usdz":
            name = identifier(path.stem, set(), "scene")
            files = {f"{name}.usdc": scene} | {f"{called}/{each}": pictures / each for each in names}
            pack(target, files, path)
            return
        if ending == ".usda":
            _saved(Sdf.Layer.FindOrOpen(str(scene)).Export(str(target)))
        else:
            os.replace(scene, target)
        if names:
            folder = stack.enter_context(whole_folder(path.parent / called))
            for each in names:
                shutil.move(pictures / each, folder / each)


def _check(take: Take, path: Path) -> None:
    if path.suffix.lower() not in USD_ENDINGS:
        raise FileError(f"{path}: is no name for a USD file; end it with one of {', '.join(USD_ENDINGS)}")
    if take.frames == 0:
        raise FileError(f"{path}: the take has no frame to write; simulate at least one")
    if not (math.isfinite(take.fps) and take.fps > 0):
        raise FileError(f"{path}: the take has {take.fps} frames a second; give a number above 0")


@contextmanager
def _quiet(path: Path) -> Iterator[None]:
    """Keeps what the USD library says off the terminal, and makes its errors ours."""
    listener = UsdUtils.CoalescingDiagnosticDelegate()
    try:
        yield
    except Tf.ErrorException as error:
        try:
            said = one_line(error.args[0].commentary)
        except (UnicodeDecodeError, IndexError, AttributeError):
            said = "the USD library gave up"
        raise FileError(f"{path}: cannot be written ({said}); free some space or choose another folder") from None
    finally:
        listener.TakeUncoalescedDiagnostics()
        del listener


def _write_scene(
    take: Take, scene: Path, pictures: Path, called: str, path: Path, progress: Callable[[int, int], None] | None
) -> list[str]:
    """Writes the stage, and the pictures that it needs; returns their names."""
    stage = Usd.Stage.CreateNew(str(scene))
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(take.fps)
    stage.SetFramesPerSecond(take.fps)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(take.frames - 1)
    root = UsdGeom.Xform.Define(stage, f"/{identifier(take.name, set(), 'take')}")
    root.GetPrim().SetDisplayName(take.name)
    stage.SetDefaultPrim(root.GetPrim())
    taken = {"materials"}
    painter = Painter(stage, f"{root.GetPath()}/materials", pictures, f"./{called}", path)
    actors = [UsdActor(stage, str(root.GetPath()), taken, track, painter) for track in take.tracks]
    unsaved = 0
    for frame in range(take.frames):
        unsaved += sum(actor.write(frame) for actor in actors)
        if unsaved > UNSAVED:
            _saved(stage.GetRootLayer().Save())  # and is read back from the disk from then on
            unsaved = 0
        if progress is not None:
            progress(frame + 1, take.frames)
    _saved(stage.GetRootLayer().Save())
    return painter.pictures


def _saved(well: Any) -> None:
    if not well:
        raise OSError("the USD library could not write it")
