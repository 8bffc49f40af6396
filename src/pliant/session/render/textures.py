"""Pictures on surfaces: decoded with Pillow from what stood in a file."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.body.look import Image
from pliant.runtime.errors import PliantError
from pliant.session.render.picture import pillow

PICTURE_FORMATS = ("PNG", "JPEG", "WEBP")
LARGEST_TEXTURE = 2048  # pixels a side: more than a film shows of it
MOST_TEXTURE_PIXELS = 100_000_000  # what a file may unpack to
WRAP_MODES = ("repeat", "clamp", "mirror")


@dataclass(frozen=True, eq=False)
class Texture:
    """A picture for a surface. pixels (H, W, 4): sRGB and alpha, first row on top.  wrap: what is beyond its edges
    to the side and up and down; "repeat", "clamp" or "mirror"."""

    pixels: NDArray[np.uint8]
    wrap: tuple[str, str] = ("repeat", "repeat")

    def __post_init__(self) -> None:
        pixels = np.asarray(self.pixels)
        if pixels.ndim != 3 or pixels.shape[2] != 4 or pixels.dtype != np.uint8 or not pixels.size:
            raise PliantError(f"texture: pixels must be bytes of shape (H, W, 4), not {pixels.shape}")
        if any(each not in WRAP_MODES for each in self.wrap):
            raise PliantError(f'texture: wrap is {self.wrap}; give "repeat", "clamp" or "mirror" for each direction')


def decode(image: Image) -> NDArray[np.uint8]:
    """The pixels (H, W, 4) of a picture, no larger than a film needs. A PliantError says why there are none."""
    library = pillow()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of large pictures; the size is checked here
            with library.Image.open(BytesIO(image.data), formats=PICTURE_FORMATS) as opened:
                width, height = opened.size
                if width * height > MOST_TEXTURE_PIXELS:
                    raise PliantError(f"it has {width} x {height} pixels, too many to show")
                opened.draft("RGB", (LARGEST_TEXTURE, LARGEST_TEXTURE))  # a JPEG is unpacked at no more than is needed
                return _shrunk(library, _as_rgba(library, opened))
    except PliantError as error:
        raise PliantError(f'picture "{image.name}": {error}') from error
    except Exception as error:  # a broken picture makes Pillow raise nearly anything
        raise PliantError(f'picture "{image.name}": it is no readable PNG, JPEG or WebP') from error


def _as_rgba(library: Any, opened: Any) -> Any:
    opened.load()
    if opened.mode.startswith(("I", "F")):  # 16 bits a channel: Pillow would cut them off instead of scaling
        grey = np.asarray(opened, dtype=np.float64)
        return library.Image.fromarray(np.clip(np.round(grey / 257.0), 0, 255).astype(np.uint8)).convert("RGBA")
    return opened.convert("RGBA")


def _shrunk(library: Any, picture: Any) -> NDArray[np.uint8]:
    scale = LARGEST_TEXTURE / max(picture.size)
    if scale < 1.0:
        size = tuple(max(1, round(scale * side)) for side in picture.size)
        picture = picture.resize(size, library.Image.Resampling.BOX)
    return np.array(picture, dtype=np.uint8)
