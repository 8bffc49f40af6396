"""What the benchmarks of the viewer share: scenes, a server in a process of its own, and clients of its socket."""

import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

FRAME = 2
START = "from pliant.cli import main; main()"
HEAD = struct.Struct("<IIIIdII")  # see packing.py

BARS = """\
title = "Ten bars of 225 particles, and what they fall on"
[world]
substeps = 1
[[colliders]]
type = "plane"
friction = 0.9
normal = {normal}
[[bodies]]
name = "bar"
shape = {{ type = "cuboid", size = [0.5, 1, 0.5], cells = [4, 8, 4] }}
position = [0, 2, 0]
copies = {{ count = [5, 1, 2], spacing = [1, 1, 1] }}
jitter = {{ rotation = 20 }}
[bodies.poses]
twist = {{ type = "twist", degrees = 90, axis = "y" }}
"""
FLAT = BARS.format(normal="[0, 1, 0]")
SLOPE = BARS.format(normal="[0.2, 1, 0]")


@dataclass(frozen=True)
class Server:
    """A running `pliant view`."""

    address: str
    name: str
    pid: int

    @property
    def page(self) -> str:
        return f"{self.address}/exhibit/{quote(self.name)}"

    @property
    def stream(self) -> str:
        return f"{self.address.replace('http', 'ws', 1)}/stream/{quote(self.name)}"

    def megabytes(self) -> float:
        """What the server has in memory."""
        answer = subprocess.run(["ps", "-o", "rss=", "-p", str(self.pid)], capture_output=True, text=True, check=True)
        return int(answer.stdout) / 1024


@contextmanager
def serving(scene: str | Path) -> Iterator[Server]:
    """A server that shows a scene, the text of one or a file, and ends with the block."""
    with tempfile.TemporaryDirectory() as folder:
        path = scene if isinstance(scene, Path) else Path(folder) / "scene.toml"
        if isinstance(scene, str):
            path.write_text(scene)
        command = [sys.executable, "-c", START, "view", str(path), "--no-browser", "--port", "0"]
        with server_of(command, path.name) as (server, _):
            yield server


@contextmanager
def server_of(command: Sequence[str], name: str) -> Iterator[tuple[Server, "subprocess.Popen[str]"]]:
    """A command that serves something called `name`, and its process."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                break
        else:
            raise SystemExit("the server ended before it served")
        yield Server(found.group(), name, process.pid), process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


class LivePage:
    """A client that takes every frame at once and gives credits for two at a time, in a thread; it comes back when
    lost."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.frames = self.bytes = self.setups = self.setup_bytes = self.links = 0
        self.time, self.particles = 0.0, 0  # in the last frame
        self.gaps: list[float] = []  # seconds between frames
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._end.is_set():
            try:
                self._watch()
            except (ConnectionClosed, OSError):
                time.sleep(0.5)

    def _watch(self) -> None:
        with connect(self.url, max_size=None, compression=None) as socket:
            self.links += 1
            then, owed = None, 0
            while not self._end.is_set():
                try:
                    message = socket.recv(timeout=1.0)
                except TimeoutError:
                    continue
                assert isinstance(message, bytes)
                if len(message) < HEAD.size:  # distances to the poses
                    continue
                if HEAD.unpack_from(message)[0] != FRAME:
                    self.setups += 1
                    self.setup_bytes += len(message)
                    continue
                owed += 1
                if owed == 2:  # as the page does
                    socket.send('{"do":"credit","frames":2}')
                    owed = 0
                now = time.perf_counter()
                if then is not None:
                    self.gaps.append(now - then)
                then = now
                head = HEAD.unpack_from(message)
                self.time, self.particles = head[4], head[6]
                self.bytes += len(message)
                self.frames += 1

    def wait_for_frame(self, seconds: float = 600.0) -> None:
        end = time.monotonic() + seconds
        while not self.frames:
            if time.monotonic() > end:
                raise SystemExit(f"no frame came within {seconds:g} s")
            time.sleep(0.05)

    def close(self) -> None:
        self._end.set()
        self._thread.join(5)
