"""The scanner finds everything that tomllib reads, and where it stands."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toml_texts
from pliant.scene.locate import locate, split_key


def paths(data, here=()):
    """The path of everything in plain data."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in items:
        yield (*here, key)
        yield from paths(item, (*here, key))


def at(data, path):
    for part in path:
        data = data[part]
    return data


@pytest.mark.slow
@given(st.data())
def test_everything_is_found_where_it_is(data):
    said = data.draw(toml_texts.DOCUMENTS)
    text = data.draw(toml_texts.written(said))
    assert tomllib.loads(text) == said
    places = locate(text)
    assert set(places) == set(paths(said))
    for path, place in places.items():
        value = text[place.start : place.end]
        assert place.line == text.count("\n", 0, place.start) + 1  # a value begins on the line of its key
        if value:
            assert tomllib.loads(f"x = {value}")["x"] == at(said, path)
        else:
            assert isinstance(at(said, path), dict | list)  # with a heading, or of dotted keys


SCENE = '''
title = """
A title
over lines"""

[world]            # 6
gravity = [
    0,
    -9.81,         # 9
    0,
]
keys.gravity = { keys = [[0, [0, 0, 0]],
    [1, [0, -9.81, 0]]], between = "smooth" }

[[bodies]]         # 15
shape.type = 'ball'
[bodies.model]
stiffness = 2
[[bodies.pins]]
where = { side = "top" }
[[bodies]]
"name" = "second"
[[bodies.pins]]    # 23
[[bodies.pins]]
where.indices = [ 1, 2,
  3 ]
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("world",), 6),
        (("world", "gravity"), 7),
        (("world", "gravity", 1), 9),
        (("world", "keys"), 12),
        (("world", "keys", "gravity", "keys", 1, 1, 1), 13),
        (("world", "keys", "gravity", "between"), 13),
        (("bodies",), 15),
        (("bodies", 0), 15),
        (("bodies", 0, "shape"), 16),
        (("bodies", 0, "shape", "type"), 16),
        (("bodies", 0, "model", "stiffness"), 18),
        (("bodies", 0, "pins", 0, "where", "side"), 20),
        (("bodies", 1), 21),
        (("bodies", 1, "name"), 22),
        (("bodies", 1, "pins", 0), 23),
        (("bodies", 1, "pins", 1, "where", "indices", 2), 26),
    ],
)
def test_lines_of_a_scene(path, line):
    assert locate(SCENE)[path].line == line


@pytest.mark.parametrize(
    ("text", "parts"),
    [("a", ["a"]), ("a.b-c.1", ["a", "b-c", "1"]), (" \"a b\" . 'c.d' ", ["a b", "c.d"]), ('"é\\n"', ["é\n"])],
)
def test_keys_are_split(text, parts):
    assert split_key(text) == parts


@pytest.mark.parametrize("text", ["", ".", "a.", "a b", "é", "a=3", '"a', "*"])
def test_what_is_no_key(text):
    with pytest.raises(ValueError, match="is not a key"):
        split_key(text)
