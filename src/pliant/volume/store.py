"""Volumes that were made before: results kept in the user's cache folder under a hash of all they depend on.

A result is a few arrays. The second load of a file is instant and gives the same particles, also where the first was
made by a tool that never does the same twice.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.files.whole import whole_file
from pliant.runtime.caches import cache_folder
from pliant.runtime.errors import FileError

Arrays = Mapping[str, NDArray[Any]]

VERSION = 1  # of what is kept: raise it when arrays change their meaning
MOST_STORED_BYTES = 1_000_000_000  # kept in all; the longest unused go first


@lru_cache(maxsize=1)
def _stamp() -> str:
    """The version, and a hash of the sources that make volumes: after an edit nothing old is taken for new."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256(str(VERSION).encode())
    for folder in ("geometry", "volume"):
        for source in sorted((package / folder).rglob("*.py")):
            digest.update(source.relative_to(package).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()


def key_of(*parts: Any) -> str:
    """A name for a result that depends on these arrays, numbers and words, and on how volumes are made.

    >>> key_of(np.zeros(3), 600) == key_of(np.zeros(3), 600), key_of(np.zeros(3), 600) == key_of(np.zeros(3), 601)
    (True, False)
    """
    digest = hashlib.sha256(_stamp().encode())
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype.str}{part.shape}".encode())
            digest.update(np.ascontiguousarray(part).data)
        else:
            digest.update(repr(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()[:40]


def fetch(key: str, names: Iterable[str]) -> dict[str, NDArray[Any]] | None:
    """The arrays kept under a key; None if there are none, or not whole: those are made anew, and replaced."""
    path = _path(key)
    if path is None:
        return None
    try:
        with np.load(path, allow_pickle=False) as kept:
            found = {name: kept[name] for name in names}
        os.utime(path)  # lately used
    except Exception:  # damaged bytes are told in as many ways as there are readers below, lack of memory among them
        return None
    return found


def keep(key: str, arrays: Arrays) -> None:
    """Keep arrays under a key. A disk that is full or may not be written is no reason to fail: they are made anew."""
    path = _path(key)
    if path is None:
        return
    with suppress(OSError, FileError):
        with whole_file(path) as temporary:
            np.savez(temporary, **arrays)  # type: ignore[arg-type]
        _forget_old(path.parent)


def remembered(
    key: str, names: Iterable[str], make: Callable[[], Arrays], cache: bool = True
) -> tuple[dict[str, NDArray[Any]], bool]:
    """The arrays kept under a key, or those that `make` gives, kept from now on; and whether they were known."""
    found = fetch(key, names) if cache else None
    if found is not None:
        return found, True
    made = dict(make())
    if cache:
        keep(key, made)
    return made, False


def _path(key: str) -> Path | None:
    folder = cache_folder("volumes")
    return folder / f"{key}.npz" if folder else None


def _forget_old(folder: Path, most: int = MOST_STORED_BYTES) -> None:
    """Remove what was longest unused until no more than `most` bytes are left."""
    files = []
    for path in folder.glob("*.npz"):
        with suppress(OSError):  # another process may be forgetting too
            status = path.stat()
            files.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= most:
            break
        path.unlink(missing_ok=True)
        total -= size
