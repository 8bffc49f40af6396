"""Listens on this machine, and gives every connection a thread."""

import json
import secrets
import socket
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from pliant import __version__
from pliant.runtime.errors import PliantError
from pliant.serve.conversation import Conversation
from pliant.serve.wire import PROTOCOL

LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 8


class Server:
    """token: a secret that every connection gives first. folder: for bakes; none are made without."""

    def __init__(self, token: str, folder: Path | None = None, port: int = 0, threads: int = 1) -> None:
        self.token, self.folder, self.threads = token, folder, threads
        self._free = threading.Semaphore(MOST_CONNECTIONS)
        self._listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":  # there it would let another process take the port
                self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._listening.bind((LOOPBACK, port))
        except OSError as error:
            self._listening.close()
            raise PliantError(f"serve: port {port} cannot be had ({error.strerror}); give another, or 0") from error
        self._listening.listen(MOST_CONNECTIONS)
        self.port = int(self._listening.getsockname()[1])

    def run(self) -> None:
        """Until it is closed."""
        while True:
            try:
                peer, _ = self._listening.accept()
            except OSError:
                return
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if not self._free.acquire(blocking=False):
                peer.close()
                continue
            threading.Thread(target=self._talk, args=(peer,), daemon=True).start()

    def _talk(self, peer: socket.socket) -> None:
        try:
            Conversation(peer, self.token, self.folder, self.threads).run()
        finally:
            self._free.release()

    def close(self) -> None:
        """No more connections; those that are there end with the process."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


def serve(folder: Path | None, port: int, threads: int, child: bool, out: TextIO, given: TextIO) -> None:
    """Serve until it is stopped. child: the token is the first line that comes in, and the server ends when nothing can
    come in any more, because the program that started it has ended."""
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PliantError(f"serve: {folder}: no folder for bakes can be made there ({error.strerror})") from error
    token = given.readline().strip() if child else secrets.token_urlsafe(24)
    if not token:
        raise PliantError("serve: no token came in; give it as the first line, or leave --child away")
    server = Server(token, folder, port, threads)
    said = {"pliant": __version__, "protocol": PROTOCOL, "port": server.port}
    print(json.dumps(said if child else {**said, "token": token}), file=out, flush=True)
    if child:
        threading.Thread(target=_until_alone, args=(given, server), daemon=True).start()
    try:
        with suppress(KeyboardInterrupt):
            server.run()
    finally:
        server.close()


def _until_alone(given: TextIO, server: Server) -> None:
    while given.readline():
        pass
    server.close()
