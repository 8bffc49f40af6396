"""Shows: they play, are animated, can be taken up in the middle, and know whether they are the same."""

from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.scene import Scene, scene_from_text, show_of, stage, with_overrides
from pliant.session.checkpoint import checkpoint_of, go_back

BAR = """
[world]
seconds = 0.5
substeps = 2
gravity = [0, -9.81, 0]
[[colliders]]
type = "plane"
[[bodies]]
name = "bar"
shape = { type = "cuboid", size = [0.5, 1, 0.5], cells = [2, 4, 2] }
position = [0, 0.1, 0]
anchor = "bottom"
poses = { twist = { type = "twist", degrees = 60, axis = "y" }, flat = { type = "squash", axis = "y" } }
"""
DIRECTED = (
    BAR.replace("[[colliders]]", "keys.gravity = [[0, [0, 0, 0]], [0.3, [0, -20, 0]]]\n[[colliders]]")
    .replace('"plane"', '"plane"\nkeys.friction = [[0, 0], [0.4, 1]]')
    + """
[bodies.model.keys]
stiffness = { keys = [[0, 0.2], [0.4, 2]], between = "smooth" }
forced.twist = [[0.1, "free"], [0.2, 0], [0.3, 0.8], [0.35, "free"]]
[[bodies.pins]]
where = { indices = [0] }
begin = 0.15
path = [[0.15, [0, 0, 0]], [0.5, [0, 0.2, 0]]]
[[bodies.handles]]
where = { side = "top", fraction = 0.1 }
begin = 0.05
end = 0.4
path = [[0, [0, 0, 0]], [0.5, [0.5, 0, 0]]]
[[bodies.handles]]
where = { indices = [3] }
end = 0.1
"""
)


def scene(text: str = BAR, *settings: str) -> Scene:
    return with_overrides(scene_from_text(text), settings)


def positions(frames) -> np.ndarray:
    return np.array([frame.positions["bar"] for frame in frames])


# ---- playing ------------------------------------------------------------------------------------------------


def test_the_first_frame_is_the_moment_before_the_first_step():
    frames = list(pliant.simulate(scene()))
    assert len(frames) == 31
    assert np.allclose([frame.time for frame in frames], np.arange(31) / 60)
    assert np.allclose(frames[0].positions["bar"][:, 1].min(), 0.1, atol=1e-6)


def test_as_many_frames_as_asked_for():
    assert len(list(pliant.simulate(scene(), 3))) == 3
    assert len(list(pliant.simulate(scene(), frames=3))) == 3
    assert len(list(pliant.simulate(scene(), fps=24))) == 13


def test_the_same_scene_plays_the_same_bits():
    one, two = (positions(pliant.simulate(scene(DIRECTED))) for _ in range(2))
    assert one.tobytes() == two.tobytes()


def test_a_scene_that_is_not_animated_is_stepped_as_by_hand():
    made = stage(scene())
    world = stage(scene()).world
    for _ in range(5):
        made.step()
        world.step(1 / 60, 2)
    assert np.array(made.world["bar"].positions).tobytes() == np.array(world["bar"].positions).tobytes()


@pytest.mark.parametrize(
    ("asked", "fps", "substeps", "frames"),
    [
        ({}, 60, 2, 31),
        ({"fps": 30}, 30, 4, 16),
        ({"fps": 24}, 24, 5, 13),
        ({"fps": 240}, 240, 1, 121),
        ({"substeps": 7}, 60, 7, 31),
        ({"fps": 24, "substeps": 7}, 24, 7, 13),
        ({"seconds": 2}, 60, 2, 121),
        ({"frames": 9}, 60, 2, 9),
        ({"frames": 9, "fps": 24}, 24, 5, 9),
        ({"changes": {"output.fps": 30}}, 30, 4, 16),
        ({"changes": ["output.frames=7"]}, 60, 2, 7),
    ],
)
def test_frames_and_steps(asked, fps, substeps, frames):
    made = show_of(scene(), **asked)
    assert (made.fps, made.substeps, made.frames) == (fps, substeps, frames)


def test_overrides_that_there_are_not():
    with pytest.raises(pliant.SceneError, match='no override "secons"; did you mean "seconds"'):
        show_of(scene(), secons=2)
    with pytest.raises(pliant.SceneError, match="mesher: the scene has no body from a file"):
        show_of(scene(), mesher="wild")
    with pytest.raises(pliant.SceneError, match=r"world\.seconds: -1 given"):
        show_of(scene(), seconds=-1)


