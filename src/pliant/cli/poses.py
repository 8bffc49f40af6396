"""`pliant poses`: poses for a file, from its animation, from other meshes, from its modes, or from its other side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
    match: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="From a sculpt or scan with other vertices; repeatable."),
    ] = None,
    point: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME:x,y,z=x,y,z", help="Where a point of FILE is on that mesh; three or more, or none."),
    ] = None,
    modes: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The N lowest modes: what the body does most easily.")
    ] = None,
    amplitude: Annotated[float, typer.Option(help="Of a mode, at most: a part of the body's diagonal.")] = 0.25,
    mirror: Annotated[
        str | None, typer.Option(metavar="x|y|z", help="Each pose of FILE also as in a mirror across this axis.")
    ] = None,
    only: Annotated[
        str | None, typer.Option(metavar="GROUP", help="Mirror what the poses do to this group, and no more.")
    ] = None,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="solid|shell|rod", help="What the body is made as.")
    ] = None,
    particles: Annotated[int | None, typer.Option(min=4, help="About how many particles the body gets.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Poses for a mesh: from its animation, from another mesh, from its modes, from its other side."""
    ways = {"--from-animation": from_animation, "--match": match, "--modes": modes, "--mirror": mirror}
    said = [way for way, given in ways.items() if given]
    if len(said) != 1:
        if said:
            raise PliantError(f"poses: {' and '.join(said)} exclude each other; give one of them")
        raise PliantError(f"poses: {file}: say where the poses come from; give one of {', '.join(ways)}")
    if point and not match:
        raise PliantError("poses: --point belongs to --match; leave it out")
    if only is not None and mirror is None:
        raise PliantError("poses: --only belongs to --mirror; leave it out")
    target = out if out is not None else Path(f"{file.stem}-poses.glb")
    options = {"kind": targets.body_kind(as_)} | ({} if particles is None else {"particles": particles})

    from rich.console import Console

    from pliant.cli import pose_tables
    from pliant.volume.posed import check_poses_path

    check_poses_path(target, file)
    with Console(stderr=True).status(f"looking at {file}") as status:

        def progress(done: int, total: int) -> None:
            status.update(f"{done} of {total}")

        if from_animation:
            clip = {"tolerance": tolerance, "fps": fps, "progress": progress}
            told, saved = _from_animation(file, count, target, clip, options)
        elif match:
            told, saved = _from_meshes(file, match, point or [], target, progress, options)
        else:
            told, saved = _of_the_body(file, modes, amplitude, mirror, only, target, options)
    pose_tables.print_poses(told, saved, as_json)


def _from_animation(file: Path, count: int, target: Path, clip: dict[str, Any], options: dict[str, Any]) -> Any:
    from pliant.volume.from_animation import poses_from_animation
    from pliant.volume.posed import save_asset_poses

    found = poses_from_animation(file, count, **clip)
    return found, save_asset_poses(found.asset, target, **options)


def _from_meshes(
    file: Path, match: list[str], point: list[str], target: Path, progress: Any, options: dict[str, Any]
) -> Any:
    from pliant.volume.from_mesh import pairs_of, poses_from_meshes
    from pliant.volume.posed import save_asset_poses

    found = poses_from_meshes(file, targets.named_files(match, "--match"), pairs_of(point), progress)
    return found, save_asset_poses(found.asset, target, **options)


def _of_the_body(
    file: Path,
    modes: int | None,
    amplitude: float,
    mirror: str | None,
    only: str | None,
    target: Path,
    options: dict[str, Any],
) -> Any:
    from pliant import poses as made
    from pliant.poses.mirror import mirrored_name
    from pliant.volume import load_whole
    from pliant.volume.posed import SavedPoses, save_body_poses

    whole = load_whole(file, **options)
    body = whole.body
    if modes is not None:
        shapes = made.modes(body, modes, amplitude=amplitude)
    else:
        assert mirror is not None
        if not body.poses:
            raise PliantError(f"{file}: there is no pose in it to mirror; make some first")
        names = {name: mirrored_name(name) for name in body.poses}
        taken = [name for name in names.values() if name in body.poses]
        if taken:
            raise PliantError(f'{file}: there is a pose "{taken[0]}" in it already; rename it or leave it out')
        shapes = {there: made.mirror(body, name, mirror, only=only) for name, there in names.items()}
    for name, shape in shapes.items():
        body = body.with_pose(name, shape)
    save_body_poses(body, target)
    return body.report(), SavedPoses(target, (), whole.notes)
