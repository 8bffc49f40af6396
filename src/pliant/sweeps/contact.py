"""Contact sheets: rows side by side, as a picture with a few stills of each, and as small films under one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.sweeps.films import SHEET_STILLS, cut
from pliant.sweeps.place import Place
from pliant.sweeps.ranges import said
from pliant.sweeps.table import SweepTable

if TYPE_CHECKING:
    from pliant.session.render.picture import Picture

CONTACT_PICTURE, CONTACT_FILM = "contact.png", "contact.mp4"
MOST_ON_SHEET = 120  # rows: the best, or the first
MOST_IN_FILM = 48
FILM_FPS = 12.0
CAPTION, LETTERS, SHEET_GAP = 26, 16, 8  # pixels
WHITE_PAPER = 255


def write_sheets(
    table: SweepTable, films: Mapping[str, bytes], place: Place, showing: Callable[[str], None]
) -> list[str]:
    """Both sheets of the rows that have films; returns what was written."""
    shown = [result for result in table.rows if result["key"] in films]
    if not shown:
        return []
    showing(CONTACT_PICTURE)
    place.write(CONTACT_PICTURE, png_of(contact_sheet(table, shown[:MOST_ON_SHEET], films)))
    showing(CONTACT_FILM)
    with TemporaryDirectory(prefix="pliant-") as folder:
        path = Path(folder) / CONTACT_FILM
        film_sheet(table, shown[:MOST_IN_FILM], films, path)
        place.put(path, CONTACT_FILM)
    return [CONTACT_PICTURE, CONTACT_FILM]


def caption_of(table: SweepTable, result: Mapping[str, Any]) -> str:
    """The number of a row and what is special about it: the settings that differ between rows.

    >>> row = {"row": 3, "settings": {"body.stiffness": 0.5, "body.poses.squash": "off"}, "measures": {}}
    >>> caption_of(SweepTable(("body.stiffness", "body.poses.squash"), (), (row,)), row)
    '3   stiffness 0.5   squash off'
    """
    parts = [f"{short(key)} {said(result['settings'].get(key))}" for key in changing(table)]
    return "   ".join([str(result["row"]), *parts])


def changing(table: SweepTable) -> list[str]:
    """Settings that are not the same in all rows; all of them if there is but one row."""
    found = [key for key in table.settings if len({str(each["settings"].get(key)) for each in table.rows}) > 1]
    return found or list(table.settings)


def short(key: str) -> str:
    """The last word of a setting."""
    return key.rpartition(".")[2].replace("_", " ")


def contact_sheet(table: SweepTable, shown: Sequence[Mapping[str, Any]], films: Mapping[str, bytes]) -> Picture:
    """A strip of stills for each row, its caption under it."""
    strips = [np.concatenate(_stills(result, films[result["key"]]), axis=1) for result in shown]
    return _laid_out([_captioned(strip, caption_of(table, row)) for strip, row in zip(strips, shown, strict=True)])


def _stills(result: Mapping[str, Any], jpeg: bytes) -> list[Picture]:
    pictures = cut(jpeg, result["film"]["pictures"])
    chosen = [pictures[place] for place in result["film"]["stills"]]
    return (chosen + [chosen[-1]] * SHEET_STILLS)[:SHEET_STILLS]


def film_sheet(
    table: SweepTable, shown: Sequence[Mapping[str, Any]], films: Mapping[str, bytes], path: Path
) -> None:
    """The small films side by side, with their captions."""
    from pliant.session.render.encoder import Encoder, even

    rows = [cut(films[result["key"]], result["film"]["pictures"]) for result in shown]
    captions = [caption_of(table, result) for result in shown]
    count = max(map(len, rows))

    def frame(at: int) -> Picture:
        here = [pictures[min(at, len(pictures) - 1)] for pictures in rows]
        return _laid_out([_captioned(picture, text) for picture, text in zip(here, captions, strict=True)])

    height, width = frame(0).shape[:2]
    size = even((width, height))
    with Encoder(path, path, size, FILM_FPS) as encoder:
        for at in range(count):
            picture = np.full((size[1], size[0], 3), WHITE_PAPER, np.uint8)
            picture[:height, :width] = frame(at)
            encoder.add(picture)


def _captioned(picture: Picture, text: str) -> Picture:
    from pliant.session.render.picture import caption

    strip = np.full((CAPTION, picture.shape[1], 3), WHITE_PAPER, np.uint8)
    return np.concatenate([picture, caption(strip, text, LETTERS)])


def _laid_out(tiles: Sequence[Picture]) -> Picture:
    """In as many columns as make the sheet about as wide as a screen."""
    from pliant.session.render.picture import tiles as joined

    height, width = tiles[0].shape[:2]
    columns = max(1, min(len(tiles), ceil(sqrt(len(tiles) * 1.6 * height / width))))
    rows = ceil(len(tiles) / columns)
    blank = np.full((height, width, 3), WHITE_PAPER, np.uint8)
    return joined([*tiles, *[blank] * (rows * columns - len(tiles))], columns, gap=SHEET_GAP)


def png_of(picture: Picture) -> bytes:
    """The bytes of a file."""
    import io

    from pliant.session.render.picture import pillow

    made = io.BytesIO()
    pillow().Image.fromarray(picture).save(made, format="png", optimize=True)
    return made.getvalue()


