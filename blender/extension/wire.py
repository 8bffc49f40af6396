# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages to and from the solver, without waiting: what can be sent or read at once is, the rest later."""

import json
import select
import struct

import numpy as np

PROTOCOL = 1
PREFIX = struct.Struct("<II")
TYPES = {"f4": np.dtype("<f4"), "i4": np.dtype("<i4")}
PIECE = 1 << 20  # bytes that are sent or read at once


class SolverGone(Exception):
    """The other end has closed the connection, or what comes from it makes no sense."""


def packed(head, blocks=None):
    """The bytes of a message: two lengths, the head as JSON, raw blocks."""
    listed, pieces = [], []
    for name, block in (blocks or {}).items():
        kind = "i4" if np.asarray(block).dtype.kind in "iu" else "f4"
        array = np.ascontiguousarray(block, TYPES[kind])
        listed.append([name, kind, list(array.shape)])
        pieces.append(array.tobytes())
    text = json.dumps({**head, "blocks": listed}).encode()
    data = b"".join(pieces)
    return PREFIX.pack(len(text), len(data)) + text + data


def unpacked(text, data):
    """Head and blocks of a message."""
    try:
        head = json.loads(bytes(text))
        blocks, at = {}, 0
        for name, kind, shape in head.pop("blocks", []):
            count = 1
            for each in shape:
                count *= each
            blocks[name] = np.frombuffer(data, TYPES[kind], count, at).reshape(shape)
            at += 4 * count
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SolverGone(f"the solver said something that makes no sense ({error})") from error
    return head, blocks


class Link:
    """A connected socket. `post` says something, `pump` lets bytes go and come and gives messages that are whole."""

    def __init__(self, connected):
        self._socket = connected
        self._socket.setblocking(False)
        self._out, self._sent = bytearray(), 0
        self._in = bytearray()

    @property
    def waiting(self):
        """Bytes that have not gone yet."""
        return len(self._out) - self._sent

    def post(self, head, blocks=None):
        self._out = self._out[self._sent :] + packed(head, blocks)
        self._sent = 0

    def pump(self, seconds=0.0):
        """Wait at most so long for something to happen."""
        writing = [self._socket] if self.waiting else []
        try:
            readable, writable, _ = select.select([self._socket], writing, [], seconds)
            if writable:
                self._sent += self._socket.send(memoryview(self._out)[self._sent : self._sent + PIECE])
            gone = readable and not self._read()
        except (OSError, ValueError) as error:
            raise SolverGone("the connection to the solver has ended") from error
        messages = self._whole()
        if gone and not messages:
            raise SolverGone("the solver has ended the connection")
        return messages

    def _read(self):
        try:
            piece = self._socket.recv(PIECE)
        except BlockingIOError:
            return True
        self._in += piece
        return bool(piece)

    def _whole(self):
        found, at = [], 0
        while len(self._in) - at >= PREFIX.size:
            head, data = PREFIX.unpack_from(self._in, at)
            end = at + PREFIX.size + head + data
            if len(self._in) < end:
                break
            begin = at + PREFIX.size
            found.append(unpacked(self._in[begin : begin + head], bytes(self._in[begin + head : end])))
            at = end
        if at:
            del self._in[:at]
        return found

    def close(self):
        self._socket.close()
