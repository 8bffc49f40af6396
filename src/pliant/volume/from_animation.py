"""Poses from an animation: the few frames whose convex blends come near to all the others."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pliant.examples.choosing import Choice, choose_columns
from pliant.files.asset import Asset
from pliant.files.motion import Motion, read_motion
from pliant.runtime.errors import FileError, SettingsError
from pliant.volume.filling.rotations import rigid_motion
from pliant.volume.landmarks import Landmarks, landmarks_of
from pliant.volume.naming import describe_in_words, distinct

Array = NDArray[np.float64]

CLIP_FPS = 30.0
MOST_CLIP_FRAMES = 2000  # looked at; a longer clip is looked at less often
MOST_CHOSEN = 32
NEAR_ENOUGH = 0.02  # of the largest change: nearer than this, no eye tells a frame from the blend
LEAST_CHANGE = 2e-3  # of the rest shape: less change is none, as for models (examples/gram.py)


@dataclass(frozen=True, eq=False)
class ChosenFrame:
    """A frame that became a pose: its name, its moment (s), how much of the shape it changes (a part of rest), and how
    far the farthest frame still was from the blends with this one and those before it, as a part of the largest
    change."""

    name: str
    time: float
    change: float
    left: float


@dataclass(frozen=True, eq=False)
class AnimationPoses:
    """asset: the file at rest, with the chosen frames as its poses. frames: of them. times (F,) s: looked at. changes
    (F,): how much of the shape each frame changes; gaps (F,): how far it is from the blends, both as a part of rest.
    curve (K + 1, 2): farthest and root mean square gap with the first 0, 1, ... poses, as a part of the largest change.
    redundant: moments (s) that were chosen, and left out again because later ones make up for them."""

    asset: Asset
    frames: tuple[ChosenFrame, ...]
    times: Array
    changes: Array
    gaps: Array
    curve: Array
    redundant: tuple[float, ...]


def poses_from_animation(
    path: str | Path,
    count: int = 4,
    *,
    tolerance: float = NEAR_ENOUGH,
    fps: float = CLIP_FPS,
    progress: Callable[[int, int], None] | None = None,
) -> AnimationPoses:
    """Choose up to `count` poses from the animation of a file (skinned, morphed or moved point by point), so that all
    its frames are near their convex blends. Fewer are chosen if no frame is left that is farther than `tolerance` of
    the largest change. The whole body's motion is taken out: a pose stands where the rest shape does.
    """
    if not 1 <= count <= MOST_CHOSEN:
        raise SettingsError(f"poses from an animation: count is {count}; give a number from 1 to {MOST_CHOSEN}")
    if not 0 <= tolerance < 1:
        raise SettingsError(f"poses from an animation: tolerance is {tolerance:g}; give a part of 1, such as 0.02")
    if not 0 < fps <= 1000:
        raise SettingsError(f"poses from an animation: fps is {fps:g}; give a number above 0, such as 30")
    motion = read_motion(path)
    _check_surface(motion.asset)
    marks = landmarks_of(motion.asset)
    times = motion.times(fps, MOST_CLIP_FRAMES)
    places = motion.places(times, marks.rows)
    columns = np.empty((len(times), 3 * len(marks.parts.members)), np.float32)
    for frame in range(len(times)):
        columns[frame] = marks.describe(places[frame])
        if progress:
            progress(frame + 1, len(times))
    gram = np.asarray(columns @ columns.T, np.float64)
    changes = np.sqrt(np.maximum(np.diagonal(gram), 0.0))
    largest = float(changes.max())
    if largest < LEAST_CHANGE:
        raise FileError(
            f"{path}: its animation moves the body as a whole and changes its shape by {largest:.1g} of it; there is "
            "no pose to take from it, export one in which it deforms"
        )
    choice = choose_columns(gram, count, tolerance * largest)
    return _told(motion, marks, times, places, columns, choice, largest)


def _check_surface(asset: Asset) -> None:
    if len(asset.faces) == 0:
        raise FileError(f"{asset.source}: there is no surface in it; poses are taken from the animation of a mesh")


def _told(
    motion: Motion,
    marks: Landmarks,
    times: Array,
    places: Array,
    columns: NDArray[np.float32],
    choice: Choice,
    most: float,
) -> AnimationPoses:
    asset = motion.asset
    everything = np.arange(len(asset.vertices))
    shapes = motion.places(times[choice.chosen], everything)
    members = {name: np.isin(marks.rows, vertices) for name, vertices in asset.groups.items()}
    names = []
    poses = []
    for frame, shape in zip(choice.chosen, shapes, strict=True):
        turn, shift = rigid_motion(places[frame], marks.rest, marks.areas)
        poses.append(shape @ turn.T + shift)
        change = np.add.reduceat(
            np.square(columns[frame], dtype=np.float64).reshape(-1, 3).sum(axis=1), marks.parts.starts[:-1]
        )
        names.append(describe_in_words(marks.rest, places[frame] @ turn.T + shift, marks.parts, change, members))
    changes = np.sqrt(np.square(columns.astype(np.float64)).sum(axis=1))
    names = distinct(names, times[choice.chosen])
    frames = tuple(
        ChosenFrame(name, float(times[frame]), float(changes[frame]), float(choice.curve[number + 1, 0]) / most)
        for number, (name, frame) in enumerate(zip(names, choice.chosen, strict=True))
    )
    notes = tuple(note for note in asset.notes if "to sample" not in note)
    if asset.poses:
        notes = (*notes, f"its {len(asset.poses)} shape keys give way to the poses of the animation")
    return AnimationPoses(
        replace(asset, poses=dict(zip(names, poses, strict=True)), notes=notes, span=None),
        frames,
        times,
        changes,
        choice.gaps,
        choice.curve / most,
        tuple(float(times[frame]) for frame in choice.redundant),
    )
