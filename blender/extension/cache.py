# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded motion on disk: PC2 for the Mesh Cache modifier, and the weights beside it."""

import os
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HEADER = struct.Struct("<12siiffi")  # signature, version, points, first frame, frames a sample, samples
SAMPLES_AT = 28  # byte at which the number of samples stands


class CacheWriter:
    """A PC2 file that grows: what is there can be played at any time."""

    def __init__(self, path, points):
        self.path, self.points, self.samples = Path(path), points, 0
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(self.path, "wb", buffering=0)  # noqa: SIM115 (closed by `close`)
        self._file.write(HEADER.pack(b"POINTCACHE2\0", 1, points, 0.0, 1.0, 0))

    def append(self, positions):
        """One more frame (N, 3), in the space of the object."""
        self._file.seek(HEADER.size + self.samples * self.points * 12)
        self._file.write(np.ascontiguousarray(positions, "<f4").tobytes())
        self.samples += 1
        self._file.seek(SAMPLES_AT)
        self._file.write(struct.pack("<i", self.samples))

    def close(self):
        self._file.close()


def read_cache(path):
    """(frames, N, 3) of a PC2 file, as a map of it; None if there is none, or none of ours."""
    try:
        with open(path, "rb") as file:
            signature, _, points, _, _, samples = HEADER.unpack(file.read(HEADER.size))
        if signature != b"POINTCACHE2\0" or samples < 1 or os.path.getsize(path) < HEADER.size + samples * points * 12:
            return None
        return np.memmap(path, "<f4", "r", HEADER.size, (samples, points, 3))
    except (OSError, struct.error, ValueError):
        return None


@dataclass
class Record:
    """What is known beside positions.  poses, groups: names; weights (frames, groups, 1 + poses), rest first; matrices
    (frames, 4, 4): where the object was."""

    poses: list
    groups: list
    weights: np.ndarray
    matrices: np.ndarray


def write_record(path, record):
    """Whole or not at all."""
    temporary = Path(path).with_suffix(".part.npz")
    names = {"poses": np.array(record.poses, dtype=str), "groups": np.array(record.groups, dtype=str)}
    np.savez(temporary, weights=record.weights, matrices=record.matrices, **names)
    os.replace(temporary, path)


def read_record(path):
    """None if there is none that can be read."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return Record(file["poses"].tolist(), file["groups"].tolist(), file["weights"], file["matrices"])
    except (OSError, ValueError, KeyError):
        return None


def thinned(values, tolerance):
    """Places of the samples (F,) or (F, K) that are kept, so that straight lines between them miss none by more than
    `tolerance`; the first and the last always are.

    >>> thinned(np.array([0.0, 1, 2, 3, 2, 1, 0]), 0.01).tolist()
    [0, 3, 6]
    """
    rows = np.asarray(values, float).reshape(len(values), -1)
    keep = np.zeros(len(rows), bool)
    keep[[0, -1]] = True
    spans = [(0, len(rows) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        part = (np.arange(first + 1, last) - first)[:, None] / (last - first)
        off = np.abs(rows[first + 1 : last] - (rows[first] + part * (rows[last] - rows[first]))).max(axis=1)
        worst = int(off.argmax())
        if off[worst] > tolerance:
            middle = first + 1 + worst
            keep[middle] = True
            spans += [(first, middle), (middle, last)]
    return np.flatnonzero(keep)


def rigid_fit(shape, places):
    """The rotation (3, 3) and the offset (3,) that take a shape (N, 3) nearest to places (N, 3)."""
    a, b = shape.mean(axis=0), places.mean(axis=0)
    u, s, vt = np.linalg.svd((places - b).T @ (shape - a))
    sign = np.sign(np.linalg.det(u @ vt)) or 1.0
    turn = (u * np.array([1.0, 1.0, sign])) @ vt
    if s[1] <= 1e-9 * max(s[0], 1e-300):
        turn = np.eye(3)
    return turn, b - turn @ a
