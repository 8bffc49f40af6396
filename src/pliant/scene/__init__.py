"""Scenes: TOML files that say what is in a world, what happens in it and what is written of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pliant.scene.build import stage
from pliant.scene.default import scene_of
from pliant.scene.load import load_scene, scene_from_text
from pliant.scene.overrides import with_overrides
from pliant.scene.save import save_scene, scene_text
from pliant.scene.schema import Scene
from pliant.scene.show import Show, show_of
from pliant.world import Frame

__all__ = [
    "Scene", "Show", "load_scene", "save_scene", "scene_from_text", "scene_of", "scene_text", "show_of", "simulate",
    "stage", "with_overrides",
]  # fmt: skip


def simulate(target: str | Path | Scene, frames: int | None = None, **overrides: Any) -> Iterator[Frame]:
    """Play a scene file, an asset or a scene, frame by frame; the first is the moment before the first step.

    frames: how many; if not said, as many as the scene has. overrides: see `show_of`.

    >>> import pliant
    >>> from pliant.scene import scene_from_text
    >>> scene = scene_from_text('bodies = [{ shape = "ball", particles = 100, position = [0, 3, 0] }]')
    >>> [round(float(frame.positions["ball"][:, 1].mean()), 2) for frame in pliant.simulate(scene, 3, fps=10)]
    [3.0, 2.95, 2.8]
    """
    return show_of(target, **overrides).play(frames)
