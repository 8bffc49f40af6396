"""Files and folders that appear whole or not at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp, mkstemp

from pliant.runtime.errors import FileError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A name to write to; what was written there takes the place of `path` when the block ends well, and is removed
    when it does not. The ending is the same, for writers that choose a format by it."""
    path = Path(path)
    temporary = _temporary(path, folder=False)
    try:
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """The same for a folder. One that stands there already is replaced."""
    path = Path(path)
    temporary = _temporary(path, folder=True)
    try:
        yield temporary
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        os.replace(temporary, path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def unwritable(path: Path, error: OSError) -> FileError:
    """What to tell when a file cannot be written."""
    return FileError(f"{path}: cannot be written: {error.strerror or error}; free some space or choose another folder")


def _temporary(path: Path, folder: bool) -> Path:
    """Hidden, and in the same folder, so that it can be moved in one go."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if folder:
            made = Path(mkdtemp(prefix=f".{path.name}.", dir=path.parent))
            made.chmod(0o755)
            return made
        handle, name = mkstemp(prefix=f".{path.stem}.", suffix=path.suffix, dir=path.parent)
        os.close(handle)
        os.chmod(name, 0o644)
        return Path(name)
    except OSError as error:
        raise unwritable(path, error) from error
