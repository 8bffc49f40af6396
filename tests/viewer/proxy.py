"""A cable between a browser and a server that can be cut."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from urllib.parse import urlsplit


class Proxy:
    """Passes everything on to `upstream`, an address that may be changed. `cut` breaks the connections that exist, all
    or those whose request begins with a path, and refuses new ones of the kind until `mend`."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self._cut: str | None = None
        self._links: dict[socket.socket, str] = {}
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, path: str = "") -> None:
        with self._lock:
            self._cut = path
            for link in [link for link, begins in self._links.items() if begins.startswith(path)]:
                _close(link)

    def mend(self) -> None:
        self._cut = None

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.cut()
        _close(self._listener)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                link, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(link,), daemon=True).start()

    def _serve(self, link: socket.socket) -> None:
        with suppress(OSError), link:
            first = link.recv(65536)
            path = first.split(b" ", 2)[1].decode() if first.count(b" ") > 1 else ""
            with self._lock:
                if self._cut is not None and path.startswith(self._cut):
                    return
                self._links[link] = path
            place = urlsplit(self.upstream)
            with socket.create_connection((place.hostname or "", place.port or 0)) as other:
                other.sendall(first)
                back = threading.Thread(target=_pump, args=(other, link), daemon=True)
                back.start()
                _pump(link, other)
                back.join()
        self._links.pop(link, None)


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for each in (source, sink):
        _close(each)


def _close(link: socket.socket) -> None:
    """At once, even while it is read from."""
    with suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)
