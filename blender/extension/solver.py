# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver: an installed Pliant, as a process of its own. LLVM inside Blender's own process is never asked for."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .wire import PROTOCOL, Link, SolverGone

TO_START = 120.0  # s: the first start after an update may compile
TO_END = 5.0  # s
REMEDY = ("make wheel", "pipx install dist/pliant-*.whl")  # in the folder of Pliant's source


class NoSolver(Exception):
    """There is no Pliant on this machine, or not where it was said to be."""


def command_of(named=""):
    """How to call Pliant: as named in the preferences (the command, a Python that has it, or the folder of its source),
    else as found on PATH or in the usual places."""
    if named.strip():
        return _named(Path(named.strip()).expanduser())
    found = shutil.which("pliant") or next((str(path) for path in usual_places() if path.is_file()), None)
    if found is None:
        raise NoSolver("Pliant was not found; install it, or name it in the preferences of this extension")
    return [found]


def _named(path):
    if path.is_dir():
        inside = [path / ".venv" / "bin" / "pliant", path / ".venv" / "Scripts" / "pliant.exe"]
        inside += [path / "bin" / "pliant", path / "Scripts" / "pliant.exe", path / "pliant", path / "pliant.exe"]
        path = next((each for each in inside if each.is_file()), path)
    if not path.is_file():
        raise NoSolver(f"{path}: there is no Pliant; correct the preferences of this extension")
    return [str(path), "-m", "pliant"] if path.name.lower().startswith("python") else [str(path)]


def usual_places():
    """Where installers put commands that are not always on the PATH of programs with a window."""
    home = Path.home()
    if sys.platform == "win32":
        roots = [os.environ.get("APPDATA"), os.environ.get("LOCALAPPDATA")]
        scripts = [path for root in roots if root for path in sorted(Path(root).glob("**/Python*/Scripts/pliant.exe"))]
        return [home / ".local" / "bin" / "pliant.exe", *scripts]
    folders = [home / ".local" / "bin", Path("/usr/local/bin"), Path("/opt/homebrew/bin"), Path("/usr/bin")]
    return [folder / "pliant" for folder in folders]


class Solver:
    """A process and the connection to it. Where it says its port is a file, because a pipe would make Blender wait."""

    def __init__(self, command, folder=None, threads=1):
        self.folder = None if folder is None else str(folder)
        self.version, self.models, self.link = "", {}, None
        self._token = secrets.token_urlsafe(24)
        self._said = Path(tempfile.mkdtemp(prefix="pliant-solver-"))
        options = ["--child", "--threads", str(threads)]
        if folder is not None:
            options += ["--folder", str(folder)]
        hidden = {"creationflags": subprocess.CREATE_NO_WINDOW} if sys.platform == "win32" else {}
        try:
            with open(self._said / "out", "wb") as out, open(self._said / "err", "wb") as err:
                self.process = subprocess.Popen(
                    [*command, "serve", *options], stdin=subprocess.PIPE, stdout=out, stderr=err, **hidden
                )
            self.process.stdin.write(self._token.encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            shutil.rmtree(self._said, ignore_errors=True)
            raise NoSolver(f"{command[0]}: cannot be started ({error.strerror or error})") from error

    @property
    def alive(self):
        return self.process.poll() is None

    def starting(self):
        """Steps until it answers: a generator that yields while there is nothing to do but wait."""
        begun = time.monotonic()
        while (port := self._port()) is None:
            if not self.alive:
                raise NoSolver(f"the solver did not start: {self.last_words()}")
            if time.monotonic() - begun > TO_START:
                raise NoSolver("the solver did not start in two minutes")
            yield
        try:
            self.link = Link(socket.create_connection(("127.0.0.1", port), timeout=TO_END))
        except OSError as error:
            raise SolverGone("the solver cannot be reached") from error
        self.link.post({"do": "hello", "protocol": PROTOCOL, "token": self._token})
        while True:
            for head, _ in self.link.pump():
                if head["is"] == "error":
                    raise NoSolver(head["message"])
                self.version, self.models = head["version"], head.get("models", {})
                return
            yield

    def _port(self):
        try:
            line = (self._said / "out").read_text(encoding="utf-8")
            return int(json.loads(line)["port"]) if line.endswith("\n") else None
        except (OSError, ValueError, KeyError):
            return None

    def last_words(self):
        """The last line that it said on its way out, or how it ended."""
        try:
            lines = (self._said / "err").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        except OSError:
            lines = []
        code = self.process.poll()
        if lines:
            return lines[-1].removeprefix("pliant: ")
        return "it is still there" if code is None else f"it ended with {'signal ' if code < 0 else 'code '}{abs(code)}"

    def close(self):
        """It ends by itself when nothing can come to it any more."""
        if self.link is not None:
            self.link.close()
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(TO_END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self._said, ignore_errors=True)
