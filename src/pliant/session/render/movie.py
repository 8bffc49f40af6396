"""Films (.mp4) and folders of pictures of takes: one, or several side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.files.take import Take
from pliant.files.whole import whole_file, whole_folder
from pliant.runtime.errors import FileError, PliantError
from pliant.session.frames import frame_at
from pliant.session.render.action import Action
from pliant.session.render.camera import Camera
from pliant.session.render.encoder import Encoder, even, find_ffmpeg
from pliant.session.render.film_lights import QUALITIES
from pliant.session.render.film_renderer import FilmRenderer
from pliant.session.render.framing import frame_action
from pliant.session.render.palette import rgb
from pliant.session.render.picture import Picture, caption, pillow
from pliant.session.render.stage import Stage
from pliant.session.render.view import Ground, View, handle
from pliant.world import Collider, Frame

Array = NDArray[np.float64]
Grips: TypeAlias = "Callable[[Frame], Sequence[tuple[ArrayLike, ArrayLike]]]"

GAP = 6  # pixels between pictures side by side
SMALLEST_SIDE = 16  # pixels of a picture's side
LARGEST_SIDE = 8192
HANDLE_SIZE = 0.025  # of the bodies' size: the balls of handles
PAPER = "#ffffff"


def write_movie(
    takes: Take | Sequence[Take],
    path: str | os.PathLike[str],
    *,
    colliders: Sequence[Collider] | Sequence[Sequence[Collider]] = (),
    camera: Any = None,
    size: tuple[int, int] = (1280, 720),
    captions: Sequence[str] = (),
    grips: Grips | Sequence[Grips | None] | None = None,
    quality: str = "good",
    follow: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[str, ...]:
    """Writes an .mp4 (H.264) with a picture for each frame, as many a second as the take has.

    Several takes are shown side by side through one camera; a shorter one waits at its end. `colliders` and `grips`:
    for all takes, or one entry each. `camera`: the direction to look from, (eye, target), or a Camera. `captions`: one
    a take, under its picture. `quality`: "good", or "draft" in half the time. `follow`: whether the camera goes along;
    if not said, it does when the bodies travel far. Odd sizes are made even. Returns notes on what could not be shown.
    """
    path = Path(path)
    find_ffmpeg(path)
    film = _Film(path, takes, colliders, camera, even(_checked(path, size)), captions, grips, quality, follow)
    with whole_file(path) as place, Encoder(path, place, film.size, film.fps, quality) as encoder:
        for done, picture in enumerate(film.pictures(), 1):
            encoder.add(picture)
            if progress:
                progress(done, film.frames)
    return film.notes


def write_pictures(
    takes: Take | Sequence[Take],
    folder: str | os.PathLike[str],
    *,
    colliders: Sequence[Collider] | Sequence[Sequence[Collider]] = (),
    camera: Any = None,
    size: tuple[int, int] = (1280, 720),
    captions: Sequence[str] = (),
    grips: Grips | Sequence[Grips | None] | None = None,
    quality: str = "good",
    follow: bool | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[str, ...]:
    """The same as a folder with frame_0001.png, frame_0002.png …; a folder that is there already is replaced."""
    folder = Path(folder)
    film = _Film(folder, takes, colliders, camera, _checked(folder, size), captions, grips, quality, follow)
    library, digits = pillow(), max(4, len(str(film.frames)))
    with whole_folder(folder) as place:
        for number, picture in enumerate(film.pictures(), 1):
            library.Image.fromarray(picture).save(place / f"frame_{number:0{digits}}.png", format="png")
            if progress:
                progress(number, film.frames)
    return film.notes


def pictures_of(
    take: Take,
    *,
    colliders: Sequence[Collider] = (),
    camera: Any = None,
    size: tuple[int, int] = (1280, 720),
    quality: str = "good",
) -> Iterator[Picture]:
    """The same as pictures, one after another; each has to be used before the next is asked for."""
    yield from _Film(Path(take.name), take, colliders, camera, size, (), None, quality, None).pictures()


def camera_of(take: Take, colliders: Sequence[Collider], wish: Any, aspect: float) -> Camera:
    """The camera that sees all of a take from a direction, standing still."""
    size = (round(100 * aspect), 100)
    return _Film(Path(take.name), take, colliders, wish, size, (), None, "draft", False).framing.camera(0)


class _Film:
    """What is shown, from where and on which part of the picture."""

    def __init__(
        self,
        path: Path,
        takes: Take | Sequence[Take],
        colliders: Any,
        camera: Any,
        size: tuple[int, int],
        captions: Sequence[str],
        grips: Any,
        quality: str,
        follow: bool | None,
    ) -> None:
        self.takes = (takes,) if isinstance(takes, Take) else tuple(takes)
        count = len(self.takes)
        if not count or not all(take.frames for take in self.takes):
            raise FileError(f"{path}: there is no frame to show; bake at least one")
        self.frames, self.fps = max(take.frames for take in self.takes), self.takes[0].fps
        if any(take.fps != self.fps for take in self.takes) or not 0 < self.fps <= 1000:
            rates = ", ".join(f"{take.fps:g}" for take in self.takes)
            raise FileError(f"{path}: frames a second are {rates}; give all takes the same, from 1 to 1000")
        captions = (captions,) if isinstance(captions, str) else tuple(captions)
        if captions and len(captions) != count:
            raise FileError(f"{path}: {len(captions)} captions for {count} takes; give one each")
        if quality not in QUALITIES:
            raise FileError(f'{path}: quality is {quality!r}; give "good" or "draft"')
        self.size, self.quality = size, quality
        self.stages = [
            Stage({track.name: track.body for track in take.tracks}, obstacles)
            for take, obstacles in zip(self.takes, _one_each(path, "colliders", colliders, count), strict=True)
        ]
        self.grips = _one_each(path, "grips", grips, count)
        everything = tuple(dict.fromkeys(each for stage in self.stages for each in stage.colliders))
        action = Action(self.frames, self.fps, self._points, everything)
        try:
            self.layout = _Layout(path, size, count, captions, action.shape_seen(camera))
            self.framing = frame_action(action, camera, self.layout.tile[0] / self.layout.tile[1], follow)
        except FileError:
            raise
        except PliantError as error:
            raise FileError(f"{path}: {error}") from error
        spans = np.linalg.norm(action.boxes[:, 1] - action.boxes[:, 0], axis=1)
        self.mark = HANDLE_SIZE * float(np.median(spans))

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(note for stage in self.stages for note in stage.notes))

    def pictures(self) -> Iterator[Picture]:
        """The finished frames, one after another; each has to be used before the next is asked for."""
        canvas = self.layout.canvas()
        with FilmRenderer(*self.layout.tile, self.quality) as renderer:
            for frame in range(self.frames):
                for index, (left, top) in enumerate(self.layout.places):
                    drawn = renderer.draw(self._view(index, frame), self.framing.ball(frame), index)
                    canvas[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
                yield canvas

    def _view(self, index: int, frame: int) -> View:
        stage, camera = self.stages[index], self.framing.camera(frame)
        now = frame_at(self.takes[index], frame)
        marks = [handle(grip, target, self.mark) for grip, target in self._held(index, now)]
        ground = stage.ground()
        if ground is not None and self.framing.grid:
            ground = Ground(ground.height, self.framing.grid)
        return View([*stage.actors(now), *stage.obstacles(now.time), *marks], camera, ground)

    def _held(self, index: int, now: Frame) -> Sequence[tuple[ArrayLike, ArrayLike]]:
        grips = self.grips[index]
        return grips(now) if grips else ()

    def _points(self, frame: int) -> list[Array]:
        """All that must be seen in a frame."""
        clouds = []
        for index, take in enumerate(self.takes):
            now = frame_at(take, frame)
            clouds += [now.surface(track.name) for track in take.tracks if len(track.body.skin.vertices)]
            clouds += [np.asarray(pair, dtype=np.float64).reshape(-1, 3) for pair in self._held(index, now)]
        return clouds


class _Layout:
    """Where the pictures of several takes are: in as many rows as show the action largest."""

    def __init__(
        self, path: Path, size: tuple[int, int], count: int, captions: Sequence[str], shape: tuple[float, float]
    ) -> None:
        self.size, self.captions = size, captions

        def tile(columns: int) -> tuple[int, int]:
            rows = -(-count // columns)
            width = (size[0] - GAP * (columns - 1)) // columns
            height = (size[1] - GAP * (rows - 1)) // rows
            return width, height - (_strip(height) if captions else 0)

        def largest(columns: int) -> float:
            width, height = tile(columns)
            return min(width / shape[0], height / shape[1])

        self.columns = max(range(count, 0, -1), key=largest)
        self.tile = tile(self.columns)
        if min(self.tile) < SMALLEST_SIDE:
            small = f"{size[0]} x {size[1]} pixels are too few for {count} pictures side by side"
            raise FileError(f"{path}: {small}; give a larger size")
        rows = -(-count // self.columns)
        width, height = self.tile
        full = (size[1] - GAP * (rows - 1)) // rows
        self.strip = full - height
        left = (size[0] - self.columns * width - GAP * (self.columns - 1)) // 2
        self.places = [
            (left + (index % self.columns) * (width + GAP), (index // self.columns) * (full + GAP))
            for index in range(count)
        ]

    def canvas(self) -> Picture:
        """The paper with the captions on it."""
        sheet = np.empty((self.size[1], self.size[0], 3), np.uint8)
        sheet[:] = np.round(255 * rgb(PAPER))
        width, height = self.tile
        for (left, top), text in zip(self.places, self.captions, strict=False):
            under = sheet[top + height : top + height + self.strip, left : left + width]
            under[:] = caption(under, text, round(0.45 * self.strip))
        return sheet


def _strip(height: int) -> int:
    """Pixels under a picture for its caption."""
    return max(24, round(height / 12))


def _one_each(path: Path, what: str, given: Any, count: int) -> list[Any]:
    """One entry a take, of what was given for all of them or for each."""
    if given is None or callable(given):
        return [given] * count
    if what == "colliders" and all(isinstance(each, Collider) for each in given):
        return [tuple(given)] * count
    if len(given) != count:
        raise FileError(f"{path}: {what} for {len(given)} takes, but there are {count}; give one entry each")
    return list(given)


def _checked(path: Path, size: tuple[int, int]) -> tuple[int, int]:
    try:
        width, height = (int(side) for side in size)
    except (TypeError, ValueError):
        width = height = 0
    if not (SMALLEST_SIDE <= width <= LARGEST_SIDE and SMALLEST_SIDE <= height <= LARGEST_SIDE):
        wanted = f"give two numbers of pixels from {SMALLEST_SIDE} to {LARGEST_SIDE}"
        raise FileError(f"{path}: the size is {size}; {wanted}")
    return width, height
