"""`pliant compare`: several scenes, assets or exhibits side by side in one film."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pliant.cli import complete, targets
from pliant.runtime.errors import PliantError


def compare(
    shown: Annotated[
        list[str],
        typer.Argument(
            metavar="TARGET…",
            help="Scenes, assets or gallery:NAME; TARGET@stiffness=2 changes a setting.",
            autocompletion=complete.targets,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="An .mp4, or a folder png/.")],
    caption: Annotated[
        list[str] | None, typer.Option(help="Under each picture, in order; what was given if not said.")
    ] = None,
    frames: Annotated[int | None, typer.Option(min=1, help="How many frames, the first included.")] = None,
    seconds: Annotated[float | None, typer.Option(help="How long, instead of --frames.")] = None,
    fps: Annotated[float | None, typer.Option(help="Frames per second.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of all; repeatable.")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Pixels of the whole film.")] = "1280x720",
    camera: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="The direction to look from.")] = None,
) -> None:
    """Play several things and show them side by side, through one camera."""
    if len(shown) < 2:
        raise PliantError("compare: one thing alone; name at least two, or use `pliant bake`")
    if caption and len(caption) != len(shown):
        raise PliantError(f"compare: {len(caption)} captions for {len(shown)} things; give one each, or none")
    width, height = targets.numbers(size, "--size", 2, "x")
    look = targets.numbers(camera, "--camera", 3) if camera is not None else None
    loading = targets.Loading(seconds=seconds, fps=fps, changes=tuple(changes or ()))

    from pliant.session.outputs import Options, check_outputs, is_rendered
    from pliant.session.recording import record
    from pliant.session.render.movie import write_movie, write_pictures

    if not is_rendered(out):
        raise PliantError(f"compare: {out}: only films and pictures are side by side; give an .mp4 or a folder png/")
    check_outputs([out], Options(size=(int(width), int(height))))
    shows = []
    for each in shown:
        target, own = _parted(each)
        shows.append(targets.show_from(target, replace(loading, changes=(*loading.changes, *own))))
    if len({show.fps for show in shows}) > 1:
        raise PliantError(f"compare: they have {' and '.join(f'{show.fps:g}' for show in shows)} fps; say --fps")
    write = write_movie if out.suffix else write_pictures
    notes = write(
        [record(show, frames) for show in shows],
        out,
        colliders=[show.world.colliders for show in shows],
        camera=look or shows[0].camera,
        size=(int(width), int(height)),
        captions=caption or [Path(each).stem if "@" not in each else each for each in shown],
    )
    for note in notes:
        print(f"note: {note}")
    print(out)


def _parted(given: str) -> tuple[str, list[str]]:
    """`bear.glb@stiffness=2@damping=1` is the file and two changes; a name that has an @ of its own stays whole."""
    if Path(given).exists():
        return given, []
    target, *changes = given.split("@")
    return target, changes
