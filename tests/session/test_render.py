"""The renderer, on whatever OpenGL there is (in software on a machine without a graphics card)."""

import builtins
import os
import stat
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pliant.runtime.errors import PliantError
from pliant.session.render import (
    Camera,
    Drawable,
    Ground,
    Renderer,
    View,
    caption,
    collider,
    frame_all,
    handle,
    meshes,
    particles,
    tiles,
    write_png,
)
from pliant.session.render.palette import ACTORS, linear, mix, rgb

WIDTH, HEIGHT = 160, 120
BALL = meshes.sphere((0, 1, 0), 1.0)
CAMERA = Camera(eye=(0, 3, 8), target=(0, 0.8, 0))


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with Renderer(WIDTH, HEIGHT, passes=16, shadow_size=256) as made:
        yield made


def ball_view(**look: Any) -> View:
    return View([Drawable.of(BALL, **look)], CAMERA)


def pixel(point: Any, camera: Camera = CAMERA) -> tuple[int, int]:
    """Row and column at which a point of the world is seen."""
    lens = camera.projection_matrix(WIDTH / HEIGHT, 0.1, 100.0) @ camera.view_matrix()
    clip = lens @ [*point, 1.0]
    right, up = clip[:2] / clip[3]
    return int((0.5 - 0.5 * up) * HEIGHT), int((0.5 + 0.5 * right) * WIDTH)


def test_a_picture_shows_the_body(renderer: Renderer) -> None:
    picture = renderer.draw(ball_view(colour="#3f8fd2"))
    assert picture.shape == (HEIGHT, WIDTH, 3) and picture.dtype == np.uint8
    red, green, blue = picture[pixel((0, 1, 1))].astype(int)
    assert blue > green > red
    assert picture[2, 2].min() > 200, "the wall behind is bright"


def test_the_same_view_gives_the_same_picture(renderer: Renderer) -> None:
    first = renderer.draw(ball_view())
    assert np.array_equal(renderer.draw(ball_view()), first)
    with Renderer(WIDTH, HEIGHT, passes=16, shadow_size=256) as other:
        assert np.array_equal(other.draw(ball_view()), first)


def test_the_ground_is_dark_under_the_body_and_only_there(renderer: Renderer) -> None:
    empty = renderer.draw(View([], CAMERA)).astype(int)
    with_ball = renderer.draw(ball_view()).astype(int)
    lamp_shadow = pixel((1.3, 0, -0.1))  # the lamp stands to the left of the camera
    near, far = pixel((0.3, 0, 1.0)), pixel((-3.0, 0, 1.0))
    assert with_ball[lamp_shadow].mean() < empty[lamp_shadow].mean() - 30
    assert with_ball[near].mean() < empty[near].mean() - 8, "less sky close to the body"
    assert abs(with_ball[far] - empty[far]).max() <= 3


def test_without_ground_there_is_no_shadow(renderer: Renderer) -> None:
    view = View([Drawable.of(BALL)], CAMERA, ground=None)
    shadow = pixel((1.3, 0, -0.1))
    assert abs(renderer.draw(view)[shadow].astype(int) - renderer.draw(View([], CAMERA))[shadow]).max() <= 1


def test_colours_per_vertex(renderer: Renderer) -> None:
    colours = np.where(BALL.vertices[:, :1] < 0, rgb("#c03030"), rgb("#3030c0"))
    picture = renderer.draw(ball_view(colour=colours)).astype(int)
    left, right = picture[pixel((-0.5, 1, 0.8))], picture[pixel((0.5, 1, 0.8))]
    assert left[0] > left[2] + 50 and right[2] > right[0] + 50


