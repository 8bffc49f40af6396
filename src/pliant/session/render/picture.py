"""Finished pictures: joined to sheets, captioned, and written as PNG files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.runtime.errors import PliantError
from pliant.session.render.context import NO_PACKAGE
from pliant.session.render.palette import INK, Colour, rgb

Picture = NDArray[np.uint8]  # (height, width, 3) sRGB, first row on top


def tiles(
    pictures: Sequence[Picture],
    columns: int | None = None,
    captions: Sequence[str] = (),
    gap: int = 6,
    paper: Colour = "#ffffff",
) -> Picture:
    """Pictures of one size side by side, `columns` in a row (None: all of them), a caption under each.

    >>> black = np.zeros((40, 60, 3), np.uint8)
    >>> tiles([black, black, black], columns=2, gap=10).shape
    (90, 130, 3)
    """
    if not pictures:
        raise PliantError("tiles: there is no picture to join")
    height, width = pictures[0].shape[:2]
    if any(picture.shape != pictures[0].shape for picture in pictures):
        raise PliantError("tiles: the pictures differ in size; draw them with one renderer")
    if captions and len(captions) != len(pictures):
        raise PliantError(f"tiles: {len(captions)} captions for {len(pictures)} pictures; give one each")
    columns = min(columns or len(pictures), len(pictures))
    rows = -(-len(pictures) // columns)
    letters = max(12, round(height / 24))
    strip = 2 * letters if captions else 0
    sheet_size = (rows * (height + strip) + (rows - 1) * gap, columns * width + (columns - 1) * gap, 3)
    sheet = np.empty(sheet_size, np.uint8)
    sheet[:] = np.round(255 * rgb(paper))
    for index, picture in enumerate(pictures):
        row, column = divmod(index, columns)
        top, left = row * (height + strip + gap), column * (width + gap)
        sheet[top : top + height, left : left + width] = picture
        if captions:
            under = sheet[top + height : top + height + strip, left : left + width]
            under[:] = caption(under, captions[index], letters)
    return sheet


def caption(picture: Picture, text: str, letters: int = 20, colour: Colour = INK) -> Picture:
    """A copy with the text in its middle, `letters` pixels high, smaller where it would not fit."""
    from_pillow = pillow()
    canvas = from_pillow.Image.fromarray(picture)
    pen = from_pillow.ImageDraw.Draw(canvas)
    ink = tuple(round(255 * float(part)) for part in rgb(colour))
    while True:
        font = from_pillow.ImageFont.load_default(letters)
        if letters <= 8 or pen.textlength(text, font=font) <= 0.96 * picture.shape[1]:
            break
        letters -= 1
    pen.text((picture.shape[1] / 2, picture.shape[0] / 2), text, fill=ink, font=font, anchor="mm")
    return np.asarray(canvas)


def write_png(path: str | os.PathLike[str], picture: Picture) -> Path:
    """Writes the file whole or not at all; missing folders are made."""
    path = Path(path)
    image = pillow().Image.fromarray(np.ascontiguousarray(picture, np.uint8))
    name = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            name = file.name
            image.save(file, format="png", optimize=True)
        os.chmod(name, 0o666 & ~_umask())  # a temporary file is private, a picture is not
        os.replace(name, path)
    except OSError as error:
        raise PliantError(f"{path}: cannot write the picture ({error.strerror or error})") from error
    finally:
        if name is not None and os.path.exists(name):
            os.unlink(name)
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def pillow() -> Any:
    try:
        import PIL.Image
        import PIL.ImageDraw
        import PIL.ImageFont
    except ImportError as error:
        raise PliantError(NO_PACKAGE) from error
    return PIL
