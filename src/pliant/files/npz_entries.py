"""The arrays in an .npz file: written the same every time, and read with suspicion."""

import zipfile
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from pliant.files.whole import whole_file
from pliant.runtime.errors import FileError

NO_DATE = (1980, 1, 1, 0, 0, 0)
UNIX = 3
MOST_ENTRIES = 2000
LONGEST_HEADING = 2000  # characters
SAVE_AGAIN = "save it again"

Shape = tuple[int | None, ...]


def write_entries(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Not compressed and without a date: the same arrays give the same bytes."""
    with whole_file(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            info = zipfile.ZipInfo(f"{name}.npy", NO_DATE)
            info.create_system, info.external_attr = UNIX, 0o644 << 16
            with archive.open(info, "w", force_zip64=True) as file:
                npy.write_array(file, np.ascontiguousarray(array), allow_pickle=False)


class Entries:
    """The arrays of a file by name, each read when it is asked for. None may be larger than the file itself."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._archive = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            raise self._wrong(f"it is no .npz file ({error})") from None
        listed = self._archive.infolist()
        if len(listed) > MOST_ENTRIES:
            raise self._wrong(f"{len(listed):,} arrays are too many")
        if sum(info.file_size for info in listed) > path.stat().st_size:
            raise self._wrong(
                "its arrays are compressed, or said to be larger than the file", "save it with numpy.savez"
            )
        self._infos = {info.filename.removesuffix(".npy"): info for info in listed}

    def __contains__(self, name: str) -> bool:
        return name in self._infos

    def floats(self, name: str, shape: Shape, most: int | None = None) -> NDArray[np.float64]:
        """Finite numbers; None in the shape stands for any number of rows."""
        values = self._array(name, shape, "f", most).astype(np.float64)
        if not np.isfinite(values).all():
            raise self._wrong(f"{name} holds something that is not finite")
        return values

    def indices(self, name: str, shape: Shape, most: int | None = None) -> NDArray[np.int32]:
        """Whole numbers."""
        values = self._array(name, shape, "iu", most)
        if values.size and (values.min() < -(2**31) or values.max() >= 2**31):
            raise self._wrong(f"{name} holds {values.max()}, which is too large")
        return values.astype(np.int32)

    def bytes(self, name: str) -> bytes:
        """What was put there as bytes."""
        return self._array(name, (None,), "u", None).astype(np.uint8).tobytes()

    def _array(self, name: str, shape: Shape, kinds: str, most: int | None) -> NDArray[Any]:
        if name not in self._infos:
            raise self._wrong(f"there is no {name} in it")
        info = self._infos[name]
        try:
            with self._archive.open(info) as file:
                version = npy.read_magic(file)
                reader = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(version)
                if reader is None:
                    raise ValueError(f"version {version}")
                found, by_columns, dtype = reader(file, max_header_size=LONGEST_HEADING)
                data = file.read(info.file_size)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, TypeError) as error:
            raise self._wrong(f"{name} cannot be read ({' '.join(str(error).split())[:100]})") from None
        if dtype.kind not in kinds or dtype.hasobject or dtype.itemsize > 8:
            raise self._wrong(f"{name} holds {dtype.name} values, which do not belong there")
        fits = len(found) == len(shape) and all(b in (None, a) for a, b in zip(found, shape, strict=True))
        if not fits or by_columns:
            wanted = ", ".join("N" if size is None else str(size) for size in shape)
            raise self._wrong(f"{name} has the shape {tuple(found)}, ({wanted}) belongs there")
        if most is not None and found[0] > most:
            raise self._wrong(f"{name} has {found[0]:,} rows, at most {most:,} can be read", "make it simpler")
        if prod(found) * dtype.itemsize != len(data):
            raise self._wrong(f"{name} has {len(data):,} bytes, not what its shape says")
        return np.frombuffer(data, dtype).reshape(found)

    def _wrong(self, what: str, remedy: str = SAVE_AGAIN) -> FileError:
        return FileError(f"{self.path}: {what}; {remedy}")
