"""A world that its view steps and pulls, without a notebook."""

import struct

import numpy as np
import pytest

import pliant
from pliant.notebook.live import MOST_FRAMES_ASKED, LiveWorld
from pliant.notebook.recording import playable
from pliant.session.player.unpacked import unpacked_setup

HEAD = struct.Struct("<IIIIdII")


@pytest.fixture
def live() -> LiveWorld:
    world = pliant.World(colliders=[pliant.Plane(), pliant.Box(centre=(3, 0.5, 0), half_size=(0.5, 0.5, 0.5))])
    bar = pliant.shapes.cuboid(size=(1, 2, 1), cells=(2, 4, 2))
    bar = bar.with_pose("twist", pliant.poses.twist(bar, 90, axis="y"))
    world.add(bar, pliant.ShapeMatching(stiffness=4), name="bar", position=(0, 1.5, 0))
    return LiveWorld(playable(world))


def particles(frame: bytes) -> tuple[float, np.ndarray]:
    _, _, _, weights, time, moving, count = HEAD.unpack_from(frame)
    rows = np.frombuffer(frame, "<f4", 4 * count, HEAD.size + 4 * weights + 48 * moving).reshape(-1, 4)
    return time, rows[:, :3]


def test_frames_come_as_they_are_asked_for(live: LiveWorld) -> None:
    answer, frames = live.obey({"do": "advance", "frames": 3})
    assert answer == {"answer": True} and len(frames) == 3
    times = [particles(frame)[0] for frame in frames]
    np.testing.assert_allclose(times, [1 / 60, 2 / 60, 3 / 60])
    np.testing.assert_allclose(particles(frames[-1])[1], live.world["bar"].positions, atol=1e-6)
    assert unpacked_setup(live.setup)["bars"][0]["names"] == ["rest", "twist"]


def test_a_hand_lifts_it_and_lets_go(live: LiveWorld) -> None:
    actor = live.world["bar"]
    top = int(actor.surface[:, 1].argmax())
    x, y, z = actor.surface[top].tolist()
    live.obey({"do": "grab", "handle": 1, "actor": "bar", "vertex": top, "target": [x, y, z]})
    live.obey({"do": "move", "handle": 1, "target": [x, y + 2, z]})
    for _ in range(20):
        live.obey({"do": "advance", "frames": 4})
    assert actor.positions[:, 1].mean() > 2.0  # it fell from 1.5, and would lie on the floor
    live.obey({"do": "release", "handle": 1})
    before = np.average(actor.velocities[:, 1], weights=actor.body.masses)
    live.obey({"do": "advance", "frames": 4})
    speed = np.average(actor.velocities[:, 1], weights=actor.body.masses)
    assert speed - before == pytest.approx(-9.81 * 4 / 60, rel=0.05)  # nothing holds it


def test_what_is_pinned_stays_until_it_is_unpinned(live: LiveWorld) -> None:
    actor = live.world["bar"]
    top = int(actor.surface[:, 1].argmax())
    target = (actor.surface[top] + [0, 1, 0]).tolist()
    live.obey({"do": "grab", "handle": 4, "actor": "bar", "vertex": top, "target": target})
    ((said, _),) = [live.obey({"do": "keep", "handle": 4})]
    (pin,) = said["pins"]
    assert (pin["actor"], pin["vertex"]) == ("bar", top)
    for _ in range(40):
        live.obey({"do": "advance", "frames": 4})
    assert np.linalg.norm(actor.surface[top] - target) < 0.2
    assert live.obey({"do": "unpin", "pin": pin["number"]})[0] == {"pins": []}


def test_an_obstacle_is_dragged(live: LiveWorld) -> None:
    live.obey({"do": "drag", "handle": 2, "collider": 1, "target": [3, 0.5, 0]})
    live.obey({"do": "move", "handle": 2, "target": [3, 2.5, 0]})
    live.obey({"do": "advance", "frames": 8})
    live.obey({"do": "advance", "frames": 8})
    assert live.world.colliders[1].placed(live.world.time)[1][1] > 1.5


def test_it_begins_anew(live: LiveWorld) -> None:
    before = live.world["bar"].positions.copy()
    live.obey({"do": "advance", "frames": 8})
    answer, (frame,) = live.obey({"do": "reset"})
    assert answer == {"pins": []} and particles(frame)[0] == 0.0
    np.testing.assert_array_equal(live.world["bar"].positions, before)


@pytest.mark.parametrize(
    "said",
    [None, [], "advance", {"do": "advance"}, {"do": "advance", "frames": MOST_FRAMES_ASKED + 1}, {"do": "explode"},
     {"do": "advance", "frames": "4"}, {"do": "move", "handle": 9, "target": [0, 0, 0]}, {"do": "keep", "handle": 9},
     {"do": "grab", "handle": 1, "actor": "bar", "vertex": 0, "target": [0, float("inf"), 0]}],
)  # fmt: skip
def test_what_is_no_command_moves_nothing(live: LiveWorld, said: object) -> None:
    before = live.world["bar"].positions.copy()
    _, frames = live.obey(said)
    assert not frames and live.world.time == 0.0
    np.testing.assert_array_equal(live.world["bar"].positions, before)


def test_what_is_wrong_is_told_on_the_view(live: LiveWorld) -> None:
    said = {"do": "grab", "handle": 1, "actor": "bear", "vertex": 0, "target": [0, 0, 0]}
    answer, frames = live.obey(said)
    assert "bear" in answer["problem"] and "\n" not in answer["problem"] and not frames


def test_a_cell_may_add_an_actor(live: LiveWorld) -> None:
    assert not live.changed()
    live.world.add(pliant.shapes.ball(particles=60), pliant.ShapeMatching(), name="ball", position=(0, 4, 0))
    assert live.changed()
    live.look()
    assert [each["name"] for each in unpacked_setup(live.setup)["actors"]] == ["bar", "ball"]
    assert not live.changed()
    live.obey({"do": "advance", "frames": 2})
    assert live.obey({"do": "reset"})[0] == {"pins": []}


def test_an_empty_world() -> None:
    with pytest.raises(pliant.PliantError, match=r"no body in the world; put one into it with world.add"):
        LiveWorld(playable(pliant.World()))
