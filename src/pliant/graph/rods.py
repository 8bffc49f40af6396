"""How the segments of a rod turn in a pose, of which only positions are known: with the least twist there is."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.csgraph import breadth_first_order
from scipy.sparse.linalg import spsolve

from pliant.geometry.normals import unit
from pliant.geometry.regions import smallest_rotation
from pliant.graph.cells import Indices, pieces, summed, symmetric

Array = NDArray[np.float64]

STRAIGHT = 1e-3  # radians by which a rod must bend, at rest and posed, to tell how it is spun about itself


def carried_rotations(rest: Array, posed: Array, segments: NDArray[np.int32]) -> Array:
    """(E, 3, 3) the rotation of each segment from rest to the pose.

    A frame is carried along the rod at rest and another along the posed rod, each turned no more than its bends make
    it; from one to the other is the rotation of a segment, without twist. A loop may need some twist to close: it is
    spread evenly. What is left open is one spin of each connected piece about its own line: the one for which the bends
    at rest fall on the bends posed, so that a rod that is moved as a whole turns as a whole; of a rod that is straight,
    the one that turns it least.
    """
    tangents, posed_tangents = (unit(x[segments[:, 1]] - x[segments[:, 0]]) for x in (rest, posed))
    order, parents, meeting = _walk(segments, len(rest))
    frames, posed_frames = (_carried(t, order, parents) for t in (tangents, posed_tangents))
    posed_frames = _spun(posed_frames, _twists(frames, posed_frames, parents, meeting))
    joints, piece = _joints(order, parents), pieces(meeting, len(segments))
    spins = _spins(frames, posed_frames, tangents, posed_tangents, joints, piece)
    return _spun(posed_frames, spins[piece]) @ np.swapaxes(frames, 1, 2)


def _walk(segments: NDArray[np.int32], count: int) -> tuple[Indices, Indices, Indices]:
    """Segments from the ends inwards, the one from which each is reached (-1: none), and all pairs that meet."""
    at = np.argsort(segments.ravel(), kind="stable")
    points, owners = segments.ravel()[at], at // 2
    meet = points[1:] == points[:-1]
    meeting = np.stack([owners[:-1][meet], owners[1:][meet]], axis=1)
    links = symmetric(meeting, np.ones(len(meeting)), len(segments))
    degree = np.bincount(segments.ravel(), minlength=count)
    is_end = (degree[segments] == 1).any(axis=1)
    order: list[int] = []
    parents = np.full(len(segments), -1)
    seen = np.zeros(len(segments), dtype=bool)
    for start in [*np.flatnonzero(is_end), *range(len(segments))]:
        if seen[start]:
            continue
        reached, before = breadth_first_order(links, start, directed=False)
        order.extend(reached.tolist())
        parents[reached[1:]] = before[reached[1:]]
        seen[reached] = True
    return np.array(order), parents, meeting


def _joints(order: Indices, parents: Indices) -> Indices:
    children = order[parents[order] >= 0]
    return np.stack([parents[children], children], axis=1)


def _spun(frames: Array, angles: Array) -> Array:
    """Frames turned about their first axis."""
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    a, b, c = np.moveaxis(frames, 2, 0)
    return np.stack([a, cos * b + sin * c, cos * c - sin * b], axis=2)


def _twists(frames: Array, posed_frames: Array, parents: Indices, meeting: Indices) -> Array:
    """(E,) angles by which to spin the posed frames, so that where a walk round a loop comes back to itself there is no
    more twist than anywhere on the loop: the least squares of the twists at all joints."""
    twists = np.zeros(len(frames))
    closing = [k for k, (a, b) in enumerate(meeting) if parents[a] != b and parents[b] != a]
    if not closing:
        return twists
    jumps = np.zeros(len(meeting))
    for k in closing:
        a, b = meeting[k]
        jump = _jump(posed_frames[a], posed_frames[b]) - _jump(frames[a], frames[b])
        jumps[k] = (jump + np.pi) % (2 * np.pi) - np.pi
    rows = np.arange(len(meeting))
    steps = csr_array(
        (np.repeat([-1.0, 1.0], len(rows)), (np.tile(rows, 2), meeting.T.ravel())), shape=(len(rows), len(frames))
    )
    # One spin of every piece is free; a little weight on all of them keeps it where it is.
    normal = csc_array(steps.T @ steps + 1e-9 * eye_array(len(frames)))
    return spsolve(normal, -(steps.T @ jumps))


def _jump(before: Array, after: Array) -> float:
    """The angle from the frame that is carried on from `before` to `after`."""
    carried = smallest_rotation(before[:, 0], after[:, 0]) @ before
    return float(np.arctan2(after[:, 1] @ carried[:, 2], after[:, 1] @ carried[:, 1]))


def _carried(tangents: Array, order: Indices, parents: Indices) -> Array:
    """(E, 3, 3) frames with the tangent as first column. Segments may point either way: the frame is carried along the
    line, so a segment that is pointed against its parent does not flip it."""
    frames = np.empty((len(tangents), 3, 3))
    for e in order:
        parent = parents[e]
        if parent < 0:
            frames[e] = smallest_rotation(np.array([1.0, 0, 0]), tangents[e])
            continue
        frames[e] = smallest_rotation(frames[parent, :, 0], tangents[e]) @ frames[parent]
        frames[e, :, 0] = tangents[e]
    return frames


def _spins(
    frames: Array, posed_frames: Array, tangents: Array, posed_tangents: Array, joints: Indices, piece: Indices
) -> Array:
    """(pieces,) the angle by which each piece's posed frames are to be turned about their tangents."""
    count = int(piece.max()) + 1
    # The best spin maximises cos * a + sin * b; for a bend with rest components (u, v) across and posed (p, q), a is
    # u p + v q and b is u q - v p.
    before, after = joints.T
    bend = np.einsum("eji,ej->ei", frames[before], tangents[after])[:, 1:]
    posed_bend = np.einsum("eji,ej->ei", posed_frames[before], posed_tangents[after])[:, 1:]
    a = np.einsum("ej,ej->e", bend, posed_bend)
    b = bend[:, 0] * posed_bend[:, 1] - bend[:, 1] * posed_bend[:, 0]
    a, b = (summed(piece[before], each, count) for each in (a, b))
    # The trace of Q(spin): its part along the tangents does not change.
    cross = np.einsum("eji,ejk->eik", frames, posed_frames)[:, 1:, 1:]
    even = summed(piece, cross[:, 0, 0] + cross[:, 1, 1], count)
    odd = summed(piece, cross[:, 0, 1] - cross[:, 1, 0], count)
    bent = np.hypot(a, b) > STRAIGHT**2
    return np.where(bent, np.arctan2(b, a), np.arctan2(odd, even))