def test_both_sides_of_an_open_surface_are_lit(renderer: Renderer) -> None:
    sheet = meshes.plane((0, 1, 0), (0.0, 0.3, 1.0), 1.0)
    flipped = meshes.Triangles(sheet.vertices, -sheet.normals, sheet.faces[:, ::-1])
    front, back = (renderer.draw(View([collider(mesh)], CAMERA)) for mesh in (sheet, flipped))
    assert abs(front.astype(int) - back).max() <= 2
    painted = Drawable.of(flipped, "#3f8fd2", inside="#d7536b")
    red, _, blue = renderer.draw(View([painted], CAMERA))[pixel((0, 1, 0))].astype(int)
    assert red > blue + 50


def test_a_body_shades_another(renderer: Renderer) -> None:
    table = collider(meshes.box((0, 0.2, 0), (3, 0.2, 3)))
    roof = collider(meshes.box((0, 2.2, 0), (1.5, 0.1, 1.5)))
    spot = pixel((1.2, 0.4, -0.9))  # the shadow falls to the right and away
    alone, shaded = renderer.draw(View([table], CAMERA)), renderer.draw(View([table, roof], CAMERA))
    assert shaded[spot].mean() < alone[spot].mean() - 40


def test_edges_grid_handles_and_particles_leave_marks(renderer: Renderer) -> None:
    plain = renderer.draw(ball_view())
    assert renderer.draw(ball_view(wire=True))[pixel((0, 1, 1))].mean() < plain[pixel((0, 1, 1))].mean()
    gridded = renderer.draw(View([Drawable.of(BALL)], CAMERA, Ground(grid=1.0)))
    assert (gridded < plain.astype(int) - 5).any()
    held = renderer.draw(View([Drawable.of(BALL), handle((0, 2, 0), (1.5, 2.2, 0), 0.12)], CAMERA))
    assert held[pixel((1.5, 2.2, 0.1))].max() < 120
    dots = renderer.draw(View([particles([[0, 1, 0], [-1, 1, 0]], 0.2)], CAMERA))
    assert dots[pixel((-1, 1, 0.1))].max() < 120 and dots[pixel((0, 1, 0.1))].max() < 120


def test_a_camera_frames_every_point_and_wastes_no_room() -> None:
    rng = np.random.default_rng(0)
    for aspect in (0.6, 1.0, 2.3):
        points = rng.normal(size=(200, 3)) * [3, 1, 0.5] + [5, 2, -7]
        camera = frame_all(points, direction=rng.normal(size=3), aspect=aspect, margin=0.1)
        local = (points - camera.eye) @ camera.axes().T
        reach = np.tan(np.radians(camera.fov) / 2) * np.array([aspect, 1.0])
        seen = np.abs(local[:, :2] / -local[:, 2:] / reach).max(axis=0)
        assert (local[:, 2] < 0).all()
        assert seen.max() == pytest.approx(0.9, abs=1e-6)


@pytest.mark.parametrize(
    "mesh",
    [
        meshes.sphere((1, 2, 3), 0.5),
        meshes.capsule((0, 0, 0), (1, 2, 0), 0.4),
        meshes.box((1, 0, 0), (1, 2, 3), np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])),
        meshes.plane((0, 1, 0), (1, 1, 0)),
        meshes.tube((0, 0, 0), (0, 0, 2), 0.1),
        meshes.polyline([[0, 0, 0], [1, 0, 0], [1, 1, 0]], 0.1),
    ],
)
def test_meshes_face_outwards(mesh: meshes.Triangles) -> None:
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.faces].mean(axis=1))
    assert (facing > -1e-12).all() and (facing > 0).mean() > 0.8  # poles have triangles without area
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)


def test_the_palette_is_distinct_for_colour_blind_eyes() -> None:
    # What is left of linear light without red or without green cones (Viénot, Brettel and Mollon 1999).
    seen_by = {
        "all cones": np.eye(3),
        "no red cones": np.array([[0.112, 0.888, 0.0], [0.112, 0.888, 0.0], [0.004, -0.004, 1.0]]),
        "no green cones": np.array([[0.292, 0.708, 0.0], [0.292, 0.708, 0.0], [-0.022, 0.022, 1.0]]),
    }
    for who, cones in seen_by.items():
        shown = np.clip(linear([rgb(colour) for colour in ACTORS]) @ cones.T, 0, 1) ** (1 / 2.2)
        for first, second in combinations(range(len(ACTORS)), 2):
            apart = np.linalg.norm(shown[first] - shown[second])
            assert apart > 0.15, f"{who}: {ACTORS[first]} and {ACTORS[second]}"


