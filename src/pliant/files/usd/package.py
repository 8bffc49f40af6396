"""The .usdz package: a zip file of a particular kind."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from pliant.runtime.errors import FileError

ALIGNMENT = 64
HEADER = 30  # bytes before the name of a file in a zip
PADDING = 0x1986  # what USD itself calls the field that fills up
LARGEST_FILE = 0xFFFF_0000  # bytes; packages know no larger files, as zip did before 2001
DAY = (1980, 1, 1, 0, 0, 0)  # the same for all, so that the same take gives the same bytes


def pack(target: Path, files: Mapping[str, Path], wanted: Path) -> None:
    """Writes a package; the first file is the stage. Data are not compressed and begin at multiples of 64, so that a
    program can map them."""
    total = sum(file.stat().st_size for file in files.values())
    if total > LARGEST_FILE:
        raise FileError(f"{wanted}: {total / 1e9:.1f} GB do not fit into a .usdz package; write a .usdc file")
    with ZipFile(target, "w", ZIP_STORED) as archive:
        assert archive.fp is not None
        for name, file in files.items():
            info = ZipInfo(name, DAY)
            info.external_attr = 0o644 << 16
            info.file_size = file.stat().st_size
            before = archive.fp.tell() + HEADER + len(name.encode()) + 4
            fill = -before % ALIGNMENT
            info.extra = PADDING.to_bytes(2, "little") + fill.to_bytes(2, "little") + bytes(fill)
            with open(file, "rb") as source, archive.open(info, "w") as place:
                shutil.copyfileobj(source, place, 1 << 20)
