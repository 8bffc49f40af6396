"""Messages as bytes: how long the head and the blocks are, the head as JSON, the blocks raw.

    4 bytes    length of the head        unsigned, little-endian, as all numbers
    4 bytes    length of all blocks
    head       JSON in UTF-8: {"do": "scene", ..., "blocks": [["bodies/0/vertices", "f4", [507, 3]], ...]}
    blocks     one after the other as the head lists them, float32 ("f4") or int32 ("i4"), rows first

Nothing of a message is believed before it is checked, and nothing is allocated that its length does not cover.
"""

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.runtime.errors import PliantError

PROTOCOL = 1  # a peer that speaks another one is told so and left
PREFIX = struct.Struct("<II")
LONGEST_HEAD = 1 << 22  # bytes
LONGEST_BLOCKS = 1 << 30  # bytes of all blocks of a message
MOST_BLOCKS = 4096
MOST_DIMENSIONS = 3
TYPES = {"f4": np.dtype("<f4"), "i4": np.dtype("<i4")}

Block = NDArray[Any]


class WireError(PliantError):
    """What came is no message: the connection ends with this line."""


@dataclass(frozen=True, eq=False)
class Message:
    """A head without its list of blocks, and the blocks by name."""

    head: Mapping[str, Any]
    blocks: Mapping[str, Block] = field(default_factory=dict)


def packed(message: Message) -> bytes:
    """The bytes of a message; floats become float32, whole numbers int32.

    >>> import numpy as np
    >>> data = packed(Message({"do": "bye"}, {"a": np.eye(2)}))
    >>> again = unpacked(data[8:-16], data[-16:])
    >>> again.head["do"], again.blocks["a"].tolist()
    ('bye', [[1.0, 0.0], [0.0, 1.0]])
    """
    listed, pieces = [], []
    for name, block in message.blocks.items():
        kind = "i4" if np.issubdtype(np.asarray(block).dtype, np.integer) else "f4"
        data = np.ascontiguousarray(block, TYPES[kind])
        listed.append([name, kind, list(data.shape)])
        pieces.append(data.tobytes())
    head = {**message.head, "blocks": listed} if listed else dict(message.head)
    text = json.dumps(head, allow_nan=False).encode()
    blocks = b"".join(pieces)
    if len(text) > LONGEST_HEAD or len(blocks) > LONGEST_BLOCKS:
        raise WireError(f"a message of {(len(text) + len(blocks)) / 1e6:.0f} MB is too large; give fewer vertices")
    return PREFIX.pack(len(text), len(blocks)) + text + blocks


def lengths(prefix: bytes) -> tuple[int, int]:
    """Bytes of the head and of the blocks, within the limits."""
    head, blocks = PREFIX.unpack(prefix)
    if not 2 <= head <= LONGEST_HEAD:
        raise WireError(f"a head of {head} bytes; give 2 to {LONGEST_HEAD}")
    if blocks > LONGEST_BLOCKS:
        raise WireError(f"{blocks} bytes of blocks; give at most {LONGEST_BLOCKS}")
    return head, blocks


def unpacked(text: bytes | bytearray, data: bytes | bytearray) -> Message:
    """A message from its head and its blocks."""
    try:
        head = json.loads(bytes(text).decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise WireError("the head is not JSON in UTF-8") from error
    if not isinstance(head, dict):
        raise WireError("the head is not a JSON object")
    blocks = _blocks(head.pop("blocks", []), data)
    return Message(head, blocks)


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _blocks(listed: Any, data: bytes | bytearray) -> dict[str, Block]:
    if not isinstance(listed, list) or len(listed) > MOST_BLOCKS:
        raise WireError(f"blocks: give a list of at most {MOST_BLOCKS} of [name, type, shape]")
    blocks: dict[str, Block] = {}
    at = 0
    for entry in listed:
        name, kind, shape = _entry(entry)
        count = prod(shape)
        if at + 4 * count > len(data):
            raise WireError(f"block {name[:60]!r} goes beyond the end of the message")
        if name in blocks:
            raise WireError(f"block {name[:60]!r} is there twice")
        blocks[name] = np.frombuffer(data, TYPES[kind], count, at).reshape(shape)
        at += 4 * count
    if at != len(data):
        raise WireError(f"{len(data) - at} bytes are left over after the last block")
    return blocks


def _entry(entry: Any) -> tuple[str, str, tuple[int, ...]]:
    if isinstance(entry, list) and len(entry) == 3:
        name, kind, shape = entry
        whole = isinstance(shape, list) and 1 <= len(shape) <= MOST_DIMENSIONS
        named = isinstance(name, str) and isinstance(kind, str) and kind in TYPES
        if named and whole and all(type(each) is int and 0 <= each <= LONGEST_BLOCKS for each in shape):
            return name, kind, tuple(shape)
    raise WireError('blocks: give [name, "f4" or "i4", shape] for each')


def receive(read: Callable[[int], bytes | bytearray], most: int = LONGEST_BLOCKS) -> Message | None:
    """The next message. read(count): exactly so many bytes, or none if the peer has gone; most: bytes of blocks that
    are taken."""
    prefix = read(PREFIX.size)
    if not prefix:
        return None
    head, blocks = lengths(bytes(prefix))
    if blocks > most:
        raise WireError(f"{blocks} bytes of blocks before the token was given")
    text = read(head)
    data = read(blocks) if text and blocks else b""
    if len(text) != head or len(data) != blocks:
        return None
    return unpacked(text, data)
