"""Looks: textures in their places, materials of parts, transparency, and what is broken."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

import films
import pliant
from pliant.body import Body
from pliant.body.look import Image, Look, Material, Part
from pliant.body.skin import Skin
from pliant.session.render import Camera, Drawable, FilmRenderer, Renderer, Texture, View, meshes
from pliant.session.render.film import pose_sheet
from pliant.session.render.movie import write_pictures
from pliant.session.render.painting import pieces_of
from pliant.session.render.palette import linear
from pliant.session.render.stage import Stage
from pliant.session.render.textures import decode

WIDTH, HEIGHT = 160, 120
FRONT = Camera(eye=(0, 0, 6), target=(0, 0, 0))
RED, GREEN, BLUE, YELLOW = (200, 30, 30), (30, 180, 30), (30, 30, 200), (220, 200, 20)
QUARTERS = np.array([[RED, GREEN], [BLUE, YELLOW]], np.uint8)  # top left, top right; bottom left, bottom right


@pytest.fixture(scope="module", params=["still", "film"])
def renderer(request: pytest.FixtureRequest) -> Iterator[Any]:
    kinds = {"still": lambda: Renderer(WIDTH, HEIGHT, 8, 256), "film": lambda: FilmRenderer(WIDTH, HEIGHT, "draft")}
    with kinds[request.param]() as made:
        yield made


def picture_file(pixels: np.ndarray, kind: str = "PNG", scale: int = 8, **options: Any) -> bytes:
    file = BytesIO()
    big = pixels.repeat(scale, axis=0).repeat(scale, axis=1)
    Pillow.fromarray(big).save(file, kind, **options)
    return file.getvalue()


def texture(pixels: np.ndarray = QUARTERS, scale: int = 8, wrap: tuple[str, str] = ("repeat", "repeat")) -> Texture:
    big = pixels.repeat(scale, axis=0).repeat(scale, axis=1)
    if big.shape[2] == 3:
        big = np.concatenate([big, np.full((*big.shape[:2], 1), 255, np.uint8)], axis=2)
    return Texture(big, wrap)


def wall(uv: Any = ((0, 1), (1, 1), (1, 0), (0, 0)), z: float = 0.0, **look: Any) -> Drawable:
    """A square that faces the camera, its corners from the lower left on, against the clock."""
    corners = [[-1, -1, z], [1, -1, z], [1, 1, z], [-1, 1, z]]
    return Drawable(corners, [[0, 1, 2], [0, 2, 3]], uv=uv, sheen=0.0, roughness=1.0, **{"colour": "#ffffff", **look})


def draw(renderer: Any, *drawables: Drawable) -> np.ndarray:
    picture: np.ndarray = renderer.draw(View(drawables, FRONT, ground=None)).astype(int)
    return picture


def at(picture: np.ndarray, x: float, y: float) -> np.ndarray:
    """The colour at a point of the plane through the origin that faces the camera."""
    half = np.tan(np.radians(FRONT.fov) / 2) * 6
    row, column = (0.5 - 0.5 * y / half) * HEIGHT, (0.5 + 0.5 * x / half * HEIGHT / WIDTH) * WIDTH
    found: np.ndarray = picture[int(row), int(column)]
    return found


def hue_of(colour: np.ndarray) -> str:
    near = {name: np.array(value) for name, value in (("r", RED), ("g", GREEN), ("b", BLUE), ("y", YELLOW))}
    unit = {name: value / np.linalg.norm(value) for name, value in near.items()}
    return max(unit, key=lambda name: float(unit[name] @ colour))


def quarters(picture: np.ndarray) -> str:
    return "".join(hue_of(at(picture, x, y)) for x, y in ((-0.5, 0.5), (0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)))


def test_a_texture_is_the_right_way_up(renderer: Any) -> None:
    assert quarters(draw(renderer, wall(texture=texture()))) == "rgby"
    turned = ((0, 0), (0, 1), (1, 1), (1, 0))  # the lower left corner shows the picture's upper left
    assert quarters(draw(renderer, wall(turned, texture=texture()))) == "gyrb"


def test_colours_come_through_as_light(renderer: Any) -> None:
    plain = draw(renderer, wall(colour=np.array(RED) / 255))
    pictured = draw(renderer, wall(texture=texture(np.array([[RED]], np.uint8))))
    assert abs(at(plain, 0, 0) - at(pictured, 0, 0)).max() <= 2, "a picture of a colour looks as the colour"
    half = np.array([0.5, 1.0, 0.25])
    tinted = draw(renderer, wall(texture=texture(np.array([[(200, 200, 200)]], np.uint8)), colour=_srgb(half)))
    want = draw(renderer, wall(colour=_srgb(half * linear(200 / 255))))
    assert abs(at(tinted, 0, 0) - at(want, 0, 0)).max() <= 2, "picture times colour, in light"


def test_fine_pictures_are_averaged_as_light(renderer: Any) -> None:
    grid = np.indices((256, 256)).sum(axis=0) % 2 * 255
    board = np.repeat(grid[..., None], 3, axis=2).astype(np.uint8)
    far = draw(renderer, wall(((0, 8), (8, 8), (8, 0), (0, 0)), texture=texture(board, 1)))
    grey = draw(renderer, wall(colour=_srgb(np.full(3, 0.5))))
    assert abs(at(far, 0, 0) - at(grey, 0, 0)).max() <= 6 and np.ptp(far[55:65, 75:85]) < 25, "no glitter"


@pytest.mark.parametrize(("wrap", "seen"), [("repeat", "rgrg"), ("clamp", "rggg"), ("mirror", "rggr")])
def test_beyond_the_edges_of_a_picture(renderer: Any, wrap: str, seen: str) -> None:
    two = texture(QUARTERS[:1], wrap=(wrap, "repeat"))
    picture = draw(renderer, wall(((0, 1), (2, 1), (2, 0), (0, 0)), texture=two))
    assert "".join(hue_of(at(picture, x, 0.3)) for x in (-0.75, -0.25, 0.25, 0.75)) == seen


def test_holes_are_cut(renderer: Any) -> None:
    holed = np.concatenate([QUARTERS, np.array([[[255], [0]], [[255], [255]]], np.uint8)], axis=2)
    behind = wall(z=-1.0, colour="#3030c0")
    masked = draw(renderer, behind, wall(texture=texture(holed), alpha="mask"))
    assert quarters(masked)[1] == "b" and quarters(masked)[0] == "r"
    assert quarters(draw(renderer, behind, wall(texture=texture(holed)))) == "rgby", "opaque: alpha means nothing"


def test_light_falls_through_holes(renderer: Any) -> None:
    roof, paint = meshes.plane((0, 1.2, 0), (0, 1, 0), 1.2), np.zeros((2, 2, 4), np.uint8)
    floor = Drawable.of(meshes.plane((0, -1, 0), (0, 1, 0), 1.2), "#ffffff")
    looks = {"alpha": "mask", "uv": np.zeros((4, 2))}
    above = Camera(eye=(0, 8, 4), target=(0, -1, 0))
    shown = []
    for drawable in (Drawable.of(roof, texture=texture(paint), **looks), Drawable.of(roof, "#404040", **looks)):
        shown.append(renderer.draw(View([floor, drawable], above, ground=None)).astype(int))
    alone = renderer.draw(View([floor], above, ground=None)).astype(int)
    assert np.abs(shown[0] - alone).max() <= 8, "what is all hole is not there, and throws no shade"
    assert np.abs(shown[1] - alone).max() > 40


def test_glass_shows_what_is_behind_whatever_the_order(renderer: Any) -> None:
    red, blue = wall(z=0.5, colour="#c81e1e", opacity=0.5, alpha="blend"), wall(z=-0.5, colour="#1e1ec8")
    for order in ((red, blue), (blue, red)):
        r, g, b = at(draw(renderer, *order), 0, 0)
        assert r > g + 40 and b > g + 40
    near, far = (wall(z=z, colour=c, opacity=0.7, alpha="blend") for z, c in ((0.5, "#c81e1e"), (-0.5, "#1e1ec8")))
    first, second = (at(draw(renderer, *order), 0, 0) for order in ((near, far), (far, near)))
    assert abs(first - second).max() <= 1 and first[0] > first[2], "the nearer one counts more"


def test_metal_is_darker_than_paint_and_shines(renderer: Any) -> None:
    ball = meshes.sphere((0, 0, 0), 1.0)
    paint, metal = (
        draw(renderer, Drawable.of(ball, "#c09030", roughness=0.3, metallic=part, closed=True)) for part in (0.0, 1.0)
    )
    assert not np.array_equal(paint, metal)
    assert np.ptp(metal[40:80, 60:100].mean(axis=2)) > np.ptp(paint[40:80, 60:100].mean(axis=2))


def _srgb(light: np.ndarray) -> np.ndarray:
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def cube(look: Look | None, **fields: Any) -> Body:
    """A cube of two metres whose sides all show the whole picture; sides in order -x +x -y +y -z +z."""
    box = meshes.box()
    plain = pliant.shapes.cuboid(size=(2, 2, 2), cells=(2, 2, 2))
    outward = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float64)  # seen with the second side to the right
    skin = Skin.bind(box.vertices, box.faces, plain.rest, plain.elements, plain.kind, uv=np.tile(outward, (6, 1)))
    return plain.with_skin(replace(skin, look=look, **fields))


def look_of(data: bytes, parts: tuple[Part, ...] = (Part("all", 0, 12, 0),), **material: Any) -> Look:
    paint = Material("paint", **{"colour": (1.0, 1.0, 1.0, 1.0), "image": 0, **material})
    return Look(parts, (paint, Material("green", (0.0, 0.5, 0.0, 1.0))), (Image("quarters", "image/png", data),))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_body_wears_its_picture(renderer: Any, kind: str) -> None:
    body = cube(look_of(picture_file(QUARTERS, kind, 32)))
    stage = Stage({"cube": body})
    frame = pliant.Frame(0.0, {"cube": body.rest}, bodies=stage.bodies)
    picture = draw(renderer, *stage.actors(frame))  # the side +z: x to the right, y up
    assert quarters(picture) == "rgby"
    assert stage.notes == ()


def test_parts_have_their_own_materials() -> None:
    parts = (Part("sides", 0, 10, 0), Part("front", 10, 12, 1))
    pieces, notes = pieces_of(cube(look_of(picture_file(QUARTERS), parts)).skin, "#ffffff")
    sides, front = (piece.drawable for piece in pieces)
    assert notes == [] and sides.texture is not None and front.texture is None
    assert len(np.asarray(front.vertices)) == 4 and len(np.asarray(sides.faces)) == 10
    assert np.allclose(linear(front.colour), [0.0, 0.5, 0.0])
    assert sides.closed and front.closed, "together they have an inside"


def test_vertex_colours_tint_a_material() -> None:
    tints = np.tile(_srgb(np.array([1.0, 0.25, 0.0])), (24, 1))
    body = cube(look_of(picture_file(QUARTERS), colour=(0.5, 1.0, 1.0, 1.0)), colours=tints)
    (piece,), _ = pieces_of(body.skin, "#ffffff")
    assert np.allclose(linear(piece.drawable.colour), [0.5, 0.25, 0.0])


def test_a_skin_without_a_look_stays_as_it_was() -> None:
    (piece,), _ = pieces_of(cube(None).skin, "#e8833a")
    assert piece.drawable.sheen == 0.18 and piece.drawable.roughness == 0.45 and piece.drawable.texture is None
    given = Stage({"cube": cube(look_of(picture_file(QUARTERS)))}, colours={"cube": "#123456"})
    (drawn,) = given.actors(pliant.Frame(0.0, {"cube": cube(None).rest}, bodies=given.bodies))
    assert drawn.texture is None, "a colour that is asked for covers the look"


def test_gltf_says_wrap_alpha_and_place() -> None:
    transform = {"KHR_texture_transform": {"offset": [0.5, 0.0], "scale": [2.0, 1.0], "rotation": np.pi / 2}}
    gltf = {
        "alphaMode": "MASK",
        "alphaCutoff": 0.25,
        "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": transform}},
    }
    look = replace(
        look_of(picture_file(QUARTERS), gltf=gltf),
        textures=({"sampler": 0, "source": 0},),
        samplers=({"wrapS": 33071, "wrapT": 33648},),
    )
    (piece,), _ = pieces_of(cube(look).skin, "#ffffff")
    shown = piece.drawable
    assert shown.texture is not None and shown.texture.wrap == ("clamp", "mirror")
    assert (shown.alpha, shown.cutoff) == ("mask", 0.25)
    assert np.allclose(np.asarray(shown.uv)[:4], [[1.5, 0.0], [1.5, -2.0], [0.5, -2.0], [0.5, 0.0]])


@pytest.mark.parametrize("broken", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(40)])
def test_a_broken_picture_leaves_the_colour_and_a_note(tmp_path: Path, broken: bytes) -> None:
    body = cube(look_of(broken, colour=(0.0, 0.5, 0.0, 1.0)))
    take = films.moved(body, lambda frame: (0.0, 0.0, 0.0), 1)
    (note,) = write_pictures(take, tmp_path / "png", size=(64, 64), quality="draft")
    assert note.startswith('body: picture "quarters"') and "colour is shown instead" in note and "\n" not in note
    middle = np.asarray(Pillow.open(tmp_path / "png" / "frame_0001.png"))[32, 32].astype(int)
    assert middle[1] > middle[0] + 50


def test_cut_off_pictures_are_refused_and_odd_kinds_read() -> None:
    whole = picture_file(np.random.default_rng(0).integers(0, 255, (32, 32, 3), np.uint8))
    with pytest.raises(pliant.PliantError, match="no readable PNG"):
        decode(Image("half", "image/png", whole[: len(whole) // 2]))
    deep = BytesIO()
    Pillow.fromarray(np.full((4, 4), 0x8000, np.uint16)).save(deep, "PNG")
    assert decode(Image("deep", "image/png", deep.getvalue()))[0, 0].tolist() == [128, 128, 128, 255]
    large = BytesIO()
    Pillow.new("L", (5000, 10), 77).save(large, "PNG")
    assert decode(Image("large", "image/png", large.getvalue())).shape == (4, 2048, 4)


def test_poses_are_shown_with_their_pictures() -> None:
    sheet = pose_sheet(cube(look_of(picture_file(QUARTERS))), height=80, passes=2)
    colours = {hue_of(pixel.astype(int)) for pixel in sheet.reshape(-1, 3) if np.ptp(pixel.astype(int)) > 80}
    assert colours == {"r", "g", "b", "y"}


def test_wrong_looks_are_named() -> None:
    for attempt in (
        lambda: wall(texture=texture(), uv=None),
        lambda: wall(uv=[[0, 0]]),
        lambda: wall(alpha="glass"),
        lambda: wall(opacity=2.0),
        lambda: Texture(np.zeros((2, 2, 3), np.uint8)),
        lambda: Texture(np.zeros((2, 2, 4), np.uint8), ("tile", "tile")),
    ):
        with pytest.raises(pliant.PliantError):
            attempt()
