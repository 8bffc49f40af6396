"""Settings from the command line."""

from pathlib import Path

import pytest

import pliant
from pliant.scene import scene_from_text, scene_text, with_overrides

SCENE = """
[world]
keys.gravity = [[0, [0, 0, 0]], [1, [0, -9.81, 0]]]
[[colliders]]
type = "plane"
name = "ground"
[[colliders]]
type = "sphere"
[[bodies]]
name = "bear"
shape = "teddy"
[[bodies.pins]]
where = { side = "top" }
[[bodies]]
name = "big bar"
shape = { type = "cuboid", size = [1, 2, 1] }
[bodies.model]
keys.stiffness = [[0, 1], [1, 3]]
keys.damping = [[0, 1], [1, 3]]
"""


def scene():
    return scene_from_text(SCENE, Path("s.toml"))


@pytest.mark.parametrize(
    ("setting", "read", "value"),
    [
        ("bodies.bear.model.stiffness=3", lambda s: s.bodies[0].model.stiffness, 3),
        ("bodies.0.model.stiffness = 3", lambda s: s.bodies[0].model.stiffness, 3),
        ('bodies."big bar".scale=2', lambda s: s.bodies[1].scale, 2),
        ("bodies.*.model.stiffness=3", lambda s: [b.model.stiffness for b in s.bodies], [3, 3]),
        ("stiffness=3", lambda s: [b.model.stiffness for b in s.bodies], [3, 3]),
        ("stiffness=3", lambda s: s.bodies[1].model.keys.stiffness, None),
        ("world.gravity=[0,-3,0]", lambda s: (s.world.gravity, s.world.keys), ((0, -3, 0), None)),
        ("gravity=[0,-3,0]", lambda s: s.world.gravity, (0, -3, 0)),
        ("seconds=2", lambda s: s.world.seconds, 2),
        ("density=500", lambda s: [b.density for b in s.bodies], [500, 500]),
        ("precision=double", lambda s: s.world.precision, "double"),
        ('precision="double"', lambda s: s.world.precision, "double"),
        ("colliders.ground.friction=1", lambda s: s.colliders[0].friction, 1),
        ("colliders.1.radius=2", lambda s: s.colliders[1].radius, 2),
        ("bodies.bear.position.1=4", lambda s: s.bodies[0].position, (0, 4, 0)),
        ("bodies.bear.shape=ball", lambda s: s.bodies[0].shape, "ball"),
        ("bodies.1.shape.cells=[2,2,2]", lambda s: s.bodies[1].shape.cells, (2, 2, 2)),
        ("bodies.bear.pins.0.end=3", lambda s: s.bodies[0].pins[0].end, 3),
        ("bodies.bear.poses.flat={type='squash'}", lambda s: s.bodies[0].poses["flat"].type, "squash"),
        ("bodies.bear.model.keys.stiffness=[[0,1],[1,2]]", lambda s: s.bodies[0].model.keys.stiffness[1], (1, 2)),
        ("bodies.bear.model.examples.left.side=left", lambda s: s.bodies[0].model.examples["left"].side, "left"),
        ("output.file=out.glb", lambda s: s.output.file, "out.glb"),
        ("title=two words", lambda s: s.title, "two words"),
    ],
)
def test_what_is_set(setting, read, value):
    assert read(with_overrides(scene(), [setting])) == value


def test_the_other_keys_stay():
    changed = with_overrides(scene(), ["stiffness=3"])
    assert changed.bodies[1].model.keys.damping == [(0, 1), (1, 3)]
    assert scene_text(scene()) == scene_text(with_overrides(scene(), []))


def test_a_mapping_of_values():
    changed = with_overrides(scene(), {"world.gravity": [0, -1, 0], "stiffness": 2})
    assert changed.world.gravity == (0, -1, 0) and changed.bodies[0].model.stiffness == 2


def test_the_last_word_counts():
    assert with_overrides(scene(), ["seconds=1", "world.seconds=2", "seconds=3"]).world.seconds == 3


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("stifness=3", 'stifness=3: there is no key "stifness"; did you mean "stiffness"? valid are title, world,'),
        ("stiffness=-3", "stiffness=-3: bodies.bear.model.stiffness: -3 given; give a number from 0 to 100"),
        ("stiffness=soft", 'stiffness="soft": bodies.bear.model.stiffness: "soft" given; give a number from 0 to 100'),
        ("bodies.baer.scale=3", 'there is no body "baer"; did you mean "bear"? valid are bear, big bar'),
        ("bodies.7.scale=3", 'bodies.7.scale=3: there is no body "7"; valid are bear, big bar'),
        ("colliders.groud.friction=3", 'there is no collider "groud"; did you mean "ground"? valid are ground, 1'),
        ("bodies.bear.model.stifness=3", 'bodies.bear.model.stifness: there is no key "stifness"; did you mean'),
        ("bodies.bear.pins.3.end=3", '"3" cannot be set; there are 1 items here'),
        ("world.gravity.9=3", '"9" cannot be set; there are 3 items here'),
        ("world=3", "world=3: world: 3 given; give a table"),
        ("stiffness", '"stiffness" sets nothing; give key=value'),
        ("=3", '=3: "" is no key'),
        ("a b=3", 'a b=3: "a b" is no key'),
        ("bodies.bear.name=big bar", 'there is one called "big bar" already'),
    ],
)
def test_settings_that_have_no_meaning(setting, message):
    with pytest.raises(pliant.SceneError) as caught:
        with_overrides(scene(), [setting])
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_a_mistake_of_the_file_is_still_told_with_its_line():
    wrong = SCENE.replace('side = "top"', "indices = [9999999]")
    changed = with_overrides(scene_from_text(wrong, Path("s.toml")), ["bodies.bear.shape=ball"])
    from pliant.scene import stage

    with pytest.raises(pliant.SceneError, match=r"s\.toml:13: bodies\.bear\.pins\[0\]\.where: .* holds particle"):
        stage(changed)


def test_body_is_every_body_and_poses_are_switched() -> None:
    bar = '[[bodies]]\nname = "{}"\nshape = "cuboid"\nposes = {{ low = {{ type = "squash", axis = "y" }} }}\n'
    two = scene_from_text(bar.format("a") + "[bodies.model.keys.forced]\nlow = [[0, 1]]\n" + bar.format("b"))
    changed = with_overrides(two, ["body.stiffness=3", "body.friction=0.2", "body.poses.low=off"])
    for body in changed.bodies:
        assert (body.model.stiffness, body.friction, dict(body.model.forced)) == (3, 0.2, {"low": 0})  # type: ignore[attr-defined]
    assert not changed.bodies[0].model.keys.forced  # type: ignore[attr-defined]
    assert with_overrides(changed, ["body.poses.low=on"]).bodies[1].model.forced == {}  # type: ignore[attr-defined]
    one = with_overrides(two, ["bodies.a.poses.low=off"])
    assert [dict(body.model.forced) for body in one.bodies] == [{"low": 0}, {}]  # type: ignore[attr-defined]
    with pytest.raises(pliant.SceneError, match=r'there is no pose "lw"; did you mean "low"\?'):
        with_overrides(two, ["body.poses.lw=off"])
    with pytest.raises(pliant.SceneError, match=r'there is no key "stifness"; did you mean "stiffness"\?'):
        with_overrides(two, ["body.stifness=1"])
