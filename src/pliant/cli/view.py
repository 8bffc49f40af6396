"""`pliant view`: the viewer in the browser."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pliant.cli.names import known_exhibits
from pliant.errors import PliantError


def view(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The exhibit to open first.")] = None,
    host: Annotated[str, typer.Option(help="Where to serve; 0.0.0.0 for other machines.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8080,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page by itself.")] = True,
    token: Annotated[str | None, typer.Option(help="A secret that the page's address must carry.")] = None,
) -> None:
    """Play with the gallery in the browser."""
    if name is not None:
        _check_is_no_file(name)
    target = known_exhibits([name])[0] if name is not None else None
    from pliant.viewer.app import run

    run(target, host=host, port=port, open_browser=browser and _has_screen(), token=token)


def _check_is_no_file(name: str) -> None:
    path = Path(name)
    if path.suffix or path.exists():
        film = f"`pliant bake {name} -o {path.stem}.mp4` makes a film of it"
        raise PliantError(f"{name}: the viewer opens the exhibits of the gallery, not files; {film}")


def _has_screen() -> bool:
    """Without a screen Python would open a text browser in the terminal; the address is printed anyway."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
