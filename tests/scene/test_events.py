"""Pins and handles that begin or end when something happens."""

import numpy as np
import pytest

from pliant.runtime.errors import SceneError
from pliant.scene.build import stage
from pliant.scene.load import scene_from_text
from pliant.session.checkpoint import checkpoint_of, events_of, go_back

SCENE = """
[[colliders]]
type = "plane"
name = "floor"

[[bodies]]
shape = {type = "cuboid", size = [0.4, 0.4, 0.4], cells = [2, 2, 2]}
name = "box"
position = [0, 0.8, 0]
model = {type = "shape_matching", stiffness = 5}

[[bodies.pins]]
where = { side = "top", fraction = 1.0 }
begin_on = "landing"
"""


def show(text: str = SCENE):
    return stage(scene_from_text(text))


def run(made, frames: int) -> np.ndarray:
    """Heights of the middle of the box, frame by frame."""
    found = []
    for _ in range(frames):
        for _ in range(made.substeps):
            made.animate(made.world.time)
            made.world.step(1 / made.fps / made.substeps)
        found.append(made.world["box"].positions[:, 1].mean())
    return np.array(found)


def test_a_pin_takes_hold_when_it_lands() -> None:
    made = show()
    heights = run(made, 60)
    landed = made.world.events["box: landing"]
    assert landed == pytest.approx(np.sqrt(2 * 0.6 / 9.81), abs=0.02)
    frame = int(np.ceil(landed * made.fps)) + 1
    assert heights[frame // 2] > 0.35 and np.ptp(heights[frame:]) < 1e-6
    assert made.world["box"].positions[:, 1].min() == pytest.approx(0.0, abs=0.02)


def test_begin_counts_from_the_event_and_end_on_lets_go() -> None:
    later = run(show(SCENE.replace('begin_on = "landing"', 'begin_on = "landing"\nbegin = 0.2')), 60)
    assert np.ptp(later[40:]) < 1e-6 and not np.allclose(later[-1], run(show(), 60)[-1], atol=1e-4)
    held = SCENE.replace('begin_on = "landing"', 'end_on = "touching ball"') + """
[[bodies]]
shape = {type = "ball", radius = 0.2}
name = "ball"
position = [0, 1.8, 0]
"""
    made = show(held)
    heights = run(made, 60)
    hit = made.world.events["box: touching ball"]
    assert hit == pytest.approx(np.sqrt(2 * 0.6 / 9.81), abs=0.06)
    assert np.ptp(heights[: int(hit * made.fps) - 1]) < 1e-6 and heights[-1] < 0.5


def test_a_moment_before_it_knows_nothing_of_it() -> None:
    made = show()
    run(made, 10)
    before = made.world.snapshot()
    first = run(made, 40)
    made.world.restore(before)
    assert not made.world.events
    assert np.array_equal(run(made, 40), first)


def test_a_bake_goes_on_after_it_as_if_it_had_not_stopped(tmp_path) -> None:
    whole = show()
    run(whole, 40)
    animated = whole.world.time - 1 / whole.fps / whole.substeps
    checkpoint = checkpoint_of(whole.world, 40, 0, animated)
    rest = run(whole, 10)
    again = show()
    again.world.events = events_of(checkpoint)
    assert list(again.world.events) == ["box: landing"]
    again.animate(animated)
    go_back(again.world, checkpoint, tmp_path)
    assert np.array_equal(run(again, 10), rest)


def test_what_cannot_happen_is_told_with_its_place() -> None:
    for old, new, words in (
        ('"landing"', '"touching moon"', r'nothing called "moon" to touch; there are "box", "floor"'),
        ('"landing"', '"thunder"', r'"landing" or "touching NAME"'),
        ('begin_on = "landing"', 'begin_on = "landing"\nend = 2.0', "`end_on`, from which this counts"),
    ):
        with pytest.raises(SceneError, match=words):
            show(SCENE.replace(old, new))
