"""Values over time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.scene import scene_from_text
from pliant.scene.tracks import AnimationTrack, KeyedMotion

TIMES = st.lists(st.floats(0, 100), min_size=1, max_size=6, unique=True).map(sorted)
WAYS = st.sampled_from(["linear", "smooth", "step"])


@given(TIMES, WAYS, st.data())
def test_a_track_passes_through_its_keys_and_stays_between_them(times, between, data):
    values = data.draw(st.lists(st.floats(-10, 10), min_size=len(times), max_size=len(times)))
    track = AnimationTrack.through(list(zip(times, values, strict=True)), between)
    assert [track(time) for time in times] == values
    assert track(times[0] - 1) == values[0] and track(times[-1] + 1) == values[-1]
    moment = data.draw(st.floats(-10, 110))
    around = int(np.clip(np.searchsorted(times, moment, side="right"), 1, max(len(times) - 1, 1)))
    near = values[around - 1 : around + 1]
    assert min(near) - 1e-12 <= track(moment) <= max(near) + 1e-12


@pytest.mark.parametrize(("between", "quarter"), [("linear", 2.0), ("smooth", 1.625), ("step", 1.0)])
def test_the_ways_between_keys(between: str, quarter: float):
    track = AnimationTrack.through([(0, 1.0), (2, 5.0)], between)
    assert [track(0), track(0.5), track(2), track(3)] == [1.0, quarter, 5.0, 5.0]


def test_what_is_free_is_none_and_a_number_is_held_until_then():
    track = AnimationTrack.through([(1, "free"), (2, 0.0), (3, 1.0), (4, "free")], "linear")
    assert [track(t) for t in (0, 1.9, 2, 2.5, 3.9, 4, 9)] == [None, None, 0.0, 0.5, 1.0, None, None]


def path(text: str) -> KeyedMotion:
    scene = scene_from_text(f'[[bodies]]\nshape = "ball"\n[[bodies.pins]]\nwhere = {{ side = "top" }}\npath = {text}')
    (pin,) = scene.bodies[0].pins
    return KeyedMotion.of(pin.path, pin.begin)


def test_a_path_of_offsets_alone():
    offset, turn = path("[[0, [0, 0, 0]], [2, [0, 4, 0]]]")(0.5)
    assert offset.tolist() == [0, 1, 0] and (turn == np.eye(3)).all()


def test_a_path_that_turns():
    move = path('{ move = [[1, [1, 0, 0]]], turn = [[0, [0, 0, 0]], [1, [0, 360, 0]]], between = "linear" }')
    offset, turn = move(0.25)
    assert offset.tolist() == [1, 0, 0]
    assert np.allclose(turn @ (0, 0, 1), (1, 0, 0))  # a quarter of a turn about y
    assert np.allclose(move(2)[1], np.eye(3))


def test_the_keys_of_a_path_count_from_the_beginning_of_the_scene():
    motion = KeyedMotion.of([(1.0, (0.0, 0.0, 0.0)), (2.0, (1.0, 0.0, 0.0))], begin=1.0)
    assert motion(0.5)[0].tolist() == [0.5, 0, 0]  # half a second after it was taken hold of
