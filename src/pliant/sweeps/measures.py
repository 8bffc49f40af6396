"""What a sweep measures of every bake: a number for each name. They are found from what was recorded alone, so a bake
that was interrupted has the same numbers as one that was not.

    weight(POSE), when(POSE)    the largest weight of a pose in any group, and when (s)
    near(POSE), near_when(POSE) the smallest distance of the skin from the pose, in diagonals of the body, and when (s)
    rest_time                   when all bodies have come to rest for good (s); nothing if they have not
    overlap                     how deep a body is in another one or in an obstacle, in diagonals (overlap.py)
    energy, energy_end          the largest kinetic energy, and that at the end (J)
    energy_lost                 of motion and height, from the first frame to the last (J)
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pliant.files.take import Take, Track
from pliant.geometry.measures import diagonal
from pliant.scene.conditions import condition_of
from pliant.session.frames import frame_at
from pliant.sweeps.overlap import deepest_overlap
from pliant.world.distances import pose_distances

if TYPE_CHECKING:
    from pliant.gallery.exhibit import Exhibit
    from pliant.scene.show import Show

Array = NDArray[np.float64]
Value = float | bool | None
RESTING_SPEED = 0.01  # of the speed after a fall through its own diagonal; without gravity of its fastest moment
MEASURE_DIGITS = 9  # of a measure: sums of NumPy differ in the last ones from processor to processor
OF_POSES = ("weight", "when", "near", "near_when")
OF_ALL = ("rest_time", "overlap", "energy", "energy_end", "energy_lost")


def measured(show: "Show", take: Take) -> dict[str, Value]:
    """All ready measures of a take; `show` tells obstacles and gravity."""
    found: dict[str, Value] = {}
    gravity = show.world.gravity
    for (kind, pose), value in _of_poses(take).items():
        found[f"{kind}({pose})"] = value
    found["rest_time"] = _rest_time(take, float(np.linalg.norm(gravity)))
    found["overlap"] = deepest_overlap(take, show.world.colliders)
    kinetic = sum((_kinetic(track, take.fps) for track in take.tracks), np.zeros(take.frames))
    found["energy"], found["energy_end"] = float(kinetic.max()), float(kinetic[-1])
    fallen = sum(_work(track, gravity) for track in take.tracks)
    found["energy_lost"] = float(fallen + kinetic[0] - kinetic[-1])
    return {name: None if value is None else float(f"{value:.{MEASURE_DIGITS}g}") for name, value in found.items()}


def checked(checks: Mapping[str, str], found: Mapping[str, Value]) -> dict[str, Value]:
    """The scene's own checks, each passed or not."""
    told: dict[str, Value] = {}
    for name, text in checks.items():
        condition = condition_of(text)
        told[f"check({name})"] = condition.holds(found.get(condition.measure))
    return told


def checked_exhibit(exhibit: "Exhibit", take: Take) -> dict[str, Value]:
    """The checks of an exhibit: what each found, and whether it passed. They are written for its own length; a bake
    that is too short for one fails it."""
    from pliant.gallery.exhibit import Record

    record = Record(take.times, tuple(frame_at(take, at) for at in range(take.frames)))
    try:
        checks = exhibit.check(record)
    except (IndexError, ValueError, KeyError):
        return {"check(long enough)": False}
    told: dict[str, Value] = {}
    for check in checks:
        name = check.text.replace("(", "[").replace(")", "]")
        told[f"value({name})"], told[f"check({name})"] = float(check.value), bool(check.passed)
    return told


def names_for(show: "Show") -> list[str]:
    """The names that `measured` will find, before anything is played."""
    actors = [(actor.name, tuple(actor.body.poses), id(actor.body)) for actor in show.world.actors]
    return [f"{kind}({pose})" for pose in _labels(actors) for kind in OF_POSES] + list(OF_ALL)


# ---- poses ---------------------------------------------------------------------------------------------------


def _labels(actors: Sequence[tuple[str, tuple[str, ...], int]]) -> dict[str, list[tuple[str, int]]]:
    """What the poses are called, and whose they are: (actor, number of the pose). A pose that one body alone has goes
    by its name; where several have one of that name, by body.pose. Copies of a body are one."""
    alike = Counter((_stem(name), body) for name, _, body in actors)
    called = {name: (_stem(name) if alike[_stem(name), body] > 1 else name) for name, _, body in actors}
    owners: dict[str, set[str]] = {}
    for name, poses, _ in actors:
        for pose in poses:
            owners.setdefault(pose, set()).add(called[name])
    found: dict[str, list[tuple[str, int]]] = {}
    for name, poses, _ in actors:
        for number, pose in enumerate(poses, 1):
            label = pose if len(owners[pose]) == 1 else f"{called[name]}.{pose}"
            found.setdefault(label, []).append((name, number))
    return found


def _stem(name: str) -> str:
    """The name of a copy without its number."""
    stem, _, number = name.rpartition(" ")
    return stem if stem and number.isdecimal() else name


def _of_poses(take: Take) -> dict[tuple[str, str], Value]:
    tracks = {track.name: track for track in take.tracks}
    actors = [(track.name, tuple(track.body.poses), id(track.body)) for track in take.tracks]
    away = {name: _distances(track) for name, track in tracks.items() if track.body.poses}
    found: dict[tuple[str, str], Value] = {}
    for label, whose in _labels(actors).items():
        largest = np.max([tracks[name].weights[:, :, number].max(axis=1) for name, number in whose], axis=0)
        nearest = np.min([away[name][:, number] for name, number in whose], axis=0)
        for kind, series, at in (("weight", largest, int(largest.argmax())), ("near", nearest, int(nearest.argmin()))):
            found[kind, label] = float(series[at])
            found["when" if kind == "weight" else "near_when", label] = at / take.fps
    return found


def _distances(track: Track) -> Array:
    """(T, 1 + K): of the skin from rest and from each pose."""
    return np.stack([pose_distances(track.body, track.surface(at)) for at in range(len(track.positions))])


# ---- motion --------------------------------------------------------------------------------------------------


def _steps(track: Track, fps: float) -> "Callable[[int], Array]":
    """Velocities (V, 3) m/s of a frame: from the frame before it, of the first to the one after."""
    last = len(track.positions) - 1

    def at(frame: int) -> Array:
        after = min(max(frame, 1), last)
        before = max(after - 1, 0)
        way = np.asarray(track.positions[after], np.float64) - np.asarray(track.positions[before], np.float64)
        return way * fps

    return at


def _kinetic(track: Track, fps: float) -> Array:
    """(T,) J, of the particles."""
    speed = _steps(track, fps)
    masses = track.body.masses
    return np.array([0.5 * float(masses @ np.square(speed(at)).sum(axis=1)) for at in range(len(track.positions))])


def _work(track: Track, gravity: Array) -> float:
    """J that gravity has given from the first frame to the last."""
    way = np.asarray(track.positions[-1], np.float64) - np.asarray(track.positions[0], np.float64)
    return float(track.body.masses @ way @ gravity)


def _rest_time(take: Take, gravity: float) -> float | None:
    """The first moment after which no body moves any more."""
    moving = -1
    for track in take.tracks:
        speeds = np.sqrt(2.0 * _kinetic(track, take.fps) / track.body.mass)
        fall = sqrt(2.0 * gravity * diagonal(track.body.rest))
        fast = RESTING_SPEED * (fall if fall > 0.0 else float(speeds.max()))
        moving = max(moving, int(np.flatnonzero(speeds > fast).max(initial=-1)))
    return None if moving >= take.frames - 1 else (moving + 1) / take.fps
