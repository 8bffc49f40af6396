"""The recording and its playback, without threads or pages."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.runtime.errors import PliantError
from pliant.viewer.protocol.commands import (
    AddPose,
    Compare,
    DeletePose,
    Grab,
    Live,
    Loop,
    Mark,
    Move,
    Nudge,
    Release,
    Seek,
)
from pliant.viewer.recording.playback import HISTORY, REEL
from pliant.viewer.recording.recorder import FPS, Moment, RecordedWeights, Recorder, between, save
from pliant.viewer.simulation.moments import frame_of
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.exhibits import EXHIBITS

HEAD = struct.Struct("<IIIIdII")


@pytest.fixture
def bar() -> Simulation:
    return Simulation(EXHIBITS[0])


def run(simulation: Simulation, steps: int) -> None:
    for _ in range(steps):
        simulation.step()


def pull(simulation: Simulation, way: tuple[float, float, float]) -> None:
    actor = simulation.world["bar"]
    x, y, z = actor.surface[0].tolist()
    simulation.apply(Grab(handle=0, actor="bar", vertex=0, target=(x, y, z)), "me")
    simulation.apply(Move(handle=0, target=(x + way[0], y + way[1], z + way[2])), "me")


def unpacked(frame: bytes) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Time, weights, places of colliders and particles of a frame."""
    _, _, _, weights, time, moving, particles = HEAD.unpack_from(frame)
    table = np.frombuffer(frame, "<f4", offset=HEAD.size)
    numbers, rest = np.split(table, [weights])
    places, rows = rest[: 12 * moving], rest[12 * moving : 12 * moving + 4 * particles]
    return time, numbers, places.reshape(-1, 12), rows.reshape(-1, 4)


def moment(time: float, particles: int = 100) -> Moment:
    return Moment(time, np.full((particles, 4), time, np.float32), RecordedWeights(), np.empty(0, np.float32), ())


def test_the_last_seconds_are_a_take(bar: Simulation, tmp_path: Path) -> None:
    run(bar, 60)
    panel_state = bar.editor.panel_state()
    recorder = panel_state.recorder
    assert recorder.seconds == pytest.approx(1.0)
    assert recorder.last(0.5) == pytest.approx((0.5, 1.0))
    take = recorder.take("bar", panel_state.recorded, recorder.last(0.5))
    assert take.frames == 31 and take.fps == FPS
    np.testing.assert_allclose(take.tracks[0].positions[-1], bar.world["bar"].positions)
    np.testing.assert_allclose(take.tracks[0].weights[-1], bar.world["bar"].weights, atol=1e-6)
    assert save(take, tmp_path, ".npz").stat().st_size > 1000
    with pytest.raises(PliantError, match="cannot be saved"):
        save(take, tmp_path, "/../../x.glb")
    with pytest.raises(PliantError, match="nothing has been recorded there"):
        recorder.take("bar", panel_state.recorded, (7.0, 8.0))
    bar.reset()
    assert recorder.seconds == 0.0


def test_weights_from_before_a_pose_came_fit(bar: Simulation) -> None:
    run(bar, 12)
    pull(bar, (0.4, 1.0, 0.3))
    run(bar, 18)
    bar.apply(AddPose(actor="bar", name="pulled"))
    run(bar, 6)
    panel_state = bar.editor.panel_state()
    weights = panel_state.recorder.take("bar", panel_state.recorded).tracks[0].weights
    assert weights.shape == (37, 1, 3)
    np.testing.assert_allclose(weights.sum(axis=2), 1.0, atol=1e-5)
    bar.playback.obey(Seek(time=0.0))
    _, numbers, _, _ = unpacked(frame_of(bar, bar.playback.moment))
    np.testing.assert_allclose(numbers, weights[0, 0], atol=1e-6)
    bar.apply(DeletePose(actor="bar", pose="pulled"))
    _, numbers, _, _ = unpacked(frame_of(bar, bar.playback.moment))
    assert len(numbers) == 2 and numbers.sum() == pytest.approx(1.0)


def test_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pliant.viewer.recording.recorder.RECORDED_BYTES", 10 * moment(0.0).size)
    recorder = Recorder()
    with pytest.raises(PliantError, match="nothing"):
        recorder.take("x", ())
    for number in range(50):
        recorder.add(moment(number / FPS))
    assert recorder.seconds == pytest.approx(9 / FPS) == recorder.most
    assert recorder.ends == pytest.approx((40 / FPS, 49 / FPS))
    assert recorder.begun == 0.0


def test_what_does_not_follow_begins_a_new_recording() -> None:
    recorder = Recorder()
    for time in (0.0, 0.1, 0.2):
        recorder.add(moment(time))
    recorder.add(moment(0.1))  # the clock was turned back
    assert recorder.ends == (0.1, 0.1)
    recorder.add(moment(0.2, particles=7))  # other actors
    assert [each.rows.shape for each in recorder.moments] == [(7, 4)]


def test_between_two_moments() -> None:
    middle = between(moment(1.0), moment(3.0), 0.25)
    assert middle.time == 1.5 and (middle.rows == 1.5).all()
    one, other = moment(1.0), moment(2.0)
    assert between(one, other, 0.0) is one and between(one, other, 1.0) is other


def test_a_recorded_frame_is_the_frame_of_then() -> None:
    """Particles, weights and moving colliders, to the last bit."""
    for exhibit in EXHIBITS[:2]:
        simulation = Simulation(exhibit)
        then = []
        for _ in range(20):
            simulation.step()
            then.append(unpacked(simulation.frame()))
        playback = simulation.playback
        for number in (19, 0, 7):
            playback.obey(Seek(time=(number + 1) * STEP))
            for got, wanted in zip(unpacked(frame_of(simulation, playback.moment)), then[number], strict=True):
                np.testing.assert_array_equal(got, wanted)
        playback.obey(Live())
        assert playback.live


