"""The tuning guide, scene by scene: each shows its symptom, and each cure on the page cures it."""

import shlex
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from docs.commands import PAGES, commands
from pliant.scene import Show, load_scene, show_of, with_overrides
from pliant.world import Frame

FOLDER = PAGES["docs/tuning/index.md"].parent
SCENES = sorted(path.stem for path in FOLDER.glob("*.toml"))


def speed_at_rest(show: Show, frames: Sequence[Frame]) -> float:
    """m/s of the particles in the last half second, long after the landing."""
    return float(np.mean([np.sqrt((frame.velocities["block"] ** 2).sum(axis=1).mean()) for frame in frames[-30:]]))


def height_left(show: Show, frames: Sequence[Frame]) -> float:
    """Of its height at first."""
    first, last = (np.ptp(frame.positions["column"][:, 1]) for frame in (frames[0], frames[-1]))
    return float(last / first)


def largest_size(show: Show, frames: Sequence[Frame]) -> float:
    """Of its size at first."""
    sizes = [np.linalg.norm(np.ptp(frame.positions["block"], axis=0)) for frame in frames]
    return float(max(sizes) / sizes[0])


def largest_weight(show: Show, frames: Sequence[Frame]) -> float:
    return max(float(frame.weights["bar"][0, 1]) for frame in frames)


def work(show: Show, frames: Sequence[Frame]) -> float:
    """Particles times sub-steps of a frame: what is slow on every machine."""
    substeps = show.world._registry.substepping.substeps(1 / show.fps, show.substeps)
    return substeps * len(frames[0].positions["block"])


def left_above_the_rail(show: Show, frames: Sequence[Frame]) -> float:
    """m of its middle above the rail's."""
    return float(frames[-1].positions["cushion"][:, 1].mean())


class Symptom(NamedTuple):
    """measure: what the eye sees.  ill, well: what it is with the symptom, and without."""

    measure: Callable[[Show, Sequence[Frame]], float]
    ill: Callable[[float], bool]
    well: Callable[[float], bool]


SYMPTOMS = {
    "buzzes": Symptom(speed_at_rest, lambda v: v > 0.3, lambda v: v < 0.05),
    "sags": Symptom(height_left, lambda left: left < 0.8, lambda left: left > 0.95),
    "lies-down": Symptom(height_left, lambda left: left < 0.6, lambda left: left > 0.95),
    "explodes": Symptom(largest_size, lambda times: times > 2, lambda times: times < 1.1),
    "not-taken": Symptom(largest_weight, lambda weight: weight < 0.05, lambda weight: weight > 0.4),
    "too-weak": Symptom(largest_weight, lambda weight: weight < 0.2, lambda weight: weight > 0.6),
    "slow": Symptom(work, lambda count: count > 50_000, lambda count: count < 5_000),
    "passes-through": Symptom(left_above_the_rail, lambda y: y < -5, lambda y: y > 0),
}


def cures(name: str) -> list[list[str]]:
    """What the commands of the page set in a scene."""
    found = [shlex.split(line) for line in commands("docs/tuning/index.md")]
    return [
        [after for word, after in pairwise(words) if word == "--set"]
        for words in found
        if f"{name}.toml" in words and "--set" in words
    ]


def measured(name: str, changes: Sequence[str] = ()) -> float:
    show = show_of(with_overrides(load_scene(Path(FOLDER, f"{name}.toml")), changes))
    return SYMPTOMS[name].measure(show, list(show.play()))


def test_every_scene_is_measured_and_has_a_cure() -> None:
    assert set(SCENES) == set(SYMPTOMS)
    assert all(cures(name) for name in SCENES)


@pytest.mark.parametrize("name", SCENES)
def test_the_scene_shows_its_symptom_and_the_cures_cure_it(name: str) -> None:
    symptom = SYMPTOMS[name]
    assert symptom.ill(value := measured(name)), value
    for changes in cures(name):
        assert symptom.well(value := measured(name, changes)), (changes, value)
