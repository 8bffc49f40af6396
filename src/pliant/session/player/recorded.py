"""A shot as bytes for the viewport (recorded.js). Little-endian:

    u32 length of the JSON, JSON padded with spaces: name, title, fps, frames, numbers, moving, spans
    u32 length of the setup, the setup (setup.py)
    f32 numbers (T, B)       of the bars
    f32 places (T, M, 12)    of the colliders that move
    then for each frame where its particles are, since the frame before (the first: since 0), in whole steps (i32):
    first the lowest bytes of all numbers, then the next, and so on; so what stands still is a row of zeros

`spans` tells how the numbers of a frame follow one another: [{rows, columns, step}], first x, y, z of the particles of
each actor, then the quaternions of those that turn.
"""

import json
import struct
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pliant.session.player.setup import pack_setup, places_of
from pliant.session.player.shot import Shot

# Of the body's diagonal; dimensionless. Rounded to the nearest, a particle is off by half of it: a thirtieth of a pixel
# where a body is a thousand of them high. Half as much costs 10 to 23 % more bytes, twice as much 10 to 20 % fewer; it
# could hardly be seen on a large screen.
RECORDED_STEP = 2.0**-15


class Span(NamedTuple):
    """Numbers of a frame that are counted in one step (m; of quaternions a part of 1)."""

    rows: int
    columns: int
    step: float


def pack(shot: Shot, progress: Callable[[int, int], None] | None = None) -> Iterator[bytes]:
    """The bytes, piece by piece: a shot may be larger than memory."""
    take, numbers = shot.take, shot.numbers()
    places = np.array([places_of([shot], float(time)) for time in take.times]).reshape(take.frames, -1, 12)
    turning = [track for track in take.tracks if track.rotations is not None]
    spans = [
        Span(len(track.body.rest), 3, RECORDED_STEP * float(np.linalg.norm(track.body.size))) for track in take.tracks
    ]
    spans += [Span(len(track.body.rest), 4, RECORDED_STEP) for track in turning]
    said = {
        "name": take.name,
        "title": shot.title,
        "fps": take.fps,
        "frames": take.frames,
        "numbers": numbers.shape[1],
        "moving": places.shape[1],
        "spans": [span._asdict() for span in spans],
    }
    text = json.dumps(said, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    setup = pack_setup([shot], shot.seen_from, pictures=True)
    yield struct.pack("<I", len(text)) + text + struct.pack("<I", len(setup)) + setup
    yield numbers.astype("<f4").tobytes() + places.astype("<f4").tobytes()
    before = np.zeros(sum(span.rows * span.columns for span in spans), np.int32)
    for frame in range(take.frames):
        values = [track.positions[frame] for track in take.tracks]
        values += [track.rotations[frame] for track in turning if track.rotations is not None]
        now = np.concatenate([_steps(value, span.step) for value, span in zip(values, spans, strict=True)])
        yield (now - before).astype("<i4").view(np.uint8).reshape(-1, 4).T.tobytes()
        before = now
        if progress:
            progress(frame + 1, take.frames)


def _steps(values: NDArray[Any], step: float) -> NDArray[np.int32]:
    return np.rint(np.asarray(values, np.float64).ravel() / step).astype(np.int32)
