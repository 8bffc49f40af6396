"""Where to keep what people have made: it cannot be made anew, so it is never a temporary folder."""

import os
import sys
from pathlib import Path

DATA_VARIABLE = "PLIANT_DATA"
OWNER_ONLY = 0o700


def data_folder(*names: str) -> Path | None:
    """The folder `names` deep in `$PLIANT_DATA`, or in the place where this system keeps a user's data; made where it
    is missing. None where nothing can be written there."""
    base = _base()
    if base is None:
        return None
    folder = base.joinpath(*names)
    try:
        folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _base() -> Path | None:
    if named := os.environ.get(DATA_VARIABLE):
        return Path(named).absolute()
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "pliant"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Application Support" / "pliant"
        named = os.environ.get("XDG_DATA_HOME", "")
        return (Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share") / "pliant"
    except RuntimeError:  # no home
        return None
