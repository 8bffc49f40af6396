"""Pictures for the README and the documentation: of each exhibit some moments side by side, and the hero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.gallery.exhibit import Exhibit, Record, play
from pliant.gallery.listing import find, list_exhibits
from pliant.session.render.camera import Camera, frame_all
from pliant.session.render.film import nearest
from pliant.session.render.picture import Picture, tiles, write_png
from pliant.session.render.renderer import Renderer
from pliant.session.render.stage import SHADOW_MARGIN, Stage
from pliant.session.render.view import Drawable, Ground, View, handle

SHEET_WIDTH = 1600  # pixels of a sheet
GAP = 6
STILLS = 5  # where the exhibit does not name its own moments
LENS = 12.0  # degrees: a long lens, so that bars side by side are seen from the same side
NARROWEST_TILE, WIDEST_TILE = 0.5, 3.4  # width of a tile over its height
HERO = "twist-bar"
HERO_MOMENTS = (0.38, 0.5, 0.62, 0.68, 0.73, 0.8, 0.92, 1.12)  # s: falls, lands, twists, stands up again
HERO_STEP = 1.95  # metres from one moment to the next
HERO_ASPECT = 3.1


def render_exhibits(names: Sequence[str], folder: Path) -> Iterator[Path]:
    """Plays the named exhibits (all, if none is named) and gives each FOLDER/NAME.png as it is written.

    With all of them comes FOLDER/hero.png; it can also be asked for by its exhibit's name.
    """
    for exhibit in list_exhibits():
        if names and exhibit.name not in names:
            continue
        record = play(exhibit)
        if exhibit.name == HERO:
            yield write_png(Path(folder) / "hero.png", hero_picture(exhibit, record))
        yield write_png(Path(folder) / f"{exhibit.name}.png", exhibit_picture(exhibit, record))


def render_hero(folder: Path) -> Path:
    """Writes FOLDER/hero.png, the picture at the top of the README."""
    exhibit = find(HERO)
    return write_png(Path(folder) / "hero.png", hero_picture(exhibit, play(exhibit)))


def exhibit_picture(exhibit: Exhibit, record: Record, width: int = SHEET_WIDTH, passes: int = 64) -> Picture:
    """The exhibit's moments side by side, from the camera that it asks for."""
    moments = tuple(exhibit.stills) or tuple(np.linspace(0.0, exhibit.seconds, STILLS))
    frames = nearest(record.frames, moments)
    # A world is cheap to build: it says which bodies and colliders there are, the record where they went.
    stage = Stage.of(exhibit.build())
    columns = min(exhibit.columns or len(frames), len(frames))
    points = stage.extent(frames)
    aspect = _fitting(frame_all(points, exhibit.camera, fov=LENS), points)
    tile = (width - GAP * (columns - 1)) // columns
    camera = frame_all(points, exhibit.camera, aspect, LENS, SHADOW_MARGIN)
    pictures = []
    with Renderer(tile, round(tile / aspect), passes) as renderer:
        for frame in frames:
            view = stage.view(frame, camera)
            grips = exhibit.grips(frame) if exhibit.grips else []
            marks = [handle(grip, target, radius=0.07) for grip, target in grips]
            pictures.append(renderer.draw(View([*view.drawables, *marks], camera, view.ground)))
    captions = exhibit.captions or [f"{frame.time:.2f} s" for frame in frames]
    return tiles(pictures, columns, captions, GAP)


def hero_picture(exhibit: Exhibit, record: Record, width: int = SHEET_WIDTH, passes: int = 96) -> Picture:
    """Many moments of one actor on one floor, from left to right, like a chronophotograph."""
    (body,) = Stage.of(exhibit.build()).bodies.values()
    frames = nearest(record.frames, HERO_MOMENTS)
    drawn, points = [], []
    for place, frame in enumerate(frames):
        ((name, positions),) = frame.positions.items()
        vertices = body.skin.deform(positions, frame.rotations.get(name))
        vertices[:, 0] += HERO_STEP * (place - (len(frames) - 1) / 2)
        colours = body.skin.colours
        assert colours is not None
        drawn.append(Drawable(vertices, body.skin.faces, body.skin.normals(vertices), colours))
        points.append(vertices)
    camera = frame_all(np.concatenate(points), (0.12, 0.3, 1.0), HERO_ASPECT, LENS, margin=0.06)
    with Renderer(width, round(width / HERO_ASPECT), passes, shadow_size=2048) as renderer:
        return renderer.draw(View(drawn, camera, Ground()))


def _fitting(camera: Camera, points: NDArray[np.float64]) -> float:
    """Width over height of the points as the camera sees them: tall action gets tall tiles."""
    local = (points - np.asarray(camera.eye)) @ camera.axes().T
    seen = local[:, :2] / np.maximum(-local[:, 2:], 1e-9)
    wide, tall = np.maximum(np.ptp(seen, axis=0), 1e-9)
    return float(np.clip(1.05 * wide / tall, NARROWEST_TILE, WIDEST_TILE))
