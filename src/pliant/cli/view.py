"""`pliant view`: the viewer in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pliant.cli import complete, targets
from pliant.cli.names import known_exhibits
from pliant.runtime.errors import PliantError

if TYPE_CHECKING:
    from pliant.viewer.simulation.opened import Opened


def view(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="SCENE|ASSET|gallery:NAME",
            help="What to open; the gallery if left out.",
            autocompletion=complete.targets,
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Where to serve; 0.0.0.0 for other machines.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8080,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page by itself.")] = True,
    token: Annotated[str | None, typer.Option(help="A secret that the page's address must carry.")] = None,
    as_: Annotated[str | None, typer.Option("--as", metavar="solid|shell|rod", help="What a file is made as.")] = None,
    particles: Annotated[int | None, typer.Option(min=4, help="About how many particles a file gets.")] = None,
    pose: Annotated[
        list[str] | None, typer.Option(metavar="NAME=FILE", help="A pose from a file of its own; repeatable.")
    ] = None,
    poses: Annotated[Path | None, typer.Option(metavar="FOLDER", help="A folder of poses, one a file.")] = None,
    sample: Annotated[
        str | None, typer.Option(metavar="T1,T2", help="Poses from the animation in the file, at these seconds.")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting; repeatable.")
    ] = None,
) -> None:
    """Play with a scene, an asset or the gallery in the browser."""
    loading = targets.Loading(
        kind=targets.body_kind(as_),
        particles=particles,
        poses=targets.named_files(pose or []),
        pose_folder=poses,
        sample=targets.numbers(sample, "--sample") if sample is not None else None,
        changes=tuple(changes or ()),
    )
    shown: str | Opened | None = None
    if target is not None and _is_file(target):
        shown = _opened(Path(target), loading)
    else:
        if loading.given():
            raise PliantError(f"{target or 'the gallery'}: exhibits take no options of files; give a scene or an asset")
        shown = known_exhibits([target])[0] if target is not None else None
    from pliant.viewer.app import run

    run(shown, host=host, port=port, open_browser=browser and _has_screen(), token=token)


def _is_file(target: str) -> bool:
    """Whether a path is meant: names of exhibits have neither endings nor folders."""
    path = Path(target)
    return not target.startswith(targets.GALLERY_PREFIX) and (bool(path.suffix) or len(path.parts) > 1 or path.exists())


def _opened(path: Path, loading: targets.Loading) -> Opened:
    """Read once already, so that what is wrong with the file is told here rather than on a page."""
    from pliant.viewer.simulation.opened import Opened

    return Opened(path.name, path, loading.given()).checked()


def _has_screen() -> bool:
    """Without a screen Python would open a text browser in the terminal; the address is printed anyway."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
