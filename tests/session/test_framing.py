"""The camera of a film: everything is in every picture, and it goes along where bodies travel."""

from typing import Any

import numpy as np
import pytest

import pliant
from pliant.runtime.errors import PliantError
from pliant.session.render import Camera
from pliant.session.render.action import Action
from pliant.session.render.framing import Framing, frame_action

RNG = np.random.default_rng(4)
BLOB = RNG.normal(size=(300, 3)) * [0.5, 0.3, 0.4]


def action(path: Any, frames: int = 48, **more: Any) -> Action:
    """A cloud that is carried along and changes its shape a little."""

    def clouds(frame: int) -> list[np.ndarray]:
        return [BLOB * (1 + 0.2 * np.sin(0.3 * frame)) + np.asarray(path(frame / 24.0))]

    return Action(frames, 24.0, clouds, **more)


def reach(framing: Framing, played: Action, aspect: float) -> np.ndarray:
    """(T, 2): how far out the outermost vertex is seen in each frame; 1 is the edge of the picture."""
    seen = []
    for frame in range(played.frames):
        camera, points = framing.camera(frame), np.concatenate(list(played.clouds(frame)))
        local = (points - camera.eye) @ camera.axes().T
        assert (local[:, 2] < 0).all(), "in front of the camera"
        slopes = np.tan(np.radians(camera.fov) / 2) * np.array([aspect, 1.0])
        seen.append(np.abs(local[:, :2] / -local[:, 2:] / slopes).max(axis=0))
    return np.array(seen)


PATHS = {
    "still": lambda t: (0, 1, 0),
    "fall": lambda t: (0, 3 - 1.5 * t**2, 0),
    "runs away": lambda t: (12 * t, 1 + abs(np.sin(6 * t)), -7 * t),
    "towards the eye": lambda t: (4 * t, 2 * t, 9 * t),
    "jumps": lambda t: (20.0 * (t > 0.7), 0, 0),
}


@pytest.mark.parametrize("follow", [None, True, False])
@pytest.mark.parametrize("path", list(PATHS))
@pytest.mark.parametrize(("aspect", "direction"), [(16 / 9, None), (0.6, (-1, 0.2, 0.3)), (1.0, (0, 1, 0))])
def test_every_vertex_is_in_every_picture(path: str, follow: bool | None, aspect: float, direction: Any) -> None:
    played = action(PATHS[path])
    framing = frame_action(played, direction, aspect, follow)
    out = reach(framing, played, aspect)
    assert out.max() <= 0.82 + 1e-9, "and a margin is left free"
    assert out.max() > 0.55, "no room is wasted"
    assert len(framing.cameras) == (1 if follow is False or (follow is None and len(framing.cameras) == 1) else 48)
    for frame in (0, 20, 47):
        ball, points = framing.ball(frame), np.concatenate(list(played.clouds(frame)))
        assert (np.linalg.norm(points - ball.centre, axis=1) <= ball.radius + 1e-9).all(), "light is worked out there"


def test_it_follows_only_what_travels_far() -> None:
    assert len(frame_action(action(PATHS["fall"])).cameras) == 1
    framing = frame_action(action(PATHS["runs away"]))
    assert len(framing.cameras) == 48
    size = np.linalg.norm(np.ptp(BLOB, axis=0))
    assert framing.grid is not None and 0.2 * size < framing.grid < size, "lines on the ground show the speed"
    assert len({ball.radius for ball in framing.balls}) == 1


def test_its_path_is_calm() -> None:
    """A body that hops at every other frame is not hopped after, and keeps its size."""
    hops = action(lambda t: (12 * t, 0.4 * (round(24 * t) % 2), 0))
    eyes = np.array([camera.eye for camera in frame_action(hops).cameras])
    assert np.abs(np.diff(eyes[:, 1], n=2)).max() < 0.02
    assert np.abs(np.diff(eyes, n=2, axis=0)).max() < 0.1
    directions = [camera.axes()[2] for camera in frame_action(hops).cameras]
    assert np.allclose(directions, directions[0]), "it always looks the same way"


def test_colliders_close_by_are_in_the_picture_and_far_ones_are_not() -> None:
    def farthest(colliders: list[Any]) -> float:
        played = action(PATHS["still"], colliders=colliders)
        (camera,) = frame_action(played, (0, 0, 1), 0.5).cameras
        return camera.eye[2]

    alone = farthest([])
    assert farthest([pliant.Sphere(centre=(1.5, 1, 0), radius=0.4)]) > alone
    assert farthest([pliant.Sphere(centre=(50, 1, 0), radius=0.4)]) == alone
    assert farthest([pliant.Plane()]) == alone
    assert farthest([pliant.Box(centre=(0, -8.6, 0), half_size=(40, 8, 40))]) < 1.6 * alone, "a huge one is cut"
    moving = pliant.Sphere(centre=(50, 1, 0), radius=0.4, path=lambda t: (-25 * t, 0.0, 0.0))
    assert farthest([moving]) > alone, "it comes close later"


def test_a_small_collider_is_seen_whole() -> None:
    ball = pliant.Sphere(centre=(1.2, 1, 0), radius=0.3)
    (camera,) = frame_action(action(PATHS["still"], colliders=[ball]), aspect=1.0).cameras
    rim = np.array([[1.5, 1, 0], [1.2, 1.3, 0], [1.2, 0.7, 0], [1.2, 1, 0.3], [1.2, 1, -0.3]])
    local = (rim - camera.eye) @ camera.axes().T
    assert np.abs(local[:, :2] / -local[:, 2:]).max() < np.tan(np.radians(camera.fov) / 2)


def test_a_camera_of_ones_own() -> None:
    own = Camera((5, 5, 5), (0, 0, 0))
    assert frame_action(action(PATHS["runs away"]), own).cameras == (own,)
    assert frame_action(action(PATHS["fall"]), ((5, 5, 5), (0, 0, 0))).cameras[0].eye == (5, 5, 5)
    for wrong in ((0, 0, 0), (1, 2), (np.nan, 0, 1), "front", ((1, 2), (3,))):
        with pytest.raises(PliantError):
            frame_action(action(PATHS["fall"]), wrong)


def test_a_single_point_can_be_looked_at() -> None:
    framing = frame_action(Action(1, 24.0, lambda frame: [np.ones((1, 3))]))
    assert framing.ball(0).radius > 0 and np.isfinite(framing.camera(0).eye).all()
