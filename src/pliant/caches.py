"""Where to keep what can be made anew: compiled kernels, and volumes of files that were loaded before."""

import os
import sys
import tempfile
from pathlib import Path


def cache_folder(*names: str) -> Path:
    """A writable folder `names` deep in `$PLIANT_CACHE`, or in the place where this system keeps caches; in a
    temporary folder where neither is writable."""
    for root in (_root(), Path(tempfile.gettempdir()) / f"pliant-{os.getuid() if hasattr(os, 'getuid') else 0}"):
        try:
            folder = root.joinpath(*names)
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix=f"pliant-{'-'.join(names)}-"))


def _root() -> Path:
    home = Path.home()
    if chosen := os.environ.get("PLIANT_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "pliant"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "pliant"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "pliant"
