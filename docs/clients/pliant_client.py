"""A client of `pliant serve`: starts it, hands over a body, and takes its frames. Needs NumPy and nothing of Pliant."""

import json
import secrets
import shutil
import socket
import struct
import subprocess

import numpy as np

TYPES = {"f4": np.dtype("<f4"), "i4": np.dtype("<i4")}


class PliantClient:
    """`with PliantClient() as pliant: pliant.scene(...); for frame in pliant.play(100): ...`"""

    def __init__(self, command=None, folder=None):
        command = command or [shutil.which("pliant") or "pliant"]
        options = ["--child"] + (["--folder", str(folder)] if folder else [])
        self.process = subprocess.Popen(
            [*command, "serve", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        token = secrets.token_urlsafe(24)
        self.process.stdin.write(token + "\n")  # it ends when this pipe is closed
        self.process.stdin.flush()
        port = json.loads(self.process.stdout.readline())["port"]
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.version = self.ask({"do": "hello", "protocol": 1, "token": token})[0]["version"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.stdin.close()
        self.process.wait()

    def send(self, head, blocks=None):
        listed, data = [], b""
        for name, block in (blocks or {}).items():
            kind = "i4" if np.asarray(block).dtype.kind in "iu" else "f4"
            array = np.ascontiguousarray(block, TYPES[kind])
            listed.append([name, kind, list(array.shape)])
            data += array.tobytes()
        text = json.dumps({**head, "blocks": listed}).encode()
        self.socket.sendall(struct.pack("<II", len(text), len(data)) + text + data)

    def receive(self):
        head_length, blocks_length = struct.unpack("<II", self._exactly(8))
        head, data = json.loads(self._exactly(head_length)), self._exactly(blocks_length)
        blocks, at = {}, 0
        for name, kind, shape in head.pop("blocks", []):
            blocks[name] = np.frombuffer(data, TYPES[kind], int(np.prod(shape)), at).reshape(shape)
            at += blocks[name].nbytes
        if head["is"] == "error":
            raise RuntimeError(head["message"])
        return head, blocks

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(min(count - len(data), 1 << 20))
            if not piece:
                raise ConnectionError("the server has ended")
            data += piece
        return data

    def ask(self, head, blocks=None):
        """The answer, once progress has been made."""
        self.send(head, blocks)
        while True:
            answer = self.receive()
            if answer[0]["is"] != "progress":
                return answer

    def scene(self, bodies, colliders=(), blocks=None, **options):
        """Hand over a scene; blocks by name, such as "bodies/0/vertices"."""
        head = {"do": "scene", "bodies": list(bodies), "colliders": list(colliders), **options}
        return self.ask(head, blocks)[0]

    def play(self, frames):
        """Heads and blocks of frames, from the first."""
        yield from self._frames({"do": "play", "frames": frames})

    def bake(self, name, frames, resume=True):
        """The same, kept in the folder: what is there already comes first."""
        yield from self._frames({"do": "bake", "name": name, "frames": frames, "resume": resume})

    def _frames(self, head):
        self.send(head)
        while (answer := self.receive())[0]["is"] != "done":
            if answer[0]["is"] == "frame":
                yield answer
