"""Exhibits as shows."""

from dataclasses import replace

import numpy as np
import pytest

import pliant
from pliant.gallery.exhibit import play
from pliant.gallery.listing import find
from pliant.gallery.shows import show_of_exhibit


@pytest.mark.slow
def test_it_plays_as_the_exhibit_does() -> None:
    show = show_of_exhibit("twist-bar", seconds=0.5)
    record = play(replace(find("twist-bar"), seconds=0.5))
    for number, frame in enumerate(show.play()):
        np.testing.assert_array_equal(frame.positions["bar"], record.frames[number].positions["bar"])
    assert number == 30


@pytest.mark.slow
def test_fewer_frames_have_more_steps() -> None:
    assert [show_of_exhibit("twist-bar", fps=fps).substeps for fps in (60, 30, 24, 240, 1000)] == [4, 8, 10, 1, 1]
    assert show_of_exhibit("twist-bar", fps=30, substeps=3).substeps == 3


@pytest.mark.slow
def test_equal_keys_play_alike() -> None:
    def key(name: str = "twist-bar", **options: object) -> str:
        return show_of_exhibit(name, **options).key  # type: ignore[arg-type]

    assert key() == key(threads=2) == key(seconds=2)
    others = [key("car-crash"), key(fps=30), key(substeps=9), key(changes=["stiffness=3"]), key(changes=["drag=3"])]
    assert len({key(), *others}) == 6


@pytest.mark.slow
def test_changes() -> None:
    for change in ("stiffness=3", "bar.stiffness = 3.0", "bodies.bar.model.stiffness=3"):
        (bar,) = show_of_exhibit("twist-bar", changes=[change]).world.actors
        assert bar.settings.stiffness == 3  # type: ignore[attr-defined]
    assert show_of_exhibit("twist-bar", changes=["world.gravity=[0, -1, 0]"]).world.gravity.tolist() == [0, -1, 0]
    buckle, twist, *_ = show_of_exhibit("four-cylinders", changes=["twist.damping=7"]).world.actors
    assert (twist.settings.damping, buckle.settings.damping) == (7, 5)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("stiffness", "sets nothing"),
        ("=3", "sets nothing"),
        ("stifness=3", 'did you mean "stiffness"'),
        ("car.stiffness=3", 'there is no body "car" in twist-bar; there are: bar'),
        ("stiffness=soft", "stiffness = 'soft'"),
        ("gravity=down", "give three finite numbers"),
    ],
)
def test_wrong_changes(change: str, said: str) -> None:
    with pytest.raises(pliant.PliantError, match=said):
        show_of_exhibit("twist-bar", changes=[change])
