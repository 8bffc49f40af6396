"""Compiled kernels on disk: one file for each kernel, signature and state of its sources (kernel_sources.py), whole or
not at all, and checked when it is read.

Numba's own cache believes what it finds: a file that was cut short raises from deep inside, at this start and at all
that follow, and one with a wrong byte can end the process. Here a file begins with a hash of the rest; what does not
fit, or cannot be loaded for any other reason, is deleted and compiled anew. Where nothing can be written (the disk is
full, or was made read-only) kernels live in memory only, and that is told once. What a wheel carries (carried.py) is
read where the folder has nothing, checked the same way, and never changed.
"""

import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from pliant.runtime.carried import magic
from pliant.runtime.kernel_sources import digest_of

CHECK = hashlib.sha256().digest_size  # bytes of the hash before the code
ENDING = ".nbc"
KEEP = 16  # files of one kernel: two precisions of eight states of its sources
_told: set[Path | None] = set()


class KernelCache(_Cache):
    """What a dispatcher asks for code before it compiles, and gives the code to afterwards. Without a folder nothing is
    kept.  carried: kernels that came with the package."""

    def __init__(self, function: Callable[..., Any], folder: Path | None, carried: Path | None = None) -> None:
        self.function, self.folder, self.carried = function, folder, carried

    @property
    def cache_path(self) -> str:
        return str(self.folder or "")

    def file_of(self, signature: Any, processor: tuple[str, str, str]) -> str:
        """The name of the file: it depends on the signature, the processor, and the sources."""
        code, cells = self.function.__code__, self.function.__closure__ or ()
        key = [str((signature, processor, code.co_firstlineno)).encode(), code.co_code]
        key += [digest_of(code.co_filename), dumps(tuple(cell.cell_contents for cell in cells)) if cells else b""]
        return f"{self._name()}.{hashlib.sha256(b' '.join(key)).hexdigest()[:16]}{ENDING}"

    def _name(self) -> str:
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        return name.replace("<", "").replace(">", "")  # not in names of files on Windows

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The code for a signature; None if there is none that can be used."""
        context.refresh()
        for path in self.paths(signature, context.codegen()):
            own = path.parent == self.folder
            try:
                data = path.read_bytes()
            except OSError:
                continue
            try:
                code = _loaded(data, context)
            except Exception:  # whole, and still of no use: written by another Numba, or for a module that is no more
                if own:
                    with suppress(OSError):
                        path.unlink()
                else:
                    _tell_damaged(path.parent)
                continue
            with suppress(OSError):
                if own:
                    os.utime(path)  # those that were not used for longest are forgotten first
            return code
        return None

    def paths(self, signature: Any, codegen: Any) -> list[Path]:
        """Where the code for a signature may be: for this very processor, or for all of its kind."""
        own = [self.folder / self.file_of(signature, codegen.magic_tuple())] if self.folder else []
        return own + ([self.carried / self.file_of(signature, magic(codegen))] if self.carried else [])

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep code that was just compiled."""
        if any(not loop.can_cache for loop in result.lifted) or result.library.has_dynamic_globals:
            return
        if self.folder is None:
            _tell(None, "no folder can be written")
            return
        data = dumps(result._reduce())
        path = self.folder / self.file_of(signature, result.codegen.magic_tuple())
        try:
            _write(path, hashlib.sha256(data).digest() + data)
        except OSError as error:
            _tell(self.folder, error.strerror or str(error))
        with suppress(OSError):  # another process may be forgetting the same ones
            self._forget_old(self.folder)

    def _forget_old(self, folder: Path) -> None:
        """What older sources of this kernel left."""
        files = sorted(folder.glob(f"{self._name()}.*{ENDING}"), key=lambda path: path.stat().st_mtime)
        for old in files[:-KEEP]:
            old.unlink(missing_ok=True)

    def enable(self) -> None:
        """Always is."""

    def disable(self) -> None:
        """Never is."""

    def flush(self) -> None:
        """Numba asks for it before it compiles all signatures anew."""
        if self.folder is not None:
            for path in self.folder.glob(f"{self._name()}.*{ENDING}"):
                path.unlink(missing_ok=True)


def _loaded(data: bytes, context: Any) -> Any:
    if hashlib.sha256(data[CHECK:]).digest() != data[:CHECK]:
        raise ValueError("damaged")
    return CompileResult._rebuild(context, *pickle.loads(data[CHECK:]))


def _write(path: Path, data: bytes) -> None:
    """Under another name first: a process that reads meanwhile sees all of it or nothing."""
    handle, name = mkstemp(prefix=".", suffix=ENDING + ".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _tell(folder: Path | None, reason: str) -> None:
    place = f" in {folder}" if folder else ""
    _once(
        folder,
        f"compiled kernels cannot be kept{place} ({reason}); each start compiles them anew until there is room "
        "or PLIANT_CACHE names another folder",
    )


def _tell_damaged(folder: Path) -> None:
    """What came with the package stays as it is: pip put it there."""
    _once(
        folder,
        f"kernels that came with the package are damaged ({folder}) and are compiled anew, once; `pip install "
        "--force-reinstall --no-deps` with the wheel it came from mends it",
    )


def _once(folder: Path | None, line: str) -> None:
    """Told of a folder once in a process."""
    if folder not in _told:
        _told.add(folder)
        print(f"pliant: {line}", file=sys.stderr, flush=True)
