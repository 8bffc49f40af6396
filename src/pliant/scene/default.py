"""The scene for a bare asset: it falls on the floor, soft enough that its poses show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.geometry.measures import volumes
from pliant.scene.load import checked, names_in
from pliant.scene.origin import Origin
from pliant.scene.schema import Scene

if TYPE_CHECKING:
    from pliant.files.asset import Asset

PARTICLES = 600  # of a file, if not said
GRAVITY = 9.81

# What was found to look good: bodies of two metres and 225 particles, such as the cars of the gallery.
MODEL_SIZE, MODEL_PARTICLES, MODEL_STIFFNESS, MODEL_DAMPING = 2.0, 225, 10.0, 3.0
MODULUS = 0.45  # E = 0.45 rho s (60 d)^2: of hanging bars of shape matching, s the stiffness, d the spacing
# The strength lets a pose show at the impact and lets go of it: along a pose only 1 - strength of the stiffness holds
# the body up, so with too much of it a body stays down in its squashed pose under its own weight (`strength_for`).
SAG = 0.035  # of its height, that its weight may press a body into a pose; twice that is seen, half of it is a brick
LEAST_STRENGTH, MOST_STRENGTH = 0.8, 0.98  # with less no pose shows, with more it is held too long
SAGGING = 0.9  # of a body so slender that it sags by more without any pose: it topples, so no weight holds it down
DROP = 0.6  # of the body's height, below it
STEADY = 0.3  # of the way to its goal a particle may go in one step
SMALLEST_BODY, LARGEST_BODY = 0.25, 8.0  # m: outside it is the gravity that is fitted to the body
SCENE_SECONDS = 4.0
LEAST_FILLED = 0.01  # of the cube of its length: what a solid fills at least, if its surface does not tell


def scene_of(
    path: str | Path,
    *,
    poses: Mapping[str, str | Path] | None = None,
    pose_folder: str | Path | None = None,
    sample: Sequence[float] | None = None,
    **options: Any,
) -> Scene:
    """The scene of a body from a file that is dropped on the floor. poses, pose_folder, sample: as for `load`;
    options: kind, particles, mesher, density, thickness."""
    from pliant.files.reading import read_asset

    path = Path(path)
    asset = read_asset(path, poses=poses, pose_folder=pose_folder, sample=sample)
    body: dict[str, Any] = {"file": path.name, **further_poses(poses, pose_folder, sample)}
    body |= {name: value for name, value in options.items() if value is not None}
    extent = extent_of(asset, solid=options.get("kind") in (None, "solid"))
    data = dropped(body, extent, options.get("particles") or PARTICLES)
    return checked(data, Origin(folder=path.parent, names=names_in(data)))


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


@dataclass(frozen=True)
class Extent:
    """How tall a body is and its longest side (m), and its volume (m^3); 0 for sheets and ropes."""

    height: float
    length: float
    volume: float = 0.0


def extent_of(asset: "Asset", solid: bool = True) -> Extent:
    """Of the body that an asset becomes. An open surface counts as if its rims were closed towards its middle."""
    size = np.ptp(asset.vertices, axis=0)
    height, length = float(size[1]), float(size.max())
    if asset.tets is not None:
        return Extent(height, length, float(np.abs(volumes(asset.vertices, asset.tets)).sum()))
    if not solid or not len(asset.faces):
        return Extent(height, length)
    middle = asset.vertices.mean(axis=0)
    corners = (asset.vertices - middle)[asset.faces]
    enclosed = abs(float(np.linalg.det(corners).sum()) / 6.0)
    return Extent(height, length, max(enclosed, LEAST_FILLED * length**3))


def strength_for(extent: Extent, particles: int, stiffness: float, gravity: float) -> float:
    """The strength with which a body does not stay in a pose under its own weight.

    Its weight is a stress of rho g H / 2 on average, which shortens it by sag = rho g H / (2 E) of its height. Along a
    pose only 1 - strength of the goals' pull is left, so that much more: sag / (1 - strength) is to be SAG. An impact
    from DROP of its height, whose work is spent on the same spring, still takes it sqrt(2 DROP SAG), a fifth of its
    height, into a pose.

    >>> strength_for(Extent(1.0, 1.0, 1.0), 729, 60.0, 9.81), strength_for(Extent(1.0, 1.0), 100, 10.0, 9.81)
    (0.88, 0.98)
    """
    if extent.volume == 0.0:  # bends under its weight long before it is pressed
        return MOST_STRENGTH
    spacing = (extent.volume / particles) ** (1 / 3)
    sag = gravity * extent.height / (2.0 * MODULUS * stiffness * (60.0 * spacing) ** 2)
    return SAGGING if sag > SAG else round(min(max(1.0 - sag / SAG, LEAST_STRENGTH), MOST_STRENGTH), 2)


def dropped(body: dict[str, Any], extent: Extent, particles: int) -> dict[str, Any]:
    """A scene in which a body falls from a height that suits its size, as plain data.

    A falling body of half the length meets the floor with the speed divided by sqrt(2), so to deform as much it has to
    be sqrt(2) times as fast in its own motion: `stiffness`, a frequency squared, goes with 1 / length. A body of
    finer cells is softer: waves pass one cell in a given time, and there are N^(1/3) of them. Very small and very
    large bodies, mostly in other units than metres, get a gravity under which they move like one of a usual size.
    """
    height, length = extent.height, extent.length
    usual = min(max(length, SMALLEST_BODY), LARGEST_BODY)
    stiffness = MODEL_STIFFNESS * (MODEL_SIZE / usual) * (particles / MODEL_PARTICLES) ** (2 / 3)
    stiffness = min(round(stiffness, 1), 100.0)
    gravity = GRAVITY * length / usual
    return {
        "world": {
            "gravity": [0.0, -GRAVITY if usual == length else -float(f"{gravity:.3g}"), 0.0],
            "seconds": SCENE_SECONDS,
            "substeps": max(2, ceil(sqrt(stiffness / STEADY))),
        },
        "colliders": [{"type": "plane", "name": "ground", "friction": 0.8}],
        "bodies": [
            {
                **body,
                "position": [0.0, float(f"{DROP * max(height, 0.5 * length):.3g}"), 0.0],
                "anchor": "bottom",
                "model": {
                    "stiffness": stiffness,
                    "example_strength": strength_for(extent, particles, stiffness, gravity),
                    "damping": round(MODEL_DAMPING * sqrt(MODEL_SIZE / usual), 1),
                },
            }
        ],
    }
