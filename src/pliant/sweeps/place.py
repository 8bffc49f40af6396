"""Where a sweep keeps what it makes: a folder, or an address that fsspec knows, such as s3://bucket/sweep.

    table.parquet, table.csv    a line for each row
    contact.png, contact.mp4    the rows side by side
    sweep.html                  table, plots and films in one page
    rows/KEY/                   of each row: measures.json (written last), run.json, weights.csv, film.jpg, what is kept
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from errno import EACCES
from functools import cached_property
from pathlib import Path
from typing import Any

from pliant.files.whole import unwritable, whole_file
from pliant.runtime.errors import FileError

ROWS_FOLDER = "rows"
ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://|[a-z][a-z0-9+.-]*::")


@dataclass(frozen=True)
class Place:
    """address: of the folder, as it was given."""

    address: str

    @property
    def folder(self) -> Path | None:
        """The folder, if it is one of this machine's file system."""
        return None if ADDRESS.match(self.address) else Path(self.address)

    @cached_property
    def _remote(self) -> tuple[Any, str]:
        from fsspec.core import url_to_fs

        try:
            system, top = url_to_fs(self.address)
        except (ImportError, ValueError) as error:
            raise FileError(f"{self.address}: {' '.join(str(error).split())}; install it, or give a folder") from None
        return system, str(top).rstrip("/")

    def check(self) -> None:
        """That it can be written. Asked before anything starts."""
        if self.folder is not None:
            whole = Path(os.path.abspath(self.folder))
            near = next(each for each in (whole, *whole.parents) if each.exists())
            if not near.is_dir():
                raise FileError(f"{self.address}: {near.name} is a file; choose another name for the folder")
            if not os.access(near, os.W_OK | os.X_OK):
                raise unwritable(self.folder, PermissionError(EACCES, f"no permission to write in {near}"))
            return
        name = f"{ROWS_FOLDER}/.probe"
        self.write(name, b"")
        self.remove(name)

    def write(self, name: str, content: bytes) -> None:
        """A file, whole or not at all."""
        if self.folder is not None:
            with whole_file(self.folder / name) as path:
                path.write_bytes(content)
            return
        system, top = self._remote
        try:
            system.makedirs(f"{top}/{name}".rpartition("/")[0], exist_ok=True)
            system.pipe_file(f"{top}/{name}", content)
        except Exception as error:  # every kind of storage has errors of its own
            raise FileError(f"{self.address}: cannot be written: {_line(error)}") from error

    def read(self, name: str) -> bytes | None:
        """None if there is none."""
        return self.read_all([name]).get(name)

    def read_all(self, names: Iterable[str]) -> dict[str, bytes]:
        """Those that are there; from a store far away all at once."""
        if self.folder is not None:
            paths = {name: self.folder / name for name in names}
            return {name: path.read_bytes() for name, path in paths.items() if path.is_file()}
        system, top = self._remote
        wanted = {f"{top}/{name}": name for name in names}
        if not wanted:
            return {}
        try:
            found = system.cat(list(wanted), on_error="omit")
        except FileNotFoundError:
            return {}
        except Exception as error:
            raise FileError(f"{self.address}: cannot be read: {_line(error)}") from error
        plain = {path.rpartition("://")[2].lstrip("/"): content for path, content in found.items()}
        keyed = {path.rpartition("://")[2].lstrip("/"): name for path, name in wanted.items()}
        return {name: plain[path] for path, name in keyed.items() if path in plain}

    def rows(self) -> set[str]:
        """The keys of rows that have a folder."""
        if self.folder is not None:
            rows = self.folder / ROWS_FOLDER
            return {each.name for each in rows.iterdir()} if rows.is_dir() else set()
        system, top = self._remote
        try:
            system.invalidate_cache()
            found = system.ls(f"{top}/{ROWS_FOLDER}", detail=False)
            return {str(each).rstrip("/").rpartition("/")[2] for each in found}
        except FileNotFoundError:
            return set()
        except Exception as error:
            raise FileError(f"{self.address}: cannot be read: {_line(error)}") from error

    def put(self, file: Path, name: str) -> None:
        """A file of this machine, or a folder of files, under a name."""
        if file.is_dir():
            for each in sorted(file.iterdir()):
                self.put(each, f"{name}/{each.name}")
        else:
            self.write(name, file.read_bytes())

    def remove(self, name: str) -> None:
        """From a store far away."""
        system, top = self._remote
        try:
            system.rm_file(f"{top}/{name}")
        except Exception as error:
            raise FileError(f"{self.address}: cannot be written: {_line(error)}") from error


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
