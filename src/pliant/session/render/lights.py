"""The studio: one broad lamp and a bright sky, cut into single directions that are drawn one after another.

A pass of the renderer knows two lights, each a direction with a hard shadow. The sum over many passes, in
which the directions wander over the lamp and over the sky, has soft shadows and dark creases (ambient
occlusion) without any further trick; moving the picture by parts of a pixel from pass to pass smooths the
edges at no cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.session.render.camera import Camera

Array = NDArray[np.float64]

LIGHT_SPREAD = 0.7
GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True)
class Studio:
    """Angles in degrees, seen from the camera: azimuth to the right, elevation above the ground."""

    key_azimuth: float = -55.0
    key_elevation: float = 50.0
    key_radius: float = 9.0  # half the lamp's angular size: how soft its shadow is
    key_colour: tuple[float, float, float] = (0.98, 0.91, 0.82)
    sky_colour: tuple[float, float, float] = (0.29, 0.305, 0.33)
    rim_azimuth: float = 140.0  # a second, cool glow of the sky, from behind
    rim_strength: float = 1.6


@dataclass(frozen=True, eq=False)
class Samples:
    """One row per pass."""

    key: Array  # (P, 3) unit, towards the lamp
    key_light: Array  # (P, 3) linear
    sky: Array  # (P, 3) unit, upper half
    sky_light: Array  # (P, 3)
    shift: Array  # (P, 2) of a pixel, -0.5..0.5
    turn: Array  # (P,) radians: each shadow map lies differently, so that its texels average out

    def on_ground(self) -> Array:
        """(3,) mean light on an upward surface with nothing in the way."""
        key = self.key_light * np.maximum(self.key[:, 1:2], 0.0)
        return np.mean(key + 2.0 * self.sky_light * self.sky[:, 1:2], axis=0)


def sample(studio: Studio, camera: Camera, passes: int) -> Samples:
    """The same directions each time: pictures are reproducible and films do not flicker."""
    index = np.arange(passes)
    even = (index + 0.5) / passes
    right, _, back = camera.axes()
    towards = np.array([back[0], 0.0, back[2]])
    if np.linalg.norm(towards) < 1e-6:  # a camera that looks straight down
        towards = np.array([0.0, 0.0, 1.0])
    towards /= np.linalg.norm(towards)

    # Even over a disc and over a hemisphere: Vogel's sunflower, the angle turning by the golden ratio.
    key_axis = _direction(studio.key_azimuth, studio.key_elevation, right, towards)
    side = np.cross([0.0, 1.0, 0.0], key_axis)
    side /= np.linalg.norm(side)
    radius = np.tan(np.radians(studio.key_radius)) * np.sqrt(even)
    angle = 2 * np.pi * GOLDEN * index
    key = key_axis + radius[:, None] * (
        np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.cross(key_axis, side)
    )
    key /= np.linalg.norm(key, axis=1, keepdims=True)

    # Between even over the hemisphere and by the cosine: the ground needs few low lights, a wall some. With
    # height = u^k the density is (1/k) u^(1-k) of the even one, and the light is divided by it.
    height, around = even**LIGHT_SPREAD, angle
    share = LIGHT_SPREAD * even ** (LIGHT_SPREAD - 1.0)
    flat = np.sqrt(1.0 - height**2)
    sky = np.stack([flat * np.cos(around), height, flat * np.sin(around)], axis=1)
    rim_axis = _direction(studio.rim_azimuth, 35.0, right, towards)
    glow = share * (0.75 + 0.5 * height + studio.rim_strength * np.maximum(sky @ rim_axis, 0.0) ** 4)
    # The three sequences run in different orders, or a light would always meet the same part of a pixel.
    order, other = _shuffled(passes, 0), _shuffled(passes, 1)
    return Samples(
        key=key[order],
        key_light=np.tile(studio.key_colour, (passes, 1)),
        sky=sky[other],
        sky_light=np.asarray(studio.sky_colour) * glow[other, None],
        shift=_pixel_shifts(index),
        turn=2 * np.pi * ((index * GOLDEN) % 1.0),
    )


def _direction(azimuth: float, elevation: float, right: Array, towards: Array) -> Array:
    turn, lift = np.radians(azimuth), np.radians(elevation)
    flat = np.cos(turn) * towards + np.sin(turn) * right
    return np.cos(lift) * flat + np.array([0.0, np.sin(lift), 0.0])


def _shuffled(count: int, seed: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed).permutation(count)


def _pixel_shifts(index: NDArray[np.int64]) -> Array:
    # Roberts' R2 sequence: the plastic number does for the square what the golden ratio does for the line.
    plastic = 1.324717957244746
    steps = np.array([1 / plastic, 1 / plastic**2])
    shifts: Array = (0.5 + (index + 1)[:, None] * steps) % 1.0 - 0.5
    return shifts
