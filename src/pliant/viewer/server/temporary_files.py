"""The folder of a server: what pages save is made in it, and it goes when the server ends."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from pliant.runtime.errors import PliantError

CLOSED = "the viewer is being closed; nothing can be saved any more"
WRITER_PATIENCE = 3.0  # seconds that writers have to end
MOST_KEPT = 4  # files of a page: a download may still be under way when the next begins


class TemporaryFiles:
    """Made when first used. Its folders are for this user only."""

    def __init__(self) -> None:
        self._root: Path | None = None
        self._closed = False
        self._stops: set[Callable[[], None]] = set()
        self._lock = threading.Lock()
        self._writers = 0

    def folder(self) -> Path:
        """A new empty folder."""
        with self._lock:
            if self._closed:
                raise PliantError(CLOSED)
            if self._root is None:
                self._root = Path(mkdtemp(prefix="pliant-"))
            return Path(mkdtemp(dir=self._root))

    @contextmanager
    def writing(self) -> Iterator[Callable[[int, int], None]]:
        """While a file is written: what is yielded is to be called now and then, and raises when it is time to end."""

        def check(_done: int = 0, _all: int = 0) -> None:
            if self._closed:
                raise PliantError(CLOSED)

        with self._lock:
            self._writers += 1
        try:
            yield check
        finally:
            with self._lock:
                self._writers -= 1

    def at_end(self, stop: Callable[[], None]) -> Callable[[], None]:
        """Call `stop` before everything is taken away; what is returned takes that back."""
        self._stops.add(stop)
        return lambda: self._stops.discard(stop)

    def remove(self) -> None:
        """Stop what is being made, and take all of it away."""
        with self._lock:
            self._closed = True
            root, self._root = self._root, None
            stops, self._stops = self._stops, set()
        for stop in tuple(stops):
            stop()
        end = time.monotonic() + WRITER_PATIENCE
        while self._writers and time.monotonic() < end:
            time.sleep(0.01)
        if root is not None:
            shutil.rmtree(root, ignore_errors=True)


class PageFiles:
    """The folders of one page: the last few are kept, and none when the page has gone."""

    def __init__(self, temporary_files: TemporaryFiles) -> None:
        self.temporary_files = temporary_files
        self._folders: list[Path] = []
        self._closed = False

    def folder(self) -> Path:
        """A new empty folder."""
        made = self.temporary_files.folder()
        self._folders.append(made)
        while len(self._folders) > MOST_KEPT:
            shutil.rmtree(self._folders.pop(0), ignore_errors=True)
        if self._closed:  # the page went while it was made
            self.remove()
        return made

    def remove(self) -> None:
        self._closed = True
        while self._folders:
            shutil.rmtree(self._folders.pop(), ignore_errors=True)