def test_a_scene_file_by_its_path(tmp_path: Path):
    (tmp_path / "bar.toml").write_text("title = 'A bar'\n" + BAR)
    made = show_of(tmp_path / "bar.toml")
    assert made.name == "bar" and made.title == "A bar"
    assert len(list(pliant.simulate(str(tmp_path / "bar.toml"), 2))) == 2


# ---- direction ----------------------------------------------------------------------------------------------


def test_values_follow_their_keys():
    made = stage(scene(DIRECTED))
    actor = made.world["bar"]
    assert made.animate is not None
    for time, gravity, friction, stiffness in ((0, 0, 0, 0.2), (0.2, -20 * 2 / 3, 0.5, 1.1), (0.5, -20, 1, 2)):
        made.animate(time)
        assert np.allclose(made.world.gravity, (0, gravity, 0))
        assert np.isclose(made.world.colliders[0].friction, friction)
        assert np.isclose(actor.settings.stiffness, stiffness)
    for time, forced in ((0, {}), (0.2, {"twist": 0}), (0.25, {"twist": 0.4}), (0.34, {"twist": 0.8}), (0.35, {})):
        made.animate(time)
        assert actor.settings.forced == pytest.approx(forced)


def test_forced_weights_are_what_the_body_does():
    text = DIRECTED.replace("[bodies.model.keys]", "[bodies.model]\nforced_time = 0\n[bodies.model.keys]")
    weights = [frame.weights["bar"][0, 1] for frame in pliant.simulate(scene(text)) if 0.31 < frame.time < 0.35]
    assert np.allclose(weights, 0.8, atol=1e-6)


def twist_of(keys: str, seconds: float = 0.8) -> tuple[np.ndarray, np.ndarray]:
    """Times and weights of the twist, whose keys these are."""
    made = stage(scene(BAR + f"[bodies.model]\nkeys.forced.twist = {keys}\n"))
    frames = list(made.play(round(seconds * made.fps) + 1))
    return np.array([each.time for each in frames]), np.array([each.weights["bar"][0, 1] for each in frames])


def test_a_track_is_not_smoothed_a_second_time():
    times, weights = twist_of("[[0, 0], [0.6, 0.9]]")
    late = np.clip(np.interp(times - 1 / 60, [0, 0.6], [0, 0.9]), 0, 1)  # keys are read when a frame begins
    assert (weights[1:] >= late[1:] - 1e-6).all() and (weights <= np.minimum(1.5 * times, 0.9) + 1e-6).all()


def test_where_a_track_jumps_it_is_a_cue():
    """From free to a number, and from step to step."""
    times, weights = twist_of('[[0, "free"], [0.2, 0.6]]')
    assert (weights[times < 0.2] < 0.1).all()
    assert 0.2 < weights[np.searchsorted(times, 0.35)] < 0.4
    assert np.allclose(weights[times > 0.53], 0.6, atol=1e-6)
    times, weights = twist_of('{ keys = [[0, 0], [0.2, 0.6]], between = "step" }')
    assert 0.2 < weights[np.searchsorted(times, 0.35)] < 0.4
    assert np.allclose(weights[times > 0.53], 0.6, atol=1e-6)


def test_forced_weights_share_what_there_is():
    text = BAR + "[bodies.model]\nforced.flat = 0.5\nkeys.forced.twist = [[0, 0], [1, 1]]\n"
    made = stage(scene(text))
    assert made.animate is not None
    made.animate(0.25)
    assert made.world["bar"].settings.forced == pytest.approx({"flat": 0.5, "twist": 0.25})
    made.animate(1.0)
    assert made.world["bar"].settings.forced == pytest.approx({"flat": 1 / 3, "twist": 2 / 3})


def test_what_stays_is_keyed():
    """Nothing stays until it is told to."""
    text = BAR.replace("0.1, 0]", "1.5, 0]") + "[bodies.model]\nplasticity = { creep = 60 }\n"
    text += "keys.plasticity.yield_point = { keys = [[0, 2], [0.4, 0.01]], between = 'step' }\n"
    made = stage(scene(text))
    for time, wanted in ((0.3, 2.0), (0.45, 0.01)):
        assert made.animate is not None
        made.animate(time)
        assert made.world["bar"].settings.plasticity == pliant.Plasticity(yield_point=wanted, creep=60)
    with pytest.raises(pliant.SceneError, match="there is no plasticity to change"):
        stage(scene(BAR + "[bodies.model]\nkeys.plasticity.creep = [[0, 1]]\n"))


