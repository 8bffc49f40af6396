"""Room for what contact finds and remembers: at first, and more when it is needed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.collision import layout as at
from pliant.collision.records import Candidates, Found, Shapes, Work
from pliant.dynamics.colouring import COLOURS
from pliant.dynamics.sleep import REFERENCE
from pliant.runtime.thread_pool import MOST_PIECES

PAIRS_PER_BODY = 32
CANDIDATES_PER_PROXY = 4  # room for candidates, and for as many rows, at first
MOST_CANDIDATES = 64  # for each proxy: of pairs of bodies that have more together, some are left out
CORE_ROWS_PER_BODY = 64


def _whole(size: int) -> NDArray[np.int64]:
    return np.zeros(size, np.int64)


def _found(rows: int, pairs: int) -> Found:
    """Room for contact rows."""
    return Found(
        np.zeros(at.ROW * rows), _whole(at.ROW_SIDES * rows), _whole(at.FOURS * rows), np.zeros(at.FOURS * rows),
        _whole(2 * pairs), _whole(rows), np.zeros(at.ROW_MEMORY * rows), _whole(2 * pairs), _whole(rows),
    )  # fmt: skip


def _candidates(count: int, pairs: int) -> Candidates:
    return Candidates(_whole(2 * pairs), _whole(count), _whole(count), np.zeros(at.CANDIDATE * count))


def first_room(
    shapes: Shapes, bodies: Sequence[Body], rotations: NDArray[np.float64], timers: NDArray[np.float64]
) -> tuple[Work, Found, Found, Candidates]:
    """Work, contact rows, core rows and candidates of bodies that are turned so (B, 4) from rest. timers: of sleep."""
    count, proxies = len(bodies), len(shapes.owners)
    rows, pairs = 64 + CANDIDATES_PER_PROXY * proxies, 64 + PAIRS_PER_BODY * count
    frames = np.zeros((count, at.BODY_FRAME))
    for frame, body in zip(frames, bodies, strict=True):
        frame[at.CENTRE_AT_REST : at.CENTRE_AT_REST + 3] = body.masses @ body.rest / body.mass
    frames[:, at.QUATERNION : at.QUATERNION + 4] = rotations
    heads = shapes.bodies.reshape(-1, at.BODY)
    most_blocks = int((heads[:, at.BODY_BLOCK_END] - heads[:, at.BODY_BLOCK]).max(initial=0))  # of one body
    work = Work(
        frames=frames.reshape(-1), framed=_whole(count), maps=np.zeros(at.BODY_MAP * count),
        boxes=np.zeros(at.AABB * count), motions=np.zeros(at.MOTION * count),
        places=np.zeros(3 * proxies), placed=_whole(proxies),
        block_boxes=np.zeros(at.AABB * (len(shapes.block_starts) - 1)), near=_whole(MOST_PIECES * most_blocks),
        awake=np.ones(count, np.int64), cored=_whole(count), touched=_whole(count),
        timers=timers, references=np.full(REFERENCE * count, np.inf), impacts=np.zeros(at.IMPACT * count),
        factors=np.ones(2 * count),
        order=np.arange(count), pairs=_whole(2 * pairs), old_pairs=_whole(2 * pairs), colours=_whole(pairs),
        by_colour=_whole(pairs), used=_whole(count), starts=_whole(COLOURS + 2),
        scratch=_whole(max(proxies, 1)), counts=_whole(at.COUNT_NUMBERS),
    )  # fmt: skip
    return work, _found(rows, pairs), _found(CORE_ROWS_PER_BODY * count, 0), _candidates(rows, pairs + count)


def most_candidates(shapes: Shapes) -> int:
    """Enough for any world in which bodies are not in one another."""
    return 64 + MOST_CANDIDATES * len(shapes.owners)


def room_for_candidates(found: Found, candidates: Candidates) -> tuple[Found, Candidates]:
    """For twice as many, and for the rows that may come of them."""
    count = 2 * len(candidates.keys)
    room = _found(count, 0)
    room.old_keys[: len(found.old_keys)], room.old[: len(found.old)] = found.old_keys, found.old
    return room._replace(spans=found.spans, old_spans=found.old_spans), _candidates(count, len(candidates.spans) // 2)


def room_for_pairs(work: Work, found: Found, candidates: Candidates) -> tuple[Work, Found, Candidates]:
    """For twice as many."""
    doubled: dict[str, Any] = {
        name: np.resize(getattr(work, name), 2 * len(getattr(work, name)))
        for name in ("pairs", "old_pairs", "colours", "by_colour")
    }
    work = work._replace(**doubled)
    found = found._replace(
        spans=np.zeros(2 * len(found.spans), np.int64), old_spans=np.resize(found.old_spans, 2 * len(found.old_spans))
    )
    return work, found, _candidates(len(candidates.keys), len(work.pairs) // 2 + len(work.awake))
