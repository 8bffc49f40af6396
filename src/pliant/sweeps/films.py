"""Small films: a few pictures of a bake in one .jpg, in rows and columns. A page plays them, a sheet shows some."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.files.take import Take
from pliant.runtime.errors import PliantError
from pliant.world import Collider

if TYPE_CHECKING:
    from pliant.session.render.camera import Camera
    from pliant.session.render.picture import Picture

FILM_SIZE = (240, 180)  # pixels of a picture
FILM_PICTURES, FILM_COLUMNS = 24, 6
SHEET_STILLS = 5  # on the contact sheet
JPEG_QUALITY = 82
FARTHER = 1.08  # times as far as the first row needs: other rows may jump higher


@dataclass(frozen=True)
class FilmSpec:
    """camera: eye, target and field of view (degrees), the same for all rows."""

    camera: tuple[tuple[float, float, float], tuple[float, float, float], float] | None
    size: tuple[int, int] = FILM_SIZE
    pictures: int = FILM_PICTURES


def why_not() -> str:
    """Why no pictures can be drawn here; empty if they can."""
    if any(find_spec(each) is None for each in ("moderngl", "PIL")):
        return "films need more packages; run: pip install 'pliant[render]'"
    from pliant.session.render.context import open_context

    try:
        open_context().release()
    except PliantError as error:
        return str(error)
    return ""


def thinned(take: Take, pictures: int) -> Take:
    """So many frames of a take, evenly spaced, the first and the last among them."""
    count = min(pictures, take.frames)
    chosen = np.linspace(0, take.frames - 1, count).round().astype(int)
    step = (take.frames - 1) / (count - 1) if count > 1 else 1.0
    tracks = tuple(
        replace(
            track,
            positions=track.positions[chosen],
            weights=track.weights[chosen],
            rotations=None if track.rotations is None else track.rotations[chosen],
        )
        for track in take.tracks
    )
    return Take(take.name, take.fps / step, tracks)


def spec_for(take: Take, colliders: Sequence[Collider], wish: Any) -> FilmSpec:
    """Films of all rows through the camera that sees this take."""
    from pliant.session.render.movie import camera_of

    seen = camera_of(thinned(take, FILM_PICTURES), colliders, wish, FILM_SIZE[0] / FILM_SIZE[1])
    eye, target = np.asarray(seen.eye, np.float64), np.asarray(seen.target, np.float64)
    x, y, z = (target + FARTHER * (eye - target)).tolist()
    a, b, c = target.tolist()
    return FilmSpec(((x, y, z), (a, b, c), float(seen.fov)))


def draw(take: Take, colliders: Sequence[Collider], spec: FilmSpec) -> list[Picture]:
    """The pictures of a film."""
    from pliant.session.render.movie import pictures_of

    few = thinned(take, spec.pictures)
    made = pictures_of(few, colliders=colliders, camera=_camera(spec), size=spec.size, quality="draft")
    return [picture.copy() for picture in made]


def _camera(spec: FilmSpec) -> Camera | None:
    from pliant.session.render.camera import Camera

    return None if spec.camera is None else Camera(*spec.camera)


def sheet(pictures: Sequence[Picture], columns: int = FILM_COLUMNS) -> bytes:
    """Pictures of one size as one .jpg, so many in a row; what is left of the last row is white."""
    from pliant.session.render.picture import pillow, tiles

    made = io.BytesIO()
    image = pillow().Image.fromarray(tiles(list(pictures), columns, gap=0))
    image.save(made, format="jpeg", quality=JPEG_QUALITY)
    return made.getvalue()


def cut(jpeg: bytes, count: int, size: tuple[int, int] = FILM_SIZE) -> list[Picture]:
    """The pictures of a sheet."""
    from pliant.session.render.picture import pillow

    whole = np.asarray(pillow().Image.open(io.BytesIO(jpeg)).convert("RGB"))
    width, height = size
    places = [divmod(number, FILM_COLUMNS) for number in range(count)]
    return [whole[r * height : (r + 1) * height, c * width : (c + 1) * width] for r, c in places]


def stills_of(take: Take, pictures: int, count: int = SHEET_STILLS) -> list[int]:
    """Numbers of pictures that tell most: between two of them as much moves as between any other two."""
    few = thinned(take, pictures)
    moved = np.zeros(few.frames)
    for track in few.tracks:
        way = np.diff(np.asarray(track.positions, np.float64), axis=0)
        moved[1:] += np.sqrt(np.square(way).sum(axis=2).mean(axis=1))
    return quantiles(moved, count)


def quantiles(moved: NDArray[np.float64], count: int) -> list[int]:
    """
    >>> quantiles(np.array([0.0, 0, 0, 4, 4, 0, 0, 1]), 4)
    [0, 3, 4, 7]
    """
    way = np.cumsum(moved)
    if way[-1] <= 0.0:
        return [int(each) for each in np.unique(np.linspace(0, len(moved) - 1, count).round())]
    wanted = np.linspace(0.0, way[-1], count)[1:-1]
    inner = [int(np.searchsorted(way, each - 1e-12)) for each in wanted]
    return sorted({0, *inner, len(moved) - 1})
