"""A body as a recording: at rest, then in each of its poses, and on the way there."""

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body
from pliant.files.take import Take, Track
from pliant.graph import Graph
from pliant.runtime.errors import SettingsError
from pliant.session.player.shot import Shot

BODY_FPS = 30.0
WAY = 15  # frames from rest to a pose, and back
STAY = 12  # frames in it
MOST_BLENDED = 4000  # tets: shapes between are solved for, which takes a second for each pose of 3,400


def shot_of_body(body: Body) -> Shot:
    """From rest to each pose and back; a body without poses stands still."""
    plan = _plan(len(body.poses))
    between = {pose: _ways(body, pose) for pose in body.poses}
    names = list(body.poses)
    positions = np.stack([body.rest if pose < 0 else between[names[pose]][step] for pose, step in plan])
    weights = np.zeros((len(plan), 1, 1 + len(names)), np.float32)
    for frame, (pose, step) in enumerate(plan):
        share = 0.0 if pose < 0 else _eased(step / WAY)
        weights[frame, 0, 0] = 1.0 - share
        if pose >= 0:
            weights[frame, 0, 1 + pose] = share
    rotations = _rotations(body, plan) if isinstance(body, Graph) else None
    track = Track(body.name, body, positions.astype(np.float32), weights, ("all",), rotations)
    return Shot(Take(body.name, BODY_FPS, (track,)), title=body.name)


def _plan(poses: int) -> list[tuple[int, int]]:
    """For each frame a pose (-1: none) and how far on the way to it, 0 to WAY."""
    plan = [(-1, 0)]
    for pose in range(poses):
        there = [(pose, step) for step in range(1, WAY + 1)]
        plan += there + [(pose, WAY)] * STAY + there[::-1] + [(-1, 0)] * (STAY // 2)
    return plan


def _eased(part: float) -> float:
    """Gently away, gently there."""
    return part * part * (3.0 - 2.0 * part)


def _ways(body: Body, pose: str) -> list[NDArray[np.float64]]:
    """Shapes from rest (0) to a pose (WAY): true blends of a solid, where turning parts turn; else means."""
    shares = [_eased(step / WAY) for step in range(WAY + 1)]
    if body.kind == "solid" and not isinstance(body, Graph) and len(body.elements) <= MOST_BLENDED:
        from pliant.poses import blend

        try:
            return [blend(body, {pose: share}) for share in shares]
        except SettingsError:  # tets inside out: there is nothing between, but the pose itself can be seen
            pass
    return [(1.0 - share) * body.rest + share * body.poses[pose] for share in shares]


def _rotations(body: Graph, plan: list[tuple[int, int]]) -> NDArray[np.float32]:
    """How particles are turned on the way, the shorter way round."""
    unturned = np.tile([0.0, 0.0, 0.0, 1.0], (len(body.rest), 1))
    turns = list(body.turns.values())
    found = []
    for pose, step in plan:
        share = 0.0 if pose < 0 else _eased(step / WAY)
        goal = unturned if pose < 0 else turns[pose] * np.where(turns[pose][:, 3:] < 0, -1.0, 1.0)
        mixed = (1.0 - share) * unturned + share * goal
        found.append(mixed / np.linalg.norm(mixed, axis=1, keepdims=True))
    return np.array(found, np.float32)
