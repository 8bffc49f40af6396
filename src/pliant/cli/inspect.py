"""`pliant inspect`: the mesh, the skin, the poses and the cost of a scene, an asset or an exhibit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pliant.cli import complete, targets


def inspect(
    target: Annotated[
        str,
        typer.Argument(metavar="SCENE|ASSET|gallery:NAME", help="What to look at.", autocompletion=complete.targets),
    ],
    picture: Annotated[
        Path | None, typer.Option(metavar="OUT.png", help="Also a picture: the poses, what models see of each, advice.")
    ] = None,
    fps: Annotated[float | None, typer.Option(help="Frames per second.")] = None,
    substeps: Annotated[int | None, typer.Option(min=1, help="Steps of the simulation in each frame.")] = None,
    seed: Annotated[int | None, typer.Option(help="For what the scene leaves to chance.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting; repeatable.")
    ] = None,
    pose: Annotated[
        list[str] | None, typer.Option(metavar="NAME=FILE", help="A pose from a file of its own; repeatable.")
    ] = None,
    poses: Annotated[Path | None, typer.Option(metavar="FOLDER", help="A folder of poses, one a file.")] = None,
    sample: Annotated[
        str | None, typer.Option(metavar="T1,T2", help="Poses from the animation in the file, at these seconds.")
    ] = None,
    as_: Annotated[
        str | None, typer.Option("--as", metavar="solid|shell|rod", help="What the body is made as.")
    ] = None,
    particles: Annotated[int | None, typer.Option(min=4, help="About how many particles a file gets.")] = None,
    mesher: Annotated[str | None, typer.Option(metavar="lattice|wild", help="How a surface is filled.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="To measure with.")] = None,
    precision: Annotated[str | None, typer.Option(metavar="single|double", help="Of the simulation.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Look at a mesh, its skin, its poses and what they cost, before baking for long."""
    loading = targets.Loading(
        kind=targets.body_kind(as_),
        poses=targets.named_files(pose or []),
        pose_folder=poses,
        sample=targets.numbers(sample, "--sample") if sample is not None else None,
        particles=particles,
        mesher=mesher,
        fps=fps,
        substeps=substeps,
        seed=seed,
        threads=threads,
        precision=precision,
        changes=tuple(changes or ()),
    )
    targets.check_picture(picture)
    from rich.console import Console

    from pliant.cli.sheet import print_inspection
    from pliant.session.inspection import inspect_show, picture_of

    with Console(stderr=True).status(f"loading {target}") as status:
        show = targets.show_from(target, loading)
        if picture is not None:
            status.update("drawing the poses")
            picture_of(show, picture)
        status.update("measuring")
        seen = inspect_show(show)
    if as_json:
        print(json.dumps(seen.to_dict() | {"picture": None if picture is None else str(picture)}, indent=2))
        return
    print_inspection(seen, Console())
    if picture is not None:
        print(f"\n{picture}")
