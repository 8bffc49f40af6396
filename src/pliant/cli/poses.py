"""`pliant poses`: poses for a file that has none, from its own animation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pliant.cli import complete, targets
from pliant.runtime.errors import PliantError


def poses(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The mesh that gets poses.", autocompletion=complete.targets)
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="OUT", help="A .glb with shape keys, or an .npz; FILE-poses.glb if not said."
        ),
    ] = None,
    from_animation: Annotated[
        bool,
        typer.Option("--from-animation", help="Frames of the animation in FILE, so that all are near their blends."),
    ] = False,
    count: Annotated[int, typer.Option(min=1, help="How many frames become poses, at most.")] = 4,
    tolerance: Annotated[
        float, typer.Option(help="Stop when no frame is farther from the blends than this part of the largest change.")
    ] = 0.02,
    fps: Annotated[float, typer.Option(help="How often the animation is looked at in a second.")] = 30.0,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="solid|shell|rod", help="What the body is made as.")
    ] = None,
    particles: Annotated[int | None, typer.Option(min=4, help="About how many particles the body gets.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Poses for a mesh that has none."""
    if not from_animation:
        raise PliantError(f"poses: {file}: say where the poses come from: --from-animation")
    target = out if out is not None else Path(f"{file.stem}-poses.glb")
    kind = targets.body_kind(as_)
    options = {"kind": kind} | ({} if particles is None else {"particles": particles})

    from rich.console import Console

    from pliant.cli import pose_tables
    from pliant.volume.from_animation import poses_from_animation
    from pliant.volume.posed import check_poses_path, save_asset_poses

    check_poses_path(target)
    with Console(stderr=True).status(f"looking at {file}") as status:

        def progress(done: int, total: int) -> None:
            status.update(f"looking at frame {done} of {total}")

        found = poses_from_animation(file, count, tolerance=tolerance, fps=fps, progress=progress)
        status.update("filling the poses in")
        saved = save_asset_poses(found.asset, target, **options)
    pose_tables.print_animation(found, saved, as_json)
