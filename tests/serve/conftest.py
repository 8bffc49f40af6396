"""One server for all tests, in this process, and what they hand over."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pliant.serve.server import Server
from serving import TOKEN, Peer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(TOKEN, tmp_path_factory.mktemp("bakes"))
    threading.Thread(target=made.run, daemon=True).start()
    yield made
    made.close()


@pytest.fixture
def peer(server: Server) -> Iterator[Peer]:
    with Peer(server.port).shaken() as made:
        yield made


@pytest.fixture
def folder(server: Server) -> Path:
    assert server.folder is not None
    return server.folder

