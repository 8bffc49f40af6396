"""What comes through a socket is a known command, or nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.viewer.protocol.commands import Grab, Keep, Move, Play, Release, Unpin, parse

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)
FIELDS = st.sampled_from(["do", "handle", "pin", "actor", "vertex", "target", "on", "factor", "value"])
WORDS = st.sampled_from(
    ["play", "step", "reset", "grab", "move", "release", "keep", "unpin", "credit", "speed", "tune"]
)


@given(st.text() | st.binary() | JSON)
def test_anything_may_come(message: object) -> None:
    parse(message)
    parse(json.dumps(message, default=str))


@given(WORDS, st.dictionaries(FIELDS, JSON))
def test_nearly_right_messages(word: str, fields: dict[str, object]) -> None:
    parse(json.dumps({**fields, "do": word}))


def test_right_messages() -> None:
    assert parse('{"do": "play"}') == Play(on=None)
    assert parse('{"do": "release"}') == Release(handle=None)
    assert parse('{"do": "keep", "handle": 3}') == Keep(handle=3)
    assert parse('{"do": "unpin"}') == Unpin(pin=None)
    grab = {"do": "grab", "handle": 3, "actor": "bar", "vertex": 7, "target": [1, 2.5, -3]}
    assert parse(json.dumps(grab)) == Grab(handle=3, actor="bar", vertex=7, target=(1.0, 2.5, -3.0))
    assert parse('{"do": "move", "handle": 0, "target": [0, 0, 0]}') == Move(handle=0, target=(0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    "message",
    [
        '{"do": "tune", "actor": null, "field": "stiffness", "value": 0.1}',  # the panel's business
        '{"do": "add pose", "actor": "bar", "name": "x"}',
        '{"do": "arrange", "field": "gravity", "value": 0}',
        '{"do": "keep"}',
        '{"do": "unpin", "pin": -1}',
        '{"do": "play", "on": true, "more": 1}',
        '{"do": "move", "handle": 0, "target": [0, 0]}',
        '{"do": "move", "handle": 0, "target": [0, 0, 1e9]}',
        '{"do": "move", "handle": 0, "target": [0, 0, Infinity]}',
        '{"do": "move", "handle": "0", "target": [0, 0, 0]}',
        '{"do": "grab", "handle": 0, "actor": "' + 300 * "x" + '", "vertex": 0, "target": [0, 0, 0]}',
        '{"do": "play"}' + 3000 * " ",
    ],
)
def test_wrong_messages(message: str) -> None:
    assert parse(message) is None
