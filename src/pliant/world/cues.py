"""Cues: weights that are given come into force smoothly, because goals that jump hit a body like a blow.

Whenever `forced` says another weight for a pose, the difference to the weight it had fades away over `forced_time`:

    w(t) = forced + sum_i jump_i (1 - s((t - begin_i) / duration_i)),     s(u) = u^2 (3 - 2 u)

So a pose that is newly forced starts from the weight that the body has given it, and one that is forced otherwise from
the weight that is in force. Fades are added up: a change in the middle of another one bends the course but does not
break it, and no weight goes beyond what was asked for. The last one ends exactly `forced_time` after the last change.
(A critically damped spring never quite arrives; one fade from where the weight is now stops it short at every change.)
It depends on the time alone, not on steps. A pose that is set free has no course: its weight is found from the shape
that the body has, so it goes on from there by itself. Meanwhile the body is taken along (courses.py).
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from pliant.models.settings import Settings

Weights = Callable[[], Mapping[str, float]]


@dataclass(frozen=True)
class Fade:
    """From `begin`, for `duration` (s).  before, after: the weights of all poses, those that are free too: from where
    to where the body is taken. A pose that has the same in both has no part in it."""

    begin: float
    duration: float
    before: Mapping[str, float]
    after: Mapping[str, float]

    @property
    def end(self) -> float:
        return self.begin + self.duration

    def left(self, time: float) -> float:
        """The part that is still there.

        >>> fade = Fade(1.0, 0.4, {"twist": 0.0}, {"twist": 1.0})
        >>> [round(fade.left(time), 3) for time in (0.5, 1.0, 1.1, 1.2, 1.4, 9.0)]
        [1.0, 1.0, 0.844, 0.5, 0.0, 0.0]
        """
        u = min(max((time - self.begin) / self.duration, 0.0), 1.0)
        return 1.0 - u * u * (3.0 - 2.0 * u)

    def jump(self, pose: str) -> float:
        """The weight before, minus the weight that is asked for."""
        return self.before.get(pose, 0.0) - self.after.get(pose, 0.0)


Fades = tuple[Fade, ...]


def forced_in(settings: Settings) -> Mapping[str, float]:
    """The weights that settings give, of a model that has such."""
    forced: Mapping[str, float] = getattr(settings, "forced", {})
    return forced


def in_force(settings: Settings, fades: Fades, time: float) -> Settings:
    """The settings with the weights that are in force at a time. Fades that begin at different moments may add up to
    more than there is, by as much as a track moved meanwhile: then all poses share it."""
    if not fades:
        return settings
    left = [(fade, fade.left(time)) for fade in fades]
    weights = {
        pose: min(max(weight + sum(part * fade.jump(pose) for fade, part in left), 0.0), 1.0)
        for pose, weight in forced_in(settings).items()
    }
    share = 1.0 / max(sum(weights.values()), 1.0)
    return settings.model_copy(update={"forced": {pose: share * weight for pose, weight in weights.items()}})


def still_fading(fades: Fades, time: float) -> Fades:
    """Those that have not come to their end."""
    return tuple(fade for fade in fades if fade.end > time)


def fades_after(
    old: Settings, fades: Fades, settings: Settings, time: float, found: Weights, followed: Collection[str] = ()
) -> Fades:
    """What fades once settings are others than they were.  found: asked for the weights of all poses in the last step.
    followed: poses whose weights come from a track, which is on a course of its own; where such a pose was free before,
    the way to its track is faded like any other."""
    forced, before = forced_in(settings), forced_in(old)
    over = float(getattr(settings, "forced_time", 0.0))
    if not forced or over == 0.0:
        return ()
    fades = tuple(_without_freed(fade, forced, before) for fade in still_fading(fades, time))
    if forced != before:
        weights = {**found(), **before}
        jumping = {pose for pose in forced if not (pose in followed and pose in before)}
        if any(forced[pose] != weights.get(pose, 0.0) for pose in jumping):
            given = {pose: forced[pose] if pose in jumping else weights[pose] for pose in forced}
            after = {**_share(weights, forced), **given}
            fades += (Fade(time, over, {pose: weights.get(pose, 0.0) for pose in after}, after),)
    return fades


def fades_of_newcomer(settings: Settings, time: float) -> Fades:
    """An actor comes at rest: what it is forced to begins there."""
    forced, over = forced_in(settings), float(getattr(settings, "forced_time", 0.0))
    if not any(forced.values()) or over == 0.0:
        return ()
    return (Fade(time, over, dict.fromkeys(forced, 0.0), dict(forced)),)


def _without_freed(fade: Fade, forced: Mapping[str, float], before: Mapping[str, float]) -> Fade:
    """A fade goes on with those poses only that are and were forced."""
    freed = {pose: weight for pose, weight in fade.after.items() if not (pose in forced and pose in before)}
    return replace(fade, before={**fade.before, **freed}) if freed else fade


def _share(weights: Mapping[str, float], forced: Mapping[str, float]) -> dict[str, float]:
    """What free poses keep of their weights: they share what is not given."""
    free = {pose: weight for pose, weight in weights.items() if pose not in forced}
    total = sum(free.values())
    room = max(1.0 - sum(forced.values()), 0.0)
    return {pose: weight * min(1.0, room / total) if total > 0.0 else 0.0 for pose, weight in free.items()}
