"""Files with some of their bytes changed, read in a process that may crash, hang or take too much without harm."""

import json
import os
import random
import re
import select
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

MEGABYTES = 2000  # a reader may not take more than this
SECONDS = 60  # nor think longer; the files have a few kilobytes

NUMBERS = (b"0", b"-1", b"1", b"3", b"255", b"65536", b"19999999", b"2147483648", b"4294967295", b"9" * 40, b"1e400",
           b"nan", b"-inf", b"1e-320", b"0.5", b"", b"x")  # fmt: skip
WORDS = (b"{", b"}", b"[", b"]", b'"', b",", b":", b"/", b"\\", b"\n", b"\r", b"\0", b" ", b"#", b"$", b"\xff", b"-")
PACKED = tuple(
    struct.pack(order + code, value)
    for order in "<>"
    for code, values in (
        ("I", (0, 1, 2, 255, 65536, 19999999, 2**31, 2**32 - 1)),
        ("f", (0.0, float("nan"), float("inf"), 1e38)),
        ("Q", (0, 2**32, 2**63, 2**64 - 1)),
        ("d", (float("nan"), 1e308)),
    )
    for value in values
)
SIZES = (1, 1, 2, 4, 16, 64, 500)
DIGITS = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def mutated(data: bytes) -> st.SearchStrategy[bytes]:
    """The bytes with one to four changes. They are drawn from a seed: drawn one by one they would crowd at the front,
    where every format notices that it is not itself."""
    return st.integers(0, 2**48).map(lambda seed: _changed(data, random.Random(seed)))


def _changed(data: bytes, rng: random.Random) -> bytes:
    text = data.isascii()
    if rng.random() < 0.6:  # what still looks like a file of its kind gets deepest
        for _ in range(rng.randint(1, 3)):
            data = _another_number(data, rng, same_length=not text) if text or rng.random() < 0.3 else _poked(data, rng)
        return data
    changes = (_poked, _cut_out, _put_in, _cut_off, _repeated, _another_number, _punctuated, _moved)
    for change in rng.choices(changes, k=4):
        data = change(data, rng)
        if rng.random() < 0.5:
            break
    return data


def _another_number(data: bytes, rng: random.Random, same_length: bool = False) -> bytes:
    """One of its numbers becomes another, often another of its own."""
    found = DIGITS.search(data, rng.randrange(len(data) + 1)) or DIGITS.search(data)
    if found is None:
        return data
    own = DIGITS.search(data, rng.randrange(len(data) + 1))
    number = own[0] if own and rng.random() < 0.3 else rng.choice(NUMBERS)
    if same_length:
        number = number[: len(found[0])].ljust(len(found[0]))
    return data[: found.start()] + number + data[found.end() :]


def _poked(data: bytes, rng: random.Random) -> bytes:
    """A bit turned, or a few bytes overwritten with an awkward number."""
    at = rng.randrange(len(data) + 1)
    if rng.random() < 0.5:
        return data[:at] + bytes(byte ^ (1 << rng.randrange(8)) for byte in data[at : at + 1]) + data[at + 1 :]
    value = rng.choice(PACKED)
    return data[:at] + value + data[at + len(value) :]


def _cut_out(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.choice(SIZES) :]


def _put_in(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.randint(1, 8)) + data[at:]


def _cut_off(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _repeated(data: bytes, rng: random.Random) -> bytes:
    at, size = rng.randrange(len(data) + 1), rng.choice(SIZES)
    return data[:at] + data[at : at + size] * rng.choice((2, 3, 20)) + data[at + size :]


def _punctuated(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(WORDS) + data[at + rng.randint(0, 1) :]


def _moved(data: bytes, rng: random.Random) -> bytes:
    at, other, size = rng.randrange(len(data) + 1), rng.randrange(len(data) + 1), rng.choice(SIZES)
    return data[:at] + data[other : other + size] + data[at + size :]


@dataclass(frozen=True)
class Outcome:
    """What became of a file: one of "asset", "error", "fault" (something not meant was raised), "crash" and "hang"."""

    kind: str
    text: str = ""
    printed: str = ""
    megabytes: float = 0.0


class Worker:
    """The other process; a new one when it is gone."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def read(self, path: Path, how: str = "whole", seconds: float = SECONDS) -> Outcome:
        if self.process is None:
            self.process = self._start()
        assert self.process.stdin is not None
        self.process.stdin.write(f"{path}\t{how}\n")
        self.process.stdin.flush()
        answer = self._answer(seconds)
        if isinstance(answer, str):
            return Outcome(answer)
        kind = next(kind for kind in ("asset", "error", "fault") if kind in answer)
        return Outcome(kind, str(answer[kind]), answer["printed"], answer["megabytes"])

    def _start(self) -> "subprocess.Popen[str]":
        script = Path(__file__).with_name("fuzz_worker.py")
        places = os.pathsep.join(place for place in sys.path if place)
        self.process = subprocess.Popen(
            [sys.executable, str(script), str(MEGABYTES)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=os.environ | {"PYTHONPATH": places, "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        assert self._answer(120) == {"ready": True}
        return self.process

    def _answer(self, seconds: float) -> Any:
        assert self.process is not None and self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            self.close()
            return "hang"
        line = self.process.stdout.readline()
        if not line:
            self.close()
            return "crash"
        return json.loads(line)

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    pipe.close()
            self.process = None
