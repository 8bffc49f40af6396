"""What people have made: a file for each, in the user's data folder."""

import json
import threading
import time
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.files.whole import whole_file
from pliant.runtime.data_folder import data_folder
from pliant.runtime.errors import FileError
from pliant.viewer.recording.file_names import plain_name

if TYPE_CHECKING:
    from pliant.viewer.simulation.panel_state import PanelState

WORK_ENDING, PICTURE_ENDING = ".zip", ".jpg"
WORKS = "works"


@dataclass(frozen=True)
class Work:
    """name: of the file, and in addresses.  origin: of the exhibit or file that it began with.  saved: seconds since
    1970.  poses: how many there are."""

    name: str
    path: Path
    title: str
    origin: str
    saved: float
    poses: int

    @property
    def picture(self) -> Path:
        """It may not be there."""
        return self.path.with_suffix(PICTURE_ENDING)


class Works:
    """All that are kept. Each is a scene as "Save the scene" writes it: other tools open a folder of them, too."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[float, Work | None]] = {}  # by file, with its time

    @property
    def folder(self) -> Path | None:
        """None where nothing can be kept."""
        return self._folder or data_folder(WORKS)

    def all(self) -> Sequence[Work]:
        """The newest first."""
        folder = self.folder
        if folder is None:
            return ()
        found = [self._read(path) for path in folder.glob(f"*{WORK_ENDING}") if not path.name.startswith(".")]
        return sorted((work for work in found if work is not None), key=lambda work: -work.saved)

    def of(self, name: str) -> Work | None:
        """By name."""
        folder = self.folder
        if folder is None or plain_name(name) != name:
            return None
        path = folder / f"{name}{WORK_ENDING}"
        return self._read(path) if path.is_file() else None

    def free_name(self, origin: str) -> str:
        """For a new one."""
        stem = f"{plain_name(origin)[:50]}-{time.strftime('%Y-%m-%d-%H%M%S')}"
        name, number = stem, 1
        while self.of(name) is not None:
            number += 1
            name = f"{stem}-{number}"
        return name

    def keep(self, name: str, panel_state: "PanelState", origin: str) -> Work:
        """Write one, whole or not at all."""
        from pliant.viewer.simulation.scene_files import scene_zip

        folder = self.folder
        if folder is None:
            raise FileError("nothing can be kept: the data folder cannot be written; set PLIANT_DATA to another one")
        content, _ = scene_zip(panel_state)
        told: dict[str, Any] = {
            "title": panel_state.origin.title,
            "origin": origin,
            "poses": sum(len(actor.body.poses) for actor in panel_state.actors),
        }
        packed = BytesIO(content)
        with zipfile.ZipFile(packed, "a") as archive:
            archive.comment = json.dumps(told).encode()[:60_000]
        path = folder / f"{name}{WORK_ENDING}"
        with self._lock, whole_file(path) as temporary:
            temporary.write_bytes(packed.getvalue())
        work = self._read(path)
        assert work is not None
        return work

    def rename(self, name: str, title: str) -> None:
        """Call it something else on the pages."""
        work = self.of(name)
        if work is None or not title.strip():
            return
        packed = BytesIO(work.path.read_bytes())
        with zipfile.ZipFile(packed, "a") as archive:
            told = _told(archive) | {"title": title.strip()[:100]}
            archive.comment = json.dumps(told).encode()
        with self._lock, whole_file(work.path) as temporary:
            temporary.write_bytes(packed.getvalue())

    def delete(self, name: str) -> None:
        """For ever."""
        work = self.of(name)
        if work is not None:
            with suppress(OSError):
                work.picture.unlink(missing_ok=True)
                work.path.unlink(missing_ok=True)

    def _read(self, path: Path) -> Work | None:
        """None if it is not one of ours."""
        try:
            saved = path.stat().st_mtime
            known = self._known.get(path)
            if known is None or known[0] != saved:
                with zipfile.ZipFile(path) as archive:
                    told = _told(archive)
                work = Work(path.stem, path, str(told.get("title") or path.stem), str(told.get("origin", "")), saved,
                            int(told.get("poses", 0)))  # fmt: skip
                known = self._known[path] = saved, work
            return known[1]
        except (OSError, ValueError, zipfile.BadZipFile):
            return None


def _told(archive: zipfile.ZipFile) -> dict[str, Any]:
    told = json.loads(archive.comment or b"{}")
    return told if isinstance(told, dict) else {}
