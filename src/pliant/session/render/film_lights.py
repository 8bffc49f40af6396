"""The lights of a film's picture and where their shadows are kept: numbers for the programs of film_shaders.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.session.render.camera import Camera
from pliant.session.render.lights import Studio, sample
from pliant.session.render.renderer import columns, light_matrix

Array = NDArray[np.float64]

BORDER = 2  # texels round a tile that nothing is drawn in: what lies outside is lit
TILE_ROOM = 1.02  # a tile shows a little more than the ball
BLUR = 1.3  # how far the lights of the lamp reach over into their neighbours' shares
SKY_BLUR = 0.8
SKY_REACH = 3.2  # of the ball's radius: ground on which the sky's shade is worked out


@dataclass(frozen=True)
class Quality:
    """How much care a picture gets: lights, texels of their maps a side, lookups a light, samples a pixel."""

    keys: int = 8
    skies: int = 24
    key_size: int = 512
    sky_size: int = 256
    key_taps: int = 3
    sky_taps: int = 2
    lamp_patch: int = 384
    sky_patch: int = 192
    samples: int = 4

    @property
    def atlas(self) -> int:
        """Texels a side of the map that holds all tiles: first the rows of the keys, then those of the skies."""
        across = 4 * self.key_size
        down = -(-self.keys // 4) * self.key_size + -(-self.skies // (across // self.sky_size)) * self.sky_size
        return max(across, down)

    def tiles(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The lower left corners of the tiles of keys and of skies."""
        keys = [(self.key_size * (k % 4), self.key_size * (k // 4)) for k in range(self.keys)]
        start, across = -(-self.keys // 4) * self.key_size, 4 * self.key_size // self.sky_size
        skies = [(self.sky_size * (k % across), start + self.sky_size * (k // across)) for k in range(self.skies)]
        return keys, skies


QUALITIES = {
    "good": Quality(),
    "draft": Quality(keys=4, skies=12, key_size=256, sky_size=128, key_taps=2, lamp_patch=256, sky_patch=128),
}


@dataclass(frozen=True, eq=False)
class Ball:
    """Where the light is worked out: all that casts shadows, and the ground about it."""

    centre: Array
    radius: float


@dataclass(frozen=True, eq=False)
class Tile:
    """A light's place in the map, and the matrix that draws it there."""

    casters: str  # "lamp" or "sky"
    place: tuple[int, int]
    size: int
    matrix: bytes


@dataclass(frozen=True, eq=False)
class Patch:
    """A piece of the ground that has a texture of its own: its middle and its two half sides, in metres."""

    middle: Array
    along: Array
    across: Array

    def matrix(self) -> bytes:
        """From (x, z, 1) on the ground to uv."""
        sides = np.column_stack([2.0 * self.along[[0, 2]], 2.0 * self.across[[0, 2]]])
        matrix = np.eye(3)
        matrix[:2, :2] = np.linalg.inv(sides)
        matrix[:2, 2] = 0.5 - matrix[:2, :2] @ self.middle[[0, 2]]
        return matrix.T.astype(np.float32).tobytes()


class Lighting:
    """uniforms: what all programs that look up light are told.  tiles: of the shadows' map.  key_axis, key_colour,
    sky_colour, open_lamp, open_light: lamp and sky on average, and what of them falls on open ground."""

    def __init__(self, studio: Studio, camera: Camera, ball: Ball, quality: Quality) -> None:
        keys, skies = sample(studio, camera, quality.keys), sample(studio, camera, quality.skies)
        self.ball, self.spread = ball, float(np.tan(np.radians(studio.key_radius)))
        self.key_axis = keys.key.mean(axis=0) / np.linalg.norm(keys.key.mean(axis=0))
        self.key_colour, self.sky_colour = np.asarray(studio.key_colour), skies.sky_light.mean(axis=0)
        self.open_lamp = float(keys.key[:, 1].mean())
        sky = np.mean(2.0 * skies.sky_light * skies.sky[:, 1:2], axis=0)
        self.open_light: Array = self.key_colour * self.open_lamp + sky
        self.uniforms: dict[str, Any] = {
            "depth_scale": 2.0 * TILE_ROOM * ball.radius,
            "key_wide": BLUR * self.spread / np.sqrt(quality.keys),
            "sky_wide": SKY_BLUR * np.sqrt(2.0 / quality.skies),  # a share of the hemisphere, as a cone
            "sky_light": skies.sky_light.astype(np.float32).tobytes(),
        }
        self.tiles: list[Tile] = []
        key_places, sky_places = quality.tiles()
        self._lay_out("key", quality.key_size, key_places, keys.key, keys.turn, quality.atlas)
        self._lay_out("sky", quality.sky_size, sky_places, skies.sky, skies.turn, quality.atlas)

    def _lay_out(
        self, name: str, size: int, places: list[tuple[int, int]], directions: Array, turns: Array, atlas: int
    ) -> None:
        ball, across = self.ball, 2.0 * TILE_ROOM * self.ball.radius  # metres across a tile
        matrices = [
            _snapped(light_matrix(direction, ball.centre, ball.radius, turn), size)
            for direction, turn in zip(directions, turns, strict=True)
        ]
        for place, matrix in zip(places, matrices, strict=True):
            self.tiles.append(Tile("lamp" if name == "key" else "sky", place, size, columns(matrix)))
        edges = [[x + BORDER, y + BORDER, x + size - BORDER, y + size - BORDER] for x, y in places]
        looked_up = [_tile_matrix(place, size, atlas) @ m for place, m in zip(places, matrices, strict=True)]
        self.uniforms |= {
            f"{name}_texel": (across / size, size / atlas / across),
            f"{name}_matrix": b"".join(map(columns, looked_up)),
            f"{name}_tile": (np.array(edges) / atlas).astype(np.float32).tobytes(),
            f"{name}_direction": directions.astype(np.float32).tobytes(),
        }

    def patches(self, height: float) -> tuple[Patch, Patch]:
        """The lamp's patch, about the ball's shadow on the ground, and the sky's, about the ball."""
        axis, centre, radius = self.key_axis, self.ball.centre, self.ball.radius
        drop = max(float(centre[1]) - height, 0.0)
        away = np.array([axis[0], 0.0, axis[2]])
        slope = float(np.linalg.norm(away))
        away = away / slope if slope > 1e-6 else np.array([1.0, 0.0, 0.0])
        shadow = centre - axis * (drop / axis[1])
        half = radius + (drop + radius) * self.spread / axis[1]
        reach = max(SKY_REACH * radius, drop * slope / axis[1] + 1.6 * radius)
        x, z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
        level = np.array([1.0, 0.0, 1.0]), np.array([0.0, height, 0.0])
        lamp = Patch(shadow * level[0] + level[1], half / axis[1] * away, half * np.cross(away, [0.0, 1.0, 0.0]))
        return lamp, Patch(centre * level[0] + level[1], reach * x, reach * z)


def _snapped(matrix: Array, size: int) -> Array:
    """Moved by less than a texel, so that the texels keep their places in the world when the ball moves."""
    step = 2.0 / size
    moved = matrix.copy()
    moved[:2, 3] = np.round(moved[:2, 3] / step) * step
    return moved


def _tile_matrix(place: tuple[int, int], size: int, atlas: int) -> Array:
    """From a light's clip space to uv in its tile and depth."""
    matrix = np.diag([0.5 * size / atlas, 0.5 * size / atlas, 0.5, 1.0])
    matrix[:3, 3] = (place[0] + 0.5 * size) / atlas, (place[1] + 0.5 * size) / atlas, 0.5
    return matrix
