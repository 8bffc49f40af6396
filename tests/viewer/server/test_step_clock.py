"""Fixed steps by the clock: exact when the computer keeps up, slow without a spiral when it does not."""

import pytest

from pliant.viewer.server.step_clock import MOST_OWED, StepClock

STEP = 1 / 60


def play(clock: StepClock, seconds: float, tick: float, cost: float = 0.0) -> int:
    """Steps taken when the loop turns every `tick` seconds and a step takes `cost` seconds."""
    now, steps = 0.0, 0
    clock.start(now)
    while now < seconds:
        if clock.due(now):
            clock.stepped()
            steps += 1
            now += cost
        now += tick
    return steps


@pytest.mark.parametrize("speed", [1.0, 0.5, 0.25])
def test_keeps_the_speed(speed: float) -> None:
    clock = StepClock(STEP)
    clock.speed = speed
    assert play(clock, 10.0, tick=0.002) == pytest.approx(600 * speed, abs=2)
    assert clock.rate == pytest.approx(1.0, abs=0.05)


def test_a_slow_computer_falls_behind_and_says_so() -> None:
    clock = StepClock(STEP)
    assert play(clock, 10.0, tick=0.0001, cost=3 * STEP) == pytest.approx(200, abs=5)
    assert clock.rate == pytest.approx(1 / 3, abs=0.05)


def test_a_long_pause_is_not_made_up_for() -> None:
    clock = StepClock(STEP)
    clock.start(0.0)
    steps = 0
    while clock.due(100.0):
        clock.stepped()
        steps += 1
    assert steps <= MOST_OWED


def test_waits_until_the_next_step() -> None:
    clock = StepClock(STEP)
    clock.start(0.0)
    assert not clock.due(0.25 * STEP)
    assert clock.wait() == pytest.approx(0.75 * STEP)
    assert clock.part == pytest.approx(0.25)
