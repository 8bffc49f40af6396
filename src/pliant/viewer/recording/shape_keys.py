"""Bodies at rest with their poses as shape keys, for other programs."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pliant.files.take import Take, Track
from pliant.files.writing import write_take
from pliant.runtime.errors import PliantError
from pliant.viewer.recording.recorder import FPS, RecordedActor


def write_shape_keys(actors: Sequence[RecordedActor], path: Path) -> None:
    """A .glb of each body that has poses, a body and its poses once however many copies of it there are."""
    seen: set[tuple[int, ...]] = set()
    tracks = []
    for actor in actors:
        body = actor.body
        same = (id(body.skin), *(id(pose) for pose in body.poses.values()))
        if not body.poses or same in seen:
            continue
        seen.add(same)
        weights = np.zeros((1, len(actor.groups), 1 + len(body.poses)), np.float32)
        weights[:, :, 0] = 1.0
        turns = None
        if body.skin.kind == "oriented":
            turns = np.tile(np.array([0, 0, 0, 1], np.float32), (1, len(body.rest), 1))
        rest = np.asarray(body.rest, np.float32)[None]
        tracks.append(Track(actor.name, body, rest, weights, actor.groups, turns))
    if not tracks:
        raise PliantError("no body has poses yet; make one first")
    write_take(Take(path.stem, FPS, tuple(tracks)), path, style="weights")
