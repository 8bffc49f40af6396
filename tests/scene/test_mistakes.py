"""A mistake in a scene file is told in one line: file, line, key, what was given, what is allowed, what was meant."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pliant
import random_scenes
from pliant.scene import load_scene, scene_from_text
from pliant.scene.load import checked
from pliant.scene.origin import Origin

SCENE = """title = "x"
[world]
gravity = [0, -9.81, 0]
[[colliders]]
type = "plane"
[[bodies]]
name = "bar"
shape = { type = "cuboid", size = [1, 2, 1] }
position = [0, 2, 0]
[bodies.poses]
twist = { type = "twist", degrees = 90 }
[bodies.model]
stiffness = 3
[[bodies.pins]]
where = { side = "top" }
"""
STIFF = "stiffness = 3"
FIRST = "[bodies.poses]"
MANY = "copies = { count = [99, 99, 99], spacing = [1, 1, 1] }"


def told(text: str) -> str:
    with pytest.raises(pliant.SceneError) as caught:
        scene_from_text(text, Path("bar.toml"))
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_scene_is_right_without_a_mistake():
    assert scene_from_text(SCENE).bodies[0].label == "bar"


@pytest.mark.parametrize(
    ("right", "wrong", "line", "key", "said"),
    [
        (STIFF, "stifness = 3", 13, "bodies.bar.model.stifness", 'no key "stifness"; did you mean "stiffness"?'),
        (STIFF, "stiffness = 300", 13, "bodies.bar.model.stiffness", "300 given; give a number from 0 to 100"),
        (STIFF, 'stiffness = "3"', 13, "bodies.bar.model.stiffness", '"3" given; give a number from 0 to 100'),
        (STIFF, "stiffness = true", 13, "bodies.bar.model.stiffness", "true given; give a number from 0 to 100"),
        (STIFF, "stiffness = nan", 13, "bodies.bar.model.stiffness", "nan given; give a number"),
        (STIFF, 'type = "femm"', 13, "bodies.bar.model.type", '"femm" given'),
        (STIFF, 'examples = "globl"', 13, "bodies.bar.model.examples", 'did you mean "global"? give "global" or'),
        (STIFF, "examples = {}", 13, "bodies.bar.model.examples", "give at least one group"),
        (STIFF, "examples.a.sid = 3", 13, "bodies.bar.model.examples.a.sid", 'did you mean "side"?'),
        (STIFF, "keys.stiffnes = [[0, 1]]", 13, "bodies.bar.model.keys.stiffnes", 'did you mean "stiffness"?'),
        (STIFF, "keys.stiffness = [[0, 1], [0, 2]]", 13, "bodies.bar.model.keys.stiffness[1]", "times must rise"),
        (STIFF, "keys.stiffness = [[0, 1],\n[1, 200]]", 14, "bodies.bar.model.keys.stiffness[1][1]", "from 0 to 100"),
        (STIFF, "keys.stiffness = [[0, 1, 2]]", 13, "bodies.bar.model.keys.stiffness[0]", "a key [seconds, value]"),
        (STIFF, "keys.stiffness = []", 13, "bodies.bar.model.keys.stiffness", "[] given; give keys [[seconds, value]"),
        (STIFF, "keys.drag = { keys = [[0, 1]], betwen = 1 }", 13, "bodies.bar.model.keys.drag.betwen", '"between"'),
        ("[0, 2, 0]", "[0, 2]", 9, "bodies.bar.position", "[0, 2] given; give three numbers [x, y, z]"),
        ("[0, 2, 0]", "[0, 2, 0, 1]", 9, "bodies.bar.position", "give three numbers [x, y, z]"),
        ("[0, 2, 0]", '[0,\n"2", 0]', 10, "bodies.bar.position[1]", '"2" given; give a number'),
        ("[0, 2, 0]", "3", 9, "bodies.bar.position", "3 given; give three numbers [x, y, z]"),
        ("[world]", "[wrld]", 2, "wrld", 'there is no key "wrld"; did you mean "world"? valid are title, world,'),
        ("[world]", "[world]\nthreads = 0", 3, "world.threads", "0 given; give a whole number from 1 to 256"),
        ("[world]", "[world]\nsubsteps = 2.5", 3, "world.substeps", "2.5 given; give a whole number"),
        ("[world]", '[world]\nprecision = "duble"', 3, "world.precision", 'did you mean "double"?'),
        ("[world]", "[world]\nstart = 1979-05-27", 3, "world.start", 'there is no key "start"'),
        ('type = "plane"', 'type = "plan"', 5, "colliders.0.type", '"plan" given; did you mean "plane"? give "plane",'),
        ('type = "plane"', "friction = 1", 4, "colliders.0", "`type` is missing"),
        ('type = "plane"', 'type = "sphere"\nradius = 0', 6, "colliders.0.radius", "0 given; give a number from 1e-06"),
        ('"twist", deg', '"twst", deg', 11, "bodies.bar.poses.twist.type", 'did you mean "twist"? give "bend",'),
        ("degrees", "degres", 11, "bodies.bar.poses.twist.degres", 'did you mean "degrees"? valid are type, degrees,'),
        ('type = "twist"', 'tpe = "twist"', 11, "bodies.bar.poses.twist.tpe", 'did you mean "type"?'),
        ("twist = { type", '"<x>" = { tpe', 11, 'bodies.bar.poses."<x>".tpe', 'did you mean "type"?'),
        ("twist =", '"" =', 11, 'bodies.bar.poses.""', '"" is no name'),
        ("twist = {", "twist = { file = 'a.obj' } #", 11, "bodies.bar.poses.twist", "this is for a `file`"),
        ('{ side = "top" }', '{ sid = "top" }', 15, "bodies.bar.pins[0].where.sid", 'did you mean "side"? valid are'),
        ('{ side = "top" }', "{}", 15, "bodies.bar.pins[0].where", "an empty table; give one of the keys box,"),
        ('{ side = "top" }', '{ side = "tpo" }', 15, "bodies.bar.pins[0].where.side", 'did you mean "top"?'),
        ('{ side = "top" }', "3", 15, "bodies.bar.pins[0].where", '3 given; give a selection such as { side = "top" }'),
        ("where", "end = 0\nwhere", 15, "bodies.bar.pins[0].end", "0 s is not after the beginning"),
        ("where = {", "wher = {", 14, "bodies.bar.pins[0]", "`where` is missing; give a selection"),
        ('"cuboid"', '"cubid"', 8, "bodies.bar.shape.type", 'did you mean "cuboid"?'),
        ("shape = {", 'shape = "tedy" # {', 8, "bodies.bar.shape", 'did you mean "teddy"?'),
        ("size", "siz", 8, "bodies.bar.shape.siz", 'did you mean "size"? valid are type, size, cells'),
        ("position", "stiffness", 9, "bodies.bar.stiffness", "it belongs in `model`"),
        ('title = "x"', "fps = 3", 1, "fps", "it belongs in `world`"),
        ('name = "bar"', "name = 3", 7, "bodies.cuboid.name", "3 given; give a name"),
        ('name = "bar"', 'file = "a.glb"', 6, "bodies.a", "both `file` and `shape` given; give one of them"),
        ('shape = {', "jitter = {} #", 6, "bodies.bar", "neither `file` nor `shape` given; give one of them"),
        (FIRST, f"kind = 'shell'\n{FIRST}", 10, "bodies.bar.kind", "this is for a `file`; leave it out"),
        (FIRST, f"rotation = [1, 2]\n{FIRST}", 10, "bodies.bar.rotation", "degrees about x, y and z, or a quaternion"),
        (FIRST, f"colour = 'red'\n{FIRST}", 10, "bodies.bar.colour", 'give a colour such as "#e8833a"'),
        (FIRST, f"{MANY}\n{FIRST}", 10, "bodies.bar.copies.count", "970299 copies; give at most 10000"),
        (FIRST, f"file_poses = ['a', 2]\n{FIRST}", 10, "bodies.bar.file_poses[1]", "2 given; give a name"),
    ],
)  # fmt: skip
def test_mistakes(right: str, wrong: str, line: int, key: str, said: str):
    assert right in SCENE
    message = told(SCENE.replace(right, wrong, 1))
    assert message.startswith(f"bar.toml:{line}: {key}: ")
    assert said in message


def test_the_first_in_the_file_is_told_and_the_others_counted():
    message = told(SCENE.replace(STIFF, "stifness = 3").replace("[0, -9.81, 0]", "9.81").replace('"top"', '"up"'))
    assert message.startswith("bar.toml:3: world.gravity: ")
    assert message.endswith("(and 2 more mistakes)")


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('title = "x', "bar.toml:1:11", "not TOML: "),
        ("a = 1\nb = = 2", "bar.toml:2:5", "not TOML: "),
        ("a = 1\na = 2", "bar.toml:2:6", "not TOML: "),
        ("[world]\nfps = [1,", "bar.toml:2:10", "not TOML: "),
        ("shape = { a = 1,\n b = 2 }", "bar.toml:1:17", "a table in braces { } must stand on one line"),
        ("x = " + "[" * 5000, "bar.toml", "nested too deeply"),
        ("x = " + "1" * 5000, "bar.toml", "not TOML"),
    ],
)
def test_what_is_not_toml(text: str, place: str, said: str):
    message = told(text)
    assert message.startswith(f"{place}: ")
    assert said in message


def test_two_bodies_of_one_name():
    message = told('[[bodies]]\nshape = "ball"\n[[bodies]]\nshape = "ball"')
    assert message == 'bar.toml:3: bodies.ball: there is one called "ball" already; give each a `name` of its own'


def test_copies_are_named_apart():
    text = '[[bodies]]\nname = "a 2"\nshape = "ball"\n[[bodies]]\nname = "a"\nshape = "ball"\n'
    assert 'there is one called "a 2" already' in told(text + "copies = { count = 2, spacing = [1, 0, 0] }")


def test_files_that_are_none(tmp_path: Path):
    with pytest.raises(pliant.SceneError, match=r"nobody\.toml: there is no such file; `pliant scene --new"):
        load_scene(tmp_path / "nobody.toml")
    with pytest.raises(pliant.SceneError, match="cannot be read"):
        load_scene(tmp_path)
    (tmp_path / "latin.toml").write_bytes('[world]\ntitle = "Bär"'.encode("latin-1"))
    with pytest.raises(pliant.SceneError, match=r"latin\.toml:2: this is not text in UTF-8"):
        load_scene(tmp_path / "latin.toml")
    with open(tmp_path / "large.toml", "wb") as file:
        file.truncate(100 * 1024 * 1024)
    with pytest.raises(pliant.SceneError, match="105 MB is no scene file"):
        load_scene(tmp_path / "large.toml")


def test_files_of_windows(tmp_path: Path):
    (tmp_path / "crlf.toml").write_bytes(b"\xef\xbb\xbf[world]\r\nfps = 24\r\nfsp = 1\r\n")
    with pytest.raises(pliant.SceneError, match=r"crlf\.toml:3: world\.fsp: .* did you mean \"fps\""):
        load_scene(tmp_path / "crlf.toml")


JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=5), inner, max_size=2)),
    max_leaves=4,
).filter(lambda value: value is not None)


@given(st.lists(st.tuples(st.integers(0, len(SCENE) - 1), st.integers(0, 255)), max_size=4), st.integers(0, len(SCENE)))
def test_damaged_files_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, changes, end):
    raw = bytearray(SCENE.encode())
    for place, byte in changes:
        raw[place] = byte
    path = tmp_path_factory.getbasetemp() / "damaged.toml"
    path.write_bytes(raw[:end])
    try:
        load_scene(path)
    except pliant.SceneError as error:
        assert "damaged.toml" in str(error) and "\n" not in str(error)


@settings(suppress_health_check=list(HealthCheck), max_examples=60)
@given(random_scenes.scenes(), JUNK, st.data())
def test_whatever_is_wrong_is_told_in_one_line(scene, junk, data):
    """One place of a right scene is replaced by anything at all: the scene is right or the mistake is told."""
    here = scene
    for _ in range(data.draw(st.integers(0, 6))):
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            break
        key = data.draw(st.sampled_from(keys))
        if not isinstance(here[key], dict | list):
            here[key] = junk
            break
        here = here[key]
    else:
        if isinstance(here, dict):
            here[data.draw(st.text(max_size=6))] = junk
    try:
        checked(scene, Origin())
    except pliant.SceneError as error:
        assert "\n" not in str(error) and len(str(error)) < 2000
        assert "given" in str(error) or ";" in str(error)
