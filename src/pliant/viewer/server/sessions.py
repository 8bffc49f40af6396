"""All sessions of the server: one for each exhibit or file that a page watches."""

from typing import TYPE_CHECKING

from pliant.viewer.server.preparation import Preparation
from pliant.viewer.server.session import Session
from pliant.viewer.server.temporary_files import TemporaryFiles

if TYPE_CHECKING:
    from pliant.body.look import Image
    from pliant.viewer.simulation.opened import Opened


class Sessions:
    """By name of the exhibit, or of a file that was opened; made when first asked for."""

    def __init__(self, preparation: Preparation) -> None:
        self.preparation = preparation
        self.temporary_files = TemporaryFiles()  # for the files that pages save
        self._sessions: dict[str, Session] = {}
        self._opened: dict[str, Opened] = {}

    def of(self, name: str) -> Session | None:
        """The session of an exhibit or a file, or None where there is no such thing."""
        exhibit = self._opened.get(name) or self.preparation.exhibit(name)
        if name not in self._sessions and exhibit is not None:
            self._sessions[name] = Session(exhibit, self.preparation, self.temporary_files)
        return self._sessions.get(name)

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
