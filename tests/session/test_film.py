"""From worlds and frames to sheets of pictures."""

from typing import Any

import numpy as np
import pytest

import pliant
from pliant.runtime.errors import PliantError
from pliant.session.render.camera import Camera
from pliant.session.render.film import film_strip, nearest, pose_sheet
from pliant.session.render.stage import Stage

BAR = pliant.shapes.cuboid(size=(0.5, 0.5, 1), cells=(2, 2, 4))


def frame(time: float, height: float) -> pliant.Frame:
    positions = BAR.rest + np.array([0, height, 0])
    return pliant.Frame(time, {"bar": positions}, weights={"bar": np.ones((1, 1))}, bodies={"bar": BAR})


FALL = [frame(0.0, 2.0), frame(0.5, 1.2), frame(1.0, 0.3)]


def test_a_stage_shows_what_is_in_the_world() -> None:
    floor, post = pliant.Plane(point=(0, -1, 0)), pliant.Sphere(centre=(2, 0, 0), radius=0.5)
    world = pliant.World(colliders=[floor, post])
    world.add(BAR, pliant.ShapeMatching(), name="bar", position=(0, 2, 0))
    stage = Stage.of(world)
    assert list(stage.bodies) == ["bar"]
    ground = stage.ground()
    assert ground is not None and ground.height == -1.0
    view = stage.view(world.frame(), stage.camera([world.frame()]))
    skin, ball = view.drawables
    assert np.allclose(skin.vertices, world["bar"].surface, atol=1e-5)
    assert np.allclose(np.linalg.norm(np.asarray(ball.vertices) - [2, 0, 0], axis=1), 0.5)


def test_colliders_follow_their_paths() -> None:
    quarter = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    moving: list[pliant.world.Collider] = [
        pliant.Sphere(centre=(0, 1, 0), radius=0.5, path=lambda t: (t, 0.0, 0.0)),
        pliant.Box(centre=(0, 3, 0), half_size=(1, 0.1, 0.1), path=lambda t: ((0.0, t, 0.0), quarter)),
    ]
    moving.append(pliant.Capsule(start=(5, 0, 0), end=(5, 2, 0), radius=0.5))
    ball, box, rod = (np.asarray(each.vertices) for each in Stage({}, moving).obstacles(2.0))
    assert np.allclose((ball.min(axis=0) + ball.max(axis=0)) / 2, [2, 1, 0], atol=1e-6)
    assert np.allclose(box.min(axis=0), [-0.1, 4, -0.1]) and np.allclose(box.max(axis=0), [0.1, 6, 0.1])
    assert np.allclose([rod.min(axis=0), rod.max(axis=0)], [[4.5, -0.5, -0.5], [5.5, 2.5, 0.5]])


def test_tilted_and_moving_planes_are_drawn_and_are_no_ground() -> None:
    slope = pliant.Plane(normal=(0, 1, 1))
    stage = Stage({}, [slope])
    assert stage.ground() is None and len(stage.obstacles(0.0)) == 1


def test_the_nearest_frames() -> None:
    assert [each.time for each in nearest(FALL, [0.1, 0.8, 9.0])] == [0.0, 1.0, 1.0]
    with pytest.raises(PliantError, match="no frames"):
        nearest([], [0.0])


def test_a_film_strip_has_a_tile_per_frame() -> None:
    seen: list[tuple[int, int]] = []
    stage = Stage({"bar": BAR}, [pliant.Plane()], {"bar": "#3f8fd2"})
    strip = film_strip(stage, FALL, height=90, passes=4, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    width = (strip.shape[1] - 2 * 6) // 3
    first, _, last = (strip[:90, at : at + width].astype(int) for at in (0, width + 6, 2 * (width + 6)))
    blue = [np.argwhere(tile[..., 2] > tile[..., 0] + 60)[:, 0].mean() for tile in (first, last)]
    assert blue[0] < 40 < 50 < blue[1], "it falls down the picture"
    assert (strip[90:].min(axis=2) < 120).any(), "times underneath"


@pytest.mark.parametrize("wish", [Camera((5, 5, 5), (0, 0, 0)), ((5, 5, 5), (0, 0, 0))])
def test_a_camera_may_be_given(wish: Any) -> None:
    assert Stage({"bar": BAR}).camera(FALL, wish).eye == (5, 5, 5)


def test_a_direction_may_be_given() -> None:
    camera = Stage({"bar": BAR}).camera(FALL, (0, 0, 1))
    assert camera.eye[0] == pytest.approx(camera.target[0]) and camera.eye[2] > 1.0


def test_poses_side_by_side() -> None:
    body = BAR.with_pose("wide", BAR.rest * [2.0, 1.0, 1.0])
    sheet = pose_sheet(body, height=80, passes=2)
    width = (sheet.shape[1] - 6) // 2
    rest, wide = (sheet[:80, at : at + width].astype(int) for at in (0, width + 6))
    covered = [(tile[..., 0] > tile[..., 2] + 60).sum() for tile in (rest, wide)]
    assert covered[1] > 1.3 * covered[0] > 0
