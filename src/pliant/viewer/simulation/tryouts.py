"""A pose tried out: the body is dropped, pressed and pulled, with the pose and without it, in a process of its own
(helper_process.py): `python -m pliant.viewer.simulation.tryouts`."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.body import Body
from pliant.models.settings import Settings
from pliant.viewer.recording.helper_process import HelperProcess, say, serve
from pliant.viewer.simulation.trials import TRIAL_PICTURES, TRIAL_SIZE

if TYPE_CHECKING:
    from pliant.files.take import Take
    from pliant.world import Actor, World

TESTS = {"drop": "Dropped", "press": "Pressed from above", "pull": "Pulled at both ends"}
TRYOUT_SECONDS, TRYOUT_FPS = 2.0, 30
PRESSED_TO = 0.45  # of its height, that is left when it is pressed
PULLED = 0.4  # of its height, that its ends are drawn apart
ENDS = 0.15  # of its height, that is held when it is pulled
FALL_HEIGHT = 1.0  # of its diagonal: from how high it falls


@dataclass(frozen=True)
class Tryout:
    """What came of one test.  film: its pictures side by side, a data URL, empty if it failed.  reached: the most of
    the pose that was in force, None without it.  at: when that was (s)."""

    test: str
    posed: bool
    film: str
    reached: float | None
    at: float


@dataclass(frozen=True, eq=False)
class TryoutTask:
    """A body with its settings, and the pose that is tried."""

    body: Body
    settings: Settings
    pose: str
    substeps: int


class Tryouts:
    """Under way: `play` waits for them in a thread, `found` and `cancel` are for others."""

    def __init__(self, task: TryoutTask) -> None:
        self.task = task
        self.found: dict[tuple[str, bool], Tryout] = {}
        self._helper = HelperProcess("pliant.viewer.simulation.tryouts", task, self._hear, "they")

    def play(self) -> bool:
        """Whether all were played, and it was not cancelled."""
        return self._helper.run()

    def cancel(self) -> None:
        self._helper.cancel()

    def _hear(self, said: dict[str, Any]) -> None:
        if "test" in said:
            tryout = Tryout(**said)
            self.found[tryout.test, tryout.posed] = tryout


# ---- the other process -----------------------------------------------------------------------------------


def work(task: TryoutTask) -> None:
    """Play and draw all of them; a pair through one camera."""
    from pliant.runtime.errors import Diverged
    from pliant.sweeps.films import FilmSpec, draw, sheet, spec_for

    for test in TESTS:
        spec: FilmSpec | None = None
        for posed in (True, False):
            world, actor = staged(task, test, posed)
            try:
                take, reached, at = played(world, actor, task)
            except Diverged:
                say(test=test, posed=posed, film="", reached=None, at=0.0)
                continue
            if spec is None:
                seen = spec_for(take, world.colliders, None)
                spec = FilmSpec(seen.camera, TRIAL_SIZE, TRIAL_PICTURES)
            jpeg = sheet(draw(take, world.colliders, spec), TRIAL_PICTURES)
            film = "data:image/jpeg;base64," + b64encode(jpeg).decode()
            say(test=test, posed=posed, film=film, reached=reached if posed else None, at=at)


def staged(task: TryoutTask, test: str, posed: bool) -> "tuple[World, Actor]":
    """The world of a test, before it begins."""
    from pliant.world import Box, Plane, World

    body = task.body if posed else task.body.without_pose(task.pose)
    settings = task.settings
    forced = getattr(settings, "forced", {})
    if task.pose in forced:
        settings = settings.changed(forced={name: each for name, each in forced.items() if name != task.pose})
    low, size = body.rest.min(axis=0), body.size
    middle, height = low + size / 2, float(size[1])
    diagonal = float(np.linalg.norm(size))
    lift = {"drop": FALL_HEIGHT * diagonal}.get(test, 0.0)
    world = World(gravity=(0, 0, 0) if test == "pull" else (0, -9.81, 0), threads=1)
    if test != "pull":
        world.colliders.append(Plane())
    if test == "press":
        half, above = (float(size[0]), 0.05 * diagonal, float(size[2])), 0.06 * diagonal
        way = above + (1.0 - PRESSED_TO) * height
        plate = (0.0, height + above + half[1], 0.0)
        world.colliders.append(Box(centre=plate, half_size=half, path=lambda t: (0.0, -way * pulse(t), 0.0)))
    place = (-float(middle[0]), lift - float(low[1]), -float(middle[2]))
    actor = world.add(body, settings, name=body.name, position=place)
    if test == "pull":
        share = (body.rest[:, 1] - low[1]) / max(height, 1e-12)
        along: Callable[[float], Any] = lambda t: (0.0, 0.5 * PULLED * height * pulse(t), 0.0)  # noqa: E731
        actor.pin(np.flatnonzero(share > 1 - ENDS), path=along)
        actor.pin(np.flatnonzero(share < ENDS), path=lambda t: tuple(-each for each in along(t)))
    return world, actor


def pulse(time: float) -> float:
    """From 0 to 1 and back, smoothly, in the time of a test.

    >>> [round(pulse(time), 3) for time in (0.0, 0.5, 1.0, 1.5, 2.0)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    return float(0.5 - 0.5 * np.cos(2 * np.pi * min(max(time / TRYOUT_SECONDS, 0.0), 1.0)))


def played(world: "World", actor: "Actor", task: TryoutTask) -> "tuple[Take, float, float]":
    """All frames of a test; the most of the pose that was in force, and when."""
    from pliant.files.take import Take, Track

    positions, weights, rotations, best, at = [], [], [], 0.0, 0.0
    number = list(actor.body.poses).index(task.pose) + 1 if task.pose in actor.body.poses else None
    for frame in range(round(TRYOUT_SECONDS * TRYOUT_FPS) + 1):
        if frame:
            world.step(1 / TRYOUT_FPS, 2 * task.substeps)
        positions.append(np.array(actor.positions, np.float32))
        weights.append(np.array(actor.weights, np.float32))
        if actor.rotations is not None:
            rotations.append(np.array(actor.rotations, np.float32))
        now = float(weights[-1][:, number].max()) if number is not None else 0.0
        best, at = (now, world.time) if now > best else (best, at)
    track = Track(
        actor.name, actor.body, np.stack(positions), np.stack(weights), actor.group_names or ("all",),
        np.stack(rotations) if rotations else None,
    )  # fmt: skip
    return Take(actor.name, float(TRYOUT_FPS), (track,)), best, at


if __name__ == "__main__":
    serve(work)
