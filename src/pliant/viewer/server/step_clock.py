"""How many steps of a fixed length are due by the clock, and how far a slow computer falls short."""

MOST_OWED = 2.0  # steps: more is forgiven, so that a slow computer runs slowly and never tries to catch up
WINDOW, FEWEST_STEPS = 0.5, 20  # seconds and steps over which the rate is measured, whichever is longer


class StepClock:
    """Told the time, it says whether a step is due. `speed` is seconds of the world per second of the clock.

    >>> clock = StepClock(step=0.1)
    >>> clock.start(now=0.0)
    >>> clock.due(now=0.05), clock.due(now=0.11)
    (False, True)
    """

    def __init__(self, step: float) -> None:
        self.step, self.speed = step, 1.0
        self.rate = 1.0  # of the wanted speed that was reached lately
        self.start(0.0)

    def start(self, now: float) -> None:
        """Time runs from here; what was before does not count."""
        self._then = self._begin = now
        self._owed = 0.0
        self._taken = 0

    def due(self, now: float) -> bool:
        """Whether to step now. The caller tells of a step with `stepped`."""
        self._owed = min(self._owed + (now - self._then) * self.speed / self.step, MOST_OWED)
        self._then = now
        self._measure(now)
        return self._owed >= 1.0

    def stepped(self) -> None:
        self._owed -= 1.0
        self._taken += 1

    @property
    def part(self) -> float:
        """How much of the next step has gone by, 0 to 1."""
        return min(max(self._owed, 0.0), 1.0)

    def wait(self) -> float:
        """Seconds until the next step is due."""
        return max(1.0 - self._owed, 0.0) * self.step / self.speed

    def _measure(self, now: float) -> None:
        if (passed := now - self._begin) >= max(WINDOW, FEWEST_STEPS * self.step / self.speed):
            self.rate = min(self._taken * self.step / (passed * self.speed), 1.0)
            self._begin, self._taken = now, 0
