"""What holds a body while it settles: which particles, and where they belong."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pliant.body import Body
from pliant.geometry.selection import Selection, select
from pliant.geometry.turning import quaternions, rotation_matrices
from pliant.runtime.errors import SettingsError

Array = NDArray[np.float64]
Where: TypeAlias = ArrayLike | Callable[[Array], ArrayLike] | None
Holds: TypeAlias = Selection | Mapping[Any, Where] | Iterable[tuple[Any, Where]] | str | None


@dataclass(frozen=True, eq=False)
class Hold:
    """Particles (n,) that go from `begin` to `end` (n, 3): as a rigid motion and what it does not explain."""

    particles: NDArray[np.int64]
    begin: Array
    end: Array

    def at(self, part: float) -> Array:
        """Where they are after this part of the way; a turn goes round, not through the middle."""
        if part >= 1.0:
            return self.end
        a, b = self.begin.mean(axis=0), self.end.mean(axis=0)
        turn = best_turn(self.begin - a, self.end - b)
        left = self.end - b - (self.begin - a) @ turn.T
        now = _part_of(turn, part)
        return a + part * (b - a) + ((self.begin - a) + part * left @ turn) @ now.T

    @property
    def longest(self) -> float:
        """The longest way of a particle (m)."""
        return float(np.linalg.norm(self.end - self.begin, axis=1).max(initial=0.0))


def read_holds(holds: Holds, body: Body, start: Array, what: str) -> list[Hold]:
    """Every way of writing them: a selection or the name of a group stays as it is; a mapping, or pairs, of these to
    places (n, 3), or a function of the rest places, or None to stay."""
    if holds is None:
        return []
    pairs: list[tuple[Any, Where]]
    if isinstance(holds, Mapping):
        pairs = list(holds.items())
    elif isinstance(holds, list | tuple) and holds and all(isinstance(each, tuple) for each in holds):
        pairs = list(holds)
    else:
        pairs = [(holds, None)]
    return [_hold(chosen, where, body, start, what) for chosen, where in pairs]


def _hold(chosen: Any, where: Where, body: Body, start: Array, what: str) -> Hold:
    if isinstance(chosen, str):
        if chosen not in body.groups:
            have = ", ".join(f'"{name}"' for name in body.groups) or "none"
            raise SettingsError(f'{what}: body "{body.name}" has no group "{chosen}"; it has {have}')
        particles = body.groups[chosen].astype(np.int64)
    else:
        particles = select(chosen, body.rest, what).astype(np.int64)
        given = np.atleast_1d(np.asarray(chosen)) if not callable(chosen) else particles
        if given.dtype != bool and len(given) == len(particles):  # places belong to the particles in their order
            particles = given.astype(np.int64)
    begin = start[particles]
    if where is None:
        return Hold(particles, begin, begin)
    try:
        end = np.array(where(body.rest[particles]) if callable(where) else where, dtype=np.float64)
    except (TypeError, ValueError):
        raise SettingsError(f"{what}: these places are not numbers; give ({len(particles)}, 3) of them") from None
    if end.shape == (3,) and len(particles) == 1:
        end = end[None]
    if end.shape != begin.shape or not np.isfinite(end).all():
        raise SettingsError(
            f"{what}: the places have shape {end.shape}; give {begin.shape} finite numbers, or a function of the rest "
            "places"
        )
    return Hold(particles, begin, end)


def best_turn(p: Array, q: Array) -> Array:
    """The rotation that takes p (n, 3) nearest to q."""
    u, s, vt = np.linalg.svd(q.T @ p)
    if s[1] <= 1e-9 * max(s[0], 1e-300):  # a point or a line: any turn would do
        return np.eye(3)
    return u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))]) @ vt


def _part_of(turn: Array, part: float) -> Array:
    q = quaternions(turn[None])[0]
    angle = 2 * np.arccos(min(1.0, q[3]))
    axis = q[:3] / max(float(np.linalg.norm(q[:3])), 1e-300)
    half = part * angle / 2
    return rotation_matrices(np.concatenate([np.sin(half) * axis, [np.cos(half)]])[None])[0]
