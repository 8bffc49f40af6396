"""Colours: a palette that stays distinct for colour-blind eyes, and the way from sRGB to linear light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.runtime.errors import PliantError

Colour: TypeAlias = "str | Sequence[float] | NDArray[np.floating]"  # "#rrggbb" or sRGB parts 0..1

# Hues after Okabe and Ito's palette, taken down in chroma so that large smooth surfaces stay pleasant.
# Neighbours differ in lightness as well as in hue: a grey print still tells them apart.
ACTORS = (
    "#e8833a",  # apricot
    "#3f8fd2",  # blue
    "#3fae8c",  # jade
    "#d7536b",  # raspberry
    "#f0c548",  # honey
    "#5f4b9e",  # violet
    "#9ad6ea",  # ice
    "#8c4a2c",  # clay
)
COLLIDER = "#c9cdd3"  # things that do not bend: pale and matte, so that the eye goes to what does
HANDLE = "#2b2f38"  # grips and pins
INK = "#3c414b"  # captions


def colour_of(index: int) -> str:
    """The colour of the index-th actor; the palette repeats.

    >>> colour_of(0), colour_of(8)
    ('#e8833a', '#e8833a')
    """
    return ACTORS[index % len(ACTORS)]


def rgb(colour: Colour) -> NDArray[np.float64]:
    """sRGB parts 0..1 of "#rrggbb", of three parts, or of one row of parts per vertex.

    >>> rgb("#ff8000").round(2).tolist()
    [1.0, 0.5, 0.0]
    """
    if isinstance(colour, str):
        digits = colour.removeprefix("#")
        if len(digits) != 6 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
            raise PliantError(f"colour {colour!r} is not of the form '#rrggbb', such as '#e8833a'")
        return np.array([int(digits[at : at + 2], 16) for at in (0, 2, 4)]) / 255.0
    parts = np.asarray(colour, dtype=np.float64)
    if parts.shape[-1:] != (3,) or parts.ndim > 2 or not np.isfinite(parts).all():
        raise PliantError(f"a colour has three finite parts between 0 and 1, not the shape {parts.shape}")
    return np.clip(parts, 0.0, 1.0)


def linear(srgb: ArrayLike) -> NDArray[np.float64]:
    """Light intensity of sRGB values: what may be added and multiplied.

    >>> linear([0.0, 1.0]).tolist()
    [0.0, 1.0]
    """
    value = np.asarray(srgb, dtype=np.float64)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def encoded(light: ArrayLike) -> NDArray[np.float64]:
    """sRGB values of light intensities: the way back from `linear`.

    >>> encoded(linear([0.02, 0.5])).round(6).tolist()
    [0.02, 0.5]
    """
    value = np.asarray(light, dtype=np.float64)
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * np.maximum(value, 0.0) ** (1 / 2.4) - 0.055)


def mix(first: Colour, second: Colour, amount: ArrayLike) -> NDArray[np.float64]:
    """Between two colours in linear light, as sRGB; `amount` may have one value per vertex."""
    share = np.asarray(amount, dtype=np.float64)[..., None]
    return encoded(linear(rgb(first)) * (1.0 - share) + linear(rgb(second)) * share)
