"""Sheets of several pictures: a film strip of frames over time, and the poses of a body side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.body import Body
from pliant.runtime.errors import PliantError
from pliant.session.render.camera import Camera, frame_all
from pliant.session.render.painting import pieces_of
from pliant.session.render.palette import Colour, colour_of
from pliant.session.render.picture import Picture, tiles
from pliant.session.render.renderer import Renderer
from pliant.session.render.stage import SHADOW_MARGIN, Stage
from pliant.session.render.view import Ground, View
from pliant.world import Frame

TILE_HEIGHT = 480  # pixels of a tile
NARROW, WIDE = 0.6, 1.6  # width of a tile over its height


def nearest(frames: Sequence[Frame], times: Sequence[float]) -> list[Frame]:
    """For each time the frame that is closest to it."""
    if not frames:
        raise PliantError("film strip: the record has no frames")
    clock = np.array([frame.time for frame in frames])
    return [frames[int(np.abs(clock - time).argmin())] for time in times]


def film_strip(
    stage: Stage,
    frames: Sequence[Frame],
    *,
    camera: Any = None,
    captions: Sequence[str] | None = None,
    columns: int | None = None,
    height: int = TILE_HEIGHT,
    passes: int = 64,
    progress: Callable[[int, int], None] | None = None,
) -> Picture:
    """Frames as tiles in one row or several, all from one camera, their times underneath.

    `camera` as in Stage.camera; `progress(done, all)` is called after each tile.
    """
    aspect = _aspect(stage.camera(frames, camera), stage, frames)
    eye = stage.camera(frames, camera, aspect)
    pictures = []
    with Renderer(round(height * aspect), height, passes) as renderer:
        for done, frame in enumerate(frames, 1):
            pictures.append(renderer.draw(stage.view(frame, eye)))
            if progress:
                progress(done, len(frames))
    if captions is None:
        captions = [f"{frame.time:.2f} s" for frame in frames]
    return tiles(pictures, columns, captions)


def pose_sheet(
    body: Body,
    *,
    colour: Colour | None = None,
    columns: int | None = None,
    height: int = TILE_HEIGHT,
    passes: int = 64,
    colours: Sequence[Any] | None = None,
) -> Picture:
    """The rest shape and the poses side by side, their names underneath. colours: of the vertices (N, 3), sRGB 0 to 1,
    at rest and in each pose, instead of how the body is painted."""
    shapes = {"rest": body.skin.vertices} | {pose: body.surface(pose) for pose in body.poses}
    skins = []
    for vertices in shapes.values():
        middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
        skins.append(vertices - [middle[0], vertices[:, 1].min(), middle[2]])  # each stands on the ground
    everything = np.concatenate(skins)
    aspect = _fitting(frame_all(everything), everything)
    plain = colour_of(0) if colour is None else colour
    pieces, _ = pieces_of(body.skin, plain, own_look=colour is None)
    pictures = []
    with Renderer(round(height * aspect), height, passes) as renderer:
        camera = frame_all(everything, aspect=aspect, margin=SHADOW_MARGIN)
        for number, vertices in enumerate(skins):
            if colours is not None:
                pieces, _ = pieces_of(replace(body.skin, look=None, colours=colours[number]), plain)
            normals = body.skin.normals(vertices)
            drawn = [piece.moved(vertices, normals) for piece in pieces]
            pictures.append(renderer.draw(View(drawn, camera, Ground())))
    return tiles(pictures, columns, list(shapes))


def _aspect(camera: Camera, stage: Stage, frames: Sequence[Frame]) -> float:
    return _fitting(camera, stage.extent(frames))


def _fitting(camera: Camera, points: np.ndarray) -> float:
    """Width over height of the points as the camera sees them: tall action gets tall tiles."""
    local = (points - np.asarray(camera.eye)) @ camera.axes().T
    seen = local[:, :2] / np.maximum(-local[:, 2:], 1e-9)
    wide, tall = np.maximum(np.ptp(seen, axis=0), 1e-9)
    return float(np.clip(1.05 * wide / tall, NARROW, WIDE))
