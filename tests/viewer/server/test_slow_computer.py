"""When the computer cannot keep up, time goes slowly and the page says how slowly; it never tries to catch up."""

import time

import pytest

from pliant.viewer.panels.transport import said_rate
from pliant.viewer.protocol.commands import Step
from pliant.viewer.server.session import Session
from pliant.viewer.simulation.simulation import STEP, Simulation
from viewer.server.test_sessions import play, until

SLOWER = 5  # times


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When each step ended, of a simulation that takes much too long for one."""
    ends: list[float] = []
    quick = Simulation.step

    def step(self: Simulation) -> None:
        time.sleep(SLOWER * STEP)
        quick(self)
        ends.append(time.monotonic())

    monkeypatch.setattr(Simulation, "step", step)
    return ends


def test_the_rate_is_told_and_nothing_piles_up(steps: list[float]) -> None:
    async def test(session: Session) -> None:
        watcher = session.join()
        await until(lambda: session.status.phase == "ready" and session.status.rate < 0.9)
        assert 0 < session.status.rate <= 1.2 / SLOWER
        assert said_rate(session.status).endswith("% of real time")
        assert 0 < int(said_rate(session.status).split()[0]) <= 100 * 1.2 / SLOWER
        before, at, clock = len(steps), session.status.time, time.monotonic()
        await until(lambda: len(steps) >= before + 10)
        passed = time.monotonic() - clock
        assert session.status.time - at < passed / (SLOWER - 1)  # as slow as it is, no burst of steps
        session.do(Step())  # what a person asks for is done at once, not after a backlog
        asked = time.monotonic()
        await until(lambda: not session.status.playing)
        assert time.monotonic() - asked < 10 * SLOWER * STEP + 5.0
        session.leave(watcher)

    play(test)