def test_pins_hold_from_their_beginning_on():
    frames = list(pliant.simulate(scene(DIRECTED)))
    track = positions(frames)[:, 0]
    held = [i for i, frame in enumerate(frames) if frame.time > 0.17]
    free = [i for i, frame in enumerate(frames) if frame.time < 0.15]
    speed = np.diff(track[held], axis=0) * 60
    assert np.allclose(speed, (0, 0.2 / 0.35, 0), atol=0.02)
    assert not np.allclose(np.diff(track[free], axis=0) * 60, (0, 0.2 / 0.35, 0), atol=0.02)


def test_handles_pull_until_their_end():
    made = stage(scene(DIRECTED))
    held = {frame.time: len(made.grips(frame)) for frame in made.play()}
    assert [held[time] for time in sorted(held)][1::3] == [1, 2, 1, 1, 1, 1, 1, 1, 0, 0]
    assert len(made.world._inputs.handles) == 0 and len(made.world._inputs.pins) == 1


def test_a_grip_is_where_the_particles_are_and_where_they_should_be():
    made = stage(scene(BAR + '[[bodies.handles]]\nwhere = { side = "top", fraction = 0.1 }\npath = [[0, [0, 1, 0]]]\n'))
    ((held, target),) = made.grips(made.world.frame())
    assert np.allclose(held, (0, 1.1, 0), atol=1e-5) and np.allclose(target, (0, 2.1, 0), atol=1e-5)


def test_a_handle_that_nobody_said_the_stiffness_of_carries_the_body():
    text = BAR + "[[bodies.handles]]\nwhere = { side = 'top', fraction = 0.3 }\n"
    made = stage(scene(text, "seconds=4", "damping=8", "drag=4", "stiffness=4", "bodies.bar.position=[0, 3, 0]"))
    frames = list(made.play())
    ((held, target),) = made.grips(frames[-1])
    assert np.isclose(target[1] - held[1], 0.025, rtol=0.1)


def test_going_back_in_time_brings_back_what_was_held():
    made = stage(scene(DIRECTED))
    begin = made.world.snapshot()
    first = positions(made.play())
    made.world.restore(begin)
    assert positions(made.play()).tobytes() == first.tobytes()


def test_a_show_can_be_taken_up_at_any_frame(tmp_path: Path):
    whole = list(stage(scene(DIRECTED)).play())
    for number in (1, 5, 9, 13, 20, 25):
        before, after = stage(scene(DIRECTED)), stage(scene(DIRECTED))
        for _ in range(number):
            before.step()
        h = 1 / before.fps / before.substeps
        assert after.animate is not None
        after.animate(before.world.time - h)  # the time of the last sub-step
        go_back(after.world, checkpoint_of(before.world, number, 0, 0.0), tmp_path)
        rest = positions(after.play(31 - number))
        assert rest.tobytes() == positions(whole[number:]).tobytes(), number


# ---- keys ---------------------------------------------------------------------------------------------------


def key(text: str = BAR, *settings: str, **more) -> str:
    return show_of(scene(text, *settings), **more).key


def test_the_key_is_the_same_for_what_plays_alike():
    same = {
        key(),
        key("# a remark\n" + BAR.replace("gravity = [0, -9.81, 0]", "gravity = [0.0, -9.81, 0.0]")),
        key(BAR.replace("gravity = [0, -9.81, 0]\n", "")),  # the default
        key(BAR, "threads=2", "seconds=9", "title=bar", "output.file=a.glb"),
        key(frames=3),
    }
    assert len(same) == 1 and len(same.pop()) == 64


@pytest.mark.parametrize(
    "setting",
    [
        "gravity=[0,-9.82,0]", "seed=1", "precision=double", "substeps=3", "fps=30", "stiffness=0.6",
        "bodies.bar.poses.twist.degrees=61", "bodies.bar.position=[0,0.2,0]", "bodies.bar.shape.cells=[2,4,3]",
        "colliders.0.friction=0.6", "density=999", "colour=#ffffff", "bodies.bar.name=b", "output.fps=30",
    ],
)  # fmt: skip
def test_the_key_differs_for_what_does_not(setting: str):
    assert key(BAR, setting) != key()
