"""Draws the pictures of the concept pages: `python docs/concepts/draw.py docs/pictures`."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import pliant
from pliant.gallery.paint import APRICOT, chequered
from pliant.session.render.camera import frame_all
from pliant.session.render.picture import Picture, tiles, write_png
from pliant.session.render.renderer import Renderer
from pliant.session.render.view import Drawable, Ground, View

WIDTH = 1600  # pixels
LENS = 12.0  # degrees, as in the pictures of the gallery
LOOK_FROM = (0.55, 0.3, 1.0)
HALVES = {"top": lambda rest: rest[:, 1] > 0, "bottom": lambda rest: rest[:, 1] <= 0}


def bar() -> pliant.Body:
    plain = chequered(pliant.shapes.cuboid(size=(1, 2, 1), cells=(4, 8, 4)), APRICOT, 0.25)
    plain = plain.with_pose("twist", pliant.poses.twist(plain, 90, axis="y", shorten=0.3))
    return plain.with_pose("bow", pliant.poses.bend(plain, 70, axis="y", toward="x"))


def drawn(body: pliant.Body, shapes: Sequence[Any], captions: Sequence[str], quick: bool) -> Picture:
    """Shapes of a body side by side, each on the floor."""
    skins = [body.skin.deform(shape) for shape in shapes]
    skins = [skin - (0, skin[:, 1].min(), 0) for skin in skins]
    camera = frame_all(np.concatenate(skins), LOOK_FROM, 0.75, LENS, margin=0.08)
    width = (160 if quick else WIDTH) // len(shapes)
    pictures = []
    with Renderer(width, round(width / 0.75), 1 if quick else 64) as renderer:
        for skin in skins:
            part = Drawable(skin, body.skin.faces, body.skin.normals(skin), body.skin.colours)
            pictures.append(renderer.draw(View([part], camera, Ground())))
    return tiles(pictures, None, captions, 0)


def blends(body: pliant.Body, weights: Sequence[Mapping[str, Any]], **groups: Any) -> list[Any]:
    return [pliant.poses.blend(body, each, **groups) if each else body.rest for each in weights]


def figures(quick: bool = False) -> dict[str, Picture]:
    """By name; quick: small and rough."""
    body = bar()
    steps: list[dict[str, float]] = [{}, {"twist": 0.25}, {"twist": 0.5}, {"twist": 0.75}, {"twist": 1.0}]
    mixed = [{}, {"twist": 1.0}, {"bow": 1.0}, {"twist": 0.5, "bow": 0.5}, {"twist": 0.3, "bow": 0.3}]
    told = ["rest", "twist 1", "bow 1", "twist 0.5, bow 0.5", "twist 0.3, bow 0.3"]
    half: list[dict[str, Any]] = [
        {},
        {"top": {"twist": 1.0}},
        {"bottom": {"bow": 1.0}},
        {"top": {"twist": 1.0}, "bottom": {"bow": 1.0}},
    ]
    names = ["at rest", "top: twist 1", "bottom: bow 1", "top: twist 1, bottom: bow 1"]
    return {
        "concept-example": drawn(body, blends(body, steps), ["rest", "0.25", "0.5", "0.75", "the example"], quick),
        "concept-weights": drawn(body, blends(body, mixed), told, quick),
        "concept-groups": drawn(body, blends(body, half, groups=HALVES), names, quick),
    }


if __name__ == "__main__":
    quick, (folder, *_) = "--quick" in sys.argv, [*(word for word in sys.argv[1:] if word != "--quick"), "."]
    for name, picture in figures(quick).items():
        print(write_png(Path(folder) / f"{name}.png", picture))
