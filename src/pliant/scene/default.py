"""The scene for a bare asset: it falls on the floor, soft enough that its poses show."""

from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from pliant.body import Body
from pliant.scene.assets import Progress, SceneAssets
from pliant.scene.load import checked, names_in
from pliant.scene.origin import Origin
from pliant.scene.schema import Scene
from pliant.scene.standing import stiffness_to_stand, strength_to_stand

GRAVITY = 9.81

# What was found to look good: bodies of two metres and 225 particles, such as the cars of the gallery.
MODEL_SIZE, MODEL_PARTICLES, MODEL_STIFFNESS, MODEL_DAMPING = 2.0, 225, 10.0, 3.0
DROP = 0.6  # of the body's height, below it
STEADY = 0.3  # of the way to its goal a particle may go in one step
SMALLEST_BODY, LARGEST_BODY = 0.25, 8.0  # m: outside it is the gravity that is fitted to the body
SCENE_SECONDS = 4.0
HARDEST = 100.0  # of shape matching


def scene_of(
    path: str | Path,
    *,
    poses: Mapping[str, str | Path] | None = None,
    pose_folder: str | Path | None = None,
    sample: Sequence[float] | None = None,
    progress: Progress = None,
    **options: Any,
) -> Scene:
    """The scene of a body from a file that is dropped on the floor. poses, pose_folder, sample: as for `load`;
    progress: told how far it is with the body; options: kind, particles, mesher, density, thickness. The body is made
    for it, and kept in the user's cache."""
    path, assets = Path(path), SceneAssets()
    asset = assets.read(path, poses, pose_folder, sample)
    body: dict[str, Any] = {"file": path.name, **further_poses(poses, pose_folder, sample)}
    said = {name: value for name, value in options.items() if value is not None}
    data = dropped(body | said, assets.embody(asset, progress, **said).body)
    return checked(data, Origin(folder=path.parent, names=names_in(data), assets=assets))


def further_poses(
    poses: Mapping[str, str | Path] | None = None,
    pose_folder: str | Path | None = None,
    sample: Sequence[float] | None = None,
) -> dict[str, Any]:
    """What `load` is told about poses, as keys of a body. Paths are from here, those of a scene from its folder: they
    become whole."""
    table: dict[str, Any] = {name: {"file": str(Path(path).absolute())} for name, path in (poses or {}).items()}
    table |= {f"at {time:g} s": {"at": float(time)} for time in sample or ()}
    keys: dict[str, Any] = {} if pose_folder is None else {"pose_folder": str(Path(pose_folder).absolute())}
    return keys | ({"poses": table} if table else {})


def dropped(said: dict[str, Any], body: Body) -> dict[str, Any]:
    """A scene in which a body, of which that is said, falls from a height that suits its size, as plain data.

    A falling body of half the length meets the floor with the speed divided by sqrt(2), so to deform as much it has to
    be sqrt(2) times as fast in its own motion: `stiffness`, a frequency squared, goes with 1 / length. A body of
    finer cells is softer: waves pass one cell in a given time, and there are N^(1/3) of them. Very small and very
    large bodies, mostly in other units than metres, get a gravity under which they move like one of a usual size. What
    carries itself badly is harder, and its poses are no stronger than its weight allows (standing.py).
    """
    size = np.ptp(body.skin.vertices, axis=0)
    height, length = float(size[1]), float(size.max())
    usual = min(max(length, SMALLEST_BODY), LARGEST_BODY)
    gravity = GRAVITY * length / usual
    model = suited(body, gravity)
    return {
        "world": {
            "gravity": [0.0, -GRAVITY if usual == length else -float(f"{gravity:.3g}"), 0.0],
            "seconds": SCENE_SECONDS,
            "substeps": steady_substeps(model["stiffness"]),
        },
        "colliders": [{"type": "plane", "name": "ground", "friction": 0.8}],
        "bodies": [
            {
                **said,
                "position": [0.0, float(f"{DROP * max(height, 0.5 * length):.3g}"), 0.0],
                "anchor": "bottom",
                "model": model,
            }
        ],
    }


def suited(body: Body, gravity: float) -> dict[str, float]:
    """Settings of shape matching that suit the size of a body and the gravity it is under: stiffness, example_strength
    and damping. A body twice as long under twice the gravity moves alike."""
    length = float(np.ptp(body.skin.vertices, axis=0).max())
    usual = GRAVITY * length / gravity if gravity > 0.0 else MODEL_SIZE
    stiffness = MODEL_STIFFNESS * (MODEL_SIZE / usual) * (len(body.rest) / MODEL_PARTICLES) ** (2 / 3)
    stiffness = min(round(max(stiffness, stiffness_to_stand(body, gravity)), 1), HARDEST)
    damping = round(MODEL_DAMPING * sqrt(MODEL_SIZE / usual), 1)
    strength = strength_to_stand(body, stiffness, damping, gravity)
    return {"stiffness": stiffness, "example_strength": strength, "damping": damping}


def steady_substeps(stiffness: float) -> int:
    """How many steps a 60th of a second needs."""
    return max(2, ceil(sqrt(stiffness / STEADY)))
