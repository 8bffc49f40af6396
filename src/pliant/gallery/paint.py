"""Painted skins: a pattern that rides on the surface shows how it turns and stretches."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pliant.body import Body, Skin
from pliant.geometry.surfaces import rounded_box

Colour = tuple[float, float, float]  # sRGB, 0 to 1

APRICOT: Colour = (0.91, 0.51, 0.23)
BLUE: Colour = (0.25, 0.56, 0.82)
JADE: Colour = (0.25, 0.68, 0.55)
RASPBERRY: Colour = (0.84, 0.33, 0.42)
LIGHTER = 0.3  # how far the second tone is on the way to white


def chequered(body: Body, colour: Colour, square: float) -> Body:
    """A cuboid with a finer skin in squares of `square` metres, in the colour and a lighter tone of it."""
    skin = _rounded(square, body.rest.tobytes(), body.elements.tobytes(), body.elements.shape[1], body.kind)
    # Just inside the surface, so that a whole face falls into the same row of squares.
    inner = np.floor((0.998 * skin.vertices + body.size / 2) / square)
    light = inner.sum(axis=1) % 2 == 1
    return body.with_skin(replace(skin, colours=_tones(colour, light)))


@lru_cache(maxsize=4)  # rows of bars differ in their colours, and to bind one takes half a second
def _rounded(square: float, rest: bytes, elements: bytes, corners: int, kind: str) -> Skin:
    """A cuboid's skin in steps of a ninth of a square."""
    places = np.frombuffer(rest).reshape(-1, 3)
    x, y, z = (float(side) for side in np.ptp(places, axis=0))
    vertices, faces = rounded_box((x, y, z), radius=0.05 * min(x, y, z), step=square / 9)
    return Skin.bind(vertices, faces, places, np.frombuffer(elements, np.int32).reshape(-1, corners), kind)


def striped(body: Body, colour: Colour, stripes: int = 12) -> Body:
    """Stripes along y, `stripes` of either tone round the body."""
    angle = np.arctan2(body.skin.vertices[:, 2], body.skin.vertices[:, 0])
    light = np.floor(2 * stripes * (angle + np.pi + 1e-3) / (2 * np.pi)) % 2 == 1
    return body.with_skin(replace(body.skin, colours=_tones(colour, light)))


def chequered_sheet(body: Body, colour: Colour, square: float) -> Body:
    """A sheet in squares of `square` metres."""
    places = np.floor((body.skin.vertices[:, [0, 2]] + 1e-6) / square)
    return body.with_skin(replace(body.skin, colours=_tones(colour, places.sum(axis=1) % 2 == 1)))


def banded(body: Body, colour: Colour, width: float) -> Body:
    """Bands of `width` metres across x."""
    light = np.floor((body.skin.vertices[:, 0] + 1e-6) / width) % 2 == 1
    return body.with_skin(replace(body.skin, colours=_tones(colour, light)))


def painted(body: Body, colour: Colour) -> Body:
    """One colour all over."""
    return body.with_skin(replace(body.skin, colours=np.tile(colour, (len(body.skin.vertices), 1))))


def _tones(colour: Colour, light: NDArray[np.bool_]) -> NDArray[np.float64]:
    dark = np.asarray(colour)
    return np.where(light[:, None], dark + LIGHTER * (1.0 - dark), dark)