def test_mixed_colours_end_where_they_should() -> None:
    ends = mix("#e8833a", "#3f8fd2", [0.0, 1.0])
    assert np.allclose(ends, [rgb("#e8833a"), rgb("#3f8fd2")])


def test_tiles_and_captions() -> None:
    grey = np.full((96, 128, 3), 200, np.uint8)
    captions = ["0.00 s", "0.25 s", "", "p", "a caption that is far too long to fit"]
    sheet = tiles([grey] * 5, columns=3, captions=captions)
    assert sheet.shape == (2 * (96 + 24) + 6, 3 * 128 + 12, 3)
    assert np.array_equal(sheet[:96, :128], grey)
    under = [sheet[96:120, left : left + 128] for left in (0, 134, 268)]
    assert under[0].min() < 120 and under[1].min() < 120, "ink"
    assert under[2].min() == 255, "an empty caption leaves the paper white"
    assert not np.array_equal(under[0], under[1])
    assert sheet[-24:, 268:].min() == 255, "no sixth tile"
    assert caption(grey, "hello").min() < 120 and grey.min() == 200


def test_png_comes_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = np.random.default_rng(0).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    path = write_png(tmp_path / "new" / "a.png", picture)
    assert np.array_equal(np.asarray(Image.open(path)), picture)
    assert stat.S_IMODE(path.stat().st_mode) & 0o400
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(PliantError, match=r"a\.png: cannot write the picture \(No space left on device\)"):
        write_png(path, picture[::-1])
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["a.png"]


def test_without_the_package_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] in ("moderngl", "PIL"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    for attempt in (lambda: Renderer(8, 8), lambda: caption(np.zeros((8, 8, 3), np.uint8), "x")):
        with pytest.raises(PliantError, match=r"pip install 'pliant\[render\]'") as caught:
            attempt()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("trouble", [Exception("cannot\nload libEGL"), OSError(), ValueError("version 210")])
def test_without_egl_one_line_names_the_remedy(monkeypatch: pytest.MonkeyPatch, trouble: Exception) -> None:
    def refuse(**_: object) -> None:
        raise trouble

    monkeypatch.setattr(sys.modules["moderngl"], "create_context", refuse)
    with pytest.raises(PliantError, match="apt-get install libegl1 libgl1 libgl1-mesa-dri") as caught:
        Renderer(8, 8)
    assert "\n" not in str(caught.value)


def test_wrong_input_is_named() -> None:
    wrong = [
        lambda: Renderer(0, 100),
        lambda: Drawable([[0, 0]], [[0, 0, 0]]),
        lambda: Drawable([[0, 0, np.nan]], [[0, 0, 0]]),
        lambda: Drawable(BALL.vertices, BALL.faces + 1, BALL.normals),
        lambda: Drawable.of(BALL, np.zeros((7, 3))),
        lambda: Drawable.of(BALL, "red"),
        lambda: Drawable.of(BALL, roughness=2.0),
        lambda: Camera((0, 0, 0), (0, 0, 0)),
        lambda: frame_all(np.empty((0, 3))),
        lambda: tiles([]),
        lambda: tiles([np.zeros((4, 4, 3), np.uint8), np.zeros((5, 4, 3), np.uint8)]),
        lambda: tiles([np.zeros((4, 4, 3), np.uint8)], captions=["a", "b"]),
    ]
    for attempt in wrong:
        with pytest.raises(PliantError):
            attempt()


def test_a_closed_renderer_says_so() -> None:
    with Renderer(8, 8, passes=1, shadow_size=16) as made:
        made.draw(ball_view())
    made.close()
    with pytest.raises(PliantError, match="closed"):
        made.draw(ball_view())
