"""How to start a process so that it is ended by us, and by nothing else."""

import subprocess
import sys
from typing import Any


def apart() -> dict[str, Any]:
    """Options of `Popen` for a process that Ctrl-C in the terminal does not reach: it goes to all processes of a group,
    on Windows as elsewhere, and what such a process has begun is for its parent to end."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def ask_to_end(process: "subprocess.Popen[bytes]") -> None:
    """Ask a process that ends with its input to clear up and end. Windows has no other way to ask: to terminate a
    process is to kill it, with its files half written."""
    if sys.platform != "win32":
        process.terminate()
        return
    try:
        if process.stdin is not None:
            process.stdin.close()
    except (OSError, ValueError):  # it has ended, or is being told something
        process.terminate()
