"""Zipped scenes that are dropped on a page: unpacked beside the .zip within limits, and nowhere else."""

import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from pliant.files.reading import one_line
from pliant.runtime.errors import FileError
from pliant.viewer.simulation.opened import leads_out

ZIP = ".zip"
MOST_UNPACKED = 400_000_000  # bytes of all files together
CHUNK = 2**20
HIDDEN = "__MACOSX"  # what Finder puts beside the files


def unpack(path: Path, most_files: int, safe_name: Callable[[str], str]) -> Sequence[str]:
    """Put the files of a .zip into its folder, and take the .zip away. Their names, made safe.

    What a .zip says of itself is not believed: names are kept to their last part, links are files like any other, and
    bytes are counted as they come out.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [info for info in archive.infolist() if not info.is_dir() and not _hidden(info.filename)]
            if len(entries) > most_files:
                raise FileError(f"{path.name}: {len(entries):,} files are in it; zip at most {most_files}")
            if len({PurePosixPath(info.filename).parent for info in entries}) > 1:
                raise FileError(f"{path.name}: its files are in several folders; zip the scene and its files without")
            if any(leads_out(info.filename) for info in entries):
                raise FileError(f"{path.name}: a name in it leads out of the folder; zip the files themselves")
            names = [_named(info.filename, path, safe_name) for info in entries]
            for name in names:
                if name.lower().endswith(ZIP):
                    raise FileError(f"{path.name}: there is another .zip in it; drop that one")
                if sum(name.lower() == other.lower() for other in names) > 1:
                    raise FileError(f"{path.name}: two files in it are called {name}; give each its own name")
            left = MOST_UNPACKED
            for name, info in zip(names, entries, strict=True):
                left = _copy(archive, info, path.with_name(name), left)
    except FileError:
        raise  # it says all, and is a ValueError too
    except Exception as error:  # damaged bytes are told in as many ways as there are ways to pack
        what = one_line(getattr(error, "strerror", None) or error)
        raise FileError(f"{path.name}: it cannot be unpacked ({what}); zip it again") from None
    path.unlink()
    return names


def _named(name: str, path: Path, safe_name: Callable[[str], str]) -> str:
    try:
        return safe_name(name)
    except FileError as error:
        raise FileError(f"{path.name}: {error}") from None


def _hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return HIDDEN in parts or (bool(parts) and parts[-1].startswith("."))


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, left: int) -> int:
    """Write one file. How many bytes may still come."""
    with archive.open(info) as packed, open(target, "xb") as out:
        while chunk := packed.read(CHUNK):
            left -= len(chunk)
            if left < 0:
                most = f"{MOST_UNPACKED // 1_000_000} MB"
                whose = Path(archive.filename or "").name
                raise FileError(f"{whose}: more than {most} are in it; zip fewer files, or smaller ones")
            out.write(chunk)
    return left
