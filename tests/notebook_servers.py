"""JupyterLab and marimo as people start them: each a process of its own, on this machine only, behind a token."""

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

PATIENCE = 120  # seconds until a server answers


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(command: Sequence[str], address: str, folder: Path) -> Iterator[None]:
    """A server that ends with the block."""
    # Settings of whoever runs the tests must not count, and nothing may be looked up in a network.
    own = folder / ".settings"
    news = own / "lab" / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    news.parent.mkdir(parents=True, exist_ok=True)
    news.write_text('{"fetchNews": "false", "checkForUpdates": false}')
    environment = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(own / "config"),
        "JUPYTER_DATA_DIR": str(own / "data"),
        "JUPYTER_RUNTIME_DIR": str(own / "runtime"),
        "JUPYTER_NO_CONFIG": "1",
        "JUPYTERLAB_SETTINGS_DIR": str(own / "lab"),
        "IPYTHONDIR": str(own / "ipython"),
        "XDG_CONFIG_HOME": str(own),
        "MARIMO_SKIP_UPDATE_CHECK": "1",
    }
    environment.pop("PYTEST_CURRENT_TEST", None)
    log = own / "server.log"
    where = {"cwd": folder, "env": environment}
    with open(log, "w") as file, subprocess.Popen(command, stdout=file, stderr=file, **where) as run:
        try:
            end = time.monotonic() + PATIENCE
            while not answers(address):
                assert run.poll() is None and time.monotonic() < end, log.read_text()[-2000:]
                time.sleep(0.1)
            yield
        finally:
            run.terminate()
            try:
                run.wait(20)
            except subprocess.TimeoutExpired:
                run.kill()


def answers(address: str) -> bool:
    try:
        with closing(urllib.request.urlopen(address, timeout=5)):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


@contextmanager
def jupyter(folder: Path) -> Iterator[str]:
    """The address of a notebook in a folder, with %s for its name."""
    port, token = free_port(), secrets.token_hex(16)
    options = [
        "--no-browser", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={folder}", "--allow-root",
        "--LabApp.extension_manager=readonly",
    ]  # fmt: skip
    command = [sys.executable, "-m", "jupyterlab", *options]
    with serving(command, f"http://127.0.0.1:{port}/api", folder):
        yield f"http://127.0.0.1:{port}/lab/tree/%s?reset&token={token}"


def end_kernels(notebooks: str) -> None:
    """As when JupyterLab is closed and started again; notebooks: the address from above."""
    site, _, query = notebooks.partition("/lab/")
    headers = {"Authorization": f"token {query.partition('token=')[2]}"}

    def ask(path: str, method: str) -> bytes:
        request = urllib.request.Request(f"{site}/api/sessions{path}", headers=headers, method=method)
        with closing(urllib.request.urlopen(request, timeout=PATIENCE)) as answer:
            return bytes(answer.read())

    for session in json.loads(ask("", "GET")):
        ask(f"/{session['id']}", "DELETE")


@contextmanager
def marimo(notebook: Path) -> Iterator[str]:
    """The address of a notebook."""
    port, token = free_port(), secrets.token_hex(16)
    options = ["--headless", "--host", "127.0.0.1", "--port", str(port), "--token-password", token]
    command = [sys.executable, "-m", "marimo", "edit", str(notebook), *options]
    with serving(command, f"http://127.0.0.1:{port}/health", notebook.parent):
        yield f"http://127.0.0.1:{port}/?access_token={token}"
