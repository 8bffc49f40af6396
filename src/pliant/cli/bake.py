"""`pliant bake`: plays a scene, an asset or an exhibit and writes it to files."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pliant.cli import complete, targets
from pliant.runtime.errors import FileError, PliantError

if TYPE_CHECKING:
    from pliant.scene.schema import Scene
    from pliant.session.bake import Baked, Watch
    from pliant.session.outputs import Options

INTERRUPTED = 130
RESUME_HINT = "the same command with --resume goes on"


def bake(
    target: Annotated[
        str, typer.Argument(metavar="SCENE|ASSET|gallery:NAME", help="What to play.", autocompletion=complete.targets)
    ],
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "--out",
            "-o",
            metavar="OUT",
            help=".glb .usdc .pc2 .npz .mp4 .html .csv, or a folder obj/ or png/; repeatable. A scene may say it.",
        ),
    ] = None,
    frames: Annotated[int | None, typer.Option(min=1, help="How many frames, the first included.")] = None,
    seconds: Annotated[float | None, typer.Option(help="How long, instead of --frames.")] = None,
    fps: Annotated[float | None, typer.Option(help="Frames per second.")] = None,
    substeps: Annotated[int | None, typer.Option(min=1, help="Steps of the simulation in each frame.")] = None,
    seed: Annotated[int | None, typer.Option(help="For what the scene leaves to chance.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting; repeatable.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a bake that was stopped or killed.")] = False,
    pose: Annotated[
        list[str] | None, typer.Option(metavar="NAME=FILE", help="A pose from a file of its own; repeatable.")
    ] = None,
    poses: Annotated[Path | None, typer.Option(metavar="FOLDER", help="A folder of poses, one a file.")] = None,
    sample: Annotated[
        str | None, typer.Option(metavar="T1,T2", help="Poses from the animation in the file, at these seconds.")
    ] = None,
    as_: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            metavar="KIND",
            help="solid, shell or rod: the body. vertices, weights or skeleton: the .glb. Repeatable.",
        ),
    ] = None,
    particles: Annotated[int | None, typer.Option(min=4, help="About how many particles a file gets.")] = None,
    mesher: Annotated[str | None, typer.Option(metavar="lattice|wild", help="How a surface is filled.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="The result is the same for any number.")] = None,
    precision: Annotated[str | None, typer.Option(metavar="single|double", help="Of the simulation.")] = None,
    size: Annotated[
        str | None, typer.Option(metavar="WxH", help="Pixels of films and pictures; 1280x720 if not said.")
    ] = None,
    camera: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="The direction to look from.")] = None,
    checkpoint: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="How often to keep a point to go on from.")
    ] = 2.0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary for programs.")] = False,
) -> None:
    """Play a scene, an asset or an exhibit and write it to files.

    Outputs appear when they are whole. Until then the frames are kept beside the first output, so a bake that was
    stopped or killed goes on with --resume, to the same bytes.
    """
    kind, style = targets.kind_and_style(as_ or [])
    loading = targets.Loading(
        kind=kind,
        poses=targets.named_files(pose or []),
        pose_folder=poses,
        sample=targets.numbers(sample, "--sample") if sample is not None else None,
        particles=particles,
        mesher=mesher,
        fps=fps,
        substeps=substeps,
        seconds=seconds,
        seed=seed,
        threads=threads,
        precision=precision,
        changes=tuple(changes or ()),
    )
    pixels = targets.numbers(size, "--size", 2, "x") if size is not None else None
    look = targets.numbers(camera, "--camera", 3) if camera is not None else None
    scene = targets.scene_from(target, loading)
    outputs, options = _wanted(target, scene, out or [], style, pixels, look)
    _check_input_is_safe(target, loading, outputs)

    from pliant.session import bake as session

    watch: Any = _watch(quiet)
    try:
        with watch if isinstance(watch, AbstractContextManager) else nullcontext():
            baked = session.bake(
                lambda: targets.show_from(target, loading, scene),
                outputs,
                frames=frames,
                resume=resume,
                options=options,
                checkpoint_every=checkpoint,
                watch=watch,
            )
    except KeyboardInterrupt:
        print(f"pliant: stopped; {RESUME_HINT}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print(json.dumps(_summary(baked), indent=2))
    elif not quiet and not baked.stopped:
        _print(baked)
    if baked.stopped:
        print(f"pliant: stopped at frame {baked.frames} of {baked.wanted}; {RESUME_HINT}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def _wanted(
    target: str,
    scene: Scene | None,
    out: list[Path],
    style: str | None,
    pixels: tuple[float, ...] | None,
    camera: tuple[float, ...] | None,
) -> tuple[list[Path], Options]:
    """Outputs and how to write them: as said here, else as the scene says."""
    from pliant.session.outputs import Options

    said = Options() if scene is None else Options(scene.output.style, scene.output.size)
    if not out and scene is not None and scene.output.file is not None:
        files = [scene.output.file] if isinstance(scene.output.file, str) else scene.output.file
        out = [scene.origin.folder / file for file in files]
    if not out:
        name = Path(target.removeprefix(targets.GALLERY_PREFIX)).stem
        raise PliantError(f"bake: {target}: no output; name at least one, such as -o {name}_baked.glb")
    size = said.size if pixels is None else (int(pixels[0]), int(pixels[1]))
    look = None if camera is None else (camera[0], camera[1], camera[2])
    if style is None:  # what the scene says is for the .glb, if there is one
        style = said.style if any(path.suffix.lower() == ".glb" for path in out) else None
    return out, Options(style, size, look)


def _check_input_is_safe(target: str, loading: targets.Loading, out: list[Path]) -> None:
    inputs = [Path(target), *loading.poses.values()]
    for path in out:
        if any(path.exists() and each.exists() and path.samefile(each) for each in inputs):
            raise FileError(f"{path}: is what is read; choose another name for the output")


def _watch(quiet: bool) -> Watch:
    from rich.console import Console

    from pliant.cli.bars import Bars, Lines
    from pliant.session.bake import Watch

    if quiet:
        return Watch()
    console = Console(stderr=True)
    return Bars(console) if console.is_terminal else Lines()


def _summary(baked: Baked) -> dict[str, Any]:
    made = baked.frames - baked.begun
    return {
        "name": baked.name,
        "frames": baked.frames,
        "wanted": baked.wanted,
        "fps": baked.fps,
        "resumed_from": baked.begun,
        "stopped": baked.stopped,
        "outputs": [] if baked.stopped else [{"path": str(p), "bytes": _bytes(p)} for p in baked.outputs],
        "simulating_seconds": baked.simulating,
        "frames_per_second": made / baked.simulating if made and baked.simulating else None,
        "writing_seconds": baked.writing,
    }


def _print(baked: Baked) -> None:
    from pliant.cli.bars import size, span

    seconds = (baked.frames - 1) / baked.fps
    frames = "1 frame" if baked.frames == 1 else f"{baked.frames} frames, {seconds:.4g} s"
    for path in baked.outputs:
        print(f"{_short(path)}: {frames}, {size(_bytes(path))}")
    if made := baked.frames - baked.begun:
        speed = made / max(baked.simulating, 1e-9)
        print(f"simulated in {span(baked.simulating)} ({speed:.3g} frames/s), written in {span(baked.writing)}")


def _bytes(path: Path) -> int:
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size


def _short(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
