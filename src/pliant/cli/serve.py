"""`pliant serve`: soft bodies for other programs, such as Blender."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def serve(
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where bakes are kept; without it there are none.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="The result is the same for any number.")] = 1,
    child: Annotated[
        bool, typer.Option("--child", help="Read the token from the input, and end when the input ends.")
    ] = False,
) -> None:
    """Compute for other programs on this machine, which speak the protocol of docs/serve.md.

    The first line that is printed tells the port and the token, as JSON.
    """
    from pliant.serve.server import serve as run

    run(folder, port, threads, child, sys.stdout, sys.stdin)
