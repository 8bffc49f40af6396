"""The exhibits of oriented particles fail their checks when what they show is taken away."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pliant
from pliant.gallery import coiling_rope, folding_sheet, particle_twist, surprised_dinosaur
from pliant.gallery.exhibit import Exhibit, play
from pliant.gallery.listing import find


def changed(exhibit: Exhibit, **settings: Any) -> Exhibit:
    """The exhibit with other settings for every actor."""

    def build() -> pliant.World:
        world = exhibit.build()
        for actor in world.actors:
            actor.settings = actor.settings.changed(**settings)
        return world

    return replace(exhibit, build=build)


def assert_fails(exhibit: Exhibit, texts: list[str]) -> None:
    wrong = [f"{check.text}: {check.value}" for check in exhibit.check(play(exhibit)) if not check.passed]
    for text in texts:
        assert any(line.startswith(text) for line in wrong), f"{text!r} passed; failed: {wrong}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("coiling-rope", ["weight when pressed", "windings of its middle", "metres that it is wide"]),
        ("folding-sheet", ["weight on the rail", "degrees between its halves", "likeness to the example"]),
        (
            "surprised-dinosaur",
            ["weight under the press", "likeness to the example", "metres that the head", "metres that the tail"],
        ),
    ],
)
def test_without_examples(name: str, texts: list[str]) -> None:
    assert_fails(changed(find(name), example_strength=0.0), texts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "stiffness", "texts"),
    [
        ("particle-stiffness", 2e6, ["of that, the bar that is twice", "of that, the bar that is four"]),
        ("dinosaur-point", 1e3, ["seconds until a tenth", "metres from its shape at the end"]),
        ("dinosaur-fall", 2e4, ["metres at the end"]),
        ("turning-sheet", 3e4, ["longest edge"]),
        ("hanging-rope", 1e4, ["length, of that at rest", "length at the end"]),
        ("jelly-torus", 1e3, ["metres from its shape at the end"]),
    ],
)
def test_of_another_stiffness(name: str, stiffness: float, texts: list[str]) -> None:
    assert_fails(changed(find(name), stiffness=stiffness), texts)


@pytest.mark.slow
def test_twist_needs_the_handles_on_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(particle_twist, "AIM", 1.0)
    assert_fails(find("particle-twist"), ["degrees of twist when it is turned"])


def test_twisted_bar_is_a_chain() -> None:
    chain = particle_twist.bar()
    assert len(chain.rest) == 20
    assert chain.edges.tolist() == [[i, i + 1] for i in range(19)]


@pytest.mark.parametrize(
    ("made", "pose", "neighbours"),
    [(coiling_rope.rope, "coil", 0.02), (folding_sheet.sheet, "fold", 0.03)],
)
def test_poses_of_thin_bodies_stretch_nothing(made: Callable[[str], Any], pose: str, neighbours: float) -> None:
    graph = made(pose)
    fine, lengths = graph.source, []
    posed = coiling_rope.coil(fine.rest) if pose == "coil" else folding_sheet.fold(fine.rest)
    ends = fine.elements[:, :2].T
    for points in (fine.rest, posed):
        lengths.append(np.linalg.norm(points[ends[0]] - points[ends[1]], axis=1))
    np.testing.assert_allclose(lengths[1], lengths[0], rtol=neighbours)


def test_surprise_is_symmetric_and_keeps_the_soles_on_the_floor() -> None:
    rest = pliant.shapes.dinosaur().rest
    pose = surprised_dinosaur.surprised(rest)
    mirrored = surprised_dinosaur.surprised(rest * (1, 1, -1))
    np.testing.assert_allclose(mirrored, pose * (1, 1, -1), atol=1e-12)
    floor = rest[:, 1].argmin()
    assert abs(pose[floor, 1]) < 0.03
    assert pose[:, 1].max() - pose[:, 1].min() > 1.1 * np.ptp(rest[:, 1])
