"""All sessions of the server: one for each exhibit or file that a page watches."""

import logging
import threading
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

from pliant.runtime.errors import PliantError
from pliant.viewer.server.keeping import Keeper
from pliant.viewer.server.preparation import Preparation
from pliant.viewer.server.session import Session
from pliant.viewer.server.temporary_files import TemporaryFiles
from pliant.viewer.server.works import Works
from pliant.viewer.simulation.opened import Opened

if TYPE_CHECKING:
    from pliant.body.look import Image

log = logging.getLogger("pliant.viewer")


class Sessions:
    """By name of the exhibit, or of a file that was opened; made when first asked for."""

    def __init__(self, preparation: Preparation, works: Works | None = None) -> None:
        self.preparation = preparation
        self.works = works or Works()
        self.temporary_files = TemporaryFiles()  # for the files that pages save
        self._sessions: dict[str, Session] = {}
        self._opened: dict[str, Opened] = {}
        self._read: dict[str, float] = {}  # when what was made before was written, as it was opened
        self._changing = threading.Lock()

    def of(self, name: str) -> Session | None:
        """The session of an exhibit, a file, or of what was made before; None where there is no such thing."""
        with self._changing:
            return self._of(name)

    def _of(self, name: str) -> Session | None:
        before, work = self._sessions.get(name), self.works.of(name)
        if before is not None and work is not None and not before.running and self._read.get(name) != work.saved:
            self.close(name)  # it was changed since it was opened: open it as it is now
        if name not in self._sessions:
            exhibit = self._opened.get(name) or self.preparation.exhibit(name) or self._made(name)
            if exhibit is not None:
                session = self._sessions[name] = Session(exhibit, self.preparation, self.temporary_files)
                session.keeper = Keeper(self.works, name, None if work is None else work.name)
        return self._sessions.get(name)

    def flush(self) -> None:
        """Keep what has been made and is not kept yet."""
        for session in tuple(self._sessions.values()):
            if session.keeper is not None:
                session.keeper.flush()

    def delete_work(self, name: str) -> bool:
        """Take away what was made, unless a page watches it. Whether it is gone."""
        if not self.close(name):
            return False
        self.works.delete(name)
        return True

    def _made(self, name: str) -> "Opened | None":
        """What was made before, unpacked; None where there is none of that name, or it cannot be read any more."""
        work = self.works.of(name)
        if work is None:
            return None
        try:
            folder = self.temporary_files.folder()
            with zipfile.ZipFile(work.path) as archive:
                archive.extractall(folder)  # our own
            opened = Opened(name, folder / "scene.toml", enclosed=True).checked()
        except (PliantError, OSError, zipfile.BadZipFile) as error:
            log.warning("%s cannot be opened: %s", work.path, error)
            return None
        self._opened[name], self._read[name] = replace(opened, title=work.title), work.saved
        return self._opened[name]

    def image(self, digest: str) -> "Image | None":
        """A picture that a skin of some session shows."""
        return next((s.images[digest] for s in tuple(self._sessions.values()) if digest in s.images), None)

    def open(self, opened: "Opened") -> None:
        """From now on there is a session for a file."""
        self._opened[opened.name] = opened

    def close(self, name: str) -> bool:
        """Forget a file, unless a page watches it."""
        session = self._sessions.get(name)
        if session is not None and session.running:
            return False
        self._sessions.pop(name, None)
        self._opened.pop(name, None)
        return True
