"""An exhibit being played, without threads or pages."""

import json
import struct

import numpy as np
import pytest

from pliant.runtime.errors import Diverged, SettingsError
from pliant.session.player.setup import SETUP
from pliant.viewer.protocol.commands import Arrange, Defaults, Grab, Move, Release, Tune
from pliant.viewer.protocol.packing import FRAME
from pliant.viewer.simulation.simulation import MOST_HELD, STEP, Simulation
from viewer.exhibits import EXHIBITS

BAR, KINDS, *_, BOMB = EXHIBITS


@pytest.fixture
def bar() -> Simulation:
    return Simulation(BAR)


def unpack(frame: bytes) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Time, weights, places of moving colliders and particles."""
    kind, _, _, weights, time, moving, count = struct.unpack_from("<IIIIdII", frame)
    assert kind == FRAME
    numbers = np.frombuffer(frame, "<f4", offset=32)
    first = weights + 12 * moving
    assert len(numbers) == first + 4 * count
    return time, numbers[:weights], numbers[weights:first].reshape(-1, 12), numbers[first:].reshape(-1, 4)


def height(simulation: Simulation) -> float:
    return float(simulation.world["bar"].centre[1])


def run(simulation: Simulation, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        simulation.step()


def test_cast_points_at_its_arrays() -> None:
    setup = Simulation(KINDS).setup
    kind, length = struct.unpack_from("<II", setup)
    said = json.loads(setup[8 : 8 + length])
    assert kind == SETUP and length % 4 == 0
    assert [skin["kind"] for skin in said["skins"]] == ["solid", "shell", "rod"]  # the two balls share theirs
    assert [actor["skin"] for actor in said["actors"]] == [0, 0, 1, 2]
    ends = [each["start"] + 4 * each["count"] for skin in said["skins"] for each in skin["arrays"].values()]
    assert 8 + length + max(ends) == len(setup)
    assert said["particles"] == sum(actor["count"] for actor in said["actors"])
    assert [each["shape"] for each in said["colliders"]] == ["Plane", "Box"]


def test_frame_has_what_the_world_has() -> None:
    simulation = Simulation(KINDS)
    run(simulation, 0.5)
    time, weights, places, particles = unpack(simulation.frame())
    assert time == pytest.approx(0.5) and len(weights) == 0
    np.testing.assert_allclose(places[0, 9:], [0.5, 0.1, 0.0], atol=1e-6)
    wanted = np.concatenate([actor.positions for actor in simulation.actors])
    np.testing.assert_allclose(particles[:, :3], wanted)


def test_slow_motion_glides_between_steps(bar: Simulation) -> None:
    bar.step()
    before = unpack(bar.frame())[3]
    bar.step()
    time, _, _, half = unpack(bar.frame(0.5))
    after = unpack(bar.frame())[3]
    assert time == pytest.approx(1.5 * STEP)
    np.testing.assert_allclose(half, (before + after) / 2, atol=1e-6)


def test_a_grip_lifts_and_lets_go(bar: Simulation) -> None:
    run(bar, 0.2)
    start = height(bar)
    vertex = int(bar.world["bar"].surface[:, 1].argmax())
    x, y, z = bar.world["bar"].surface[vertex].tolist()
    bar.apply(Grab(handle=0, actor="bar", vertex=vertex, target=(x, y, z)), "me")
    bar.apply(Move(handle=0, target=(x, y + 1.0, z)), "me")
    bar.apply(Move(handle=0, target=(x, y - 9.0, z)), "another page")  # does not hold it
    run(bar, 1.0)
    assert start + 0.5 < height(bar) < start + 1.3  # it swings
    bar.apply(Release(), "another page")
    assert len(bar._held) == 1
    bar.apply(Release(handle=0), "me")
    assert not bar._held
    run(bar, 2.0)
    assert height(bar) < start + 0.35  # it may stand on its end


def test_hands_are_few_and_checked(bar: Simulation) -> None:
    for number in range(2 * MOST_HELD):
        bar.apply(Grab(handle=number, actor="bar", vertex=0, target=(0.0, 1.0, 0.0)), "me")
    assert len(bar._held) == MOST_HELD
    with pytest.raises(SettingsError, match="nobody"):
        bar.apply(Grab(handle=0, actor="nobody", vertex=0, target=(0.0, 0.0, 0.0)), "you")
    with pytest.raises(SettingsError, match="grab"):
        bar.apply(Grab(handle=0, actor="bar", vertex=10**6, target=(0.0, 0.0, 0.0)), "you")


def test_tuning_outlives_a_reset(bar: Simulation) -> None:
    run(bar, 0.1)
    own = bar.settings()["bar"]
    bar.apply(Tune(actor=None, field="example_strength", value=0.9))
    bar.reset()
    assert bar.world.time == 0.0
    assert bar.settings()["bar"].example_strength == 0.9
    bar.apply(Defaults())
    assert bar.settings()["bar"] == own
    with pytest.raises(SettingsError, match="example_strength"):
        bar.apply(Tune(actor="bar", field="example_strength", value=7.0))
    assert bar.settings()["bar"] == own


def test_gravity_off(bar: Simulation) -> None:
    bar.apply(Arrange(field="gravity", value=0.0))
    bar.reset()
    start = height(bar)
    run(bar, 0.5)
    assert height(bar) == pytest.approx(start, abs=1e-3)


def test_epoch_changes_only_with_the_picture(bar: Simulation) -> None:
    epoch = bar.epoch
    bar.reset()
    bar.apply(Tune(actor="bar", field="damping", value=2.0))
    assert bar.epoch == epoch
    bar.apply(Tune(actor="bar", field="examples", value="regions"))  # other bars
    assert bar.epoch != epoch
    assert unpack(bar.frame())[1].sum() == pytest.approx(1.0, abs=1e-3)


def test_actors_keep_their_places_whatever_is_tuned() -> None:
    simulation = Simulation(KINDS)
    before = unpack(simulation.frame())[3]
    simulation.apply(Tune(actor="ball 0", field="examples", value="regions"))  # the world puts it elsewhere
    np.testing.assert_array_equal(unpack(simulation.frame())[3], before)
    simulation.step()
    assert np.abs(unpack(simulation.frame())[3] - before).max() < 0.1


def test_divergence_is_an_error_here() -> None:
    simulation = Simulation(BOMB)
    with pytest.raises(Diverged):
        run(simulation, 2.0)
    assert np.isfinite(unpack(simulation.frame())[3]).all()
