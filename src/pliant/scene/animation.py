"""What happens in a scene over time. Everything here depends on the time alone, so that a show can begin anywhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.scene.tracks import AnimationTrack, KeyedMotion
from pliant.world import Actor, Frame, Handle, Pin, World
from pliant.world.colliders import Collider
from pliant.world.constraints import HANDLE_STRETCH
from pliant.world.touching import touches

Array = NDArray[np.float64]
TOUCHING_WORD = "touching "  # an event begins so that is of a thing by its name
SOON = 1e-9  # s: sums of steps miss a round number by less


@dataclass(frozen=True, eq=False)
class Animation:
    """All that is to be done for a time, in order."""

    acts: tuple[Callable[[float], None], ...]

    def __call__(self, time: float) -> None:
        for act in self.acts:
            act(time)


@dataclass(frozen=True, eq=False)
class Gravity:
    world: World
    track: AnimationTrack

    def __call__(self, time: float) -> None:
        self.world.gravity = self.track(time)


@dataclass(frozen=True, eq=False)
class ColliderMaterial:
    """Friction and restitution of a collider, which is replaced when they change."""

    world: World
    number: int
    tracks: Mapping[str, AnimationTrack]

    def __call__(self, time: float) -> None:
        now: Collider = self.world.colliders[self.number]
        wanted = {name: track(time) for name, track in self.tracks.items()}
        if any(getattr(now, name) != value for name, value in wanted.items()):
            self.world.colliders[self.number] = replace(now, **wanted)


@dataclass(frozen=True, eq=False)
class Tuning:
    """Settings of an actor's model.  tracks: of numbers.  records: of the numbers of a record, such as `plasticity`.
    weights: of settings with a weight for each of some poses; `fixed` are those of theirs that are not keyed."""

    actor: Actor
    tracks: Mapping[str, AnimationTrack]
    records: Mapping[str, Mapping[str, AnimationTrack]]
    weights: Mapping[str, Mapping[str, AnimationTrack]]
    fixed: Mapping[str, Mapping[str, float]]

    def __call__(self, time: float) -> None:
        now = self.actor.settings
        wanted: dict[str, Any] = {}
        for name, track in self.tracks.items():
            value = track(time)
            wanted[name] = round(value) if isinstance(getattr(now, name), int) else value
        for name, tracks in self.records.items():
            if (record := getattr(now, name)) is not None:  # a person may have switched it off on the page
                wanted[name] = type(record)(**record.model_dump() | {key: track(time) for key, track in tracks.items()})
        for name, tracks in self.weights.items():
            numbers = {**self.fixed[name], **{key: track(time) for key, track in tracks.items()}}
            poses = self.actor.body.poses  # a body may have lost one since
            wanted[name] = _shared({key: each for key, each in numbers.items() if each is not None and key in poses})
        changed = {name: value for name, value in wanted.items() if getattr(now, name) != value}
        if changed:
            self.actor._follow(now.changed(**changed), self._on_course())

    def _on_course(self) -> set[str]:
        """Poses whose weights move from key to key by themselves: they are not to be smoothed a second time. A jump is
        a cue like any other: from "free" to a number, and from key to key of a track of steps. Weights that are not
        keyed change only because they share with those that are."""
        tracks = {pose: track for named in self.weights.values() for pose, track in named.items()}
        fixed = {pose for named in self.fixed.values() for pose in named}
        return fixed | {pose for pose, track in tracks.items() if track.between != "step"}


def _shared(weights: dict[str, float]) -> dict[str, float]:
    """Weights that would add up to more than 1 share it: on the way from key to key that is no mistake."""
    total = sum(weights.values())
    return weights if total <= 1 else {name: weight / total for name, weight in weights.items()}


@dataclass(frozen=True)
class Event:
    """The first time that an actor touches an obstacle ("landing"), or an obstacle or actor of a name ("touching
    NAME"). The world remembers it, so that a bake that goes on, and a moment that is gone back to, know of it."""

    actor: Actor
    text: str

    @property
    def touched(self) -> str | None:
        """The name of what is touched; None for any obstacle."""
        return self.text.removeprefix(TOUCHING_WORD) if self.text.startswith(TOUCHING_WORD) else None

    @property
    def time(self) -> float:
        """When it happened (s); infinite if it has not."""
        return self.actor.world.events.get(f"{self.actor.name}: {self.text}", inf)

    def look(self, now: float) -> None:
        """Remember it, if it happens now."""
        if self.time == inf and touches(self.actor, self.touched):
            self.actor.world.events[f"{self.actor.name}: {self.text}"] = now


@dataclass(eq=False)
class TimedHold:
    """Particles that are held from `begin` to `end`: pinned, or by springs of `stiffness` N/m, together or of each.
    begin_on, end_on: an event from which these times count.
    choose: which they are, among those that the actor is played with; asked again when it is played with others, such
    as under another model. points (n, 3): where springs pull to, in place of where the particles are."""

    actor: Actor
    choose: Callable[[], NDArray[np.int32]]
    soft: bool
    stiffness: float | tuple[float, ...] | None
    motion: KeyedMotion | None
    begin: float
    end: float | None
    points: Array | None = None
    begin_on: Event | None = None
    end_on: Event | None = None
    now: list[Pin | Handle] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.particles, self._chosen_of = self.choose(), self.actor.body

    def __call__(self, time: float) -> None:
        for event in (self.begin_on, self.end_on):
            if event is not None:
                event.look(time)
        wanted = self._wanted(time)
        if wanted and not self._is_on():
            self._take()
        elif not wanted and self.now:
            for each in self.now:
                each.release()

    def _wanted(self, time: float) -> bool:
        """Whether it holds at a time."""
        begin = self.begin + (0.0 if self.begin_on is None else self.begin_on.time)
        if self.end_on is not None:
            over = self.end_on.time + (self.end or 0.0)
            return begin <= time + SOON and time + SOON < over
        return begin <= time + SOON and (self.end is None or time + SOON < self.end)

    def _is_on(self) -> bool:
        """Asked of the world: it may have been put back to a moment before."""
        inputs = self.actor.world._inputs
        held = inputs.handles if self.soft else inputs.pins
        return bool(self.now) and any(each is self.now[0] for each in held)

    def _take(self) -> None:
        if self._chosen_of is not self.actor.body:
            self.particles, self._chosen_of = self.choose(), self.actor.body
        if not self.soft:
            self.now = [self.actor.pin(self.particles, self.motion)]
            return
        count = len(self.particles)
        together = 9.81 * self.actor.mass / HANDLE_STRETCH if self.stiffness is None else self.stiffness
        if isinstance(together, tuple) and len(together) != count:  # one of each of other particles
            together = sum(together)
        each = together if isinstance(together, tuple) else (together / count,) * count
        self.now = [
            self.actor.grab(int(particle), stiffness=spring, path=self.motion)
            for particle, spring in zip(self.particles, each, strict=True)
        ]
        if self.points is None:
            return
        points = self.points
        if len(points) != count:  # as far as the others were pulled, in the middle
            here = np.asarray(self.actor._here()[self.particles], np.float64)
            points = here + points.mean(axis=0) - here.mean(axis=0)
        for handle, point in zip(self.now, points, strict=True):
            handle.origin = point

    def grip(self, frame: Frame) -> tuple[Array, Array] | None:
        """The middle of what is held and where it is pulled to, for pictures."""
        on = self._wanted(frame.time)
        handles = [each for each in self.now if isinstance(each, Handle)]
        if not on or not handles or self.actor.name not in frame.positions:
            return None
        held = frame.positions[self.actor.name][self.particles].mean(axis=0)
        return held, np.mean([handle.goal(frame.time) for handle in handles], axis=0)


def grips_of(holds: Sequence[TimedHold]) -> Callable[[Frame], list[tuple[Array, Array]]] | None:
    """For a frame the pairs of points (held, pulled to)."""
    soft = [hold for hold in holds if hold.soft]
    if not soft:
        return None
    return lambda frame: [grip for hold in soft if (grip := hold.grip(frame)) is not None]
