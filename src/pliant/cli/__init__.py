"""The command `pliant`. One file per command; each calls one function of the library.

Nothing heavy is imported here, so that `pliant --help` answers at once: commands import what they need.
Exit codes: 0 done, 1 the run failed, 2 the call or its input is wrong. Errors are one line on stderr.
"""

import errno
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from pliant.cli.bake import bake
from pliant.cli.bench import bench
from pliant.cli.compare import compare
from pliant.cli.compile import compile_kernels
from pliant.cli.gallery import gallery
from pliant.cli.inspect import inspect
from pliant.cli.poses import poses
from pliant.cli.scene import scene
from pliant.cli.serve import serve
from pliant.cli.sweep import sweep
from pliant.cli.version import print_version
from pliant.cli.view import view
from pliant.runtime.errors import Diverged, FileError, PliantError

SUCCEEDED, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # the disk failed, not the caller

app = typer.Typer(name="pliant", pretty_exceptions_enable=False)
app.command()(view)
app.command()(bake)
app.command()(compare)
app.command()(sweep)
app.command()(inspect)
app.command()(poses)
app.command()(scene)
app.command()(serve)
app.command()(gallery)
app.command()(bench)
app.command("compile")(compile_kernels)


@app.callback(invoke_without_command=True)
def pliant(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=print_version, is_eager=True, help="Print the version, and on what it runs."
        ),
    ] = False,
) -> None:
    """Soft bodies that obey example poses. Without a command: the gallery in the browser."""
    if context.invoked_subcommand is None:
        context.invoke(view)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; `arguments` are those of the process unless given."""
    try:
        return app(args=arguments, prog_name="pliant", standalone_mode=False) or SUCCEEDED
    except typer.TyperException as error:
        return _complain(error.format_message(), WRONG)
    except Diverged as error:
        return _complain(str(error), FAILED)
    except FileError as error:
        full = isinstance(error.__cause__, OSError) and error.__cause__.errno in DISK_ERRORS
        return _complain(str(error), FAILED if full else WRONG)
    except PliantError as error:
        return _complain(str(error), WRONG)
    except MemoryError:
        return _complain("there is not enough memory for it; ask for fewer particles, copies or frames", WRONG)
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error), FAILED)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED


def _complain(message: str, code: int) -> int:
    print(f"pliant: {' '.join(message.split())}", file=sys.stderr)
    return code
