"""The exhibits of finite elements fail their checks when the examples are taken away, and their poses are sound."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import pliant
from pliant.elastic.elements import elements_of
from pliant.gallery import (
    all_models,
    balloon_nose,
    buckling_tube,
    car_obstacles,
    gummy_bear,
    pressed_shoe,
    three_cuboids,
)
from pliant.gallery.exhibit import Exhibit, play
from pliant.gallery.listing import find


def without_examples(exhibit: Exhibit) -> Exhibit:
    def build() -> pliant.World:
        world = exhibit.build()
        for actor in world.actors:
            name = "example_stiffness" if isinstance(actor.settings, pliant.Fem) else "example_strength"
            actor.settings = actor.settings.changed(**{name: 0.0})
        return world

    return replace(exhibit, build=build)


# The moments after which nothing is measured that examples make: to come back to rest is of no interest here.
LAST = {
    "pressed-shoe": pressed_shoe.HEEL + 0.15,
    "balloon-nose": balloon_nose.HOLD,
    "gummy-bear": max(gummy_bear.MOODS.values()) + 0.1,
    "buckling-tube": buckling_tube.PRESSED,
    "all-models": all_models.LANDS + 0.6,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "stiffness-ratios",
            ["degrees of twist at ratio 0.5", "degrees of twist at ratio 40", "the stiffest, degrees"],
        ),
        ("three-cuboids", ["twist: weight", "S: weight", "twist: degrees", "S: metres to either side", "likeness"]),
        ("pressed-shoe", ["toe pressed: weight of the toe", "toe pressed: the tip", "heel pressed: metres wide"]),
        ("balloon-nose", ["weight when the nose", "volume of an ear", "volume of the tail"]),
        ("gummy-bear", ["protest: its weight", "protest: likeness", "proud: its weight", "proud: likeness"]),
        (
            "car-obstacles",
            ["wall: weight of tail up", "wall: likeness", "gate: weight of slim", "rail: weight of banana"],
        ),
        ("buckling-tube", ["buckle: weight under", "buckle: depth", "twist: likeness", "twist: degrees"]),
        ("all-models", ["finite elements: weight", "finite elements: degrees", "oriented particles: degrees"]),
    ],
)
def test_checks_fail_without_examples(name: str, texts: list[str]) -> None:
    exhibit = without_examples(find(name))
    exhibit = replace(exhibit, seconds=LAST.get(name, exhibit.seconds))
    wrong = [check.text for check in exhibit.check(play(exhibit)) if not check.passed]
    for text in texts:
        assert any(line.startswith(text) for line in wrong), f"{text!r} passed; failed: {wrong}"


def with_all_poses(body: pliant.Body, poses: dict[str, np.ndarray]) -> pliant.Body:
    for name, pose in poses.items():
        body = body.with_pose(name, pose)
    return body


@pytest.mark.slow
@pytest.mark.parametrize(
    "made",
    [
        lambda: with_all_poses(three_cuboids.bar(), three_cuboids.poses(three_cuboids.bar())),
        lambda: with_all_poses(buckling_tube.tube(), buckling_tube.poses(buckling_tube.tube())),
        lambda: balloon_nose.dog().with_pose("swollen", balloon_nose.swollen(balloon_nose.dog())),
        pressed_shoe.posed,
        gummy_bear.bear,
        car_obstacles.car,
    ],
    ids=["cuboid", "tube", "dog", "shoe", "bear", "car"],
)
def test_hardly_a_tet_of_a_pose_is_inside_out(made: Callable[[], pliant.Body]) -> None:
    body = made()
    elements = elements_of(body)
    for name, pose in body.poses.items():
        ratios = np.linalg.det(elements.deformation(np.ascontiguousarray(pose).reshape(-1)))
        assert elements.volumes[ratios <= 0].sum() < 0.01 * elements.volumes.sum(), name


def test_examples_of_the_shoe_leave_each_other_alone() -> None:
    body = pressed_shoe.posed()
    moved = {name: np.linalg.norm(pose - body.rest, axis=1) > 1e-6 for name, pose in body.poses.items()}
    assert moved["toe"].any() and moved["heel"].any() and not (moved["toe"] & moved["heel"]).any()


def test_what_swells_on_the_dog_is_not_its_nose() -> None:
    body = balloon_nose.dog()
    pose = balloon_nose.swollen(body)
    assert balloon_nose.volume_of(body, pose, "nose") < 0.95
    for part in ("left ear", "right ear", "tail"):
        assert balloon_nose.volume_of(body, pose, part) > 2
