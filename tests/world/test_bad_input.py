"""Whatever is given, the answer is a result or one clear line."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pliant
import worlds
from pliant.world import World

numbers = st.one_of(
    st.floats(),
    st.integers(-3, 300),
    st.sampled_from([0, 1, -1, np.nan, np.inf, 1e300, True, None, np.float32(2)]),
)
junk = st.one_of(
    numbers,
    st.text(max_size=4),
    st.lists(numbers, max_size=5),
    st.lists(st.lists(numbers, max_size=4), max_size=4),
    st.tuples(numbers, numbers, numbers),
    st.dictionaries(st.text(max_size=2), numbers, max_size=2),
    st.sampled_from(
        [
            np.zeros(3),
            np.zeros((27, 3)),
            np.zeros((3, 3)),
            np.eye(3),
            np.ones(4),
            np.array("x"),
            object(),
            np.zeros(0),
        ]
    ),
    st.sampled_from([lambda: 0, lambda x: x, lambda x: "no", lambda x: None]),
)


def one_clear_line(call: Callable[[], Any]) -> None:
    try:
        call()
    except pliant.PliantError as error:
        text = str(error)
        assert text
        assert "\n" not in text
        assert len(text) < 400


@pytest.fixture(scope="module")
def world() -> World:
    world = World(colliders=[pliant.Plane()])
    world.add(worlds.cube(), pliant.ShapeMatching(), name="cube")
    world.step()
    return world


FIELDS = ["name", "position", "rotation", "scale", "velocity", "angular_velocity"]


@pytest.mark.slow
@given(st.sampled_from(FIELDS), junk)
@settings(max_examples=150)
def test_add(world: World, field: str, value: Any) -> None:
    def call() -> None:
        actor = world.add(worlds.cube(), pliant.ShapeMatching(), **{field: value})
        world.remove(actor)

    one_clear_line(call)


@given(junk, junk)
@settings(max_examples=60)
def test_add_other_things(world: World, body: Any, model: Any) -> None:
    for a, b in ((body, model), (worlds.cube(), model), (body, pliant.ShapeMatching())):
        with pytest.raises(pliant.SettingsError):
            world.add(a, b)
    with pytest.raises(pliant.SettingsError):
        world.remove(body)
    with pytest.raises(pliant.SettingsError):
        world["cube"].settings = model
    with pytest.raises(pliant.SettingsError):
        world.restore(body)


@given(junk, junk)
@settings(max_examples=100)
def test_step(world: World, dt: Any, substeps: Any) -> None:
    def call() -> None:
        if isinstance(substeps, float | int) and abs(substeps) > 100:
            return
        world.step(dt, substeps)

    snapshot = world.snapshot()
    one_clear_line(call)
    one_clear_line(lambda: world.step(dt))
    world.restore(snapshot)


@given(junk)
@settings(max_examples=150)
def test_pin_grab_and_push(world: World, value: Any) -> None:
    actor = world["cube"]
    if not callable(value):
        one_clear_line(lambda: actor.pin(value).release())
        one_clear_line(lambda: actor.push(value))
        one_clear_line(lambda: actor.pin([0], value).release())
        one_clear_line(lambda: actor.grab(0, path=value).release())
    one_clear_line(lambda: actor.grab(value).release())
    one_clear_line(lambda: actor.grab(skin=value).release())
    one_clear_line(lambda: actor.grab(0, stiffness=value).release())
    handle = actor.grab(0)
    one_clear_line(lambda: handle.move_to(value))
    handle.release()
    actor.push(None)
    assert not world._inputs.pins
    assert not world._inputs.handles
    world.step()


COLLIDERS = {
    pliant.Plane: ["point", "normal"],
    pliant.Sphere: ["centre", "radius"],
    pliant.Box: ["centre", "half_size", "rotation"],
    pliant.Capsule: ["start", "end", "radius"],
}


@given(st.sampled_from(list(COLLIDERS)), st.data(), junk)
@settings(max_examples=200)
def test_colliders(world: World, kind: Any, data: Any, value: Any) -> None:
    field = data.draw(st.sampled_from([*COLLIDERS[kind], "friction", "restitution", "path"]))
    snapshot = world.snapshot()

    def call() -> None:
        collider = kind(**{field: value})
        if field != "path":
            world.colliders.append(collider)
            world.step()

    one_clear_line(call)
    world.restore(snapshot)


@given(junk)
@settings(max_examples=100)
def test_the_world_itself(value: Any) -> None:
    if not callable(value):
        one_clear_line(lambda: World(gravity=value))
        one_clear_line(lambda: World(precision=value))
    one_clear_line(lambda: World(threads=value) if not isinstance(value, int) or value < 9 else None)
    one_clear_line(lambda: World(colliders=value).step())

    def stepped() -> None:
        world = World(colliders=value)
        world.add(worlds.cube(), pliant.ShapeMatching())
        world.step()

    one_clear_line(stepped)


@given(junk, junk, junk)
@settings(max_examples=100)
def test_paths(times: Any, offsets: Any, turns: Any) -> None:
    one_clear_line(lambda: pliant.Path(times, offsets, turns)(0.5))
    one_clear_line(lambda: pliant.Path([0, 1], offsets)(0.5))
    one_clear_line(lambda: pliant.Path([0, 1], turns=turns)(0.5))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda world: world.add(worlds.cube(), pliant.ShapeMatching(), position=(1, 2)),
            "position = (1, 2)",
        ),
        (
            lambda world: world.add(worlds.cube(), pliant.ShapeMatching(), scale=-1),
            "scale = -1; give a number from 1e-06 to 1e+06",
        ),
        (lambda world: world.add(worlds.cube(), pliant.ShapeMatching(examples={"a": "nose"})), "nose"),
        (lambda world: world.step(0), "dt = 0; give a positive number of seconds"),
        (lambda world: world.step(0.1, 1.5), "substeps = 1.5; give a whole number"),
        (lambda world: world["cube"].push(np.zeros((4, 3))), "shape (4, 3); give (3,) or (27, 3) newtons"),
        (lambda world: world["cube"].grab(27), "particle = 27; give a whole number from 0 to 26"),
        (lambda world: world["cube"].grab(0, skin=0), "one of them"),
        (
            lambda world: world["cube"].grab(0, stiffness=0),
            "stiffness = 0; give a positive number of newtons",
        ),
        (lambda world: world["cube"].pin([-1]), "particle -1; there are 27"),
        (lambda world: pliant.Plane(normal=(0, 0, 0)), "has no direction"),
        (lambda world: pliant.Sphere(restitution=1.5), "restitution = 1.5; give a number from 0 to 1"),
        (lambda world: World(precision="half"), 'give "single" or "double"'),
    ],
)
def test_messages_name_the_thing_and_the_remedy(world: World, call: Any, words: str) -> None:
    with pytest.raises(pliant.PliantError) as caught:
        call(world)
    assert words in str(caught.value)


def test_a_force_function_with_a_wrong_shape_is_told_in_the_step(world: World) -> None:
    world["cube"].push(lambda actor: (1, 2))
    with pytest.raises(pliant.SettingsError, match="push"):
        world.step()
    world["cube"].push(None)
    world.step()