def test_the_playhead_stays_within_the_recording(bar: Simulation) -> None:
    run(bar, 10)
    playback = bar.playback
    for command, time in (
        (Nudge(moments=-1), 9 * STEP),
        (Nudge(moments=-500), 0.0),
        (Nudge(moments=3), 3 * STEP),
        (Nudge(moments=500), 10 * STEP),
        (Seek(time=-5.0), 0.0),
        (Seek(time=1e5), 10 * STEP),
        (Seek(time=4.4 * STEP), 4 * STEP),
    ):
        playback.obey(command)
        assert playback.moment.time == pytest.approx(time)


def test_playing_goes_by_the_clock_and_ends_or_loops(bar: Simulation) -> None:
    run(bar, 60)
    playback = bar.playback
    playback.obey(Seek(time=0.5))
    playback.start()
    assert playback.advance(100.0, 1.0)
    assert playback.advance(100.25, 1.0)
    assert playback.moment.time == pytest.approx(0.75)
    assert playback.advance(100.5, 0.125)
    assert playback.moment.time == pytest.approx(0.75 + 0.25 / 8)  # between two moments
    assert not playback.advance(101.5, 1.0)
    assert playback.moment.time == pytest.approx(1.0)
    playback.start()  # at its end: from the beginning
    assert playback.moment.time == 0.0
    playback.obey(Mark(start=0.6, end=0.4))  # either way round
    playback.obey(Loop(on=True))
    playback.start()
    assert playback.moment.time == pytest.approx(0.4)
    playback.advance(0.0, 1.0)
    for now in np.arange(1, 100) / 60:
        assert playback.advance(float(now), 1.0)
        assert 0.4 - 1e-6 <= playback.moment.time <= 0.6 + 1e-6


def test_pages_are_told(bar: Simulation) -> None:
    run(bar, 30)
    playback = bar.playback

    def said() -> dict[str, object]:
        kind, length = struct.unpack_from("<II", playback.told(True))
        assert kind == REEL
        return json.loads(playback.told(True)[8 : 8 + length])

    assert said() == {
        "live": True, "playing": True, "loop": False, "first": 0.0, "last": None, "most": 60.0, "marks": [None, None]
    }  # fmt: skip
    assert playback.told(True) is playback.told(True)
    assert playback.history(()) == b""
    playback.obey(Mark(start=0.1, end=None))
    assert playback.span() == pytest.approx((0.1, 0.5))
    playback.obey(Seek(time=0.2))
    assert said() | {"live": False, "marks": [0.1, None]} == said()
    assert said()["last"] == pytest.approx(0.5)
    bars = bar._sides[0].bars
    kind, count, columns, _ = struct.unpack_from("<IIII", playback.history(bars))
    assert (kind, count, columns) == (HISTORY, 8, 2)
    table = np.frombuffer(playback.history(bars), "<f4", offset=16).reshape(count, 1 + columns)
    np.testing.assert_allclose(table[:, 0], np.arange(8) * 4 / 60, atol=1e-6)
    np.testing.assert_allclose(table[:, 1:].sum(axis=1), 1.0, atol=1e-5)
    assert playback.history(bars) is playback.history(bars)
    bar.reset()
    playback.check()
    assert playback.live and playback.marks == (None, None)


def test_marks_that_have_gone_are_forgotten(monkeypatch: pytest.MonkeyPatch, bar: Simulation) -> None:
    monkeypatch.setattr("pliant.viewer.recording.recorder.RECORDED_BYTES", 11 * bar.editor.recorder.moments[0].size)
    run(bar, 12)
    bar.playback.obey(Mark(start=3 * STEP, end=6 * STEP))
    run(bar, 2)
    assert bar.playback.span() == pytest.approx((4 * STEP, 6 * STEP))
    run(bar, 10)
    assert bar.playback.span() is None and bar.playback.marks == (None, None)


def test_the_shown_moment_becomes_the_pose(bar: Simulation) -> None:
    run(bar, 2)
    pull(bar, (0.4, 1.0, 0.3))
    run(bar, 20)
    bent = bar.world["bar"].positions.copy()
    bar.apply(Release(), "me")
    run(bar, 90)  # it lies again
    bar.playback.obey(Seek(time=22 * STEP))
    frame_of(bar, bar.playback.moment)
    bar.apply(AddPose(actor="bar", name="then"))
    from pliant.viewer.simulation.posing import turned_back

    body = bar.world["bar"].body
    wanted = turned_back(bent.astype(float), body.rest, body.masses)
    np.testing.assert_allclose(body.poses["then"], wanted, atol=1e-5)


def test_both_copies_are_recorded(bar: Simulation, tmp_path: Path) -> None:
    bar.apply(Compare(on=True))
    run(bar, 10)
    panel_state = bar.editor.panel_state()
    assert [each.name for each in panel_state.recorded] == ["bar", "bar B"]
    take = panel_state.recorder.take("two", panel_state.recorded)
    first, second = take.tracks
    apart = second.positions - first.positions
    assert apart.shape[0] == 11
    np.testing.assert_allclose(apart, np.broadcast_to(bar.comparison.shift, apart.shape), atol=1e-4)
    assert bar.comparison.second is not None
    assert bar.comparison.second.editor.recorder.moments == ()  # kept once
    planes = [each for each, _ in panel_state.colliders if isinstance(each, pliant.Plane)]
    assert len(planes) == 1 and len(panel_state.colliders) == 3
