"""Pictures for films: the studio of the stills, drawn quickly."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pliant
from pliant.runtime.errors import PliantError
from pliant.session.render import Camera, Drawable, FilmRenderer, Ground, Renderer, View, collider, handle, meshes
from pliant.session.render.figure import Company
from pliant.session.render.film_lights import QUALITIES, Ball
from pliant.session.render.simplify import coarse, is_closed, refined

WIDTH, HEIGHT = 160, 120
BALL = meshes.sphere((0, 1, 0), 1.0)
CAMERA = Camera(eye=(0, 3, 8), target=(0, 0.8, 0))


@pytest.fixture(scope="module")
def film() -> Iterator[FilmRenderer]:
    with FilmRenderer(WIDTH, HEIGHT) as made:
        yield made


def ball_view(**look: Any) -> View:
    return View([Drawable.of(BALL, **{"closed": True, **look})], CAMERA)


def pixel(point: Any, camera: Camera = CAMERA) -> tuple[int, int]:
    """Row and column at which a point of the world is seen."""
    lens = camera.projection_matrix(WIDTH / HEIGHT, 0.1, 100.0) @ camera.view_matrix()
    clip = lens @ [*point, 1.0]
    right, up = clip[:2] / clip[3]
    return int((0.5 - 0.5 * up) * HEIGHT), int((0.5 + 0.5 * right) * WIDTH)


def test_it_looks_as_a_still(film: FilmRenderer) -> None:
    """The same light, but for what the still adds up from 64 pictures."""
    scene = [
        Drawable.of(BALL, "#e8833a", closed=True),
        collider(meshes.box((2.2, 0.5, -0.5), (0.5, 0.5, 0.5))),
        Drawable.of(meshes.plane((-2.2, 1, 0), (0.5, 0.2, 1), 0.7), "#3f8fd2"),
    ]
    with Renderer(WIDTH, HEIGHT, 64, 512) as still:
        want = still.draw(View(scene, CAMERA)).astype(int)
    found = film.draw(View(scene, CAMERA)).astype(int)
    apart = np.abs(want - found).max(axis=2)
    assert apart.mean() < 2.5 and np.percentile(apart, 99) < 24


def test_shadows_are_there_and_soft(film: FilmRenderer) -> None:
    empty, full = film.draw(View([], CAMERA)).astype(int), film.draw(ball_view()).astype(int)
    lamp_shadow, near, far = pixel((1.3, 0, -0.1)), pixel((0.3, 0, 1.0)), pixel((-4.0, 0, 1.0))
    assert full[lamp_shadow].mean() < empty[lamp_shadow].mean() - 30
    assert full[near].mean() < empty[near].mean() - 6, "less sky close to the body"
    assert abs(full[far] - empty[far]).max() <= 4
    # Down from the middle of the shadow of a ball in the air to the open ground: no step is a large part of it.
    with FilmRenderer(4 * WIDTH, 4 * HEIGHT) as sharp:
        high = View([Drawable.of(meshes.sphere((0, 2.5, 0), 0.5), closed=True)], CAMERA)
        picture = sharp.draw(high).astype(int).mean(axis=2)
    shadow = picture - picture[-1].mean()
    row, column = np.unravel_index(np.argmin(shadow[300:]), shadow[300:].shape)
    line = picture[300 + row : 300 + row + 90, column]
    fall = line.max() - line[0]
    assert fall > 15 and np.abs(np.diff(line)).max() < 0.2 * fall


def test_a_body_shades_another_and_itself(film: FilmRenderer) -> None:
    table = collider(meshes.box((0, 0.2, 0), (3, 0.2, 3)))
    roof = collider(meshes.box((0, 2.2, 0), (1.5, 0.1, 1.5)))
    spot = pixel((1.2, 0.4, -0.9))
    alone, shaded = film.draw(View([table], CAMERA)), film.draw(View([table, roof], CAMERA))
    assert shaded[spot].mean() < alone[spot].mean() - 40
    # A ball has no spots: nothing on it shades it.
    smooth = film.draw(ball_view()).astype(int).mean(axis=2)
    inside = smooth[pixel((0, 1.6, 0.8))[0] : pixel((0, 0.5, 0.86))[0], WIDTH // 2]
    assert np.abs(np.diff(inside, n=2)).max() < 6


def test_moving_bodies_leave_no_trace(film: FilmRenderer) -> None:
    """A renderer that has drawn other frames draws a frame as a new one does; the light is worked out at one place."""
    ball = Ball(np.array([0.0, 1.0, 0.0]), 2.5)
    drawable = Drawable.of(BALL, closed=True)
    frames = [drawable.moved(BALL.vertices + np.array([x, 0.0, 0.0]), BALL.normals) for x in (-0.5, 0.0, 0.5)]
    with FilmRenderer(WIDTH, HEIGHT, "draft") as used:
        shown = [used.draw(View([frame], CAMERA), ball) for frame in frames]
        marked = used.draw(View([frames[0], handle((0, 2, 0), (1.5, 2.2, 0), 0.1)], CAMERA), ball)
        again = used.draw(View([frames[0]], CAMERA), ball)
    assert np.array_equal(again, shown[0])
    assert not np.array_equal(marked, shown[0])
    with FilmRenderer(WIDTH, HEIGHT, "draft") as new:
        new.draw(View([drawable.moved(frames[0].vertices, BALL.normals)], CAMERA), ball)
        assert np.array_equal(new.draw(View([frames[2]], CAMERA), ball), shown[2])


def test_films_drawn_in_turns(film: FilmRenderer) -> None:
    views = [ball_view(colour="#e8833a"), View([Drawable.of(meshes.box((0, 1, 0)), "#3f8fd2")], CAMERA)]
    first = [film.draw(view, stage=number) for number, view in enumerate(views, 7)]
    second = [film.draw(view, stage=number) for number, view in enumerate(views, 7)]
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one, other)


def test_edges_are_smooth(film: FilmRenderer) -> None:
    """Between the dark body and the bright wall there are tones in between."""
    row = film.draw(ball_view(colour="#101010"))[pixel((0, 1, 0))[0]].astype(int).mean(axis=1)
    assert ((row > 90) & (row < 190)).any()


def test_lines_on_the_ground() -> None:
    with FilmRenderer(4 * WIDTH, 4 * HEIGHT, "draft") as film:
        lined = film.draw(View([], CAMERA, Ground(grid=1.0))).astype(int)
        plain = film.draw(View([], CAMERA)).astype(int)
    darker = (lined < plain - 5).any(axis=2)
    assert 0.005 < darker.mean() < 0.1
    assert darker[:, 310:330].any(axis=1).sum() > 150, "one runs straight away from the eye"


def test_without_ground_there_is_no_shadow(film: FilmRenderer) -> None:
    shadow = pixel((1.3, 0, -0.1))
    view = View([Drawable.of(BALL)], CAMERA, ground=None)
    assert abs(film.draw(view)[shadow].astype(int) - film.draw(View([], CAMERA))[shadow]).max() <= 1


def test_wrong_input_is_named(film: FilmRenderer) -> None:
    for attempt in (lambda: FilmRenderer(0, 10), lambda: FilmRenderer(10, 10, "best")):
        with pytest.raises(PliantError):
            attempt()
    with FilmRenderer(16, 16, "draft") as made:
        made.draw(ball_view())
    with pytest.raises(PliantError, match="closed"):
        made.draw(ball_view())
    drawable = Drawable.of(BALL)
    for vertices in (BALL.vertices[1:], BALL.vertices * np.nan):
        with pytest.raises(PliantError, match="moved"):
            drawable.moved(vertices, BALL.normals)


@pytest.mark.parametrize("quality", list(QUALITIES))
def test_tiles_of_lights_do_not_overlap(quality: str) -> None:
    q = QUALITIES[quality]
    covered = np.zeros((q.atlas, q.atlas), int)
    for places, size in zip(q.tiles(), (q.key_size, q.sky_size), strict=True):
        for x, y in places:
            assert x + size <= q.atlas and y + size <= q.atlas
            covered[y : y + size, x : x + size] += 1
    assert covered.max() == 1 and len(q.tiles()[0]) == q.keys and len(q.tiles()[1]) == q.skies


def _area(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> float:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def test_finer_surfaces_are_the_same_surfaces() -> None:
    for mesh in (meshes.box(), meshes.plane(), meshes.tube((0, 0, 0), (0, 0, 3), 0.1)):
        found = refined(mesh.vertices, mesh.faces, 0.4)
        assert found is not None
        blend, faces = found
        points = blend @ mesh.vertices
        ends = points[faces] - points[np.roll(faces, 1, axis=1)]
        assert np.linalg.norm(ends, axis=2).max() <= 0.4
        assert _area(points, faces) == pytest.approx(_area(mesh.vertices, mesh.faces))
        assert is_closed(points, faces) == is_closed(mesh.vertices, mesh.faces), "no gaps have opened"
        assert np.allclose(points[: len(mesh.vertices)], mesh.vertices)
    assert refined(BALL.vertices, BALL.faces, 5.0) is None


@pytest.mark.slow
def test_coarser_surfaces_keep_thin_things() -> None:
    rope = meshes.polyline(np.column_stack([np.linspace(0, 5, 200), np.zeros(200), np.zeros(200)]), 0.02, 12)
    faces = coarse(rope.vertices, rope.faces, 3000)
    assert len(faces) <= 3000 < len(rope.faces)
    assert np.ptp(rope.vertices[faces.ravel()], axis=0) == pytest.approx(np.ptp(rope.vertices, axis=0), abs=0.05)
    teddy = pliant.shapes.teddy().skin
    fewer = coarse(np.asarray(teddy.vertices), teddy.faces, 3000)
    assert len(fewer) <= 3000
    assert _area(np.asarray(teddy.vertices), fewer) > 0.9 * _area(np.asarray(teddy.vertices), teddy.faces)


@pytest.mark.slow
def test_colliders_and_skins_are_known_to_be_closed() -> None:
    assert collider(BALL).closed and collider(meshes.box()).closed and not collider(meshes.plane()).closed
    skin = pliant.shapes.teddy().skin
    assert is_closed(np.asarray(skin.vertices), skin.faces)


def test_a_figure_is_kept_when_others_come() -> None:
    company, ball = Company(1.0), Drawable.of(BALL)
    company.meet([ball])
    (figure,) = company.figures
    moved = ball.moved(BALL.vertices + 1.0, BALL.normals)
    assert company.knows([moved])
    other = handle((0, 0, 0), (1, 0, 0), 0.1)
    assert not company.knows([moved, other])
    company.meet([moved, other])
    assert company.figures[0] is figure
